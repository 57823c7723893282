"""Other views of labelled pictures: turned, slanted, nearer or farther, in other light.

What the detector learns from: squares of `side` pixels in which tiles are between `least_px` and `most_px` across.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.training.camera import random_camera
from companion.training.examples import Example
from companion.training.photograph import cast_shadows, lens, light, sensor, tone
from companion.training.scenes import blank_colour
from companion.vision.rectify import move

Array = NDArray[np.float64]


@dataclass(frozen=True)
class View:
    """A square picture and the quads in it: `tiles_px` face up, `backs_px` face down, each (4, 2)."""

    image_bgr: NDArray[np.uint8]
    tiles_px: list[Array]
    backs_px: list[Array]


def short_side(quad: Array) -> float:
    """Mean length of the two short sides, pixels."""
    a = np.linalg.norm(quad[0] - quad[1]) + np.linalg.norm(quad[2] - quad[3])
    b = np.linalg.norm(quad[1] - quad[2]) + np.linalg.norm(quad[3] - quad[0])
    return float(min(a, b) / 2)


def inside_share(quad: Array, side: int) -> float:
    """Share of a quad's area that lies in the square picture."""
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    area, _ = cv2.intersectConvexConvex(quad.astype(np.float32), square)
    return float(area) / max(1e-6, float(cv2.contourArea(quad.astype(np.float32))))


def _slant(rng: Generator, size_wh: tuple[int, int], tile_px: float) -> Array:
    """Homography of the picture's plane as another camera would see it."""
    camera = random_camera(rng, size_wh=size_wh, tile_px=tile_px)
    width, height = size_wh
    to_table = np.array([[1 / tile_px, 0, -width / 2 / tile_px], [0, 1 / tile_px, -height / 2 / tile_px], [0, 0, 1]])
    mirrored = np.diag([1.0, -1.0, 1.0])  # the table's plane has y up, the picture y down
    return np.asarray(camera.plane(0) @ mirrored @ to_table)


def _aim(rng: Generator, quads: list[Array], side: int, least_px: float, most_px: float) -> Array:
    """A similarity (3, 3): some tile or place near the middle, a random turn, tiles of a random size."""
    now = float(np.median([short_side(q) for q in quads])) if quads else 60.0
    goal = float(np.exp(rng.uniform(np.log(least_px), np.log(most_px))))
    k = min(goal / now, 2.5)
    if quads and rng.random() < 0.9:
        at = quads[int(rng.integers(len(quads)))].mean(0)
    else:
        at = np.array([rng.uniform(0, 1000), rng.uniform(0, 1000)])
    a = rng.uniform(0, 2 * np.pi)
    turn = k * np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    shift = np.array([side / 2, side / 2]) + rng.uniform(-0.32, 0.32, 2) * side - turn @ at
    return np.array([[*turn[0], shift[0]], [*turn[1], shift[1]], [0, 0, 1]])


def random_view(
    rng: Generator,
    example: Example,
    image: NDArray[np.uint8],
    *,
    side: int = 416,
    least_px: float = 13,
    most_px: float = 95,
) -> View:
    """One view of a labelled picture; what must be ignored is painted over."""
    image = image.copy()
    for polygon in example.ignore_px:
        cv2.fillPoly(image, [polygon.astype(np.int32)], blank_colour(rng).tolist())
    height, width = image.shape[:2]
    tiles = [t.quad_px for t in example.tiles if t.visible > 0.5]
    backs = list(example.backs_px)
    known = tiles + backs
    matrix = np.eye(3)
    if rng.random() < 0.5:
        now = float(np.median([short_side(q) for q in known])) if known else 60.0
        matrix = _slant(rng, (width, height), now)
    seen = [move(matrix, q) for q in known]
    matrix = _aim(rng, seen, side, least_px, most_px) @ matrix
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2]))))
    if scale < 0.6:  # warping skips pixels when it shrinks: soften first
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.4 / scale), np.uint8)
    border = blank_colour(rng)
    warped = cv2.warpPerspective(image, matrix, (side, side), flags=cv2.INTER_LINEAR, borderValue=border.tolist())
    moved_tiles = [q for q in (move(matrix, q) for q in tiles) if inside_share(q, side) > 0.55]
    moved_backs = [q for q in (move(matrix, q) for q in backs) if inside_share(q, side) > 0.55]
    tile_px = float(np.median([short_side(q) for q in moved_tiles])) if moved_tiles else 40.0
    picture = warped.astype(np.float32)
    if rng.random() < 0.45:
        picture = light(rng, picture, tile_px)
    if rng.random() < 0.25:
        picture = cast_shadows(rng, picture, tile_px)
    if rng.random() < 0.7:
        picture = tone(rng, picture, 0.8)
    if rng.random() < 0.5:
        picture = lens(rng, picture, tile_px)
    return View(sensor(rng, picture), moved_tiles, moved_backs)


def scene_view(
    rng: Generator,
    example: Example,
    image: NDArray[np.uint8],
    *,
    side: int = 416,
    least_px: float = 13,
    most_px: float = 95,
) -> View:
    """A window of a made scene, as it is but for its size and perhaps more shadows: it has all other variety already."""
    height, width = image.shape[:2]
    known = [t.quad_px for t in example.tiles] + list(example.backs_px)
    now = float(np.median([short_side(q) for q in known])) if known else 40.0
    k = float(np.clip(rng.uniform(0.75, 1.2), least_px / now, most_px / now))
    # the window lies about some tile
    about = known[int(rng.integers(len(known)))].mean(0) if known else rng.uniform(0, 1, 2) * (width, height)
    middle = about * k
    left, top = (
        float(np.clip(m + rng.uniform(-0.8, -0.2) * side, min(0, n * k - side), max(0, n * k - side)))
        for m, n in zip(middle, (width, height), strict=True)
    )
    matrix = np.array([[k, 0, -left], [0, k, -top], [0, 0, 1]])
    flags = cv2.INTER_AREA if k < 1 else cv2.INTER_LINEAR
    small = cv2.resize(image, None, fx=k, fy=k, interpolation=flags)
    shift = np.array([[1, 0, -left], [0, 1, -top]], np.float64)
    warped = np.asarray(cv2.warpAffine(small, shift, (side, side), borderValue=blank_colour(rng).tolist()), np.uint8)
    if rng.random() < 0.2:
        shaded = cast_shadows(rng, warped.astype(np.float32), now * k)
        warped = np.asarray(np.clip(shaded, 0, 255), np.uint8)
    tiles = [move(matrix, t.quad_px) for t in example.tiles if t.visible > 0.5]
    backs = [move(matrix, q) for q in example.backs_px]
    keep = lambda quads: [q for q in quads if inside_share(q, side) > 0.55 and short_side(q) > 6]  # noqa: E731
    return View(warped, keep(tiles), keep(backs))
