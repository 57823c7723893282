"""Read a shaken picture a second time, sharpened, and join both readings.

Which of the likely shakes was the real one, how long it was and how much noise there is, the readers decide on a few tiles: with
the right ones they are surest of what they see. Then the whole picture is sharpened and seen. Sharpening leaves echoes of edges
and noise behind, blur does not: so the two readings err in different places, and count the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.choosing import covered_share
from companion.vision.locate import intersection_over_union
from companion.vision.rectify import width_of
from companion.vision.seen import SeenTile
from companion.vision.unshaking import Image, Shake, likely_shakes, unshaken
from companion.vision.values import log_softmax

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SteadyParameters:
    """When a picture is sharpened, and how."""

    unsure: float = 0.9
    """Confidence below which a half counts as unsure."""
    share_unsure: float = 0.15
    """From this share of unsure halves on a picture may be shaken."""
    better: float = 0.01
    """By how much the readers' mean confidence must rise."""
    width_px: float = 100.0
    """Larger tiles are made as small as this first: all that is read of them is still there."""
    spectrum_width_px: float = 70.0
    """And for the spectrum as small as this: the longest shake that is told apart is a third of it."""
    tried: int = 3
    """How many likely shakes the readers try."""
    tried_on: int = 24
    """On how many tiles."""
    longer: tuple[float, ...] = (0.65, 0.75, 0.87, 1.15)
    """And the best of them so much longer."""
    noise: float = 0.01
    noises: tuple[float, ...] = (0.004, 0.025)
    seen_whole: int = 3
    """With so many of the best the whole picture is seen; the one that makes all tiles surest is the right one."""
    blurred_values: float = 0.5
    """How much the CNN's logs count where it read the blurred picture."""
    sharp_values: float = 0.9
    """And where it read the sharpened one."""
    pips: float = 0.2
    """How much the pip counter's, in both: streaks it counts as one, and noise that was sharpened as pips."""


@dataclass(frozen=True, slots=True)
class Steadied:
    """A picture sharpened: `scale` is its size as a share of the original's."""

    image_bgr: Image
    scale: float


Sureness = Callable[[Image, list[Array]], float]
"""The readers' mean confidence in the halves of tiles (quads (4, 2)) of a picture."""


def steadied(
    image_bgr: Image, quads: Sequence[Array], sureness: Sureness, parameters: SteadyParameters
) -> list[Steadied]:
    """The picture sharpened in the few likeliest ways, or none where no shake makes its tiles easier to read."""
    width = float(np.median([width_of(quad) for quad in quads]))
    scale, coarse = min(1.0, parameters.width_px / width), min(1.0, parameters.spectrum_width_px / width)
    grey = np.asarray(cv2.cvtColor(_reduced(image_bgr, coarse), cv2.COLOR_BGR2GRAY), np.uint8)
    shakes = [shake.scaled(scale / coarse) for shake in likely_shakes(grey, parameters.tried)]
    image = _reduced(image_bgr, scale)
    mosaic, placed = _mosaic(image, [_at_scale(quad, scale) for quad in quads], parameters.tried_on)
    tried: list[Tried] = []

    def best_of(*ways: tuple[Shake, float]) -> Tried:
        tried.extend((sureness(unshaken(mosaic, shake, noise), placed), shake, noise) for shake, noise in ways)
        return max(tried, key=_first)

    if not shakes:
        return []
    _, shake, noise = best_of(*((shake, parameters.noise) for shake in shakes))
    _, shake, noise = best_of(*((shake.scaled(factor), noise) for factor in parameters.longer))
    best_of(*((shake, noise) for noise in parameters.noises))
    least = sureness(mosaic, placed) + parameters.better
    ranked = [row for row in sorted(tried, key=_first, reverse=True) if row[0] >= least][: parameters.seen_whole]
    return [Steadied(unshaken(image, shake, noise), scale) for _, shake, noise in ranked]


