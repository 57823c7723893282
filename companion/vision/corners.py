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
        units = _CANONICAL + out[:, :8].reshape(-1, 4, 2)
        moved = np.stack([from_rough(quad, unit) for quad, unit in zip(quads, units, strict=True)])
        usable = np.isfinite(moved).all((1, 2)) & _are_convex(moved)
        turned = np.where((out[:, 8] > 0)[:, None, None], moved[:, [1, 2, 3, 0]], moved)
        quads = list(np.where(usable[:, None, None], turned, np.stack(quads)))
    return quads


def _are_convex(quads: Array) -> NDArray[np.bool_]:
    """Of quads (n, 4, 2), whether the corners run clockwise round a convex, not too thin shape."""
    edges = quads[:, [1, 2, 3, 0]] - quads
    nexts = edges[:, [1, 2, 3, 0]]
    turns = edges[..., 0] * nexts[..., 1] - edges[..., 1] * nexts[..., 0]
    return np.asarray((turns > 0).all(1))
