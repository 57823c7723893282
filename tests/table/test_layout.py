"""Layouts of rounds that were drawn in the plane: right, whatever the camera, the noise and the order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from drawn import DrawnRound, DrawnTile, draw_round, look, sure
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.sightings import HIGHEST_PIPS, PipReading
from companion.table.faults import Fault
from companion.table.layout import Layout, LayoutParameters, lay_out, with_toes
from companion.table.seen import MarkerSighting, SeenTable, seen_table
from companion.table.words import layout_lines

ABOVE = np.array([[60.0, 0, 900], [0, 60.0, 700], [0, 0, 1]])
"""A camera straight above."""


def trains_of(layout: Layout, which: list[int]) -> set[tuple[int, ...]]:
    """The layout's trains in the drawn round's numbers."""
    return {tuple(which[tile] for tile in train.tiles) for train in layout.trains}


def seen_from_above(tiles: list[DrawnTile], highest: int = 12) -> SeenTable:
    """The tiles in their order."""
    seen, which = look(DrawnRound(highest, tiles), np.random.default_rng(0), view=ABOVE)
    order = np.argsort(which)
    return SeenTable(tuple(seen.tiles[k] for k in order))


def torn(value: int, other: int, share: float = 0.6) -> PipReading:
    """A reading between two values; the first is likelier."""
    chances = np.full(HIGHEST_PIPS + 1, 0.02 / 17)
    chances[value], chances[other] = share * 0.98, (1 - share) * 0.98
    return PipReading(tuple((chances / chances.sum()).tolist()))


def reread(seen: SeenTable, tile: int, half: int, reading: PipReading) -> SeenTable:
    """The table with one half read otherwise."""
    old = seen.tiles[tile]
    readings = (reading, old.readings[1]) if half == 0 else (old.readings[0], reading)
    tiles = (*seen.tiles[:tile], replace(old, readings=readings), *seen.tiles[tile + 1 :])
    return replace(seen, tiles=tiles)


def row(*ends: tuple[int, int], start: complex = 1.7 + 0j, gap: float = 0.1) -> list[DrawnTile]:
    """An engine 12-12 in the middle and one train to the right; crosswise doubles."""
    tiles, x = [DrawnTile((12, 12), 0j, 1j)], start
    for a, b in ends:
        if a == b:
            tiles.append(DrawnTile((a, b), x + 0.5, 1j))
            x += 1 + gap
        else:
            tiles.append(DrawnTile((a, b), x + 1, -1 + 0j))
            x += 2 + gap
    return tiles


def codes(layout: Layout) -> set[Fault]:
    return {anomaly.code for anomaly in layout.anomalies}


def test_random_rounds_come_back() -> None:
    """With noise of 15 % of a tile and any camera: at least 98 % of the trains, and none invented."""
    right = total = invented = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        drawn = draw_round(rng)
        seen, which = look(drawn, rng, noise=0.15)
        layout = lay_out(seen, highest=drawn.highest)
        said, true = trains_of(layout, which), {tuple(train) for train in drawn.trains}
        total, right = total + len(true), right + len(true & said)
        invented += len([train for train in said - true if len(train) > 1])
        ends = {tuple(which[t] for t in train.tiles): train.open_end for train in layout.trains}
        for train, value in zip(drawn.trains, drawn.open_ends, strict=True):
            assert ends.get(tuple(train), value) == value
    assert right >= 0.98 * total
    assert invented <= 0.02 * total


def test_lost_tiles_harm_their_own_train_only() -> None:
    right = total = 0
    for seed in range(80):
        rng = np.random.default_rng(seed)
        drawn = draw_round(rng)
        seen, which = look(drawn, rng, noise=0.15, lost=0.05)
        said = trains_of(lay_out(seen, highest=drawn.highest), which)
        whole = [tuple(train) for train in drawn.trains if set(train) <= set(which)]
        total, right = total + len(whole), right + sum(train in said for train in whole)
    assert right >= 0.98 * total


@given(st.integers(0, 10_000), st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_the_order_of_detections_does_not_matter(seed: int, shuffle: int) -> None:
    rng = np.random.default_rng(seed)
    drawn = draw_round(rng, most=25)
    seen, which = look(drawn, rng, noise=0.1)
    order = np.random.default_rng(shuffle).permutation(len(which)).tolist()
    again = SeenTable(tuple(seen.tiles[k] for k in order))
    one = trains_of(lay_out(seen, highest=drawn.highest), which)
    assert trains_of(lay_out(again, highest=drawn.highest), [which[k] for k in order]) == one


@given(st.integers(0, 10_000), st.sampled_from([90, 180, 270, 33]))
@settings(max_examples=25, deadline=None)
def test_the_turn_of_the_picture_does_not_matter(seed: int, degrees: int) -> None:
    rng = np.random.default_rng(seed)
    drawn = draw_round(rng, most=25)
    seen, which = look(drawn, rng, noise=0.1)
    turn = np.exp(1j * np.radians(degrees))
    turned = []
    for tile in seen.tiles:
        corners = np.array([complex(x, y) for x, y in tile.quad_px]) * turn + (400 - 300j)
        turned.append(replace(tile, quad_px=tuple((float(c.real), float(c.imag)) for c in corners)))
    one = trains_of(lay_out(seen, highest=drawn.highest), which)
    assert trains_of(lay_out(SeenTable(tuple(turned)), highest=drawn.highest), which) == one


def test_a_train_with_a_crosswise_double_and_its_orientation() -> None:
    layout = lay_out(seen_from_above(row((12, 5), (5, 5), (5, 8), (8, 3))), highest=12)
    assert layout.engine == 0
    (train,) = layout.trains
    assert train.tiles == (1, 2, 3, 4)
    assert train.inward == (0, 0, 0, 0)
    assert train.open_end == 3
    assert not train.open_double
    assert codes(layout) == set()


def test_an_uncovered_double_is_told() -> None:
    layout = lay_out(seen_from_above(row((12, 5), (5, 5))), highest=12)
    assert layout.trains[0].open_double
    assert layout.trains[0].open_end == 5
    assert Fault.UNCOVERED_DOUBLE in codes(layout)


def test_a_sure_mismatch_is_reported_and_not_corrected() -> None:
    layout = lay_out(seen_from_above(row((12, 5), (6, 8), (8, 3))), highest=12)
    assert layout.ends[1] == (12, 5)
    assert layout.ends[2] == (6, 8)
    (fault,) = [anomaly for anomaly in layout.anomalies if anomaly.code is Fault.MISMATCHED_JOIN]
    assert set(fault.tiles) == {1, 2}
    assert "5 against 6" in fault.message or "6 against 5" in fault.message
    assert layout.trains[0].tiles == (1, 2, 3)


def test_the_neighbour_decides_what_is_open() -> None:
    seen = reread(seen_from_above(row((12, 5), (5, 8), (8, 3))), 2, 0, torn(6, 5))
    layout = lay_out(seen, highest=12)
    assert layout.ends[2] == (5, 8)
    assert codes(layout) == set()
    assert layout.doubts == ()


def test_an_unsure_mismatch_is_a_question() -> None:
    seen = reread(seen_from_above(row((12, 5), (6, 8), (8, 3))), 2, 0, torn(6, 7, 0.7))
    layout = lay_out(seen, highest=12)
    assert Fault.MISMATCHED_JOIN not in codes(layout)
    (doubt,) = layout.doubts
    assert doubt.tile == 2
    assert doubt.alternatives[0].ends == (5, 8)
    assert "is it a 5?" in doubt.why


def station(*starts: int, middle: tuple[int, int] = (12, 12)) -> list[DrawnTile]:
    """A tile with trains of one tile all round it, each beginning with a 12."""
    tiles = [DrawnTile(middle, 0j, 1j)]
    for k, value in enumerate(starts):
        way = complex(np.exp(2j * np.pi * k / 8))
        tiles.append(DrawnTile((12, value), 2.9 * way, -way))
    return tiles


def test_an_engine_that_is_hard_to_read_is_known_by_its_trains() -> None:
    seen = seen_from_above(station(3, 5, 8, 10))
    for half, other in ((0, 9), (1, 11)):
        seen = reread(seen, 0, half, torn(other, 12, 0.8))
    layout = lay_out(seen, highest=12)
    assert layout.engine == 0
    assert layout.ends[0] == (12, 12)
    assert len(layout.trains) == 4
    assert lay_out(replace(seen, tiles=seen.tiles[:3]), highest=12).engine is None  # two may meet any tile


def test_trains_around_a_tile_that_is_surely_another_change_nothing() -> None:
    layout = lay_out(seen_from_above(station(3, 5, 8, 10, middle=(9, 11))), highest=12)
    assert layout.engine is None
    assert layout.ends[0] == (9, 11)


def test_engines_of_random_rounds_are_known_by_their_trains() -> None:
    found = total = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        drawn = draw_round(rng)
        seen, which = look(drawn, rng, noise=0.1)
        if sum(not mexican for mexican in drawn.mexican) < 3:
            continue
        engine, value = which.index(drawn.engine), drawn.tiles[drawn.engine].ends[0]
        others = [v for v in range(drawn.highest + 1) if v != value]
        for half in (0, 1):
            seen = reread(seen, engine, half, torn(others.pop(int(rng.integers(len(others)))), value, 0.75))
        layout = lay_out(seen, highest=drawn.highest)
        total, found = total + 1, found + (layout.engine == engine and layout.ends[engine] == (value, value))
    assert total > 20
    assert found >= 0.95 * total


def test_where_hardly_a_tile_is_joined_no_neighbour_settles_anything() -> None:
    """Two tiles of a heap that touch by chance are no train."""
    heap = [DrawnTile((2, 6 - k), complex(9 * k, 12), 1j) for k in range(6)]
    touching = [DrawnTile((3, 4), 0j, 1j), DrawnTile((2, 5), 2.05j, 1j)]
    seen = reread(seen_from_above([*touching, *heap]), 0, 0, torn(3, 4))
    seen = reread(seen, 0, 1, torn(4, 2, 0.9))
    assert lay_out(seen, highest=6).ends[0] == (3, 4)


def test_a_wrong_start_and_a_duplicate() -> None:
    tiles = row((11, 5), (5, 8))
    tiles += [
        DrawnTile((12, 9), -2.7 + 0j, 1 + 0j),
        DrawnTile((9, 8), -4.8 + 0j, 1 + 0j),
        DrawnTile((8, 5), -6.9 + 0j, 1 + 0j),
    ]
    tiles += [DrawnTile((12, 1), 2.7j, -1j), DrawnTile((12, 2), -2.7j, 1j)]
    layout = lay_out(seen_from_above(tiles), highest=12)
    assert {Fault.WRONG_START, Fault.DUPLICATE_TILE} <= codes(layout)
    wrong = next(a for a in layout.anomalies if a.code is Fault.WRONG_START)
    assert wrong.tiles == (1,)
    twice = next(a for a in layout.anomalies if a.code is Fault.DUPLICATE_TILE)
    assert twice.tiles == (2, 5)


def test_what_may_be_no_tile_is_no_second_copy() -> None:
    tiles = [*row((12, 5)), DrawnTile((5, 12), 6 + 4j, 1j)]
    seen = seen_from_above(tiles)
    assert Fault.DUPLICATE_TILE in codes(lay_out(seen, highest=12))
    doubtful = replace(seen, tiles=(*seen.tiles[:2], replace(seen.tiles[2], score=0.6)))
    assert Fault.DUPLICATE_TILE not in codes(lay_out(doubtful, highest=12))


def test_a_double_that_may_be_none_is_not_called_uncovered() -> None:
    seen = seen_from_above(row((12, 4), (4, 4)))
    assert lay_out(seen, highest=12).trains[0].open_double
    seen = seen_from_above([*row((12, 4)), DrawnTile((4, 7), 4.8 + 0j, -1 + 0j)])
    doubtful = reread(seen, 2, 1, torn(4, 7, 0.45))
    layout = lay_out(reread(doubtful, 2, 0, torn(4, 3, 0.9)), highest=12)
    assert not layout.trains[0].open_double
    assert Fault.UNCOVERED_DOUBLE not in codes(layout)


def test_a_hand_in_two_rows_is_no_train() -> None:
    tiles = row((12, 5), (5, 8))
    for k, ends in enumerate([(1, 2), (3, 4), (6, 9), (2, 7), (4, 10), (9, 9)]):
        tiles.append(DrawnTile(ends, complex(-4 + 1.15 * (k % 3), 8 + 2.2 * (k // 3)), -1j))
    layout = lay_out(seen_from_above(tiles), highest=12)
    assert [train.tiles for train in layout.trains] == [(1, 2)]
    assert set(layout.loose) == set(range(3, 9))


def line(*ends: tuple[int, int], start: complex, gap: float = 0.1) -> list[DrawnTile]:
    """Tiles end to end in a line, to the right."""
    return [DrawnTile((a, b), start + 1 + k * (2 + gap), -1 + 0j) for k, (a, b) in enumerate(ends)]


HAND = ((6, 3), (1, 9), (8, 3), (4, 11), (2, 10), (10, 8), (11, 7))


def test_a_hand_in_a_line_is_no_train() -> None:
    """It lies as a train does, but hardly any of its values meet."""
    tiles = [*row((12, 3), (3, 5), (5, 9)), *line(*HAND, start=-4 + 5j)]
    layout = lay_out(seen_from_above(tiles), highest=12)
    assert [train.tiles for train in layout.trains] == [(1, 2, 3)]
    assert set(layout.loose) == {4, 5, 6, 7, 8, 9, 10}
    assert Fault.MISMATCHED_JOIN not in codes(layout)


def test_a_hand_in_a_line_that_meets_a_train_is_cut_off_where_it_begins() -> None:
    """The train ends where the values end to meet."""
    train = row((12, 3), (3, 5), (5, 9))
    tiles = [*train, *line(*HAND[:4], start=train[-1].centre + 1.1)]
    layout = lay_out(seen_from_above(tiles), highest=12)
    assert [train.tiles for train in layout.trains] == [(1, 2, 3)]
    assert Fault.MISMATCHED_JOIN not in codes(layout)


def test_one_wrong_tile_stays_though_a_train_goes_on_from_it() -> None:
    """What people look for: it does not fit, and what was laid on it does."""
    layout = lay_out(seen_from_above(row((12, 3), (3, 5), (7, 9), (9, 1), (1, 4))), highest=12)
    assert [train.tiles for train in layout.trains] == [(1, 2, 3, 4, 5)]
    assert Fault.MISMATCHED_JOIN in codes(layout)


def test_a_few_tiles_in_a_line_are_a_chain_where_nothing_is_being_played() -> None:
    """A photo of dominoes laid end to end, whatever they show."""
    layout = lay_out(seen_from_above(line((3, 5), (2, 4), (3, 1), (3, 0), start=0j)), highest=6)
    assert len(layout.joins) == 3


def test_chicken_foot_toes() -> None:
    tiles = row((12, 5), (5, 5))
    middle = tiles[2].centre
    for k, (ends, turn) in enumerate([((5, 1), -0.7), ((5, 2), 0.0), ((5, 3), 0.7)]):
        out = np.exp(1j * turn)
        tiles.append(DrawnTile(ends, middle + 0.6 + 0.75j * (k - 1) + out * 1.05, -out))
    tiles.append(DrawnTile((2, 9), tiles[4].centre + 2.1, -1 + 0j))
    parameters = with_toes(LayoutParameters(), 3)
    layout = lay_out(seen_from_above(tiles), highest=12, parameters=parameters)
    assert layout.trains[0].tiles == (1, 2, 4, 6)
    assert {train.tiles for train in layout.trains if train.branch} == {(3,), (5,)}


def test_two_engines() -> None:
    tiles = row((12, 5), (5, 8), (8, 8), (8, 1))
    second = tiles[3].centre
    tiles += [
        DrawnTile((8, 2), second + 2.1j, -1j),
        DrawnTile((12, 9), -2.7 + 0j, 1 + 0j),
        DrawnTile((12, 1), 2.7j, -1j),
    ]
    seen = seen_from_above(tiles)
    layout = lay_out(seen, highest=12)
    assert layout.engine == 0
    (fault,) = [anomaly for anomaly in layout.anomalies if anomaly.code is Fault.TWO_ENGINES]
    assert fault.tiles == (0, 3)


def test_without_an_engine_chains_are_still_trains() -> None:
    tiles = [tile for tile in row((12, 5), (5, 8), (8, 3)) if tile.ends != (12, 12)]
    layout = lay_out(seen_from_above(tiles), highest=12)
    assert layout.engine is None
    assert Fault.NO_ENGINE in codes(layout)
    assert layout.trains[0].tiles in [(0, 1, 2), (2, 1, 0)]


def test_a_person_names_the_engine() -> None:
    tiles = row((12, 5), (5, 5), (5, 8))
    layout = lay_out(seen_from_above(tiles), highest=12, engine=5)
    assert layout.engine == 2
    assert {train.tiles for train in layout.trains} == {(1,), (3,)}


def test_a_marker_marks_the_nearest_train() -> None:
    tiles = [*row((12, 5), (5, 8)), DrawnTile((12, 9), -2.7 + 0j, 1 + 0j), DrawnTile((12, 1), 2.7j, -1j)]
    seen = seen_from_above(tiles)
    place = tiles[2].centre + 1.3j
    marker = MarkerSighting((place.real * 60 + 900, place.imag * 60 + 700), 0.9)
    layout = lay_out(replace(seen, markers=(marker,)), highest=12)
    assert [train.tiles for train in layout.trains if train.marker] == [(1, 2)]
    far = replace(marker, place_px=(0.0, 0.0))
    assert not any(train.marker for train in layout.marked_by([far]).trains)


def test_nothing_and_nearly_nothing() -> None:
    assert lay_out(SeenTable(())).trains == ()
    one = lay_out(seen_from_above([DrawnTile((3, 4), 0j, 1j)]), highest=12)
    assert one.trains == ()
    assert one.loose == (0,)
    two = lay_out(seen_from_above([DrawnTile((3, 4), 0j, -1 + 0j), DrawnTile((4, 6), 2.1 + 0j, -1 + 0j)]), highest=12)
    assert len(two.trains) == 1


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_heaps_of_nonsense_give_a_layout(seed: int) -> None:
    """Each tile lies in one train or is loose; nothing breaks on tiles that lie on one another."""
    rng = np.random.default_rng(seed)
    tiles = []
    for _ in range(int(rng.integers(1, 15))):
        quad = rng.uniform(0, 400, 2) + rng.uniform(-60, 60, (4, 2))
        readings = tuple(sure(int(rng.integers(0, 19)), rng.uniform(0.2, 1.0)) for _ in range(2))
        tiles.append(
            replace(
                seen_from_above([DrawnTile((1, 2), 0j, 1j)]).tiles[0],
                quad_px=tuple(map(tuple, quad.tolist())),
                readings=readings,
            )
        )
    layout = lay_out(SeenTable(tuple(tiles)), highest=18)
    placed = [tile for train in layout.trains for tile in train.tiles] + list(layout.loose)
    placed += [layout.engine] if layout.engine is not None else []
    assert sorted(placed) == list(range(len(tiles)))


def cut_on_the_right(seen: SeenTable, x: float) -> SeenTable:
    """The same table in a picture that ends at x."""
    quads = np.array([tile.quad_px for tile in seen.tiles])
    values = np.array([[half.probabilities for half in tile.readings] for tile in seen.tiles])
    scores = np.array([tile.score for tile in seen.tiles])
    return seen_table(quads, values, scores, face_down_px=np.zeros((0, 4, 2)), size_wh=(round(x), 1400))


def test_a_tile_that_the_edge_cuts_is_in_no_train_and_the_train_says_that_it_goes_on() -> None:
    seen = seen_from_above(row((12, 4), (4, 7), (7, 9)))
    edge = max(x for x, _ in seen.tiles[-1].quad_px)
    whole = lay_out(cut_on_the_right(seen, edge + 20))
    assert [train.tiles for train in whole.trains] == [(1, 2, 3)]
    assert not whole.trains[0].end_unseen

    layout = lay_out(cut_on_the_right(seen, edge - 30))
    (train,) = layout.trains
    assert train.tiles == (1, 2)
    assert train.end_unseen
    assert [(a.code, a.tiles) for a in layout.anomalies] == [(Fault.CUT_TILE, (3,))]
    assert any("goes on out of the picture" in line for line in layout_lines(layout))


def test_a_double_that_a_cut_tile_covers_is_not_called_uncovered() -> None:
    seen = seen_from_above(row((12, 4), (4, 4), (4, 9)))
    edge = max(x for x, _ in seen.tiles[-1].quad_px)
    layout = lay_out(cut_on_the_right(seen, edge - 30))
    (train,) = layout.trains
    assert train.tiles == (1, 2)
    assert not train.open_double
    assert Fault.UNCOVERED_DOUBLE not in {anomaly.code for anomaly in layout.anomalies}


def test_a_cut_tile_of_a_hand_begins_no_train_though_it_shows_the_engine_s_value() -> None:
    hand = DrawnTile((12, 3), 5 + 6j, -1 + 0j)
    seen = seen_from_above([*row((12, 4)), hand])
    edge = max(x for x, _ in seen.tiles[-1].quad_px)
    layout = lay_out(cut_on_the_right(seen, edge - 30))
    assert [train.tiles for train in layout.trains] == [(1,)]
    assert layout.loose == (2,)
    assert next(line for line in layout_lines(layout) if "cut by" in line).startswith("LOOK: 12-3")


def test_a_corner_that_sticks_out_by_a_hair_cuts_no_tile() -> None:
    seen = seen_from_above(row((12, 4), (4, 7)))
    edge = max(x for x, _ in seen.tiles[-1].quad_px)
    assert cut_on_the_right(seen, edge - 1).cut == frozenset()
