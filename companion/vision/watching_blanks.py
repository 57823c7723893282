"""The blank double among what was taken for backs: the tile without pips that has the faces' colour and not the backs'.

By itself a 0-0 looks like the back of a tile. On a table it does not: there are faces, and mostly other backs, to compare with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.opening import Picture

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BlankParameters:
    """Distances of colours in 8-bit Lab, lightness counting half: light differs over a table more than colour does."""

    near: float = 18.0
    """The blank is this near to the faces' colour."""
    nearer: float = 0.5
    """And this much nearer to it than the back that comes next: a lamp makes some backs pale."""
    least_faces: int = 2
    least_backs: int = 2
    """With fewer other backs nobody can tell."""


def blank_double(
    picture_bgr: Picture, faces: Sequence[Array], backs: Sequence[Array], parameters: BlankParameters | None = None
) -> int | None:
    """Which back (index) is the blank double, or None; a set has one.

    Args:
        picture_bgr: the picture, height x width x 3.
        faces: quads (4, 2) of face-up tiles, in pixels.
        backs: quads of what was taken for backs.
        parameters: thresholds.
    """
    p = parameters or BlankParameters()
    if len(faces) < p.least_faces or len(backs) < p.least_backs + 1:
        return None
    ground = np.median([_colour(picture_bgr, quad, rim=True) for quad in faces], axis=0)
    away = np.array([np.linalg.norm(_colour(picture_bgr, quad, rim=False) - ground) for quad in backs])
    best, second = np.argsort(away, kind="stable")[:2]
    return int(best) if away[best] < min(p.near, p.nearer * away[second]) else None


def _colour(picture_bgr: Picture, quad: Array, *, rim: bool) -> Array:
    """Median colour of a tile: along its rim, where a face has no pips, or all over."""
    middle = quad.mean(0)
    steps = np.linspace(0, 1, 10)[:, None]
    shares = (0.86,) if rim else (0.8, 0.5, 0.2)
    places = np.concatenate(
        [
            middle + ((quad[k] - middle) * (1 - steps) + (quad[(k + 1) % 4] - middle) * steps) * share
            for share in shares
            for k in range(4)
        ]
    )
    high, wide = picture_bgr.shape[:2]
    x = np.clip(np.round(places[:, 0]), 0, wide - 1).astype(int)
    y = np.clip(np.round(places[:, 1]), 0, high - 1).astype(int)
    lab = cv2.cvtColor(picture_bgr[y, x][None], cv2.COLOR_BGR2LAB)[0].astype(np.float64)
    return np.asarray(np.median(lab, axis=0) * np.array([0.5, 1.0, 1.0]))
