"""The table as seen from straight above, with where its tiles lie: to look for what lies beside them or on them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.plane import Plane
from companion.vision.opening import Picture

Mask = NDArray[np.bool_]
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FlatParameters:
    """Lengths in tile widths."""

    scale_px: int = 20
    """Pixels for a tile width in the flattened picture: a coin is then 15 pixels wide."""
    rim: float = 2.6
    """How far around the tiles the table is looked at."""
    most_px: int = 1600
    """No flattened picture is larger; a tile seen far from the others would make it so."""
    wall: float = 0.16
    """Beside a tile its side wall and its darkest shadow show; nothing is sought there."""


@dataclass(frozen=True, slots=True)
class FlatTable:
    """The table from above: `lab` (h, w, 3), `matrix` plane to its pixels, `tiles` where tiles lie, `inside` the picture."""

    lab: NDArray[np.uint8]
    matrix: Array
    tiles: Mask
    inside: Mask
    scale: float

    def at(self, place: complex) -> tuple[float, float]:
        """A place of the plane in pixels of the flattened picture."""
        x, y, _ = self.matrix @ np.array([place.real, place.imag, 1.0])
        return float(x), float(y)


def flattened(image_bgr: Picture, plane: Plane, quads: Array, backs: Array, p: FlatParameters) -> FlatTable:
    """The table from above; `quads` (n, 4, 2) of its face-up tiles and `backs` in pixels of the picture."""
    points = plane.to_table(quads).reshape(-1, 2)
    low, high = points.min(0) - p.rim, points.max(0) + p.rim
    scale = min(float(p.scale_px), p.most_px / float((high - low).max()))
    left, top = (float(length) for length in low)
    place = np.array([[scale, 0, -scale * left], [0, scale, -scale * top], [0, 0, 1.0]])
    wide, tall = (int(np.ceil(length)) for length in scale * (high - low))
    size = (wide, tall)
    warp = place @ plane.matrix
    flat = cv2.warpPerspective(image_bgr, warp, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT)
    inside = cv2.warpPerspective(np.full(image_bgr.shape[:2], 255, np.uint8), warp, size) > 250
    covered = np.zeros(size[::-1], np.uint8)
    for quad in (*quads, *backs):
        corners = plane.to_table(quad) @ place[:2, :2].T + place[:2, 2]
        cv2.fillConvexPoly(covered, np.round(corners).astype(np.int32), 1)
    reach = 2 * round(p.wall * scale) + 1
    covered = cv2.dilate(covered, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach)))
    lab = cv2.cvtColor(cv2.GaussianBlur(flat, (0, 0), 0.8), cv2.COLOR_BGR2LAB)
    return FlatTable(np.asarray(lab, np.uint8), place, covered > 0, inside, scale)


def face_colour(flat: FlatTable, corners: NDArray[np.complex128]) -> Array:
    """The colour of a tile's face: the median along its rim, where no pips are."""
    centre = corners.mean()
    inner = centre + (corners - centre) * 0.86
    steps = np.linspace(0, 1, 12)
    rim = np.concatenate([inner[k] + steps * (inner[(k + 1) % 4] - inner[k]) for k in range(4)])
    return np.asarray(np.median(colours(flat, rim), axis=0))


def colours(flat: FlatTable, places: NDArray[np.complex128]) -> Array:
    """Colours (k, 3) at places of the plane; those outside the picture are left out."""
    x = np.round(places.real * flat.scale + flat.matrix[0, 2]).astype(int)
    y = np.round(places.imag * flat.scale + flat.matrix[1, 2]).astype(int)
    ok = (x >= 0) & (y >= 0) & (x < flat.lab.shape[1]) & (y < flat.lab.shape[0])
    x, y = x[ok], y[ok]
    seen = flat.inside[y, x]
    return np.asarray(flat.lab[y[seen], x[seen]], dtype=np.float64)
