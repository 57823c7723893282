"""Crops that the marker network learns from: ends of trains of labelled tables, and any tiles beside which things are drawn.

What serves as a marker no list names, so most of what is drawn is nothing in particular: discs, balls, blocks, little engines,
shapes of several parts, each with its shadow. Where it lies decides what it is: on the last tile or beside it a marker, farther off
only a thing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.table.plane import Plane, fit_plane
from companion.table.seen import as_quad
from companion.training import things
from companion.training.examples import Array, Example
from companion.training.surfaces import Floats, random_colour
from companion.training.views import short_side
from companion.vision.rectify import Pyramid, signed_area
from companion.vision.train_ends import SIDE_PX, UNIT_PX, end_crops, flat_quads, to_crop

Image = NDArray[np.uint8]

LEAST_TILES = 3
LEAST_PX = 11.0
REACH = 1.45
"""Tile widths from the tile's rim to the middle of a marker, at most; what lies a little farther is neither."""
UNKNOWN = 0.6
DRAWN_SHARE = 0.6
OTHERS = 5
"""Tiles of a picture that are no train's last, and about which nothing stands unless it is drawn there."""


@dataclass(frozen=True)
class MarkerSample:
    """A crop (112, 112, 4), markers' middles (n, 2) in its pixels, and places (m, 3) with a radius where nobody knows."""

    crop: Image
    markers: Array
    unknown: Array


def marker_samples(rng: Generator, example: Example, image: Image) -> Iterator[MarkerSample]:
    """Ends of trains and other tiles of one picture."""
    tiles = [tile.quad_px for tile in example.tiles]
    quads = tiles + list(example.backs_px)
    if len(tiles) < LEAST_TILES:
        return
    plane = _shaken_plane(rng, quads)
    flat = flat_quads(plane, quads)
    fine = [
        k
        for k, tile in enumerate(example.tiles)
        if tile.visible > 0.6 and short_side(tile.quad_px) > LEAST_PX and signed_area(flat[k]) > 0
    ]
    lasts = [k for k in fine if k in (example.lasts or ())]
    others = [k for k in fine if k not in lasts]
    chosen = lasts * 2 + [others[int(k)] for k in rng.permutation(len(others))[:OTHERS]]
    picture = Pyramid(image)
    for k in chosen:
        turned = flat.copy()
        if rng.random() < 0.5:
            turned[k] = np.roll(turned[k], -2, axis=0)
        if _inside(turned[k], image):
            yield _sample(rng, example, turned[k], end_crops(picture, turned, [k])[0])


def _shaken_plane(rng: Generator, quads: list[Array]) -> Plane:
    """The plane as a reader would find it."""
    moved = [quad + rng.normal(0, 0.03 * short_side(quad), (4, 2)) for quad in quads]
    return fit_plane([as_quad(quad.tolist()) for quad in moved])


def _inside(tile: Array, image: Image) -> bool:
    middle = tile.mean(0)
    return bool((middle > 0).all() and (middle < image.shape[1::-1]).all())


def _off_rim(places: Array) -> Array:
    """How far places (n, 2) of a crop lie from the tile's rim, in tile widths; 0 on it."""
    off = np.abs(places / UNIT_PX - SIDE_PX / UNIT_PX / 2) - (0.5, 1.0)
    return np.asarray(np.hypot(*np.maximum(off, 0).T))


