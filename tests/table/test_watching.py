"""The watch over a table that is drawn in the plane: what it says when tiles come, go, hide, move and are read better."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from drawn import DrawnRound, DrawnTile, camera, draw_round, look, sure
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_layout import row, torn
from watched import ABOVE, SIZE_WH, base_watch, illegal_tiles, plays_of, sighting

from companion.rules.rulings import Verdict
from companion.table.layout import lay_out
from companion.table.seen import MarkerSighting
from companion.table.sighting import TableSighting
from companion.table.story import Explained
from companion.table.watch_events import (
    AskAbout,
    DoubleOwed,
    MarkerSeen,
    PlayRetracted,
    QuestionAsked,
    RulingGiven,
    StateSeen,
    TableCleared,
    WatchEvent,
    Why,
    as_record,
)
from companion.table.watch_words import tell
from companion.table.watching import TableWatch

TRAIN = row((12, 5), (5, 8), (8, 8), (8, 3))
"""The engine and a train to the right of it."""


def run(watch: TableWatch, *sightings: TableSighting) -> list[WatchEvent]:
    return [event for seen in sightings for event in watch.observe(seen)]


def test_tiles_that_lie_there_at_first_are_no_plays() -> None:
    events = run(base_watch(), sighting(TRAIN, 0), sighting(TRAIN, 1))
    assert plays_of(events) == []
    (state,) = [event for event in events if isinstance(event, StateSeen)]
    assert state.engine == 12
    assert [train.tiles for train in state.trains] == [((12, 5), (5, 8), (8, 8), (8, 3))]


def test_each_tile_is_told_once_with_its_train_and_frame() -> None:
    watch = base_watch()
    events = run(watch, *(sighting(TRAIN[: 1 + frame], frame) for frame in range(5)), sighting(TRAIN, 5))
    assert [(play.frame, str(play.tile), play.train) for play in plays_of(events)] == [
        (1, "12-5", "train 1"), (2, "8-5", "train 1"), (3, "8-8", "train 1"), (4, "8-3", "train 1"),
    ]  # fmt: skip
    assert plays_of(events)[1].ends == (5, 8)
    assert illegal_tiles(events) == []
    assert [str(event.double) for event in events if isinstance(event, DoubleOwed)] == ["8-8"]
    assert isinstance(watch.explanation, Explained)


def test_a_tile_that_does_not_fit_is_illegal_and_stays_on_the_table() -> None:
    tiles = row((12, 5), (5, 8), (7, 3))
    watch = base_watch()
    events = run(watch, sighting(tiles[:3], 0), sighting(tiles, 1), sighting(tiles, 2))
    assert [str(play.tile) for play in plays_of(events)] == ["7-3"]
    assert illegal_tiles(events) == ["7-3"]
    (ruling,) = [event for event in events if isinstance(event, RulingGiven)]
    assert ruling.ruling.rules == ("R-04",)
    assert "does not fit" in str(tell(ruling))
    assert watch.state is not None
    assert str(plays_of(events)[0].tile) in {str(tile) for tile in watch.state.table}


def test_a_tile_elsewhere_while_a_double_waits_is_illegal() -> None:
    tiles = [*row((12, 5), (5, 5)), DrawnTile((12, 9), -2.7 + 0j, 1 + 0j)]
    events = run(base_watch(), sighting(tiles[:3], 0), sighting(tiles, 1))
    assert illegal_tiles(events) == ["12-9"]
    (ruling,) = [event for event in events if isinstance(event, RulingGiven)]
    assert ruling.ruling.rules == ("R-09",)
    assert "somebody" not in str(tell(ruling))


def test_a_double_and_its_cover_between_two_pictures() -> None:
    tiles = row((12, 5), (5, 5), (5, 8))
    events = run(base_watch(), sighting(tiles[:2], 0), sighting(tiles, 1), sighting(tiles, 2))
    assert [str(play.tile) for play in plays_of(events)] == ["5-5", "8-5"]
    assert illegal_tiles(events) == []


def test_a_first_chain_between_two_pictures() -> None:
    tiles = row((12, 5), (5, 8), (8, 8), (8, 3), (3, 1))
    events = run(base_watch(), sighting(tiles[:1], 0), sighting(tiles, 1), sighting(tiles, 2))
    assert [str(play.tile) for play in plays_of(events)] == ["12-5", "8-5", "8-8", "8-3", "3-1"]


def test_a_tile_that_is_taken_back_is_retracted() -> None:
    shorter, watch = TRAIN[:4], base_watch()
    events = run(watch, sighting(shorter, 0), *(sighting(TRAIN, k) for k in (1, 2)))
    assert len(plays_of(events)) == 1
    events = run(watch, *(sighting(shorter, k) for k in (3, 4, 5)))
    (gone,) = [event for event in events if isinstance(event, PlayRetracted)]
    assert (str(gone.tile), gone.why) == ("8-3", Why.TAKEN_BACK)
    assert watch.state is not None
    assert "8-3" not in {str(tile) for tile in watch.state.table}


def test_a_hand_that_covers_tiles_takes_nothing_away() -> None:
    arm = ((960.0, 0.0), (1900.0, 0.0), (1900.0, 1400.0), (960.0, 1400.0))
    watch = base_watch()
    run(watch, sighting(TRAIN, 0), sighting(TRAIN, 1))
    events = run(watch, *(sighting(TRAIN[:2], k, covered=(arm,)) for k in range(2, 30)))
    events += run(watch, sighting(TRAIN, 30))
    assert [event for event in events if not isinstance(event, StateSeen)] == []
    assert watch.layout is not None
    assert [len(train.tiles) for train in watch.layout.trains] == [4]


def test_nothing_begins_in_a_frame_in_which_something_passes() -> None:
    watch = base_watch()
    events = run(watch, sighting(TRAIN[:2], 0), sighting(TRAIN, 1, passing=True))
    assert plays_of(events) == []
    events = run(watch, sighting(TRAIN[:2], 2), sighting(TRAIN[:2], 3))
    assert plays_of(events) == []


def test_the_first_frame_of_a_tile_is_where_the_pixels_say() -> None:
    events = run(base_watch(), sighting(TRAIN[:4], 0), sighting(TRAIN, 9, since={4: 6}))
    assert [play.frame for play in plays_of(events)] == [6]
    assert plays_of(events)[0].evidence.before == 5


def test_where_hardly_anything_was_seen_before_a_tile_is_laid_when_its_place_changes() -> None:
    """A print on the table looked a little like a tile, before one was laid on it."""
    watch = TableWatch(None, set_highest=12)
    tiles = [DrawnTile((3, 4), 0j, 1j), DrawnTile((6, 2), 4 + 0j, 1j)]
    faint = sighting(tiles, 1, since={0: 0, 1: 0}, score=0.55)
    events = run(watch, sighting(tiles[:1], 0), faint, sighting(tiles, 2, since={0: 0, 1: 2}))
    assert [(play.frame, str(play.tile)) for play in plays_of(events)] == [(2, "6-2")]


def test_a_tile_found_late_under_a_later_one_was_there_before() -> None:
    """A train at the engine grows outward only: who finds a tile in its middle has overlooked it."""
    tiles = row((12, 5), (5, 8), (8, 3))
    lacking = [tiles[0], tiles[1], tiles[3]]
    events = run(base_watch(), sighting(lacking, 0), sighting(lacking, 1), sighting(tiles, 2), sighting(tiles, 3))
    assert plays_of(events) == []


def test_an_unsure_reading_waits_and_a_better_one_puts_it_right() -> None:
    watch = TableWatch(None, set_highest=12)
    old, new = DrawnTile((3, 4), 0j, 1j), DrawnTile((6, 2), 4 + 0j, 1j)
    unsure = {1: (torn(5, 6, 0.6), sure(2))}
    assert plays_of(run(watch, sighting([old], 0), sighting([old, new], 1, readings=unsure))) == []
    events = run(watch, sighting([old, new], 2, readings=unsure))
    assert [(play.frame, str(play.tile)) for play in plays_of(events)] == [(1, "5-2")]
    events = run(watch, *(sighting([old, new], k) for k in (3, 4, 5)))
    kinds = [(type(event).__name__, str(event.tile)) for event in events if not isinstance(event, StateSeen)]
    assert kinds == [("PlayRetracted", "5-2"), ("PlaySeen", "6-2")]
    assert plays_of(events)[0].frame == 1


def test_at_the_end_of_the_feed_nothing_waits() -> None:
    watch = TableWatch(None, set_highest=12)
    old, new = DrawnTile((3, 4), 0j, 1j), DrawnTile((6, 2), 4 + 0j, 1j)
    run(watch, sighting([old], 0), sighting([old, new], 1, readings={1: (torn(6, 5, 0.6), sure(2))}))
    assert [str(play.tile) for play in plays_of(watch.finish())] == ["6-2"]


def test_the_neighbour_settles_what_is_torn() -> None:
    readings = {2: (torn(6, 5, 0.52), sure(8))}
    tiles = row((12, 5), (5, 8))
    events = run(base_watch(), sighting(tiles[:2], 0), *(sighting(tiles, k, readings=readings) for k in (1, 2)))
    assert [str(play.tile) for play in plays_of(events)] == ["8-5"]
    assert illegal_tiles(events) == []


def test_an_unsure_mismatch_is_a_question_and_no_accusation() -> None:
    readings = {2: (torn(6, 7, 0.8), sure(8))}
    tiles = row((12, 5), (6, 8))
    events = run(base_watch(), sighting(tiles[:2], 0), *(sighting(tiles, k, readings=readings) for k in (1, 2)))
    assert illegal_tiles(events) == []
    (asked,) = [event for event in events if isinstance(event, QuestionAsked)]
    assert asked.about is AskAbout.MATCH
    assert str(asked.tile) == "8-6"


def test_a_person_settles_it() -> None:
    readings = {2: (torn(6, 7, 0.8), sure(8))}
    tiles = row((12, 5), (6, 8))
    watch = base_watch()
    events = run(watch, sighting(tiles[:2], 0), *(sighting(tiles, k, readings=readings) for k in (1, 2)))
    (play,) = plays_of(events)
    events = list(watch.confirm(play.track, ends=(5, 8)))
    assert [str(event.tile) for event in plays_of(events)] == ["8-5"]
    events = run(watch, *(sighting(tiles, k) for k in range(3, 9)))  # the camera goes on reading a 6
    assert [event for event in events if isinstance(event, PlayRetracted)] == []
    with pytest.raises(KeyError):
        watch.confirm(99, ends=(1, 1))


def test_a_nudged_tile_and_a_shifted_train_are_the_same_tiles() -> None:
    watch = base_watch()
    tiles = [*TRAIN, DrawnTile((12, 9), -2.7 + 0j, 1 + 0j), DrawnTile((9, 4), -4.8 + 0j, 1 + 0j)]
    run(watch, sighting(tiles, 0), sighting(tiles, 1))
    nudged = [replace(tile, centre=tile.centre + 0.8j) if k == 4 else tile for k, tile in enumerate(tiles)]
    assert plays_of(run(watch, *(sighting(nudged, k) for k in (2, 3, 4)))) == []
    shifted = [replace(tile, centre=tile.centre + 1.6j) if 1 <= k <= 4 else tile for k, tile in enumerate(tiles)]
    events = run(watch, *(sighting(shifted, k) for k in (5, 6, 7, 8)))
    assert plays_of(events) == []
    assert [event for event in events if isinstance(event, PlayRetracted)] == []


def stays_clear(drawn: DrawnRound, start: int) -> bool:
    """Whether one look tells the trains at every stage; by chance a train may begin where another's next tile will lie."""
    for count in range(start, len(drawn.tiles) + 1):
        stage = replace(drawn, tiles=drawn.tiles[:count])
        seen, which = look(stage, np.random.default_rng(0), view=ABOVE)
        said = {tuple(which[t] for t in train.tiles) for train in lay_out(seen, highest=drawn.highest).trains}
        trains = [tuple(t for t in train if t < count) for train in drawn.trains]
        if any(train not in said for train in trains if len(train) > 1):
            return False
    return True


