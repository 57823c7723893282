"""Each tile is in the set once: what one tile surely is, another is not.

The values of all tiles are weighed together: where two tiles may be the same one, the surer keeps it and the other looks less
like it. It is a leaning, not a ban: two readings that are both sure stay equal, for that is a fault to report.
"""

from __future__ import annotations

import numpy as np

from companion.table.seen import Array

_FLOOR = 0.02
"""A second copy of a tile that is surely on the table is this much less likely than it looks: misread or not, both happen."""


def with_uniqueness(values: Array, *, rounds: int = 3) -> Array:
    """Readings (n, 2, 19) leaning away from tiles that other readings are surer of; the same shape."""
    if len(values) < 2:
        return values
    joint = values[:, 0, :, None] * values[:, 1, None, :]
    leaning = joint
    for _ in range(rounds):
        leaning = joint * (1 - (1 - _FLOOR) * _taken(leaning))
        leaning = leaning / leaning.sum((1, 2), keepdims=True)
    halves = np.stack([leaning.sum(2), leaning.sum(1)], axis=1)
    return np.asarray(halves / halves.sum(-1, keepdims=True))


def _taken(joint: Array) -> Array:
    """Probability (n, 19, 19) that a tile is another one of these, counting those that are surer of it."""
    share = joint + joint.transpose(0, 2, 1)
    share[:, np.arange(share.shape[1]), np.arange(share.shape[1])] /= 2
    order = np.argsort(share, axis=0)[::-1]
    ranked = np.take_along_axis(share, order, axis=0)
    free = np.cumprod(1 - np.clip(ranked, 0, 1), axis=0)
    before = np.concatenate([np.ones_like(free[:1]), free[:-1]])
    taken = np.empty_like(share)
    np.put_along_axis(taken, order, 1 - before, axis=0)
    return taken