def _sample(rng: Generator, example: Example, tile: Array, crop: Image) -> MarkerSample:
    """A crop with what stands there, and perhaps with something drawn."""
    standing = to_crop(tile, np.array(example.markers_px).reshape(-1, 2))
    clutter = to_crop(tile, np.array(example.clutter_px).reshape(-1, 2))
    near = _off_rim(standing)
    markers = [*standing[near < REACH]]
    unknown = [(*place, 1.2 * UNIT_PX) for place in [*standing[(near >= REACH) & (near < REACH + 1)], *clutter]]
    alone = not markers and (not len(clutter) or _off_rim(clutter).min() > 2)
    if alone and rng.random() < DRAWN_SHARE:
        kind = rng.random()
        if kind < 0.42:
            place = SIDE_PX / 2 + rng.normal(0, (0.2, 0.4)) * UNIT_PX
        elif kind < 0.85:
            place = _beside(rng)
        else:
            place = rng.uniform(0, SIDE_PX, 2)
        radius = float(rng.uniform(0.2, 0.75) if kind < 0.85 else rng.uniform(0.2, 1.6)) * UNIT_PX
        draw_thing(rng, crop, place, radius)
        away = float(_off_rim(place[None])[0])
        if away < REACH - UNKNOWN / 2 and kind < 0.85:
            markers.append(place)
        else:
            unknown.append((*place, radius + 0.4 * UNIT_PX))
    flipped = rng.random() < 0.5
    if flipped:
        crop = np.ascontiguousarray(crop[:, ::-1])
    points, places = np.array(markers).reshape(-1, 2), np.array(unknown).reshape(-1, 3)
    if flipped:
        points[:, 0], places[:, 0] = SIDE_PX - 1 - points[:, 0], SIDE_PX - 1 - places[:, 0]
    return MarkerSample(crop, points, places)


def _beside(rng: Generator) -> Array:
    """A place beside a tile that stands upright in the middle of a crop."""
    side = rng.random()
    away = rng.uniform(0.25, REACH - UNKNOWN / 2)
    if side < 0.4:
        off = np.array([rng.normal(0, 0.25), (1 + away) * rng.choice([-1, 1])])
    else:
        off = np.array([(0.5 + away) * rng.choice([-1, 1]), rng.uniform(-0.9, 0.9)])
    return np.asarray(SIDE_PX / 2 + off * UNIT_PX)


def draw_thing(rng: Generator, crop: Image, place: Array, radius_px: float) -> None:
    """Draw something small with its shadow onto a crop, in place."""
    scale = 3
    side = int(2.6 * radius_px * scale) + 8
    texture, cover = _thing(rng, side)
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), float(rng.uniform(0, 360)), 1.0)
    texture, cover = cv2.warpAffine(texture, turn, (side, side)), cv2.warpAffine(cover, turn, (side, side))
    to_place = np.array([[1 / scale, 0, place[0] - side / scale / 2], [0, 1 / scale, place[1] - side / scale / 2]])
    size = (crop.shape[1], crop.shape[0])
    texture, cover = (
        cv2.warpAffine(cv2.GaussianBlur(part, (0, 0), scale * 0.45), to_place, size) for part in (texture, cover)
    )
    lift = rng.uniform(0.05, 0.8) * radius_px
    angle = rng.uniform(0, 2 * np.pi)
    move = np.array([[1, 0, lift * np.cos(angle)], [0, 1, lift * np.sin(angle)]])
    shadow = cv2.GaussianBlur(cv2.warpAffine(cover, move, size), (0, 0), float(rng.uniform(0.4, 0.3 * radius_px + 0.5)))
    picture = crop[..., :3].astype(np.float32) * (1 - float(rng.uniform(0.1, 0.65)) * shadow[..., None])
    light = float(crop[..., :3].max() / 255) * rng.uniform(0.7, 1.1)
    picture += cover[..., None] * (np.clip(texture * light, 0, 255) - picture)
    blur = float(rng.uniform(0, 0.9))
    if blur > 0.3:
        near = cv2.dilate((cover > 0.02).astype(np.uint8), np.ones((5, 5), np.uint8))[..., None] > 0
        picture = np.where(near, cv2.GaussianBlur(picture, (0, 0), blur), picture)
    crop[..., :3] = np.clip(picture, 0, 255).astype(np.uint8)


