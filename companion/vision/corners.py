"""Move the corners of rough quads to where they really are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.vision.models import Network
from companion.vision.rectify import COARSE_CUT, ROUGH_CUT, UNIT_TILE, Cut, Pyramid, from_rough, width_of

Array = NDArray[np.float64]

ABOUT_THERE, JUST_THERE = 9, 10
"""Which of the coarse network's outputs say that a tile lies about there, and just there."""
NOT_YET = 1.5
"""How much lower the logit of a tile may be for each round that is still to come."""


def refine(network: Network, picture: Pyramid, quads: list[Array], *, rounds: int = 1) -> list[Array]:
    """Better quads (4, 2), each clockwise with edge 0-1 on a short side of the tile.

    The second round starts from the first's answer, seen as a nearly right tile. A quad that would collapse or run away is left
    as it was.
    """
    quads = [np.asarray(q, np.float64) for q in quads]
    for _ in range(rounds):
        if not quads:
            break
        quads = _moved(quads, _told(network, picture, quads, ROUGH_CUT))
    return quads


def refine_coarsely(
    network: Network, picture: Pyramid, quads: list[Array], *, hopeless: float, rounds: int = 1
) -> tuple[list[Array], list[int]]:
    """The same by the coarse network, at a quarter of the cost, for places of which few may be tiles.

    Gives the better quads of those places that are not given up, and their indices: below a logit of `hopeless` the network says
    that no tile lies there, face up or down. Before the last round, when a tile may still be half outside, it must be surer.
    """
    quads = [np.asarray(q, np.float64) for q in quads]
    left = list(range(len(quads)))
    for rounds_left in reversed(range(rounds)):
        if not quads:
            break
        out = _told(network, picture, quads, COARSE_CUT)
        likely = np.flatnonzero(out[:, ABOUT_THERE] > hopeless - rounds_left * NOT_YET)
        quads = _moved([quads[k] for k in likely], out[likely])
        left = [left[k] for k in likely]
    return quads, left


def lie_just_there(network: Network, picture: Pyramid, quads: list[Array]) -> Array:
    """Logits (n,) of the coarse network that a tile lies just in each quad, and not half in it."""
    if not quads:
        return np.zeros(0)
    return np.asarray(_told(network, picture, quads, COARSE_CUT)[:, JUST_THERE])


def largest_move(before: Array, after: Array) -> float:
    """How far the corner that moved most has moved between two quads (4, 2) of a tile, in tile widths."""
    begun = np.stack([before, np.roll(before, -1, axis=0)])  # it may have been turned
    moves = np.linalg.norm(after - begun, axis=2)
    return float(moves.max(1).min()) / width_of(after)


def _told(network: Network, picture: Pyramid, quads: list[Array], how: Cut) -> Array:
    """What a corner network says of each quad (n, 9 or more)."""
    return network.read_crops(picture.cut(quads, how))[0].astype(np.float64)


def _moved(quads: list[Array], out: Array) -> list[Array]:
    """Quads with their corners moved as a network's outputs (n, 9 or more) say."""
    if not quads:
        return []
    units = UNIT_TILE + out[:, :8].reshape(-1, 4, 2)
    moved = from_rough(np.stack(quads), units)
    usable = np.isfinite(moved).all((1, 2)) & _are_convex(moved)
    turned = np.where((out[:, 8] > 0)[:, None, None], moved[:, [1, 2, 3, 0]], moved)
    return list(np.where(usable[:, None, None], turned, np.stack(quads)))


def _are_convex(quads: Array) -> NDArray[np.bool_]:
    """Of quads (n, 4, 2), whether the corners run clockwise round a convex, not too thin shape."""
    edges = quads[:, [1, 2, 3, 0]] - quads
    nexts = edges[:, [1, 2, 3, 0]]
    turns = edges[..., 0] * nexts[..., 1] - edges[..., 1] * nexts[..., 0]
    return np.asarray((turns > 0).all(1))
