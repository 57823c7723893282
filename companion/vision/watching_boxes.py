"""Places in pictures: boxes to look at, masks of the small picture, outlines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sightings import Point
from companion.table.sighting import Outline
from companion.vision.watching_change import Mask

Array = NDArray[np.float64]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of the picture."""


def is_inside(mask: Mask, point: Array) -> bool:
    """Whether a place (x, y) in pixels of a mask is set; places outside count as the nearest one inside."""
    x, y = (int(np.clip(v, 0, n - 1)) for v, n in zip(point, mask.shape[::-1], strict=True))
    return bool(mask[y, x])


def in_box(box: Box, point: Array) -> bool:
    """Whether a place lies in a box."""
    return bool(box[0] <= point[0] < box[2] and box[1] <= point[1] < box[3])


def patch_boxes(patches: Mask) -> list[Box]:
    """The boxes around the patches of a mask, in its pixels."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(patches.astype(np.uint8))
    return [(x, y, x + wide, y + high) for x, y, wide, high in stats[1:count, :4].tolist()]


def grown(box: Box, *, scale: float, room: float, least: int, size_wh: tuple[int, int]) -> Box:
    """A box of the small picture in pixels of the picture, with room around it and of a least size."""
    low, high = np.array(box[:2]) * scale - room, np.array(box[2:]) * scale + room
    missing = np.maximum(least - (high - low), 0) / 2
    low, high = np.maximum(low - missing, 0), np.minimum(high + missing, size_wh)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def merged(boxes: Sequence[Box]) -> list[Box]:
    """Boxes that overlap become one."""
    left = list(boxes)
    done: list[Box] = []
    while left:
        box = left.pop()
        near = [other for other in (*left, *done) if _overlap(box, other)]
        if not near:
            done.append(box)
            continue
        left = [other for other in left if other not in near]
        done = [other for other in done if other not in near]
        corners = np.array([box, *near])
        low, high = corners[:, :2].min(0), corners[:, 2:].max(0)
        left.append((int(low[0]), int(low[1]), int(high[0]), int(high[1])))
    return done


def _overlap(one: Box, two: Box) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def box_corners(box: Box) -> Outline:
    """A box as an outline."""
    left, top, right, bottom = (float(v) for v in box)
    return (left, top), (right, top), (right, bottom), (left, bottom)


def without_tiles(changed: Mask, quads: Iterable[Array], *, scale: float, rim: float) -> Mask:
    """Changed pixels of the small picture outside all tiles; quads (4, 2) in pixels of the picture, grown by `rim`."""
    tiles = np.zeros(changed.shape, np.uint8)
    for quad in quads:
        middle = quad.mean(0)
        cv2.fillConvexPoly(tiles, np.round((middle + (quad - middle) * (1 + rim)) / scale).astype(np.int32), 1)
    return np.asarray(changed & (tiles == 0))


def widened(mask: Mask, reach_px: float) -> Mask:
    """A mask and what lies this near to it."""
    if not mask.any():
        return mask
    side = 2 * max(1, round(reach_px)) + 1
    return np.asarray(cv2.dilate(mask.astype(np.uint8), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))) > 0)


def outlines(mask: Mask, scale: float) -> tuple[Outline, ...]:
    """The patches of a mask of the small picture as outlines in pixels of the picture."""
    found, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    shapes: list[Outline] = []
    for outline in found:
        points: list[Point] = [(float(x) * scale, float(y) * scale) for x, y in outline.reshape(-1, 2)]
        if len(points) > 2:
            shapes.append(tuple(points))
    return tuple(shapes)
