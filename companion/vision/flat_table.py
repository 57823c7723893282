"""The table as seen from straight above, with where its tiles lie: to look for what lies beside them or on them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.plane import Plane
from companion.table.seen import SeenTable
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
    """The table from above: `lab` (h, w, 3), `matrix` plane to its pixels, `tiles` where tiles lie, `inside` the picture.

    `corners` (n, 4) are those of the face-up tiles in the plane, as x + iy.
    """

    lab: NDArray[np.uint8]
    matrix: Array
    tiles: Mask
    inside: Mask
    scale: float
    corners: NDArray[np.complex128]

    def pixels(self, places: NDArray[np.complex128]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Columns and rows of the places of the plane that the flattened picture holds."""
        x = np.round(places.real * self.scale + self.matrix[0, 2]).astype(np.int64)
        y = np.round(places.imag * self.scale + self.matrix[1, 2]).astype(np.int64)
        ok = (x >= 0) & (y >= 0) & (x < self.lab.shape[1]) & (y < self.lab.shape[0])
        return x[ok], y[ok]


def flattened(image_bgr: Picture, plane: Plane, seen: SeenTable, parameters: FlatParameters | None = None) -> FlatTable:
    """The table (H, W, 3) as the plane shows it from above."""
    p = parameters or FlatParameters()
    quads, backs = np.array([tile.quad_px for tile in seen.tiles]), np.array(seen.face_down).reshape(-1, 4, 2)
    boxes = plane.to_table(quads)
    points = boxes.reshape(-1, 2)
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
    return FlatTable(np.asarray(lab, np.uint8), place, covered > 0, inside, scale, boxes @ np.array([1, 1j]))


def face_colour(flat: FlatTable, corners: NDArray[np.complex128]) -> Array:
    """The colour of a tile's face: the median along its rim, where no pips are."""
    centre = corners.mean()
    inner = centre + (corners - centre) * 0.86
    steps = np.linspace(0, 1, 12)
    rim = np.concatenate([inner[k] + steps * (inner[(k + 1) % 4] - inner[k]) for k in range(4)])
    return np.asarray(np.median(colours(flat, rim), axis=0))


def colours(flat: FlatTable, places: NDArray[np.complex128]) -> Array:
    """Colours (k, 3) at places of the plane; those outside the picture are left out."""
    x, y = flat.pixels(places)
    seen = flat.inside[y, x]
    return np.asarray(flat.lab[y[seen], x[seen]], dtype=np.float64)