@given(st.integers(0, 10_000))
@settings(max_examples=10, deadline=None)
def test_a_moving_camera_sees_the_same_plays(seed: int) -> None:
    rng = np.random.default_rng(seed)
    drawn = draw_round(rng, most=16)
    start = min(4, len(drawn.tiles))
    assume(stays_clear(drawn, start))
    watch = base_watch(highest=drawn.highest)
    events: list[WatchEvent] = []
    for frame, count in enumerate(range(start, len(drawn.tiles) + 1)):
        views = [camera(rng, tilt_most=35) for _ in range(2)]
        for k, view in enumerate(views):
            seen = sighting(drawn.tiles[:count], 2 * frame + k, view=view, highest=drawn.highest)
            events += watch.observe(replace(seen, size_wh=(4000, 4000)))
    said = [tuple(sorted(play.ends)) for play in plays_of(events) if play.frame > 1]
    assert sorted(said) == sorted(tuple(sorted(tile.ends)) for tile in drawn.tiles[start:])
    assert [event for event in events if isinstance(event, PlayRetracted)] == []


def test_the_map_grows_while_the_camera_pans_over_a_table_that_no_frame_shows_whole() -> None:
    tiles = row(*((k, k - 1) for k in range(12, 1, -1)))
    watch = base_watch()
    for frame in range(24):
        left = min(frame, 18) * 1.2 - 1
        part = [tile for tile in tiles if left < tile.centre.real < left + 8]
        view = np.array([[100.0, 0, -100 * left + 60], [0, 100.0, 400], [0, 0, 1]])
        watch.observe(replace(sighting(part, frame, view=view), size_wh=(1000, 800)))
    assert watch.layout is not None
    assert len(watch.tracks) == len(tiles)
    assert [len(train.tiles) for train in watch.layout.trains] == [len(tiles) - 1]


