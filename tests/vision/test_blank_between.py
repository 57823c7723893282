"""The blank double that looks like a back, found by the two blanks between which it lies."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.blank_between import blank_between
from companion.vision.rectify import Array, move

CAMERA = np.array([[40, 6, 200], [0, 24, 150], [0, 0.03, 1]])
"""Tile widths to pixels, seen at a slant."""
LYING = np.array([[0, 0.5], [0, -0.5], [2, -0.5], [2, 0.5]])
"""A tile along x with end a at the origin."""


def tile(x: float, y: float = 0.0) -> Array:
    return LYING + (x, y)


def crosswise(x: float) -> Array:
    return np.array([[x, -1], [x + 1, -1], [x + 1, 1], [x, 1]], np.float64)


def read(*ends: tuple[int, int]) -> Array:
    halves = np.full((len(ends), 2, 19), 1e-3)
    for k, pair in enumerate(ends):
        halves[k, [0, 1], pair] = 1.0
    return halves / halves.sum(-1, keepdims=True)


def asked(tiles: list[Array], ends: list[tuple[int, int]], backs: list[Array]) -> int | None:
    seen = [move(CAMERA, quad) for quad in tiles]
    return blank_between(seen, read(*ends), [move(CAMERA, back) for back in backs])


TRAIN = [tile(-4.1), tile(-2.05), tile(1.05), tile(3.1), tile(5.2)]
ENDS = [(3, 8), (8, 0), (0, 4), (4, 4), (4, 1)]
YARD = [tile(-3, 4), tile(0, 5), tile(3, 4.5)]


def test_a_back_between_two_blanks_of_a_train_is_the_blank_double() -> None:
    assert asked(TRAIN, ENDS, [*YARD, crosswise(0.0)]) == 3


def test_one_laid_along_the_train_too() -> None:
    tiles = [tile(-4.1), tile(-2.05), tile(2.1), tile(4.2)]
    assert asked(tiles, [(3, 8), (8, 0), (0, 4), (4, 1)], [tile(0.03)]) == 0


@pytest.mark.parametrize(
    "ends",
    [
        [(3, 8), (8, 0), (5, 4), (4, 4), (4, 1)],
        [(3, 8), (8, 2), (2, 4), (4, 4), (4, 1)],
        [(0, 0), (8, 0), (0, 4), (4, 4), (4, 1)],
    ],
    ids=["one of the ends shows pips", "both do", "the blank double lies elsewhere"],
)
def test_any_other_back_stays_one(ends: list[tuple[int, int]]) -> None:
    assert asked(TRAIN, ends, [*YARD, crosswise(0.0)]) is None


def test_backs_beside_a_train_stay_backs() -> None:
    """They touch its side, or one end only."""
    assert asked(TRAIN, ENDS, [tile(-2.0, 1.05), tile(1.0, -1.05), tile(-6.2)]) is None
    assert asked(TRAIN[:2], ENDS[:2], [crosswise(0.0)]) is None
    assert asked(TRAIN, ENDS, []) is None
