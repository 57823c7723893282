"""Cut tiles out of a picture, seen straight from above.

A homography follows perspective where a rotated rectangle cannot. Crops are taken from a pyramid of the picture, at the level
whose tiles are about as large as the crop, so that large tiles do not alias.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Array = NDArray[np.float64]
Tensor = NDArray[np.float32]

UNIT_PX = 64
"""Pixels of a crop for one tile width."""
MARGIN_PX = 4
HALF_UNIT_PX = 40
HALF_SIDE_PX = HALF_UNIT_PX + 2 * MARGIN_PX
"""Crops of a half are squares: the half and a margin around it. Smaller than crops of a tile: 18 pips still lie 5 px apart, and
the CNN costs less than half."""
TILE_WH_PX = (UNIT_PX + 2 * MARGIN_PX, 2 * UNIT_PX + 2 * MARGIN_PX)
"""Crops of a whole tile, end a at the top."""


@dataclass(frozen=True, slots=True)
class Cut:
    """How a crop shows a tile, end a at the top: its corner 0 is at `origin_px`, its width takes `unit_px`."""

    origin_px: tuple[float, float]
    unit_px: float
    size_wh: tuple[int, int]


UNIT_TILE = np.array([[0, 0], [1, 0], [1, 2], [0, 2]], np.float64)
"""Corners of a tile whose width is 1, in the order of every quad."""
TILE_CUT = Cut((MARGIN_PX, MARGIN_PX), UNIT_PX, TILE_WH_PX)
HALF_CUT = Cut((MARGIN_PX, MARGIN_PX), HALF_UNIT_PX, (HALF_SIDE_PX, HALF_SIDE_PX))
ROUGH_CUT = Cut((16, 24), 48, (80, 144))
"""Around a rough quad, with room for corners that lie outside it."""
COARSE_CUT = Cut((7.75, 11.75), 24, (40, 72))
"""The same at half the size, for a first, cheap look."""


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

    def cut(self, quads: Sequence[Array], how: Cut) -> Image:
        """Crops (n, h, w, 3) of the tiles in quads (4, 2)."""
        width, height = how.size_wh
        crops = np.empty((len(quads), height, width, 3), np.uint8)
        if not len(quads):
            return crops
        shapes = np.asarray(quads, np.float64).reshape(-1, 4, 2)
        to_unit = np.array([[1, 0, -how.origin_px[0]], [0, 1, -how.origin_px[1]], [0, 0, how.unit_px]]) / how.unit_px
        levels = _levels_for(shapes, how.unit_px).tolist()
        for row, level, matrix in zip(crops, levels, unit_maps(shapes) @ to_unit, strict=True):
            image = self.level(level)
            cv2.warpPerspective(
                image, self._to_level(image) @ matrix if level else matrix, how.size_wh, row,
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
            )  # fmt: skip
        return crops

    def at(self, quads: Array, units: Array, unit_px: float) -> Image:
        """Colours (n, k, 3) nearest to points (k, 2), in tile widths, of the tiles in quads (n, 4, 2); `unit_px` as in a `Cut`."""
        colours = np.empty((len(quads), len(units), 3), np.uint8)
        points = from_rough(quads, units)
        levels = _levels_for(quads, unit_px)
        for level in np.unique(levels).tolist():
            image = self.level(level)
            rows = np.flatnonzero(levels == level)
            there = np.nan_to_num(points[rows]).reshape(-1, 2)  # a quad without an area has no points
            nearest = np.rint(move(self._to_level(image), there))
            x, y = np.clip(nearest, 0, np.array(image.shape[1::-1]) - 1).astype(np.intp).T
            colours[rows] = image.reshape(-1, 3).take(y * image.shape[1] + x, axis=0).reshape(len(rows), -1, 3)
        return colours

    def _to_level(self, image: Image) -> Array:
        """From pixels of the picture to those of one of its levels."""
        x, y = image.shape[1] / self.image_bgr.shape[1], image.shape[0] / self.image_bgr.shape[0]
        return np.array([[x, 0, (x - 1) / 2], [0, y, (y - 1) / 2], [0, 0, 1]])


def _levels_for(quads: Array, unit_px: float) -> NDArray[np.intp]:
    """At which level (n,) tiles in quads (n, 4, 2) are about as wide as `unit_px`."""
    shrinks = np.sqrt(areas_of(quads) / 2) / unit_px
    return np.clip(np.floor(np.log2(np.maximum(shrinks, 1e-6)) + 0.35), 0, 5).astype(np.intp)


def unit_maps(quads: Array) -> Array:
    """Homographies (n, 3, 3) that take a tile from (0, 0) to (1, 2) to the quads (n, 4, 2)."""
    a, b, c, d = quads.transpose(1, 0, 2)
    across, along, bend = b - c, d - c, a - b + c - d
    area = across[:, 0] * along[:, 1] - along[:, 0] * across[:, 1]
    area = np.where(np.abs(area) < 1e-9, 1e-9, area)
    g = (bend[:, 0] * along[:, 1] - along[:, 0] * bend[:, 1]) / area
    h = (across[:, 0] * bend[:, 1] - bend[:, 0] * across[:, 1]) / area
    maps = np.ones((len(quads), 3, 3))
    maps[:, :2, 0], maps[:, 2, 0] = b - a + g[:, None] * b, g
    maps[:, :2, 1], maps[:, 2, 1] = (d - a + h[:, None] * d) / 2, h / 2
    maps[:, :2, 2] = a
    return maps


def areas_of(quads: Array) -> Array:
    """Areas (n,) of quads (n, 4, 2)."""
    x, y = (quads[:, 2] - quads[:, 0]).T
    u, v = (quads[:, 3] - quads[:, 1]).T
    return np.asarray(np.abs(x * v - y * u) / 2)


def signed_area(quad: Array) -> float:
    """Area of a quad (4, 2); positive where its corners run clockwise in a picture (y down)."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad.tolist()
    return float((cx - ax) * (dy - by) - (dx - bx) * (cy - ay)) / 2


def to_rough(quad: Array, points: Array) -> Array:
    """Points of the picture in units of the rough crop's tile: (0, 0) to (1, 2) is the rough quad."""
    return move(np.linalg.inv(unit_maps(quad[None])[0]), points)


def from_rough(quads: Array, units: Array) -> Array:
    """The inverse of `to_rough`, for quads (n, 4, 2) with points (n, k, 2) each, or the same (k, 2) for all."""
    maps = unit_maps(quads)
    seen = units @ maps[:, :, :2].transpose(0, 2, 1) + maps[:, None, :, 2]
    return np.asarray(seen[..., :2] / seen[..., 2:])


def half_crops(picture: Pyramid, quads: Sequence[Array]) -> Image:
    """Both halves of each tile with their outer edge up, a then b: (2n, 48, 48, 3)."""
    return picture.cut([half for quad in quads for half in (quad, quad[[2, 3, 0, 1]])], HALF_CUT)


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


def stack(crops: Image) -> Tensor:
    """Crops (n, h, w, 3) to a network's input, float32 (n, 3, h, w) in 0..1."""
    return np.asarray(crops.transpose(0, 3, 1, 2).astype(np.float32) * np.float32(1 / 255), np.float32)


def as_input(image_bgr: Image) -> Tensor:
    """One picture (h, w, 3) to a network's input, float32 (1, 3, h, w) RGB in 0..1; much quicker than `stack` for a large one."""
    batch = np.empty((1, 3, *image_bgr.shape[:2]), np.float32)
    for target, channel in zip(batch[0, ::-1], cv2.split(image_bgr), strict=True):
        np.multiply(channel, np.float32(1 / 255), out=target)
    return batch
