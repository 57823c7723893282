"""Hands: proposed, edited, confirmed once, corrected, typed in."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from companion.dominoes import Tile
from companion.session.answers import Outcome, Refused
from companion.session.events import HandTile
from companion.session.wording import say_refused

from .evening import Evening, done, hand, reading, refused


def test_a_photo_is_proposed_with_its_tiles_places_and_doubts() -> None:
    evening = Evening()
    proposed = done(evening.photo("Ben", "6-5 9-4 0-0", doubt=1))
    found = proposed.game.hand(proposed.sequence)
    assert found is not None
    assert [tile.tile for tile in found.tiles] == [Tile(6, 5), Tile(9, 4), Tile(0, 0)]
    assert [tile.wants_look for tile in found.tiles] == [False, True, False]
    assert all(tile.quad_px is not None and tile.picture for tile in found.tiles)
    assert found.to_look_at == 1
    assert proposed.game.round(1).open_hand("Ben") == found
    assert proposed.game.round(1).scores == {}


def test_a_confirmed_hand_scores_by_the_house_rules() -> None:
    evening = Evening(double_blank=50)
    proposed = done(evening.photo("Ben", "6-5 0-0"))
    done(evening.session.hands.confirm(evening.wish("Ben"), evening.id, proposed.sequence))
    sheet = evening.session.rounds.sheet(evening.id)
    assert sheet is not None
    ben = sheet.rows[0].cells[1]
    assert (ben.player, ben.points) == ("Ben", 61)
    assert ben.score is not None
    assert ben.score.now.pictures == (evening.game.hand(proposed.sequence).photos[0].picture,)  # type: ignore[union-attr]


def test_edits_are_kept_and_the_first_reading_stays() -> None:
    evening = Evening()
    proposed = done(evening.photo("Ben", "6-5 9-4", doubt=1)).sequence
    first = evening.game.hand(proposed)
    assert first is not None
    mended = (first.tiles[0], replace(first.tiles[1], ends=(8, 4), checked=True))
    edited = done(evening.session.hands.edit(evening.wish("Ann"), evening.id, proposed, mended)).game.hand(proposed)
    assert edited is not None
    assert edited.to_look_at == 0
    assert edited.photos[0].reading == reading("6-5 9-4", doubt=1)
    done(evening.session.hands.confirm(evening.wish(), evening.id, proposed))
    score = evening.game.round(1).scores["Ben"].now
    assert score.tiles == mended


def test_a_hand_that_was_dropped_is_gone() -> None:
    evening = Evening()
    proposed = done(evening.photo("Ben", "6-5")).sequence
    done(evening.session.hands.drop(evening.wish(), evening.id, proposed))
    assert evening.game.hand(proposed) is None
    refused(evening.session.hands.confirm(evening.wish(), evening.id, proposed), "hand_gone")
    refused(evening.session.hands.edit(evening.wish(), evening.id, proposed, ()), "hand_gone")


def test_two_people_who_confirm_one_hand_score_it_once() -> None:
    evening = Evening()
    proposed = done(evening.photo("Ben", "6-5")).sequence
    done(evening.session.hands.confirm(evening.wish("Ann"), evening.id, proposed))
    second = refused(
        evening.session.hands.confirm(evening.wish("Cy"), evening.id, proposed, tiles=hand("6-4")), "already_confirmed"
    )
    assert say_refused(second) == "Ann confirmed this hand already: Ben scores 11."
    assert len(evening.game.round(1).scores["Ben"].history) == 1


def test_another_photo_of_a_scored_hand_is_refused_unless_it_corrects() -> None:
    evening = Evening()
    first = done(evening.photo("Ben", "6-5")).sequence
    done(evening.session.hands.confirm(evening.wish("Ann"), evening.id, first))
    second = done(evening.photo("Ben", "6-5 1-0")).sequence
    refused(evening.session.hands.confirm(evening.wish(), evening.id, second), "already_scored")
    done(evening.session.hands.confirm(evening.wish(), evening.id, second, replace=True))
    score = evening.game.round(1).scores["Ben"]
    assert score.corrected
    assert [len(line.tiles or ()) for line in score.history] == [1, 2]
    assert score.first.by == "Ann"


def test_many_threads_that_confirm_one_hand_score_it_once() -> None:
    evening = Evening()
    proposed = done(evening.photo("Ben", "6-5")).sequence
    outcomes: list[Outcome] = []
    wishes = [evening.wish() for _ in range(8)]
    threads = [
        threading.Thread(
            target=lambda wish=wish: outcomes.append(evening.session.hands.confirm(wish, evening.id, proposed))
        )
        for wish in wishes
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Done"] + ["Refused"] * 7
    assert {o.reason for o in outcomes if isinstance(o, Refused)} == {"already_confirmed"}
    assert len(evening.game.round(1).scores["Ben"].history) == 1


def test_a_second_photo_adds_only_what_the_first_does_not_show() -> None:
    evening = Evening()
    proposed = done(evening.photo("Ben", "6-5 9-4")).sequence
    done(evening.photo("Ben", "9-4 3-3", adds_to=proposed))
    found = evening.game.hand(proposed)
    assert found is not None
    assert [str(tile.tile) for tile in found.tiles] == ["6-5", "9-4", "3-3"]
    assert found.seen_twice == (Tile(9, 4),)
    assert len({tile.picture for tile in found.tiles}) == 2
    refused(evening.photo("Cy", "1-1", adds_to=proposed), "other_hand")
    refused(evening.photo("Ben", "1-1", adds_to=999), "hand_gone")


def test_a_number_stands_as_it_was_typed() -> None:
    evening = Evening(marker_penalty=10)
    done(evening.score("Ben", 57))
    done(evening.score("Cy", "6-5"))
    done(evening.session.rounds.tell(evening.wish(), evening.id, out=["Ann"], markers=["Ben", "Cy"]))
    sheet = evening.session.rounds.sheet(evening.id)
    assert sheet is not None
    assert [cell.points for cell in sheet.rows[0].cells] == [0, 57, 21]


def test_a_hand_read_with_a_tile_twice_counts_it_twice() -> None:
    evening = Evening()
    done(evening.score("Ben", "6-5 6-5"))
    sheet = evening.session.rounds.sheet(evening.id)
    assert sheet is not None
    assert sheet.rows[0].cells[1].points == 22


def test_a_score_of_an_ended_round_is_corrected_with_its_history() -> None:
    evening = Evening()
    done(evening.play_round({"Ben": 3, "Cy": 7}, out="Ann"))
    refused(evening.score("Ben", 4, round_number=1), "already_scored")
    done(evening.score("Ben", 4, round_number=1, replace=True))
    score = evening.game.round(1).scores["Ben"]
    assert [line.points for line in score.history] == [3, 4]
    sheet = evening.session.rounds.sheet(evening.id)
    assert sheet is not None
    assert sheet.totals() == {"Ann": 0, "Ben": 4, "Cy": 7}


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"player": "Dee", "points": 1}, "no_player"),
        ({"player": "Ann", "points": 10_000}, "bad_points"),
        ({"player": "Ann", "tiles": (HandTile((19, 0)),)}, "bad_tile"),
        ({"player": "Ann", "tiles": (HandTile((-1, 0)),)}, "bad_tile"),
        ({"player": "Ann", "points": 1, "round_number": 2}, "other_round"),
        ({"player": "Ann", "points": 1, "round_number": 0}, "other_round"),
    ],
)
def test_what_cannot_be_a_score_is_refused(more: dict[str, object], reason: str) -> None:
    evening = Evening()
    refused(evening.session.hands.enter(evening.wish(), evening.id, **more), reason)  # type: ignore[arg-type]
    assert evening.game.version == 1


def test_a_score_is_tiles_or_a_number() -> None:
    evening = Evening()
    with pytest.raises(ValueError, match="tiles or by its points"):
        evening.session.hands.enter(evening.wish(), evening.id, player="Ann")


def test_who_went_out_gets_no_hand_until_that_is_changed() -> None:
    evening = Evening()
    done(evening.score("Ann", 30))
    done(evening.session.rounds.tell(evening.wish(), evening.id, out=["Ann"]))
    refused(evening.score("Ann", 57, replace=True), "is_out")
    proposed = done(evening.photo("Ann", "6-5")).sequence
    refused(evening.session.hands.confirm(evening.wish(), evening.id, proposed), "is_out")
    sheet = evening.session.rounds.sheet(evening.id)
    assert sheet is not None
    assert sheet.rows[0].cells[0].points == 0
    done(evening.session.rounds.tell(evening.wish(), evening.id, out=["Ben"]))
    done(evening.score("Ann", 57, replace=True))
