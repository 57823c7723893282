"""Pictures of a table for tests of feeds: white tiles on grained wood, arms, noise; and a reader that finds such tiles.

The reader sees what a network would see and no more: it gets pixels, possibly a part of a picture, and finds white rectangles
in them. A tile's values are painted into its halves as a tint.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.layout import Layout
from companion.table.seen import MarkerSighting, SeenTable
from companion.vision.pips import PipCount
from companion.vision.read_parameters import ReadParameters
from companion.vision.seen import SeenTile
from companion.vision.values import ValueReading

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

TILE_PX = 30
DrawnTile = tuple[tuple[int, int], tuple[int, int], int]
"""Middle, ends, degrees; at 0 half a is on the left."""


def wood(seed: int = 0, size_wh: tuple[int, int] = (640, 480)) -> Picture:
    """A grained brown table."""
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, 40, size_wh[::-1]).astype(np.float32), (0, 0), sigmaX=12, sigmaY=1.5)
    base = np.full((*size_wh[::-1], 3), (60, 90, 130), np.float32) + 4 * grain[..., None]
    return np.asarray(np.clip(base, 0, 255), np.uint8)


def with_tiles(picture: Picture, *tiles: DrawnTile) -> Picture:
    """The picture with tiles painted on it."""
    drawn = picture.copy()
    for middle, ends, degrees in tiles:
        way = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
        side = np.array([-way[1], way[0]])
        for value, step in zip(ends, (-0.5, 0.5), strict=True):
            centre = np.array(middle) + way * step * TILE_PX
            corners = [centre + (u * way + v * side) * TILE_PX * 0.49 for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            colour = (255, 255 - 9 * value, 240)
            cv2.fillConvexPoly(drawn, np.round(corners).astype(np.int32), colour, cv2.LINE_AA)
            cv2.circle(drawn, (round(centre[0]), round(centre[1])), 3, (90, 90, 90), -1)
    return drawn


def with_arm(picture: Picture, tip: tuple[int, int], *, wide: int = 70) -> Picture:
    """The picture with an arm that reaches in from the right edge."""
    drawn = picture.copy()
    far = picture.shape[1] + wide
    cv2.line(drawn, tip, (far, tip[1] + 30), (70, 50, 40), wide)
    return drawn


_NOISE = [np.random.default_rng(seed).normal(0, 3, (480, 640, 3)).astype(np.int8) for seed in range(3)]


def noisy(picture: Picture, seed: int) -> Picture:
    """The picture as a sensor sees it."""
    noise = _NOISE[seed % len(_NOISE)]
    if noise.shape != picture.shape:
        noise = np.resize(noise, picture.shape)
    return np.asarray(cv2.add(picture, noise, dtype=cv2.CV_8U), np.uint8)


class RectangleReader:
    """Finds the painted tiles; counts how often and at how many pixels it was asked to look."""

    def __init__(self) -> None:
        self.parameters = ReadParameters()
        self.looks = 0
        self.pixels = 0

    def see(self, image_bgr: Picture) -> tuple[list[SeenTile], list[Array]]:
        self.looks += 1
        self.pixels += image_bgr.shape[0] * image_bgr.shape[1]
        blue, red = image_bgr[..., 0].astype(int), image_bgr[..., 2].astype(int)
        white = ((blue > 215) & (red > 205)).astype(np.uint8)
        white = cv2.morphologyEx(white, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
        outlines, _ = cv2.findContours(white, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        tiles = []
        for outline in outlines:
            box = cv2.minAreaRect(outline)
            short, long = sorted(box[1])
            x, y = box[0]
            inside = 0.9 * TILE_PX < x < image_bgr.shape[1] - TILE_PX and TILE_PX < y < image_bgr.shape[0] - TILE_PX
            if inside and 0.75 * TILE_PX < short < 1.25 * TILE_PX and 1.6 * TILE_PX < long < 2.4 * TILE_PX:
                tiles.append(self._tile(image_bgr, np.asarray(cv2.boxPoints(box), np.float64)))
        return tiles, []

    def see_markers(self, image_bgr: Picture, table: SeenTable, layout: Layout) -> tuple[MarkerSighting, ...]:
        return ()

    def _tile(self, image_bgr: Picture, quad: Array) -> SeenTile:
        if np.linalg.norm(quad[1] - quad[0]) > np.linalg.norm(quad[2] - quad[1]):
            quad = np.roll(quad, -1, axis=0)
        middle, half_a = quad.mean(0), quad[:2].mean(0)
        values = []
        for end in (half_a, 2 * middle - half_a):
            x, y = np.round(middle + (end - middle) * 0.75).astype(int)
            patch = image_bgr[max(y - 2, 0) : y + 3, max(x - 2, 0) : x + 3, 1]
            value = int(np.clip(round((255 - float(np.median(patch))) / 9), 0, 18))
            share = np.full(19, 0.002)
            share[value] = 1 - 0.036
            values.append(np.log(share))
        reading = ValueReading(np.stack(values), np.log([0.98, 0.01, 0.01]))
        counts = (PipCount(values[0], np.zeros((0, 3)), True), PipCount(values[1], np.zeros((0, 3)), True))
        return SeenTile(quad, 0.95, np.array([0.98, 0.01, 0.01]), 0.95, reading, counts)
