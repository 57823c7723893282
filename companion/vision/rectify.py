"""Cut tiles out of a picture, seen straight from above.

A homography follows perspective where a rotated rectangle cannot. Crops are taken from a pyramid of the picture, at the level
whose tiles are about as large as the crop, so that large tiles do not alias.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Array = NDArray[np.float64]

UNIT_PX = 64
"""Pixels of a crop for one tile width."""
MARGIN_PX = 4
HALF_UNIT_PX = 40
HALF_SIDE_PX = HALF_UNIT_PX + 2 * MARGIN_PX
"""Crops of a half are squares: the half and a margin around it. Smaller than crops of a tile: 18 pips still lie 5 px apart, and
the CNN costs less than half."""
TILE_WH_PX = (UNIT_PX + 2 * MARGIN_PX, 2 * UNIT_PX + 2 * MARGIN_PX)
"""Crops of a whole tile, end a at the top."""
ROUGH_UNIT_PX = 48
ROUGH_WH_PX = (80, 144)
"""Crops around a rough quad, with room for corners that lie outside it."""

_ROUGH_FACE = np.array([[16, 24], [64, 24], [64, 120], [16, 120]], np.float64)


def _face(unit: int, margin: int) -> Array:
    return np.array([[0, 0], [unit, 0], [unit, 2 * unit], [0, 2 * unit]], np.float64) + margin


def homography(source: Array, target: Array) -> Array:
    """The 3 x 3 matrix that takes four points to four points."""
    return np.asarray(cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32)), np.float64)


def move(matrix: Array, points: Array) -> Array:
    """Points (n, 2) through a homography."""
    seen = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(seen[:, :2] / seen[:, 2:])


def width_of(quad: Array) -> float:
    """A tile's width in pixels: the mean of its edges 0-1 and 2-3."""
    return float(np.linalg.norm(quad[0] - quad[1]) + np.linalg.norm(quad[2] - quad[3])) / 2


@dataclass
class Pyramid:
    """A picture (H, W, 3) uint8 and, made when asked for, the same at a half, a quarter, an eighth of its size."""

    image_bgr: Image
    _levels: list[Image] = field(default_factory=list)

    def level(self, k: int) -> Image:
        """The picture at 1 / 2**k of its size."""
        if not self._levels:
            self._levels.append(self.image_bgr)
        while len(self._levels) <= k:
            last = self._levels[-1]
            size = (max(1, last.shape[1] // 2), max(1, last.shape[0] // 2))
            self._levels.append(np.asarray(cv2.resize(last, size, interpolation=cv2.INTER_AREA), np.uint8))
        return self._levels[k]

    def warp(self, quad: Array, target: Array, size_wh: tuple[int, int]) -> Image:
        """The crop in which `quad` comes to lie on `target` (both (4, 2) pixels)."""
        shrink = math.sqrt(abs(signed_area(quad)) / max(1e-6, abs(signed_area(target))))
        k = min(5, max(0, math.floor(math.log2(max(shrink, 1e-6)) + 0.35)))
        image = self.level(k)
        if k:
            scale = np.array([image.shape[1] / self.image_bgr.shape[1], image.shape[0] / self.image_bgr.shape[0]])
            quad = (quad + 0.5) * scale - 0.5
        matrix = homography(quad, target)
        return np.asarray(
            cv2.warpPerspective(image, matrix, size_wh, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
            np.uint8,
        )


def signed_area(quad: Array) -> float:
    """Area of a quad (4, 2); positive where its corners run clockwise in a picture (y down)."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad.tolist()
    return float((cx - ax) * (dy - by) - (dx - bx) * (cy - ay)) / 2


def rough_crop(picture: Pyramid, quad: Array) -> Image:
    """The surroundings of a rough quad, (144, 80, 3)."""
    return picture.warp(quad, _ROUGH_FACE, ROUGH_WH_PX)


def to_rough(quad: Array, points: Array) -> Array:
    """Points of the picture in units of the rough crop's tile: (0, 0) to (1, 2) is the rough quad."""
    return np.asarray((move(homography(quad, _ROUGH_FACE), points) - _ROUGH_FACE[0]) / ROUGH_UNIT_PX)


def from_rough(quad: Array, units: Array) -> Array:
    """The inverse of `to_rough`."""
    return move(homography(_ROUGH_FACE, quad), units * ROUGH_UNIT_PX + _ROUGH_FACE[0])


def half_crops(picture: Pyramid, quad: Array) -> Image:
    """Both halves with their outer edge up, (2, 48, 48, 3)."""
    target = _face(HALF_UNIT_PX, MARGIN_PX)
    size = (HALF_SIDE_PX, HALF_SIDE_PX)
    return np.stack([picture.warp(quad, target, size), picture.warp(quad[[2, 3, 0, 1]], target, size)])


def tile_crop(picture: Pyramid, quad: Array) -> Image:
    """The whole tile, end a up, (136, 72, 3)."""
    return picture.warp(quad, _face(UNIT_PX, MARGIN_PX), TILE_WH_PX)


def rectangle_corners(x: float, y: float, width: float, height: float, angle_rad: float) -> Array:
    """Corners (4, 2) of a rotated rectangle, clockwise, edge 0-1 a short one."""
    return np.asarray(rectangles_corners(np.array([[x, y, width, height, angle_rad]], np.float64))[0])


def rectangles_corners(rows: Array) -> Array:
    """The same (n, 4, 2) of many: `rows` (n, 5) are x, y, width, height and angle in radians."""
    width, height, angle = rows[:, 2], rows[:, 3], rows[:, 4]
    lying = width > height
    width, height = np.where(lying, height, width), np.where(lying, width, height)
    angle = np.where(lying, angle + np.pi / 2, angle)
    across = np.stack([np.cos(angle), np.sin(angle)], axis=1) * width[:, None] / 2
    along = np.stack([-np.sin(angle), np.cos(angle)], axis=1) * height[:, None] / 2
    edges = np.stack([-across - along, across - along, across + along, along - across], axis=1)
    return np.asarray(rows[:, None, :2] + edges)


def stack(crops: Sequence[Image]) -> NDArray[np.float32]:
    """Crops (h, w, 3) to a network's input, float32 (n, 3, h, w) in 0..1."""
    return np.asarray(cv2.dnn.blobFromImages(crops, 1 / 255), np.float32)
