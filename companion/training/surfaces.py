"""Made surfaces: tables, cloths, carpets, paper. Every function takes a random generator and gives a uint8 BGR square."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[Any]
"""float32 throughout; OpenCV's stubs cannot say so."""


def noise(rng: Generator, size: int, cells_xy: tuple[float, float]) -> Floats:
    """Smooth noise in [-1, 1], `cells_xy` blobs across and down, shape (size, size)."""
    w, h = (max(2, round(c)) for c in cells_xy)
    coarse = rng.uniform(-1, 1, (h, w)).astype(np.float32)
    return cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC).astype(np.float32)


def random_colour(
    rng: Generator, *, saturation: tuple[float, float] = (0, 200), value: tuple[float, float] = (20, 250)
) -> Floats:
    """A BGR colour, float32 (3,), drawn in HSV."""
    hsv = np.array([[[rng.uniform(0, 180), rng.uniform(*saturation), rng.uniform(*value)]]], np.uint8)
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)


def wood(rng: Generator, size: int) -> Image:
    """Planks with grain, from pale birch to near-black."""
    base = np.array([rng.uniform(0.3, 0.75), rng.uniform(0.5, 0.85), 1.0], np.float32) * rng.uniform(40, 245)
    base[1] = max(base[1], base[0])
    grain: Floats = 0.5 * noise(rng, size, (rng.uniform(30, 160), rng.uniform(2, 8))) + 0.3 * noise(
        rng, size, (rng.uniform(120, 400), rng.uniform(4, 20))
    )
    warp = noise(rng, size, (4, 4)) * rng.uniform(0, 40)
    yy, xx = np.mgrid[0:size, 0:size].astype(np.float32)
    grain = cv2.remap(grain, xx + warp, yy, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    image: Floats = base * (1 + rng.uniform(0.08, 0.5) * grain[..., None])
    if rng.random() < 0.6:
        planks = int(rng.integers(2, 7))
        edges = np.sort(rng.integers(0, size, planks))
        for left, right in zip([0, *edges], [*edges, size], strict=True):
            image[:, left:right] *= rng.uniform(0.8, 1.15)
            image[:, max(0, right - int(rng.integers(1, 4))) : right] *= rng.uniform(0.3, 0.9)
    for _ in range(int(rng.integers(0, 8))):  # knots
        centre = tuple(int(v) for v in rng.integers(0, size, 2))
        axes = (int(rng.integers(3, 12)), int(rng.integers(6, 30)))
        overlay = image.copy()
        cv2.ellipse(overlay, centre, axes, 0, 0, 360, (base * 0.4).tolist(), -1, cv2.LINE_AA)
        image = cv2.addWeighted(overlay, 0.6, image, 0.4, 0)
    return np.clip(image, 0, 255).astype(np.uint8)


def plain(rng: Generator, size: int) -> Image:
    """One colour: laminate, paper, felt; often white, grey or black."""
    kind = rng.random()
    if kind < 0.35:
        colour = np.full(3, rng.uniform(180, 255), np.float32) + rng.uniform(-12, 12, 3).astype(np.float32)
    elif kind < 0.6:
        colour = np.full(3, rng.uniform(5, 60), np.float32) + rng.uniform(-6, 6, 3).astype(np.float32)
    else:
        colour = random_colour(rng)
    image = (
        colour
        + noise(rng, size, (3, 3))[..., None] * rng.uniform(0, 14)
        + rng.standard_normal((size, size, 1), np.float32) * rng.uniform(0, 9)
    )
    return np.clip(image, 0, 255).astype(np.uint8)


def cloth(rng: Generator, size: int) -> Image:
    """A weave, with plaid or stripes now and then."""
    colour = random_colour(rng)
    yy, xx = np.mgrid[0:size, 0:size].astype(np.float32)
    pitch = rng.uniform(3, 12)
    weave = np.sin(xx * 2 * np.pi / pitch) * np.sin(yy * 2 * np.pi / pitch)
    image = colour * (1 + rng.uniform(0.02, 0.2) * weave[..., None]) + rng.standard_normal(
        (size, size, 1), np.float32
    ) * rng.uniform(0, 14)
    if rng.random() < 0.6:
        for axis in range(2 if rng.random() < 0.6 else 1):
            period, duty = rng.uniform(40, 240), rng.uniform(0.2, 0.6)
            wave = ((xx if axis == 0 else yy) % period) < period * duty
            image = np.where(wave[..., None], image * 0.5 + random_colour(rng) * 0.5, image)
    return np.clip(image, 0, 255).astype(np.uint8)


def motifs(rng: Generator, size: int) -> Image:
    """Oilcloth and carpet: dots, flowers, rings, diamonds in a grid or strewn; pips' worst double."""
    image = np.clip(plain(rng, size).astype(np.float32), 0, 255).astype(np.uint8)
    pitch = rng.uniform(18, 130)
    radius = pitch * rng.uniform(0.12, 0.42)
    colours = [random_colour(rng).tolist() for _ in range(int(rng.integers(1, 4)))]
    kind, regular = rng.integers(0, 4), rng.random() < 0.6
    for i in range(int(size / pitch) + 2):
        for j in range(int(size / pitch) + 2):
            x, y = (i + 0.5 * (j % 2)) * pitch, j * pitch
            if not regular:
                x, y = rng.uniform(0, size, 2)
            colour, centre = colours[int(rng.integers(len(colours)))], (int(x), int(y))
            if kind == 0:
                cv2.circle(image, centre, max(1, int(radius)), colour, -1, cv2.LINE_AA)
            elif kind == 1:
                for k in range(5):
                    a = k * 2 * np.pi / 5
                    petal = (int(x + radius * np.cos(a)), int(y + radius * np.sin(a)))
                    cv2.circle(image, petal, max(1, int(radius * 0.6)), colour, -1, cv2.LINE_AA)
                cv2.circle(image, centre, max(1, int(radius * 0.5)), colours[0], -1, cv2.LINE_AA)
            elif kind == 2:
                cv2.circle(image, centre, max(1, int(radius)), colour, max(1, int(radius * 0.3)), cv2.LINE_AA)
            else:
                points = np.array([(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)], np.int32)
                cv2.fillPoly(image, [points], colour, cv2.LINE_AA)
    return image


def marble(rng: Generator, size: int) -> Image:
    """Stone with veins, and speckled worktops."""
    field = sum((noise(rng, size, (2**k, 2**k)) / 2**k for k in range(1, 7)), np.zeros((size, size), np.float32))
    vein = np.abs(np.sin(field * rng.uniform(3, 12)))
    a, b = random_colour(rng, saturation=(0, 60)), random_colour(rng, saturation=(0, 60))
    image = a + (b - a) * (vein[..., None] ** rng.uniform(0.5, 4)) * rng.uniform(0.2, 1)
    if rng.random() < 0.4:
        image = image + (rng.random((size, size, 1)) < rng.uniform(0.01, 0.2)) * rng.uniform(-90, 90)
    return np.clip(image, 0, 255).astype(np.uint8)


def carpet(rng: Generator, size: int) -> Image:
    """Tufts: strong fine noise over a blotchy ground."""
    a, b = random_colour(rng), random_colour(rng)
    field = noise(rng, size, (rng.uniform(4, 60), rng.uniform(4, 60)))
    image = a + (b - a) * (field[..., None] > rng.uniform(-0.3, 0.3))
    tufts = cv2.GaussianBlur(rng.standard_normal((size, size), np.float32), (0, 0), rng.uniform(0.5, 2.5))
    image = image + (tufts / tufts.std())[..., None] * rng.uniform(5, 40)
    return np.clip(image, 0, 255).astype(np.uint8)


def printed(rng: Generator, size: int) -> Image:
    """A page of print: lines of letters, boxes, digits."""
    image = plain(rng, size)
    ink = random_colour(rng, value=(0, 90)).tolist()
    scale, step = rng.uniform(0.3, 1.2), int(rng.uniform(14, 44))
    letters = "abcdefghijklmnopqrstuvwxyz 0123456789 ABCDEFGHIJ .,;"
    for y in range(step, size, step):
        text = "".join(letters[int(i)] for i in rng.integers(0, len(letters), 60))
        cv2.putText(image, text, (int(rng.integers(-30, 20)), y), int(rng.integers(0, 5)), scale, ink, 1, cv2.LINE_AA)
    return image


_KINDS = ((wood, 0.3), (plain, 0.22), (cloth, 0.13), (motifs, 0.15), (marble, 0.08), (carpet, 0.08), (printed, 0.04))


def surface(rng: Generator, size: int = 512) -> Image:
    """A random table top, uint8 BGR (size, size, 3)."""
    makers, weights = zip(*_KINDS, strict=True)
    made: Image = makers[int(rng.choice(len(makers), p=np.array(weights) / sum(weights)))](rng, size)
    if rng.random() < 0.25:
        made = np.clip(made * (1 + noise(rng, size, (3, 3))[..., None] * rng.uniform(0.05, 0.3)), 0, 255).astype(
            np.uint8
        )
    return np.ascontiguousarray(np.rot90(made, int(rng.integers(4))))
