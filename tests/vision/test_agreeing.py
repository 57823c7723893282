"""Where tiles meet, the values that they show speak for each other."""

from __future__ import annotations

import numpy as np
import pytest

from companion.table.plane import Plane
from companion.vision.agreeing import agree, side_by_side
from companion.vision.agreeing import lying as as_lying
from companion.vision.choosing import plane_of_most
from companion.vision.rectify import Array, move

CAMERA = np.array([[40, 6, 300], [0, 24, 250], [0, 0.02, 1]])


def lying(x: float, y: float = 0.0) -> Array:
    """A tile along x, end a at (x, y)."""
    return move(CAMERA, np.array([[0, 0.5], [0, -0.5], [2, -0.5], [2, 0.5]]) + (x, y))


def standing(x: float, y: float) -> Array:
    """A tile along y whose middle is (x, y), end a up."""
    return move(CAMERA, np.array([[-0.5, -1], [0.5, -1], [0.5, 1], [-0.5, 1]]) + (x, y))


def agrees(plane: Plane, quad: Array, values: Array, other: Array, others: Array) -> bool:
    one, two = as_lying(plane, [quad, other])
    return one.is_near(two) and agree(one, values, two, others)


def read(a: int, b: int, sure: float = 0.97) -> Array:
    halves = np.full((2, 19), (1 - sure) / 18)
    halves[[0, 1], [a, b]] = sure
    return halves


@pytest.fixture(scope="module")
def plane() -> Plane:
    found = plane_of_most([lying(x, y) for x in (-4.0, 0.0, 3.0) for y in (-3.0, 0.0, 3.0)])
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("quad", "ends", "other", "others"),
    [
        (lying(0), (3, 5), lying(2.1), (5, 8)),
        (lying(0), (3, 5), lying(-2.1), (7, 3)),
        (lying(0), (3, 5), standing(2.6, 0.0), (5, 5)),
        (lying(0), (3, 5), standing(2.6, 0.5), (5, 8)),
        (standing(2.6, 0.5), (5, 8), lying(0), (3, 5)),
    ],
    ids=["straight on", "before it", "against a double's middle", "against a half's side", "seen from the other"],
)
def test_tiles_that_meet_with_one_value_agree(
    plane: Plane, quad: Array, ends: tuple[int, int], other: Array, others: tuple[int, int]
) -> None:
    assert agrees(plane, quad, read(*ends), other, read(*others))


@pytest.mark.parametrize(
    ("quad", "values", "other", "others"),
    [
        (lying(0), read(3, 5), lying(2.1), read(6, 5)),
        (lying(0), read(3, 5), lying(2.6), read(5, 8)),
        (lying(0), read(3, 5), lying(0, 1.05), read(3, 5)),
        (lying(0), read(3, 5), lying(2.1), read(5, 8, sure=0.6)),
        (lying(0), read(3, 5, sure=0.6), lying(2.1), read(5, 8)),
        (lying(0), read(3, 5), standing(2.6, 0.5), read(8, 5)),
    ],
    ids=["another value", "too far", "side by side", "the other is not sure", "it is not sure", "the wrong half"],
)
def test_others_do_not(plane: Plane, quad: Array, values: Array, other: Array, others: Array) -> None:
    assert not agrees(plane, quad, values, other, others)


def test_tiles_of_a_hand_lie_side_by_side(plane: Plane) -> None:
    """Not those end to end, a little apart, or shifted along."""
    row = [standing(x, 0.0) for x in (0.0, 1.02, 2.0)]
    others = [standing(0.0, 2.0), standing(4.4, 0.0), standing(-1.0, 0.5), lying(-0.5, 1.5)]
    assert side_by_side(as_lying(plane, row + others)) == [(0, 1), (1, 2)]
    assert side_by_side(as_lying(plane, others)) == []
