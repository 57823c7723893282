"""One tile through time: how looks add up, fade, and are turned the right way round."""

from __future__ import annotations

import numpy as np
from drawn import DrawnTile, sure

from companion.sightings import HIGHEST_PIPS, Detection, PipReading
from companion.table.seen import as_quad
from companion.table.shapes import tile_shaped
from companion.table.tracks import TileTrack, TrackParameters
from companion.table.uniqueness import with_uniqueness

P = TrackParameters()


def torn(value: int, other: int, share: float) -> PipReading:
    shares = np.full(HIGHEST_PIPS + 1, 0.02 / HIGHEST_PIPS)
    shares[value], shares[other] = share, 0.98 - share
    return PipReading(tuple((shares / shares.sum()).tolist()))


def detection(a: PipReading, b: PipReading, score: float = 0.9) -> Detection:
    return Detection(as_quad([[0, 0], [1, 0], [1, 2], [0, 2]]), (a, b), score)


CORNERS = DrawnTile((0, 0), 0j, -1j).corners()


def begin(a: PipReading, b: PipReading) -> TileTrack:
    return TileTrack.begin(0, CORNERS, detection(a, b), since=0, frame=0)


def test_looks_agree_and_become_surer_but_less_than_if_they_were_independent() -> None:
    track = begin(torn(6, 5, 0.7), sure(3))
    once = track.values(P)[0, 6]
    for frame in range(1, 6):
        track = track.seen(CORNERS, detection(torn(6, 5, 0.7), sure(3)), frame=frame, fresh=True, parameters=P)
    often = track.values(P)[0, 6]
    independent = 0.7**6 / (0.7**6 + 0.28**6)
    assert once < often < independent


def test_a_tile_that_was_not_looked_at_again_is_no_surer() -> None:
    track = begin(torn(6, 5, 0.7), sure(3))
    carried = track.seen(CORNERS, detection(sure(1), sure(1)), frame=1, fresh=False, parameters=P)
    assert (carried.values(P) == track.values(P)).all()
    assert carried.hits == 2
    assert carried.looks == 1


def test_halves_that_are_named_the_other_way_round_are_turned() -> None:
    track = begin(sure(6), sure(3))
    turned = track.seen(np.roll(CORNERS, 2), detection(sure(3), sure(6)), frame=1, fresh=True, parameters=P)
    assert turned.read(P) == (6, 3)
    assert np.abs(turned.corners - CORNERS).max() < 1e-9


def test_an_exchanged_tile_is_noticed_in_time() -> None:
    track = begin(sure(6), sure(3))
    for frame in range(1, 30):
        track = track.seen(CORNERS, detection(sure(6), sure(3)), frame=frame, fresh=True, parameters=P)
    for frame in range(30, 46):
        track = track.seen(CORNERS, detection(sure(5), sure(3)), frame=frame, fresh=True, parameters=P)
    assert track.read(P) == (5, 3)


def test_a_quad_that_was_cut_short_does_not_move_the_tile() -> None:
    track = begin(sure(6), sure(3))
    short = CORNERS.copy()
    short[2:] = CORNERS[2:] + 0.7 * (CORNERS[1] - CORNERS[2]) / 2
    after = track.seen(short, detection(sure(6), sure(3)), frame=1, fresh=True, parameters=P)
    assert abs(after.centre - track.centre) < 0.3


def test_the_surer_of_two_equal_tiles_keeps_its_value() -> None:
    share = np.array(
        [[sure(6).probabilities, sure(3).probabilities], [torn(6, 5, 0.55).probabilities, sure(3).probabilities]]
    )
    leaning = with_uniqueness(share)
    assert leaning[0, 0].argmax() == 6
    assert leaning[1, 0].argmax() == 5


def test_two_tiles_that_are_both_sure_stay_equal() -> None:
    share = np.array([[sure(6, 0.999).probabilities, sure(3, 0.999).probabilities]] * 2)
    assert (with_uniqueness(share).argmax(2) == [6, 3]).all()


def test_things_of_another_shape_are_no_tiles() -> None:
    quads = [tile_quad(complex(3 * k, k), np.exp(1j * k)) for k in range(6)]
    nut = tile_quad(9 - 5j, 1 + 0j) * 0.4 + 3
    good, plane = tile_shaped(np.array([*quads, nut]), np.ones(7))
    assert good.tolist() == [True] * 6 + [False]
    assert plane is not None


def tile_quad(centre: complex, heading: complex) -> np.ndarray:
    corners = DrawnTile((0, 0), centre, heading).corners()
    return np.stack([corners.real, corners.imag], axis=-1)
