"""Find tiles: a small YOLO with oriented boxes looks at the whole picture, and closer where tiles are small."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from companion.vision.boxes import grid_cells, oriented_boxes
from companion.vision.models import Network
from companion.vision.overlap import inside, near_pairs, sampled_shares
from companion.vision.rectify import Image, Pyramid, areas_of, rectangles_corners

Array = NDArray[np.float64]


LITTLE_SMALLER = 0.8
"""A picture that shrinks no more than to this is resized the quick way."""


@dataclass(frozen=True, slots=True)
class LocateParameters:
    """What the search goes by. Lengths in pixels."""

    first_side: int = 640
    """Long side of the first look: a hand of tiles is 40 to 130 px across there, which the detector knows best."""
    small_tile: float = 40.0
    """Where tiles are narrower than this in the first look, there is a closer one."""
    small_share: float = 0.2
    """Which share of the boxes may be smaller than the tile that decides so: far tiles look small."""
    closer_times: float = 2.0
    """How much closer the second look is: closer still, tiles that are 12 px wide in the first look are found no better."""
    closer_tile: float = 24.0
    """How wide narrower ones shall be in it,"""
    closer_side: int = 2048
    """as long as its long side is no longer: memory and time stay bounded."""
    enlarged_tile: float = 46.0
    """The picture is enlarged no more than until they are as wide as this."""
    many: int = 12
    """So many boxes in the first look are tiles, and not parts of one tile that fills the picture."""
    least_score: float = 0.25
    """A box that scores less is only a place to look at again."""
    weak_score: float = 0.03
    """Below this, nothing is kept."""
    overlap: float = 0.6
    """Boxes that share more than this (intersection over union) are one tile. Generous: rectangles about neighbours on a slant
    share much, and which of them are tiles is decided later, when their corners are known."""
    most: int = 400
    """More boxes than any table has tiles in one picture, weak ones included."""


@dataclass(frozen=True, slots=True)
class Located:
    """One box: corners (4, 2) clockwise with 0-1 a short side, in pixels of the picture; score 0..1; face up or down.

    `guessed` where no detector found it, but a tile may lie there for what lies around.
    """

    quad: Array
    score: float
    face_down: bool
    guessed: bool = False

    @property
    def width(self) -> float:
        """Short side, pixels."""
        return float(np.linalg.norm(self.quad[0] - self.quad[1]))


def locate(network: Network, picture: Pyramid, parameters: LocateParameters) -> list[Located]:
    """All boxes of a picture, best first; those below `least_score` are places to look at, not tiles."""
    height, width = picture.image_bgr.shape[:2]
    scale = min(parameters.first_side / max(width, height), 2.0)
    first = _look(network, picture, scale, parameters)
    likely = [box for box in first if box.score >= parameters.least_score]
    small = float(np.quantile([box.width for box in likely], parameters.small_share)) * scale if likely else 0.0
    if small < parameters.small_tile:
        first += _look(network, picture, _closer_scale(scale, small, parameters), parameters)
    if small >= parameters.small_tile or len(likely) < parameters.many:
        # from farther off as well: a tile that fills the picture looks like several at the first look
        first += _look(network, picture, scale / 2, parameters)
    return _best_of(first, parameters)


def _closer_scale(scale: float, small: float, parameters: LocateParameters) -> float:
    """Of the closer look, where tiles are so `small` in the first, at `scale`; 0 where none was seen."""
    if small:
        farthest = parameters.closer_side / parameters.first_side
        times = float(np.clip(parameters.closer_tile / small, parameters.closer_times, farthest))
        # larger than life only where tiles are small all the same: the squares of a board, enlarged, look like tiles
        scale = min(scale * times, max(1.0, scale * parameters.enlarged_tile / small))
    else:
        scale *= parameters.closer_times
    return min(scale, 2.0)


def _look(network: Network, picture: Pyramid, scale: float, parameters: LocateParameters) -> list[Located]:
    """Run the network over the picture at a scale; boxes in pixels of the picture."""
    image, true_scale = _scaled(picture, scale)
    sides, (scores,), ((angles,),) = network.read_picture(image)
    best = scores.max(0)
    kept = np.flatnonzero(best >= parameters.weak_score)
    kept = kept[np.argsort(-best[kept], kind="stable")][: 4 * parameters.most]
    boxes = oriented_boxes(sides[0][:, kept], angles[kept], grid_cells(*image.shape[:2])[kept])
    quads = (rectangles_corners(boxes) + 0.5) / true_scale - 0.5
    apart = distinct(quads, parameters.overlap)[: parameters.most]
    kept, quads = kept[apart], quads[apart]
    downs = scores[:, kept].argmax(0) == 1
    return [Located(q, float(best[k]), bool(down)) for q, k, down in zip(quads, kept, downs, strict=True)]


def _scaled(picture: Pyramid, scale: float) -> tuple[Image, Array]:
    """The picture at a scale, padded to multiples of 32, and the true scales (x, y)."""
    height, width = picture.image_bgr.shape[:2]
    image = picture.level(int(np.clip(np.floor(-np.log2(max(scale, 1e-6))), 0, 5)))
    size = (max(8, round(width * scale)), max(8, round(height * scale)))
    # by areas costs four times as much, and shows nothing more where hardly anything shrinks
    flags = cv2.INTER_AREA if size[0] < LITTLE_SMALLER * image.shape[1] else cv2.INTER_LINEAR
    padded = np.full((-(-size[1] // 32) * 32, -(-size[0] // 32) * 32, 3), 114, np.uint8)
    padded[: size[1], : size[0]] = cv2.resize(image, size, interpolation=flags)
    return padded, np.array([size[0] / width, size[1] / height])


def intersection_over_union(a: Array, b: Array) -> float:
    """Of two convex quads, 0..1."""
    first, second = a.astype(np.float32), b.astype(np.float32)
    area_a, area_b = abs(cv2.contourArea(first)), abs(cv2.contourArea(second))
    shared = float(cv2.intersectConvexConvex(first, second)[0])
    return shared / max(1e-9, area_a + area_b - shared)


def _best_of(boxes: list[Located], parameters: LocateParameters) -> list[Located]:
    """Best first; a box that covers a better one is dropped."""
    boxes = sorted(boxes, key=lambda b: -b.score)
    if not boxes:
        return []
    return [boxes[k] for k in distinct(np.stack([box.quad for box in boxes]), parameters.overlap)][: parameters.most]


def apart_first(boxes: list[Located], overlap: float) -> tuple[list[Located], list[Located]]:
    """Boxes, best first, in two: those that share no more than `overlap` with a better one, and the others."""
    if not boxes:
        return [], []
    first = set(distinct(np.stack([box.quad for box in boxes]), overlap))
    return [boxes[k] for k in sorted(first)], [box for k, box in enumerate(boxes) if k not in first]


class Placed(Protocol):
    """What lies in a quad (4, 2)."""

    @property
    def quad(self) -> Array:
        """Corners (4, 2) in pixels of the picture."""


Something = TypeVar("Something", bound=Placed)


def outside(boxes: list[Something], quads: list[Array], share: float) -> list[Something]:
    """The boxes that share no more than `share` (intersection over union) with any of the quads."""
    if not boxes or not quads:
        return boxes
    shapes, others = np.stack([box.quad for box in boxes]), np.stack(quads)
    rows, columns = near_pairs(shapes, others, 1.0)
    sizes = areas_of(shapes[rows])
    shared = sampled_shares(shapes[rows], others[columns]) * sizes
    covered = set(rows[shared > share * (sizes + areas_of(others[columns]) - shared)].tolist())
    return [box for k, box in enumerate(boxes) if k not in covered]


def distinct(quads: Array, overlap: float) -> list[int]:
    """Indices of quads (n, 4, 2), best first, that share no more than `overlap` with a better one."""
    if not len(quads):
        return []
    shapes = quads.astype(np.float32)
    areas = areas_of(quads)
    centres = quads.mean(1)
    # a rectangle that moves by this share of its length shares as much with where it was; a tenth is room for turns and odd sizes
    reach = 1.1 * (1 - overlap) / (1 + overlap) * np.linalg.norm(quads[:, 1] - quads[:, 2], axis=1)
    pairs = cKDTree(centres).query_pairs(float(reach.max()), output_type="ndarray")
    better, worse = pairs.T
    gaps = np.hypot(*(centres[better] - centres[worse]).T)
    close = gaps < np.maximum(reach[worse], reach[better])
    close &= (areas[worse] > overlap * areas[better]) & (areas[better] > overlap * areas[worse])
    worse, better = worse[close], better[close]
    # of a rectangle more than half lies in another only if its middle does: a line through the middle halves it
    if overlap >= 0.5:
        both = inside(centres[better][:, None], quads[worse]) & inside(centres[worse][:, None], quads[better])
        worse, better = worse[both[:, 0]], better[both[:, 0]]
    order = np.lexsort((better, worse))
    worse, better = worse[order], better[order]
    starts = np.searchsorted(worse, np.arange(len(quads) + 1)).tolist()
    rivals = better.tolist()
    kept: list[int] = []
    is_kept = [False] * len(quads)
    for k in range(len(quads)):
        for other in rivals[starts[k] : starts[k + 1]]:
            if is_kept[other]:
                shared = float(cv2.intersectConvexConvex(shapes[k], shapes[other])[0])
                if shared > overlap * (areas[k] + areas[other] - shared):
                    break
        else:
            kept.append(k)
            is_kept[k] = True
    return kept
