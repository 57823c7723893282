"""The blank double that was taken for a back, known by its neighbours: it lies in a train between two ends that show nothing.

By itself a 0-0 looks like the back of a tile. But nobody lays a back between two ends of a train, and where two blanks meet one
tile, that tile shows two blanks.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.vision.choosing import plane_of_most

Array = NDArray[np.float64]

GAP = 0.55
"""Tile widths between an end and what it is joined to, at most; and how far it may reach over it."""
SURE = 0.9
"""Probability of a blank from which an end shows nothing."""
LEAST_ENDS = 2


def blank_between(quads: Sequence[Array], halves: Array, backs: Sequence[Array]) -> int | None:
    """Which back (index) must be the blank double; None where none must, or where the blank double lies elsewhere.

    Args:
        quads: corners (4, 2) of the face-up tiles in pixels, half a between corners 0 and 1.
        halves: (n, 2, 19) probabilities of their halves.
        backs: corners (4, 2) of what was taken for backs.
    """
    blank = halves[..., 0]
    if not len(backs) or (blank > 0.5).all(1).any() or (blank > SURE).sum() < LEAST_ENDS:
        return None
    plane = plane_of_most(list(quads))
    if plane is None:
        return None
    flat = plane.to_table(np.stack(quads)) @ np.array([1, 1j])
    ends = np.stack([flat[:, :2].mean(1), flat[:, 2:].mean(1)], axis=1)
    outward = ends - flat.mean(1, keepdims=True)
    found = [k for k, back in enumerate(backs) if _must_be_blank(plane.to_table(back), ends, outward, blank)]
    return found[0] if len(found) == 1 else None


def _must_be_blank(back: Array, ends: NDArray[np.complex128], outward: NDArray[np.complex128], blank: Array) -> bool:
    """Whether two and more ends (n, 2) point at a tile of the table (4, 2), and all of them show nothing."""
    corners = back @ np.array([1, 1j])
    along = corners[2:].mean() - corners[:2].mean()
    way = along / max(1e-9, abs(along))
    seen = (ends - corners.mean()) * np.conj(way)  # along the tile in x, across it in y
    aside = np.abs(seen.imag) - 0.5
    beyond = np.abs(seen.real) - 1.0
    near = (np.maximum(aside, beyond) < GAP) & (np.maximum(aside, beyond) > -GAP)
    towards = (outward * np.conj(corners.mean() - ends)).real > 0
    touching = near & towards
    return bool(touching.any(1).sum() >= LEAST_ENDS and (blank[touching] > SURE).all())
