"""How much quads share, for many pairs at once: exactly where it decides, by sampled points where a few percent do not matter."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.vision.rectify import areas_of

Array = NDArray[np.float64]
Index = NDArray[np.intp]

ON_EDGE = 1e-6
"""Square pixels: points on an edge are inside, however they are rounded."""
_POINTS = np.arange(55)
_U, _V = (34 * _POINTS % 55 + 0.5) / 55, (_POINTS + 0.5) / 55
"""A Fibonacci lattice: no two points are in one row or column, so that a strip at an edge holds as many as it is wide; of a grid of
as many points it holds a whole row or none."""
_WEIGHTS = np.stack([(1 - _U) * (1 - _V), _U * (1 - _V), _U * _V, (1 - _U) * _V])
"""Of the four corners, for each of the sampled points of a quad whose edge 0-1 is a short one."""


def inside(points: Array, quads: Array) -> NDArray[np.bool_]:
    """Whether points (n, k, 2) lie in the quad (n, 4, 2) of their row, whose corners run clockwise in a picture."""
    return np.asarray((_sides(points, quads) >= -ON_EDGE).all(1))


def _sides(points: Array, quads: Array) -> Array:
    """On which side of each edge of its row's quad a point lies, and how far, times the edge's length: (n, 4, k)."""
    edges = quads[:, [1, 2, 3, 0]] - quads
    away = points[:, None] - quads[:, :, None]
    return np.asarray(edges[:, :, None, 0] * away[..., 1] - edges[:, :, None, 1] * away[..., 0])


def near_pairs(first: Array, second: Array, reach: float) -> tuple[Index, Index]:
    """Rows of both whose middles are no farther apart than `reach` times the longer diagonal of the two."""
    a, b = first.mean(1), second.mean(1)
    sizes = [np.maximum(np.hypot(*(q[:, 0] - q[:, 2]).T), np.hypot(*(q[:, 1] - q[:, 3]).T)) for q in (first, second)]
    limit = reach * np.maximum(sizes[0][:, None], sizes[1])
    gaps = a[:, None] - b
    rows, columns = np.nonzero(gaps[..., 0] ** 2 + gaps[..., 1] ** 2 < limit**2)
    return rows, columns


def sampled_shares(first: Array, second: Array) -> Array:
    """Of each quad (n, 4, 2), the share of its area that lies in the other quad (n, 4, 2) of its row: in steps of 1 / 55."""
    # a side is linear in the point: of the sampled points it follows from those of the corners
    return np.asarray((_sides(first, second) @ _WEIGHTS >= -ON_EDGE).all(1).mean(1))


def smaller_covered(first: Array, second: Array) -> Array:
    """Of two quads (n, 4, 2) each, the share of the smaller one's area that lies in the other."""
    swap = (areas_of(first) > areas_of(second))[:, None, None]
    return sampled_shares(np.where(swap, second, first), np.where(swap, first, second))
