"""Every way in which makers lay out the pips of a half, as arrays: `companion.faces` along and across, mirrored, spread.

The frame is that of `companion.faces`.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.faces import GRID, ROWS

Layout = NDArray[np.float64]
"""Pip centres of one half, shape (pips, 2), spread over [-1, 1]."""

_MIRRORED = (2, 3)  # makers run these diagonals either way


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
    if value in GRID:
        found = [np.array(points, dtype=np.float64).reshape(-1, 2) for points in GRID[value]]
        if value in _MIRRORED:
            found += [layout * (-1, 1) for layout in found]
        if value in (6, 7, 8):
            found += [layout[:, ::-1] for layout in found]
    else:
        found = []
        for rows in ROWS[value]:
            for how in ("centred", "justified", "on_grid"):
                found.append(_rows(rows, how, 0.0))
        if value in (11, 13):
            found.append(_rows(ROWS[value][0], "centred", 0.25))
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
