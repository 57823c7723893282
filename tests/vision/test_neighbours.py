"""Values that a tile's train settles, where a picture shows trains, and only there."""

from __future__ import annotations

import cmath

import numpy as np
import pytest

from companion.sightings import DoubtKind, PhotoReading
from companion.vision.concluding import conclude
from companion.vision.pips import nothing_counted
from companion.vision.read_parameters import ReadParameters
from companion.vision.seen import SeenTile
from companion.vision.values import ValueReading

SIZE = (1600, 1600)
WIDTH_PX = 60
Half = tuple[int, int, float]
"""Likeliest value, the next, and the share of the first."""


def lying(centre: complex, heading: complex, a: Half, b: Half) -> SeenTile:
    """A tile at a place (tile widths from the picture's middle), half a towards `heading`."""
    corners = [centre + heading * u + 1j * heading * v / 2 for u, v in ((1, -1), (1, 1), (-1, 1), (-1, -1))]
    quad = np.array([(c.real, c.imag) for c in corners]) * WIDTH_PX + np.array(SIZE) / 2
    share = np.full((2, 19), 0.002)
    for half, (value, other, first) in enumerate((a, b)):
        share[half, other] += (1 - first) * 0.96
        share[half, value] += first * 0.96
    values = ValueReading(np.log(share / share.sum(1, keepdims=True)), np.log([0.98, 0.01, 0.01]))
    count = nothing_counted(np.zeros((0, 3)))
    return SeenTile(quad, 0.95, np.array([0.98, 0.01, 0.01]), 0.95, values, (count, count))


def sure(value: int) -> Half:
    return value, value, 1.0


def station(engine: tuple[Half, Half], *inner: Half) -> list[SeenTile]:
    """An engine with a train of one tile for each inner half; the outer ones are 0, 1, 2 ..."""
    tiles = [lying(0j, 1j, *engine)]
    for k, half in enumerate(inner):
        way = cmath.exp(2j * cmath.pi * k / len(inner))
        tiles.append(lying(2.9 * way, -way, half, sure(k)))
    return tiles


def concluded(tiles: list[SeenTile], *, neighbours: bool = True) -> PhotoReading:
    return conclude(tiles, [], SIZE, 12, ReadParameters(), neighbours=neighbours)


def test_trains_settle_their_engine_and_the_engine_their_first_tiles() -> None:
    torn = (9, 12, 0.55)
    tiles = station((torn, (11, 12, 0.6)), sure(12), sure(12), torn, sure(12), sure(12))
    alone = [tile.ends for tile in concluded(tiles, neighbours=False).tiles]
    assert alone[0] == (9, 11) and alone[3] == (9, 2)
    together = concluded(tiles)
    assert [tile.ends for tile in together.tiles] == [(12, 12), (12, 0), (12, 1), (12, 2), (12, 3), (12, 4)]


def test_a_value_that_was_changed_names_what_it_was_taken_for() -> None:
    tiles = station((sure(12), sure(12)), sure(12), sure(12), (9, 12, 0.8), sure(12))
    reading = concluded(tiles)
    assert reading.tiles[3].ends == (12, 2)
    (doubt,) = (doubt for doubt in reading.doubts if doubt.tile == 3)
    assert DoubtKind.VALUE in doubt.kinds
    assert doubt.alternatives[0].ends == (9, 2)
    assert "could be a 9" in doubt.why


def test_what_is_sure_stays_though_it_does_not_match() -> None:
    tiles = station((sure(12), sure(12)), sure(12), sure(12), sure(9), sure(12))
    assert concluded(tiles).tiles[3].ends == (9, 2)


def test_neighbours_that_agree_make_surer_but_not_sure() -> None:
    tiles = station((sure(12), sure(12)), sure(12), sure(12), (12, 9, 0.7), sure(12))
    alone, together = concluded(tiles, neighbours=False).tiles[3], concluded(tiles).tiles[3]
    assert alone.confidence < together.confidence < 0.88 * alone.confidence / 0.7


def test_in_a_hand_tiles_that_touch_say_nothing() -> None:
    hand = [lying(complex(1.02 * k - 3, 0), 1j, sure(k), sure(6)) for k in range(5)]
    hand += [lying(complex(1.02 * k - 3, 2.02), 1j, (5, 6, 0.6), sure(k)) for k in range(5)]
    assert [tile.ends for tile in concluded(hand).tiles[5:]] == [(5, k) for k in range(5)]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_few_tiles_are_no_table(count: int) -> None:
    tiles = [lying(complex(3 * k, 0), 1j, sure(k), sure(k + 1)) for k in range(count)]
    assert [tile.ends for tile in concluded(tiles).tiles] == [(k, k + 1) for k in range(count)]
