"""How much quads share, told by sampled points: near enough to what is cut out exactly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.overlap import inside, near_pairs, sampled_shares, smaller_covered
from companion.vision.rectify import Array, areas_of, rectangle_corners

places = st.tuples(st.floats(-40, 40), st.floats(-40, 40), st.floats(8, 30), st.floats(1.2, 2.5), st.floats(0, 6.3))


def quad_at(place: tuple[float, float, float, float, float]) -> Array:
    x, y, width, longer, angle = place
    return rectangle_corners(x, y, width, width * longer, angle)


def cut_out(first: Array, second: Array) -> float:
    """The shared area, by cutting the first along each edge of the second; OpenCV's own is wrong where edges lie on one line."""
    corners = [complex(*p) for p in first]
    for start, end in zip(second, np.roll(second, -1, axis=0), strict=True):
        at, edge = complex(*start), complex(*(end - start))
        sides = [((p - at) * edge.conjugate()).imag for p in corners]
        cut: list[complex] = []
        for k, (p, side) in enumerate(zip(corners, sides, strict=True)):
            before, side_before = corners[k - 1], sides[k - 1]
            if (side >= 0) != (side_before >= 0):
                cut.append(before + (p - before) * side_before / (side_before - side))
            if side >= 0:
                cut.append(p)
        corners = cut
    return sum((a.conjugate() * b).imag for a, b in zip(corners, corners[1:] + corners[:1], strict=True)) / 2


@given(places, places)
def test_shares_are_those_of_the_shapes_cut_out(one: tuple[float, ...], other: tuple[float, ...]) -> None:
    first, second = quad_at(one), quad_at(other)  # type: ignore[arg-type]
    shared = cut_out(first, second)
    assert sampled_shares(first[None], second[None])[0] == pytest.approx(shared / areas_of(first[None])[0], abs=0.12)
    smaller = min(areas_of(first[None])[0], areas_of(second[None])[0])
    assert smaller_covered(first[None], second[None])[0] == pytest.approx(shared / smaller, abs=0.12)


def test_a_speck_in_a_tile_is_covered_whichever_comes_first() -> None:
    tile, speck = quad_at((0, 0, 20, 2, 0.4)), quad_at((1, 1, 2, 2, 1.0))
    assert smaller_covered(np.stack([tile, speck]), np.stack([speck, tile])) == pytest.approx([1, 1])


@given(places, places)
def test_what_shares_anything_is_near(one: tuple[float, ...], other: tuple[float, ...]) -> None:
    first, second = quad_at(one), quad_at(other)  # type: ignore[arg-type]
    if cut_out(first, second) > 1e-6:
        rows, columns = near_pairs(first[None], second[None], 1.0)
        assert (rows.tolist(), columns.tolist()) == ([0], [0])


def test_points_on_either_side_of_an_edge() -> None:
    square = np.array([[[0, 0], [10, 0], [10, 10], [0, 10]]], np.float64)
    assert inside(np.array([[[5, 5], [9, 1], [11, 5], [5, -1]]], np.float64), square).tolist() == [
        [True, True, False, False]
    ]


def test_nothing_shares_with_nothing() -> None:
    none = np.zeros((0, 4, 2))
    assert [len(side) for side in near_pairs(none, quad_at((0, 0, 9, 2, 0))[None], 1.0)] == [0, 0]
    assert sampled_shares(none, none).shape == (0,)
