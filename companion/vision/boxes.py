"""What the detector's raw outputs mean: oriented boxes, worked out only for the cells that are believed.

The network gives, for each cell of its three grids, how far the box reaches to four sides as shares of 16 steps each ("distribution
focal loss"), a score for each class, and an angle. Working out the boxes of all cells inside the network costs a fifth of its time,
and nearly all of them are thrown away.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

STRIDES = (8, 16, 32)
"""Pixels between the cells of each grid."""
STEPS = 16
"""A side is 0 to 15 strides away."""


def oriented_boxes(sides: NDArray[np.float32], angles: NDArray[np.float32], cells: Array) -> Array:
    """Boxes (n, 5): middle x, y, width, height in pixels of the network's input, angle in radians.

    Args:
        sides: (4 * STEPS, n) logits of the distances to left, top, right and bottom.
        angles: (n,) logits of the angle.
        cells: (n, 3) as `grid_cells` gives them.
    """
    logits = sides.astype(np.float64).reshape(4, STEPS, -1)
    shares = np.exp(logits - logits.max(1, keepdims=True))
    left, top, right, bottom = np.tensordot(np.arange(STEPS), shares / shares.sum(1, keepdims=True), axes=(0, 1))
    angle = (1 / (1 + np.exp(-angles.astype(np.float64))) - 0.25) * np.pi
    x, y, stride = cells.T
    across, down = (right - left) / 2, (bottom - top) / 2
    return np.column_stack(
        [
            x + stride * (across * np.cos(angle) - down * np.sin(angle)),
            y + stride * (across * np.sin(angle) + down * np.cos(angle)),
            stride * (left + right),
            stride * (top + bottom),
            angle,
        ]
    )


@cache
def grid_cells(height: int, width: int) -> Array:
    """Of an input of that size (multiples of 32), the middle x, y of every cell and its stride, in the network's order (n, 3)."""
    grids = []
    for stride in STRIDES:
        ys, xs = np.mgrid[0 : height // stride, 0 : width // stride]
        grids.append(
            np.column_stack([(xs.ravel() + 0.5) * stride, (ys.ravel() + 0.5) * stride, np.full(xs.size, stride)])
        )
    return np.concatenate(grids)