def _thing(rng: Generator, side: int) -> tuple[Floats, Floats]:
    """Something in a square patch: texture (side, side, 3) and coverage in 0..1."""
    draw = rng.random()
    if draw < 0.22:  # a coin, a chip, a button
        texture, cover = (np.asarray(cv2.resize(part, (side, side)), np.float32) for part in things.coin(rng))
        inset = side / 2.6 / (side / 2)
        shrink = cv2.getRotationMatrix2D((side / 2, side / 2), 0, inset)
        return cv2.warpAffine(texture, shrink, (side, side)), cv2.warpAffine(cover, shrink, (side, side))
    texture, cover = np.zeros((side, side, 3), np.float32), np.zeros((side, side), np.float32)
    yy, xx = np.mgrid[0:side, 0:side].astype(np.float32)
    reach = side / 2.6
    colour = random_colour(rng, saturation=(0, 255), value=(15, 250))
    if draw < 0.4:  # a ball, more or less lit
        x, y = (xx - side / 2) / reach, (yy - side / 2) / reach * float(rng.uniform(1.0, 1.5))
        inside = x * x + y * y
        high = np.sqrt(np.clip(1 - inside, 0, 1))
        shade = 0.45 + 0.55 * np.clip(0.4 * x + 0.3 * y + 0.8 * high, 0, 1)
        texture[:] = colour * shade[..., None]
        glint = np.exp(-((x + 0.35) ** 2 + (y + 0.3) ** 2) / 0.02) * rng.uniform(0, 1)
        texture += glint[..., None] * (255 - texture)
        return texture, (inside < 1).astype(np.float32)
    parts = 1 if draw < 0.5 else int(rng.integers(2, 8))
    long = float(rng.uniform(1.0, 2.2))
    for k in range(parts):
        tone = colour if rng.random() < 0.65 else random_colour(rng, saturation=(0, 255), value=(5, 250))
        tone = tone * np.float32(rng.uniform(0.45, 1.15))
        spread = 0.0 if k == 0 else 0.55
        middle = side / 2 + rng.uniform(-spread, spread, 2) * reach * (1, 1 / long)
        size = reach * rng.uniform(0.25, 0.9 if k == 0 else 0.5) * np.array([1, 1 / (long if k == 0 else 1)])
        _part(rng, texture, cover, middle, size, tone)
    return texture, cover


def _part(rng: Generator, texture: Floats, cover: Floats, middle: Array, size: Array, tone: Floats) -> None:
    """An ellipse, a box or a polygon, with one side lighter than the other."""
    shape = np.zeros(cover.shape, np.uint8)
    turn = float(rng.choice([0, 0, 0, 90, rng.uniform(0, 180)]))
    kind = rng.random()
    if kind < 0.35:
        axes = tuple(np.maximum(1, size).astype(int).tolist())
        cv2.ellipse(shape, tuple(middle.astype(int).tolist()), axes, turn, 0, 360, 1, -1)
    else:
        corners = 4 if kind < 0.8 else int(rng.integers(3, 8))
        start = 45.0 if corners == 4 else float(rng.uniform(0, 360))
        angles = np.deg2rad(start + np.arange(corners) * 360 / corners)
        ring = np.column_stack([np.cos(angles), np.sin(angles)]) * size * 1.2
        spin = np.deg2rad(turn)
        ring = ring @ np.array([[np.cos(spin), np.sin(spin)], [-np.sin(spin), np.cos(spin)]])
        cv2.fillConvexPoly(shape, np.round(middle + ring).astype(np.int32), 1)
    inside = shape > 0
    yy, xx = np.nonzero(inside)
    slope = rng.normal(0, 0.25, 2) / max(1.0, float(size.max()))
    lit = 1 + np.clip((xx - middle[0]) * slope[0] + (yy - middle[1]) * slope[1], -0.5, 0.5)
    texture[inside] = tone * lit[:, None].astype(np.float32)
    cover[inside] = 1