def test_markers_are_believed_after_two_looks() -> None:
    tiles = [*TRAIN, DrawnTile((12, 9), -2.7 + 0j, 1 + 0j)]
    watch = base_watch()
    run(watch, sighting(tiles, 0), sighting(tiles, 1))
    place = tiles[4].centre + 1.3j
    marker = MarkerSighting((place.real * ABOVE[0, 0] + 900, place.imag * ABOVE[0, 0] + 700), 0.9)
    assert list(watch.mark([marker])) == []
    (up, *_) = watch.mark([marker])
    assert isinstance(up, MarkerSeen)
    assert up.up
    watch.mark([])
    downs = [event for event in watch.mark([]) if isinstance(event, MarkerSeen)]
    assert [event.up for event in downs] == [False]


def test_a_cleared_table_begins_a_new_round() -> None:
    watch = base_watch()
    many = row((12, 5), (5, 8), (8, 8), (8, 3), (3, 1), (1, 6))
    run(watch, sighting(many, 0), sighting(many, 1))
    engine = [DrawnTile((11, 11), 0j, 1j)]
    events = run(watch, *(sighting(engine, k, steady=True) for k in (2, 3, 4, 5, 6)))
    assert [type(event) for event in events if isinstance(event, TableCleared)] == [TableCleared]
    assert [event for event in events if isinstance(event, PlayRetracted)] == []
    assert len(watch.tracks) == 1