Tried = tuple[float, Shake, float]
"""How sure the readers were, with which shake and how much noise."""


def _first(row: Tried) -> float:
    return row[0]


def _at_scale(quad: Array, scale: float) -> Array:
    """A quad's pixels in the picture at a scale; whole numbers are the middles of pixels."""
    return np.asarray((quad + 0.5) * scale - 0.5)


def _reduced(image_bgr: Image, scale: float) -> Image:
    if scale >= 1:
        return image_bgr
    return np.asarray(cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _mosaic(image_bgr: Image, quads: Sequence[Array], most: int) -> tuple[Image, list[Array]]:
    """Squares around at most so many of the tiles, in one picture, and where the tiles lie in it."""
    picked = [quads[int(k)] for k in np.linspace(0, len(quads) - 1, min(most, len(quads))).round()]
    side = int(max(np.ptp(quad, axis=0).max() for quad in picked)) + 64
    columns = int(np.ceil(np.sqrt(len(picked))))
    mosaic = np.zeros((side * int(np.ceil(len(picked) / columns)), side * columns, 3), np.uint8)
    placed = []
    for n, quad in enumerate(picked):
        row, column = divmod(n, columns)
        left, top = (quad.mean(0) - side / 2).round()
        window = cv2.getRectSubPix(image_bgr, (side, side), (float(left + (side - 1) / 2), float(top + (side - 1) / 2)))
        mosaic[row * side : (row + 1) * side, column * side : (column + 1) * side] = window
        placed.append(quad - (left, top) + (column * side, row * side))
    return mosaic, placed


SAME_PLACE = 0.4
"""Tiles that share more than this (intersection over union) are one tile seen twice."""
TAKEN = 0.2
"""A place of which a tile covers more is that tile's."""

Seen = tuple[list[SeenTile], list[Array]]


def joined(first: Seen, second: Seen, scale: float, parameters: SteadyParameters) -> Seen:
    """Both sights of a picture as one; the second's pixels are `scale` of the first's.

    A tile seen twice lies where it was believed more, and both readings count. What only one of them saw stays where the other
    saw nothing.
    """
    blurred, backs = first[0], list(first[1])
    tiles = list(blurred)
    more = [replace(tile, quad=_at_scale(tile.quad, 1 / scale)) for tile in second[0]]
    for new in more:
        shares = [intersection_over_union(new.quad, tile.quad) for tile in blurred]
        if shares and max(shares) > SAME_PLACE:
            at = int(np.argmax(shares))
            tiles[at] = _both(blurred[at], new, parameters)
    taken = [tile.quad for tile in tiles] + backs
    alone = [new for new in more if all(covered_share(new.quad, quad) < TAKEN for quad in taken)]
    taken += [new.quad for new in alone]
    down = [_at_scale(quad, 1 / scale) for quad in second[1]]
    return tiles + alone, backs + [quad for quad in down if all(covered_share(quad, q) < TAKEN for q in taken)]


def _both(a: SeenTile, b: SeenTile, p: SteadyParameters) -> SeenTile:
    """One tile seen twice: `a` blurred, `b` sharp, its ends put in the order of `a`'s."""
    if np.linalg.norm(a.quad - b.quad, axis=1).sum() > np.linalg.norm(a.quad - b.quad[[2, 3, 0, 1]], axis=1).sum():
        turned = replace(b.values, values=b.values.values[::-1])
        b = replace(b, quad=b.quad[[2, 3, 0, 1]], values=turned, pips=(b.pips[1], b.pips[0]))
    surer = a if a.belief >= b.belief else b
    pips = tuple(
        replace(one, values=log_softmax(p.pips * (one.values + other.values)))
        for one, other in zip(a.pips, b.pips, strict=True)
    )
    values = replace(
        surer.values, values=log_softmax(p.blurred_values * a.values.values + p.sharp_values * b.values.values)
    )
    return replace(surer, values=values, pips=(pips[0], pips[1]))
