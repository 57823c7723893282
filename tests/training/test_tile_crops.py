"""What crops show the small networks what is no tile."""

import numpy as np
import pytest

from companion.training.tile_crops import some_halves_of_two
from companion.vision.overlap import smaller_covered
from companion.vision.rectify import rectangle_corners, signed_area


def standing(x: float, y: float = 100.0) -> np.ndarray:
    """A tile, 40 by 80, of which this is the middle."""
    return rectangle_corners(x, y, 40, 80, 0.0)


def turned(quads: list[np.ndarray], degrees: float) -> list[np.ndarray]:
    cos, sin = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return [np.roll(quad @ np.array([[cos, sin], [-sin, cos]]), 2, axis=0) for quad in quads]


@pytest.mark.parametrize("degrees", [0.0, 37.0, 160.0])
@pytest.mark.parametrize(
    ("tiles", "cuts"),
    [
        ([standing(100), standing(141), standing(182)], 4),  # a row of three: two halves at each of two seams
        ([standing(100), standing(100, 181)], 1),  # a train: the halves that meet
        ([standing(100), standing(160)], 0),  # apart
        ([standing(100), standing(141, 130)], 0),  # beside each other, but not half by half
        ([standing(100)], 0),
    ],
)
def test_halves_of_two_tiles_that_touch_are_cut_as_one(tiles: list[np.ndarray], cuts: int, degrees: float) -> None:
    tiles = turned(tiles, degrees)
    found = some_halves_of_two(np.random.default_rng(0), tiles, 99)
    assert len(found) == cuts
    for quad in found:
        assert signed_area(quad) == pytest.approx(40 * 80, rel=0.1)  # clockwise
        assert np.linalg.norm(quad[0] - quad[1]) < np.linalg.norm(quad[1] - quad[2])
        shares = sorted(smaller_covered(np.stack([quad] * len(tiles)), np.stack(tiles)).tolist())
        assert shares[-2:] == pytest.approx([0.5, 0.5], abs=0.03)


def test_no_more_are_cut_than_asked_for() -> None:
    tiles = [standing(100 + 41 * k) for k in range(6)]
    assert len(some_halves_of_two(np.random.default_rng(0), tiles, 3)) == 3
