"""Views of labelled tiles for learning a set: each half as it is, and as it would look turned a little, darker, softer, smaller.

A family photographs its set once or twice; on game night the lamp, the phone and the distance are others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.rectify import HALF_SIDE_PX, Image, Pyramid, half_crops, width_of

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ViewParameters:
    """How far a view may stray from the crop as it is."""

    views: int = 8
    """Of each half, the first as it is."""
    corner: float = 0.02
    """Standard deviation of each corner in tile widths: the corner network's error on photos."""
    turn_rad: float = 0.06
    """Standard deviation of a turn of the whole tile."""
    scale: float = 0.04
    """Standard deviation of its size."""
    gain: tuple[float, float] = (0.55, 1.35)
    """Brightness, from a dim lamp to a window."""
    gamma: tuple[float, float] = (0.75, 1.4)
    cast: float = 0.08
    """Standard deviation of each colour's gain: warm lamps, cold windows."""
    blur_px: float = 1.3
    """Largest standard deviation of a blur, in pixels of the 48 px crop."""
    smallest: float = 0.35
    """Smallest scale at which a tile was seen, of the crop's size: 17 px of 48."""
    noise: float = 4.0
    """Largest standard deviation of noise, of 255."""


@dataclass(frozen=True, slots=True)
class Views:
    """Halves to learn from, all views of one half one after the other.

    Attributes:
        crops: (n, 48, 48, 3) uint8.
        values: (n,) what each shows.
        half: (n,) which half it is a view of.
        picture: (n,) which picture that half is in.
        as_is: (n,) whether it is the crop as it is.
    """

    crops: Image
    values: Ints
    half: Ints
    picture: Ints
    as_is: NDArray[np.bool_]


def views_of(
    pictures: Sequence[tuple[Pyramid, Sequence[tuple[Array, tuple[int, int]]]]],
    rng: np.random.Generator,
    parameters: ViewParameters | None = None,
) -> Views:
    """All views of pictures of which each has labelled tiles: a quad (4, 2) and the values of halves a and b."""
    p = parameters or ViewParameters()
    crops: list[Image] = []
    rows: list[tuple[int, int, int, bool]] = []
    half = 0
    for number, (picture, tiles) in enumerate(pictures):
        for quad, ends in tiles:
            shown = [half_crops(picture, [quad])]
            shown += [half_crops(picture, [shaken(quad, rng, p)]) for _ in range(p.views - 1)]
            for side in (0, 1):
                for view, both in enumerate(shown):
                    crops.append(both[side] if view == 0 else relit(both[side], rng, p))
                    rows.append((ends[side], half, number, view == 0))
                half += 1
    table = np.array(rows, np.int64).reshape(-1, 4)
    stacked = np.stack(crops) if crops else np.zeros((0, HALF_SIDE_PX, HALF_SIDE_PX, 3), np.uint8)
    return Views(stacked, table[:, 0], table[:, 1], table[:, 2], table[:, 3].astype(bool))


def shaken(quad: Array, rng: np.random.Generator, p: ViewParameters) -> Array:
    """The quad (4, 2) as another look would find it: turned, scaled, each corner a little off."""
    middle = quad.mean(0)
    angle, size = rng.normal(0, p.turn_rad), 1 + rng.normal(0, p.scale)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * size
    return np.asarray((quad - middle) @ turn.T + middle + rng.normal(0, p.corner * width_of(quad), (4, 2)))


def relit(crop: Image, rng: np.random.Generator, p: ViewParameters) -> Image:
    """A crop (48, 48, 3) in other light, farther away or out of focus."""
    size = (crop.shape[1], crop.shape[0])
    scale = rng.uniform(p.smallest, 1.0) if rng.random() < 0.5 else 1.0
    small = (max(4, round(size[0] * scale)), max(4, round(size[1] * scale)))
    soft = cv2.resize(cv2.resize(crop, small, interpolation=cv2.INTER_AREA), size, interpolation=cv2.INTER_LINEAR)
    blur = rng.uniform(0, p.blur_px) if rng.random() < 0.5 else 0.0
    if blur > 0.2:
        soft = cv2.GaussianBlur(soft, (0, 0), blur)
    light = (soft.astype(np.float64) / 255) ** rng.uniform(*p.gamma)
    light *= rng.uniform(*p.gain) * (1 + rng.normal(0, p.cast, 3))
    light += rng.normal(0, rng.uniform(0, p.noise) / 255, light.shape)
    return np.asarray(np.clip(light * 255, 0, 255), np.uint8)
