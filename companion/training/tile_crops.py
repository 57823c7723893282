"""Crops that the small networks learn from, cut from labelled pictures with the errors that the stages before them make."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from companion.training.examples import Array, Example, LabelledTile
from companion.training.views import short_side
from companion.vision import rectify
from companion.vision.rectify import Pyramid

Image = NDArray[np.uint8]

LEAST_VISIBLE = 0.55
"""A tile on which a train figure or a coin stands is still a tile, and its values are a guess that must look like one."""


TOUCHING = (0.8, 1.2)
"""How far apart, in sides of a half, the middles of two halves are that touch each other along an edge."""
STRAIGHT = 0.2
"""Sine of the most that they may be askew."""
BLANK_TIMES = 4
"""How often a double blank comes round: it is one tile in fifty, and of all things that are no tile many are blank."""


@dataclass(frozen=True)
class CornerSample:
    """A crop around a rough quad, the corners' moves (8,), whether the tile lies crosswise in it, and whether there is one.

    `just_there`: 1 where a tile lies just in the quad, 0 where none does, -1 where a tile lies about there.
    """

    crop: Image
    moves: NDArray[np.float32]
    crosswise: bool
    is_tile: bool = True
    just_there: int = -1


@dataclass(frozen=True)
class ValueSample:
    """Both halves of a quad; `values` are -1 where nothing may be learned; `kind` 0 tile, 1 back, 2 none."""

    halves: Image
    values: tuple[int, int]
    kind: int


@dataclass(frozen=True)
class PipSample:
    """A grey tile crop and its pips in crop pixels (n, 2); `printed` tells for each half whether it has a numeral."""

    grey: Image
    pips: NDArray[np.float32]
    printed: tuple[bool, bool]


def least_rectangle(quad: Array) -> Array:
    """The least rotated rectangle around a quad, as the detector gives it: corners clockwise, 0-1 a short side."""
    (x, y), (w, h), degrees = cv2.minAreaRect(quad.astype(np.float32))
    return rectify.rectangle_corners(x, y, w, h, np.deg2rad(degrees))


def rough_quad(rng: Generator, quad: Array) -> Array:
    """What the stages before might say of a tile.

    The detector's rectangle, a little off; a guess from a neighbour, far off; or nearly right already.
    """
    draw = rng.random()
    if draw < 0.25:
        width = rectify.width_of(quad)
        near = quad + rng.normal(0, 0.05 * width, (4, 2))
    elif draw < 0.65:
        near = _rectangle_about(rng, quad, shift=0.06, sizes=(0.07, 0.05), degrees=3.0)
    elif draw < 0.85:
        near = _rectangle_about(rng, quad, shift=0.16, sizes=(0.14, 0.12), degrees=9.0)
    else:  # the right slant, but shifted, turned and stretched as a guess from the tile beside it
        centre, width = quad.mean(0), rectify.width_of(quad)
        bend = np.eye(2) + rng.normal(0, 0.1, (2, 2))
        near = centre + (quad - centre) @ bend.T + rng.normal(0, 0.16, 2) * width
    return np.roll(near, -2, axis=0) if rng.random() < 0.5 else near


def _rectangle_about(rng: Generator, quad: Array, *, shift: float, sizes: tuple[float, float], degrees: float) -> Array:
    """The least rectangle of a quad, off by normal errors: shift in short sides, sizes in logs, an angle."""
    (x, y), (w, h), angle = cv2.minAreaRect(quad.astype(np.float32))
    side = min(w, h)
    w, h = w * np.exp(rng.normal(0, sizes[0])), h * np.exp(rng.normal(0, sizes[1]))
    x, y = x + rng.normal(0, shift) * side, y + rng.normal(0, shift) * side
    return rectify.rectangle_corners(x, y, w, h, np.deg2rad(angle + rng.normal(0, degrees)))


def match_corners(rough: Array, quad: Array) -> tuple[Array, bool]:
    """The true corners in the rough quad's order, and whether the rough edge 0-1 lies on a long side."""
    turns = [np.roll(quad, -k, axis=0) for k in range(4)]
    costs = [float(np.linalg.norm(t - rough, axis=1).sum()) for t in turns]
    best = int(np.argmin(costs))
    return turns[best], best % 2 == 1