def test_a_camera_that_shows_something_else_asks_to_be_looked_at_and_loses_nothing() -> None:
    watch = base_watch()
    run(watch, sighting(TRAIN, 0), sighting(TRAIN, 1))
    strange = [DrawnTile((1, 1), 0j, 1j), DrawnTile((2, 0), 3 + 2j, 1j), DrawnTile((4, 1), -3 + 2j, 1j)]
    events = run(watch, *(sighting(strange, k) for k in range(2, 40)))
    (asked,) = events
    assert isinstance(asked, QuestionAsked)
    assert asked.about is AskAbout.FRAME
    assert len(watch.tracks) == len(TRAIN)
    assert plays_of(run(watch, sighting(TRAIN, 40), sighting(TRAIN, 41))) == []


def test_without_rules_a_tile_may_repeat_and_nothing_is_judged() -> None:
    watch = TableWatch(None, set_highest=12)
    one, two = DrawnTile((3, 4), 0j, 1j), DrawnTile((3, 4), 5 + 0j, 1j)
    events = run(watch, sighting([one], 0), sighting([one, two], 1), sighting([one, two], 2))
    assert [(str(play.tile), play.train) for play in plays_of(events)] == [("4-3", "table")]
    assert watch.state is None


def test_players_are_named_from_whose_turn_it_is() -> None:
    watch = base_watch(("Ann", "Ben", "Cy"))
    engine = DrawnTile((12, 12), 0j, 1j)
    ways = [np.exp(1j * np.radians(angle)) for angle in (0, 120, 240)]
    firsts = [DrawnTile((12, 5 + k), way * 2.7, -way) for k, way in enumerate(ways)]
    seconds = [DrawnTile((5 + k, k), way * 4.8, -way) for k, way in enumerate(ways)]
    laid = [engine, *firsts, *seconds]
    events = run(watch, *(sighting(laid[: 1 + k], k) for k in range(len(laid))), sighting(laid, len(laid)))
    plays = plays_of(events)
    assert [play.player for play in plays] == ["Ann", "Ben", "Cy", "Ann", "Ben", "Cy"]
    assert [play.train for play in plays[3:]] == ["Ann", "Ben", "Cy"]
    verdicts = {event.ruling.verdict for event in events if isinstance(event, RulingGiven)}
    assert verdicts == {Verdict.LEGAL}
    assert watch.state is not None
    assert watch.state.players[watch.state.turn.seat or 0] == "Ann"


