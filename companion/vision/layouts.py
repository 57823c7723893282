"""Where pips lie on a half: the layouts that sets use for 0..18.

A half is a square; its frame is (x, y) in [-1, 1], x to the right and y from the outer edge (-1) to the bar (+1) when the
half is seen with its outer edge up. Sets differ in colour, size and spread, hardly in layout: 0 to 9 sit on a 3 x 3 grid, higher
values in rows, which some makers lay along the tile and others across it.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

Layout = NDArray[np.float64]
"""Pip centres of one half, shape (pips, 2), spread over [-1, 1]."""

_GRID: dict[int, tuple[tuple[tuple[int, int], ...], ...]] = {
    0: ((),),
    1: (((0, 0),),),
    2: (((-1, -1), (1, 1)),),
    3: (((-1, -1), (0, 0), (1, 1)),),
    4: (((-1, -1), (1, -1), (-1, 1), (1, 1)),),
    5: (((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),),
    6: (((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),),
    7: (((-1, -1), (-1, 0), (-1, 1), (0, 0), (1, -1), (1, 0), (1, 1)),),
    8: (((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)),),
    9: (((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0), (1, 1)),),
}
_MIRRORED = (2, 3)  # makers run these diagonals either way

_ROWS: dict[int, tuple[tuple[int, ...], ...]] = {
    10: ((3, 4, 3), (4, 2, 4)),
    11: ((4, 3, 4), (3, 5, 3)),
    12: ((4, 4, 4), (3, 3, 3, 3)),
    13: ((5, 3, 5), (4, 5, 4), (3, 2, 3, 2, 3), (4, 4, 1, 4)),
    14: ((5, 4, 5), (4, 3, 3, 4), (3, 4, 4, 3)),
    15: ((5, 5, 5), (4, 4, 3, 4), (3, 3, 3, 3, 3), (4, 3, 1, 3, 4)),
    16: ((4, 4, 4, 4), (5, 6, 5), (3, 3, 4, 3, 3)),
    17: ((6, 5, 6), (4, 3, 3, 3, 4), (3, 4, 3, 4, 3), (4, 4, 1, 4, 4)),
    18: ((6, 6, 6), (4, 3, 4, 3, 4), (3, 4, 4, 4, 3), (3, 3, 3, 3, 3, 3)),
}


def _row(count: int, widest: int, how: str) -> list[float]:
    """Places of one row: at the widest row's pitch and centred, spread to both edges, or on the widest row's places."""
    if count == 1:
        return [0.0]
    if how == "justified":
        return list(np.linspace(-1, 1, count))
    if how == "on_grid":
        places = np.linspace(-1, 1, widest)
        left = (count + 1) // 2
        return [*places[:left], *places[widest - (count - left) :]]
    half = (count - 1) / (widest - 1) if widest > 1 else 0.0
    return list(np.linspace(-half, half, count))


def _rows(rows: tuple[int, ...], how: str, arch: float) -> Layout:
    widest = max(rows)
    ys = np.linspace(-1, 1, len(rows))
    points = [
        (x, y - np.sign(y) * arch * x * x * (abs(y) > 0.9))
        for count, y in zip(rows, ys, strict=True)
        for x in _row(count, widest, how)
    ]
    return np.array(points, dtype=np.float64)


@cache
def layouts_of(value: int) -> tuple[Layout, ...]:
    """Every known layout of a value 0..18, the commonest first; each both along and across the tile where they differ."""
    if value in _GRID:
        found = [np.array(points, dtype=np.float64).reshape(-1, 2) for points in _GRID[value]]
        if value in _MIRRORED:
            found += [layout * (-1, 1) for layout in found]
        if value in (6, 7, 8):
            found += [layout[:, ::-1] for layout in found]
    else:
        found = []
        for rows in _ROWS[value]:
            for how in ("centred", "justified", "on_grid"):
                found.append(_rows(rows, how, 0.0))
        if value in (11, 13):
            found.append(_rows(_ROWS[value][0], "centred", 0.25))
        found += [layout[:, ::-1] for layout in found]
    return tuple(_distinct(found))


def _distinct(layouts: list[Layout]) -> list[Layout]:
    kept: list[Layout] = []
    seen: set[tuple[tuple[float, float], ...]] = set()
    for layout in layouts:
        key = tuple(sorted((round(float(x), 2) + 0.0, round(float(y), 2) + 0.0) for x, y in layout))
        if key not in seen:
            seen.add(key)
            kept.append(layout)
    return kept
