"""Move the corners of rough quads to where they really are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.vision.models import Network
from companion.vision.rectify import Pyramid, from_rough, rough_crop, stack

Array = NDArray[np.float64]

_CANONICAL = np.array([[0, 0], [1, 0], [1, 2], [0, 2]], np.float64)


def refine(network: Network, picture: Pyramid, quads: list[Array], *, rounds: int = 2) -> list[Array]:
    """Better quads (4, 2), each clockwise with edge 0-1 on a short side of the tile.

    The second round starts from the first's answer, seen as a nearly right tile. A quad that would collapse or run away is left
    as it was.
    """
    quads = [np.asarray(q, np.float64) for q in quads]
    for _ in range(rounds):
        if not quads:
            break
        out = network.run(stack([rough_crop(picture, q) for q in quads]))[0].astype(np.float64)
        quads = [_moved(quad, row) for quad, row in zip(quads, out, strict=True)]
    return quads


def _moved(quad: Array, row: Array) -> Array:
    moved = from_rough(quad, _CANONICAL + row[:8].reshape(4, 2))
    if not _is_convex(moved) or not np.isfinite(moved).all():
        return quad
    return np.roll(moved, -1, axis=0) if row[8] > 0 else moved


def _is_convex(quad: Array) -> bool:
    """Whether the corners run clockwise round a convex, not too thin shape."""
    edges = np.roll(quad, -1, axis=0) - quad
    nexts = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * nexts[:, 1] - edges[:, 1] * nexts[:, 0]
    return bool((turns > 0).all())