def test_noise_and_nothing_do_no_harm() -> None:
    watch = base_watch()
    run(watch, sighting(TRAIN, 0), sighting(TRAIN, 1))
    rng = np.random.default_rng(0)
    for frame in range(2, 60):
        strange = [
            DrawnTile((int(rng.integers(13)), int(rng.integers(13))), complex(*rng.uniform(-9, 9, 2)), 1j)
            for _ in range(int(rng.integers(4)))
        ]
        watch.observe(TableSighting(frame, frame / 10, SIZE_WH, (), looked=()))
        watch.observe(replace(sighting(strange, frame, score=0.3), looked=()))
    run(watch, sighting(TRAIN, 60), sighting(TRAIN, 61))
    assert {tuple(sorted(ends)) for ends in watch.layout.ends} >= {tuple(sorted(tile.ends)) for tile in TRAIN}  # type: ignore[union-attr]


def test_every_event_has_a_form_for_programs_and_most_a_sentence() -> None:
    watch = base_watch(("Ann", "Ben"))
    tiles = row((12, 5), (5, 5), (4, 8))
    events = run(watch, *(sighting(tiles[: 1 + k], k) for k in range(4)), sighting(tiles, 4))
    kinds = {type(event) for event in events}
    assert {RulingGiven, DoubleOwed, StateSeen} <= kinds
    for event in events:
        record = json.loads(json.dumps(as_record(event), allow_nan=False))
        assert record["event"]
        assert isinstance(record["frame"], int)
        sentence = tell(event)
        assert sentence is None or (sentence and "{" not in sentence)


def test_what_is_laid_on_a_table_with_nothing_but_a_boneyard_is_told() -> None:
    back = sighting(TRAIN[:1], 0).tiles[0].detection.quad_px
    empty = replace(sighting([], 0), face_down=(back, back))
    begun = run(base_watch(), empty, sighting(TRAIN[:2], 1), sighting(TRAIN[:2], 2))
    assert {str(play.tile) for play in plays_of(begun)} >= {"12-5"}
    # a first picture of nothing at all may be of anything: what comes then lay there
    assert plays_of(run(base_watch(), sighting([], 0), sighting(TRAIN[:2], 1), sighting(TRAIN[:2], 2))) == []


def test_the_first_tile_on_a_bare_table_was_laid() -> None:
    watch = TableWatch(None, set_highest=12)
    assert plays_of(run(watch, sighting([], 0))) == []
    first, printed = TRAIN[1], TRAIN[3]
    events = run(watch, sighting([first, printed], 1, since={0: 1, 1: 0}))
    assert [(play.frame, str(play.tile)) for play in plays_of(events)] == [(1, "12-5")]


def test_a_camera_that_is_turned_to_a_table_shows_its_opening() -> None:
    watch = TableWatch(None, set_highest=12)
    assert plays_of(run(watch, sighting([], 0), sighting(TRAIN, 1), sighting(TRAIN, 2))) == []
