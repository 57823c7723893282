"""Which quads have a tile's shape: all tiles are equal, so in the table's plane each is as large as the others.

Nuts in a bowl, a phone, half of a tile: a reader of pictures takes many things for tiles now and then. It sees no plane; the
map does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.table.plane import Plane, fit_plane
from companion.table.registration import to_map
from companion.table.seen import Array, as_quad


@dataclass(frozen=True, slots=True)
class ShapeParameters:
    """How much a quad may differ from the typical one."""

    ratio: float = 1.45
    """Longer or wider by this, or shorter or narrower: corners are wrong by 15 % of a width at the worst."""
    least: int = 3
    """Fewer tiles cannot say which of them is odd."""
    rounds: int = 2
    """The plane is fitted again without the odd ones."""


def tile_shaped(
    quads: Array, weights: Array, parameters: ShapeParameters | None = None
) -> tuple[NDArray[np.bool_], Plane | None]:
    """Which quads (n, 4, 2) of one plane are as large as most, and the plane in which they are.

    `weights` (n,) say how much each counts for "most". The plane is None where there are too few to tell.
    """
    p = parameters or ShapeParameters()
    good, plane = np.ones(len(quads), dtype=bool), None
    if len(quads) < p.least:
        return good, None
    for _ in range(p.rounds):
        plane = fit_plane([as_quad(quad) for quad in quads[good].tolist()])
        corners = to_map(plane.matrix, quads)
        edges = np.abs(np.roll(corners, -1, axis=1) - corners)
        size = np.log(np.maximum(np.stack([edges[:, 0] + edges[:, 2], edges[:, 1] + edges[:, 3]], axis=1), 1e-6))
        typical = np.array([_median(side, weights) for side in size.T])
        good = (np.abs(size - typical) < np.log(p.ratio)).all(1)
        if good.sum() < p.least:
            return np.ones(len(quads), dtype=bool), None
    return np.asarray(good), plane


def _median(values: Array, weights: Array) -> float:
    """The value in the middle of the weights."""
    order = np.argsort(values, kind="stable")
    mass = np.cumsum(weights[order])
    return float(values[order][int(np.searchsorted(mass, mass[-1] / 2))])