def corner_samples(rng: Generator, example: Example, image: Image) -> Iterator[CornerSample]:
    """One sample a tile, face-down ones too."""
    picture = Pyramid(image)
    for quad in _worth_finding(example):
        sample = _corner_sample(picture, quad, rough_quad(rng, quad), rectify.ROUGH_CUT)
        if sample is not None:
            yield sample


def _worth_finding(example: Example) -> list[Array]:
    quads = [t.quad_px for t in example.tiles if t.visible > LEAST_VISIBLE] + list(example.backs_px)
    return [quad for quad in quads if short_side(quad) >= 8]


def _corner_sample(
    picture: Pyramid, quad: Array, rough: Array, cut: rectify.Cut, just_there: int = -1
) -> CornerSample | None:
    """What there is to learn about a tile's quad from a rough one, unless that is too far off."""
    true, crosswise = match_corners(rough, quad)
    moves = (rectify.to_rough(rough, true) - rectify.UNIT_TILE).ravel()
    if np.abs(moves).max() >= 0.9:
        return None
    return CornerSample(picture.cut([rough], cut)[0], moves.astype(np.float32), crosswise, just_there=just_there)


def coarse_samples(rng: Generator, example: Example, image: Image) -> Iterator[CornerSample]:
    """The same in coarse crops; tiles as they lie; and places that are no tile.

    Those are what was mined, what lies between, beside and across tiles, and halves of two.
    """
    picture = Pyramid(image)
    for quad in _worth_finding(example):
        as_it_lies = np.roll(_shaken(rng, quad, 0.03), 2 * int(rng.integers(2)), axis=0)
        for rough, just_there in ((rough_quad(rng, quad), -1), (as_it_lies, 1)):
            sample = _corner_sample(picture, quad, rough, rectify.COARSE_CUT, just_there)
            if sample is not None:
                yield sample
    quads = [t.quad_px for t in example.tiles] + list(example.backs_px)
    guesses = [_no_tile(rng, example, quads, (image.shape[1], image.shape[0])) for _ in range(2 + len(quads) // 2)]
    twos = [_shaken(rng, two, 0.03) for two in some_halves_of_two(rng, quads, 2 + len(quads) // 2)]
    for wrong in [*example.decoys_px, *example.vain_px, *(guess for guess in guesses if guess is not None), *twos]:
        turned = np.roll(wrong, -2, axis=0) if rng.random() < 0.5 else wrong
        yield CornerSample(
            picture.cut([turned], rectify.COARSE_CUT)[0], np.zeros(8, np.float32), False, False, just_there=0
        )


def some_halves_of_two(rng: Generator, quads: list[Array], most: int) -> list[Array]:
    """Some of the quads (4, 2) that are half of one tile and half of another which touches it: the usual wrong cut of a row."""
    if len(quads) < 2:
        return []
    tiles = np.stack(quads)
    right, left = (tiles[:, 1] + tiles[:, 2]) / 2, (tiles[:, 0] + tiles[:, 3]) / 2
    upper = np.stack([tiles[:, 0], tiles[:, 1], right, left], axis=1)
    lower = np.stack([tiles[:, 2], tiles[:, 3], left, right], axis=1)
    halves = np.concatenate([upper, lower])
    centres, sides = halves.mean(1), np.sqrt(rectify.areas_of(halves))
    pairs = cKDTree(centres).query_pairs(TOUCHING[1] * float(sides.max()), output_type="ndarray")
    first, second = pairs[(pairs[:, 1] - pairs[:, 0]) % len(tiles) != 0].T
    gaps = centres[second] - centres[first]
    away = np.linalg.norm(gaps, axis=1) / ((sides[first] + sides[second]) / 2)
    ways = gaps / np.maximum(1e-9, np.linalg.norm(gaps, axis=1, keepdims=True))
    straight = _along_a_side(halves[first], ways) & _along_a_side(halves[second], ways)
    near = np.flatnonzero((away > TOUCHING[0]) & (away < TOUCHING[1]) & straight)
    chosen = rng.choice(near, min(most, len(near)), replace=False) if len(near) else near
    return [_across(halves[first[k]], halves[second[k]], ways[k]) for k in chosen]


def _along_a_side(halves: Array, ways: Array) -> NDArray[np.bool_]:
    """Whether directions (n, 2) run along a side of halves (n, 4, 2)."""
    sides = halves[:, 1] - halves[:, 0]
    sides = sides / np.maximum(1e-9, np.linalg.norm(sides, axis=1, keepdims=True))
    turned = np.abs(sides[:, 0] * ways[:, 1] - sides[:, 1] * ways[:, 0])
    return np.asarray((turned < STRAIGHT) | (turned > np.sqrt(1 - STRAIGHT**2)))


def _across(first: Array, second: Array, way: Array) -> Array:
    """The quad from the far edge of a half (4, 2) to that of the next, which lies that way: clockwise, 0-1 a short side."""
    to_right = np.array([way[1], -way[0]])
    far, farther = first[np.argsort(first @ way)[:2]], second[np.argsort(second @ way)[2:]]
    top, bottom = far[np.argsort(far @ to_right)], farther[np.argsort(-(farther @ to_right))]
    return np.concatenate([top, bottom])


def _shaken(rng: Generator, quad: Array, amount: float) -> Array:
    """Corners off by `amount` tile widths, and now and then the whole quad."""
    width = max(2.0, (rectify.width_of(quad) + float(np.linalg.norm(quad[1] - quad[2])) / 2) / 2)
    shaken = quad + rng.normal(0, amount * width, (4, 2))
    if rng.random() < 0.3:
        centre = shaken.mean(0)
        shaken = centre + (shaken - centre) * rng.uniform(0.93, 1.08) + rng.normal(0, 0.03 * width, 2)
    return np.asarray(shaken)


def _no_tile(rng: Generator, example: Example, quads: list[Array], size_wh: tuple[int, int]) -> Array | None:
    """A quad that is no tile: between two tiles, beside one, half or twice its size, or somewhere on the table."""
    width, height = size_wh
    if quads and rng.random() < 0.8:
        quad = quads[int(rng.integers(len(quads)))]
        along, across = (quad[3] + quad[2] - quad[0] - quad[1]) / 2, (quad[1] + quad[2] - quad[0] - quad[3]) / 2
        draw = rng.random()
        if draw < 0.3:
            wrong = quad + along * rng.choice([-1, 1]) * rng.uniform(0.3, 0.7)
        elif draw < 0.45:
            wrong = quad + across * rng.choice([-1, 1]) * rng.uniform(0.4, 0.9)
        elif draw < 0.75:  # crosswise over the halves of two that lie side by side: the bars are then at its edge
            centre = (
                quad.mean(0)
                + across * rng.choice([-1, 1]) / 2
                + along * rng.choice([-0.25, 0.25, 0.0], p=[0.45, 0.45, 0.1])
            )
            corners = [centre - across + along / 4, centre - across - along / 4]
            corners += [centre + across - along / 4, centre + across + along / 4]
            wrong = np.stack(corners)
        elif draw < 0.85:
            centre = quad.mean(0) + along * rng.choice([-0.25, 0.25])
            wrong = centre + (quad - quad.mean(0)) * (rng.uniform(0.35, 0.6))
        else:
            wrong = quad.mean(0) + (quad - quad.mean(0)) * rng.uniform(1.6, 2.6) + along * rng.uniform(-0.5, 0.5)
    else:
        side = float(np.exp(rng.uniform(np.log(10), np.log(150))))
        wrong = rectify.rectangle_corners(
            rng.uniform(0, width), rng.uniform(0, height), side, 2 * side, rng.uniform(0, np.pi)
        )
    centre = wrong.mean(0)
    if not (0 < centre[0] < width and 0 < centre[1] < height):
        return None
    for quad in quads:
        length = np.linalg.norm(quad[1] - quad[2])
        same_size = 0.65 < np.sqrt(abs(rectify.signed_area(wrong)) / max(1.0, abs(rectify.signed_area(quad)))) < 1.5
        if same_size and np.linalg.norm(quad.mean(0) - centre) < 0.22 * length:
            return None
    return np.asarray(wrong)


def value_samples(rng: Generator, example: Example, image: Image) -> Iterator[ValueSample]:
    """Tiles, backs, and about half as many quads that are no tile."""
    picture = Pyramid(image)
    for tile in example.tiles:
        if tile.visible < LEAST_VISIBLE or short_side(tile.quad_px) < 12:
            continue
        turn = rng.random() < 0.5
        quad = np.roll(tile.quad_px, -2, axis=0) if turn else tile.quad_px
        ends = tile.ends[::-1] if turn else tile.ends
        for _ in range(BLANK_TIMES if tile.ends == (0, 0) else 1):
            yield ValueSample(rectify.half_crops(picture, [_shaken(rng, quad, 0.03)]), (ends[0], ends[1]), 0)
    for back in example.backs_px:
        yield ValueSample(rectify.half_crops(picture, [_shaken(rng, back, 0.04)]), (-1, -1), 1)
    for decoy in example.decoys_px:
        turned = np.roll(decoy, -2, axis=0) if rng.random() < 0.5 else decoy
        yield ValueSample(rectify.half_crops(picture, [_shaken(rng, turned, 0.03)]), (-1, -1), 2)
    quads = [t.quad_px for t in example.tiles] + list(example.backs_px)
    for _ in range(1 + len(quads) // 2):
        wrong = _no_tile(rng, example, quads, (image.shape[1], image.shape[0]))
        if wrong is not None:
            yield ValueSample(rectify.half_crops(picture, [wrong]), (-1, -1), 2)


def pip_samples(rng: Generator, example: Example, image: Image) -> Iterator[PipSample]:
    """Tiles whose pips are known to lie where they lie."""
    picture = Pyramid(image)
    for tile in example.tiles:
        if tile.visible < 0.8 or short_side(tile.quad_px) < 14 or tile.pips is None:
            continue
        shaken = _shaken(rng, tile.quad_px, 0.03)
        grey = cv2.cvtColor(picture.cut([shaken], rectify.TILE_CUT)[0], cv2.COLOR_BGR2GRAY)
        yield PipSample(np.asarray(grey, np.uint8), _pips_in_crop(tile, shaken), _printed(tile))


def _printed(tile: LabelledTile) -> tuple[bool, bool]:
    return (tile.numerals and tile.ends[0] > 0, tile.numerals and tile.ends[1] > 0)


def _pips_in_crop(tile: LabelledTile, shaken: Array) -> NDArray[np.float32]:
    if tile.pips is None or not len(tile.pips):
        return np.zeros((0, 2), np.float32)
    flat = np.array([[0, 0], [1, 0], [1, tile.length], [0, tile.length]], np.float64)
    on_picture = rectify.move(rectify.homography(flat, tile.quad_px), tile.pips)
    face = rectify.UNIT_TILE * rectify.UNIT_PX + rectify.MARGIN_PX
    return rectify.move(rectify.homography(shaken, face), on_picture).astype(np.float32)


def shuffled(
    examples: Sequence[Example],
    cut: Callable[[Generator, Example, Image], Iterator[Any]],
    rng: Generator,
    *,
    hold: int = 2500,
) -> Iterator[Any]:
    """Samples of all examples, for ever, in an order that mixes pictures; `hold` samples are kept to draw from."""
    held: list[Any] = []
    mixer = random.Random(int(rng.integers(1 << 30)))
    while True:
        for index in rng.permutation(len(examples)):
            example = examples[int(index)]
            for sample in cut(rng, example, example.image()):
                if len(held) < hold:
                    held.append(sample)
                    continue
                at = mixer.randrange(hold)
                drawn, held[at] = held[at], sample
                yield drawn
