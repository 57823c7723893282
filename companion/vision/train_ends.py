"""What a train's end looks like from straight above: crops of the table's plane about a tile, and where tiles lie in them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.plane import Plane
from companion.vision.looking_again import as_the_plane_has_them
from companion.vision.rectify import Cut, Pyramid, from_rough, to_rough

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

SIDE_PX = 112
WIDTHS = 6.0
"""What a crop shows: a tile's length, and as far around it as a marker may lie, and its own size."""
UNIT_PX = SIDE_PX / WIDTHS
END_CUT = Cut(((SIDE_PX - UNIT_PX) / 2, SIDE_PX / 2 - UNIT_PX), UNIT_PX, (SIDE_PX, SIDE_PX))
THIS, OTHER = 255, 128
"""How the tile itself and all others show in the fourth channel."""


def flat_quads(plane: Plane, quads: Sequence[Array]) -> Array:
    """Tiles (n, 4, 2) as the plane has them: what lies three widths away is then where it should be."""
    return np.asarray(as_the_plane_has_them(plane, quads)[:, 1])


def end_crops(picture: Pyramid, tiles: Array, lasts: Sequence[int]) -> Image:
    """Crops (k, 112, 112, 4), colours and where tiles lie, about those tiles of (n, 4, 2) that are the last of a train.

    `tiles` are flat (`flat_quads`), backs too; each last tile stands upright in the middle of its crop, corner 0 at the upper left.
    """
    crops = np.zeros((len(lasts), SIDE_PX, SIDE_PX, 4), np.uint8)
    if not len(lasts):
        return crops
    crops[..., :3] = picture.cut([tiles[k] for k in lasts], END_CUT)
    for crop, last in zip(crops, lasts, strict=True):
        corners = to_crop(tiles[last], tiles.reshape(-1, 2)).reshape(-1, 4, 2)
        mask = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
        for k, quad in enumerate(corners):
            if k != last and np.abs(quad - SIDE_PX / 2).min() < SIDE_PX:
                cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), OTHER)
        cv2.fillConvexPoly(mask, np.round(corners[last]).astype(np.int32), THIS)
        crop[..., 3] = mask
    return crops


def to_crop(tile: Array, points: Array) -> Array:
    """Points (n, 2) of the picture in pixels of the crop about a tile (4, 2)."""
    return np.asarray(np.clip(to_rough(tile, points), -50, 50) * UNIT_PX + END_CUT.origin_px)


def from_crop(tile: Array, pixels: Array) -> Array:
    """The inverse of `to_crop`."""
    return np.asarray(from_rough(tile[None], (pixels - END_CUT.origin_px) / UNIT_PX)[0])
