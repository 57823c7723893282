"""Things on a made table that are no tiles: cards, dice, coins, phones, keyboards, paper, bowls, books, remotes, fingers.

Each draws onto a patch of the table's plane (BGR float32) with its coverage, or straight onto the picture (fingers, which
stand above the table).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.random import Generator

from companion.training.surfaces import Floats, random_colour, surface
from companion.vision.layouts import layouts_of

Patch = tuple[Floats, Floats]
"""Texture (h, w, 3) and coverage (h, w) in 0..1."""


def _write(
    texture: Floats,
    text: str,
    at: tuple[int, int],
    font: int,
    scale: float,
    ink: Sequence[float],
    thick: int,
    line: int,
) -> None:
    """Print on a float texture (OpenCV prints on bytes only)."""
    plate = np.clip(texture, 0, 255).astype(np.uint8)
    cv2.putText(plate, text, at, font, scale, [int(c) for c in ink], thick, line)
    texture[:] = plate


def _sheet(height: int, width: int, colour: Floats, corner: int = 0) -> Patch:
    texture = np.empty((height, width, 3), np.float32)
    texture[:] = colour
    cover = np.zeros((height, width), np.float32)
    r = min(corner, min(height, width) // 2 - 1)
    cv2.rectangle(cover, (r, 0), (width - r, height), 1, -1)
    cv2.rectangle(cover, (0, r), (width, height - r), 1, -1)
    for x in (r, width - r - 1):
        for y in (r, height - r - 1):
            cv2.circle(cover, (x, y), r, 1, -1, cv2.LINE_AA)
    return texture, cover


def card(rng: Generator) -> Patch:
    """A playing card, face or back."""
    texture, cover = _sheet(140, 100, np.array([245, 245, 245], np.float32), 8)
    ink = [[30, 30, 200], [20, 20, 20]][int(rng.integers(2))]
    if rng.random() < 0.3:
        cv2.rectangle(texture, (8, 8), (92, 132), random_colour(rng).tolist(), -1)
        return texture, cover
    count = int(rng.integers(1, 11))
    for x, y in layouts_of(count)[0]:
        centre = (int(50 + 24 * x), int(70 + 46 * y))
        cv2.drawMarker(texture, centre, ink, int(rng.integers(0, 6)), 14, 6)
    _write(texture, "A23456789TJQK"[int(rng.integers(13))], (4, 22), 0, 0.7, ink, 2, cv2.LINE_AA)
    return texture, cover


def die(rng: Generator) -> Patch:
    """A die seen from above: one square with pips."""
    ground = np.array([240, 240, 240], np.float32) if rng.random() < 0.6 else random_colour(rng)
    texture, cover = _sheet(80, 80, ground, int(rng.integers(4, 22)))
    ink = (
        np.array([20, 20, 20], np.float32) if ground.mean() > 120 else np.array([250, 250, 250], np.float32)
    ).tolist()
    for x, y in layouts_of(int(rng.integers(1, 7)))[0]:
        cv2.circle(texture, (int(40 + 22 * x), int(40 + 22 * y)), 8, ink, -1, cv2.LINE_AA)
    return texture, cover


def coin(rng: Generator) -> Patch:
    """A coin, chip or button."""
    colour = random_colour(rng, saturation=(20, 200), value=(80, 230))
    texture = np.empty((90, 90, 3), np.float32)
    texture[:] = colour
    cover = np.zeros((90, 90), np.float32)
    cv2.circle(cover, (45, 45), 42, 1, -1, cv2.LINE_AA)
    cv2.circle(texture, (45, 45), 36, (colour * 0.75).tolist(), 3, cv2.LINE_AA)
    if rng.random() < 0.5:
        for k in range(8):
            a = k * np.pi / 4
            cv2.circle(
                texture, (int(45 + 38 * np.cos(a)), int(45 + 38 * np.sin(a))), 5, [245, 245, 245], -1, cv2.LINE_AA
            )
    else:
        _write(texture, str(rng.integers(1, 50)), (22, 58), 0, 1.1, (colour * 0.5).tolist(), 3, cv2.LINE_AA)
    return texture, cover


def phone(rng: Generator) -> Patch:
    """A dark slab with a rim, sometimes lit."""
    texture, cover = _sheet(220, 110, np.array([25, 25, 25], np.float32), 14)
    screen = (
        surface(rng, 256).astype(np.float32)[:200, :98] if rng.random() < 0.4 else np.full((200, 98, 3), 12, np.float32)
    )
    texture[10:210, 6:104] = screen
    return texture, cover


def keyboard(rng: Generator) -> Patch:
    """Rows of keys with letters."""
    dark = rng.random() < 0.6
    texture, cover = _sheet(120, 330, np.full(3, 25.0 if dark else 225.0, np.float32), 6)
    for row in range(4):
        for k in range(12):
            x, y = 6 + k * 27 + row * 3 % 9, 6 + row * 28
            shade = 50.0 if dark else 245.0
            cv2.rectangle(texture, (x, y), (x + 23, y + 24), (shade, shade, shade), -1)
            ink = (230, 230, 230) if dark else (40, 40, 40)
            _write(texture, chr(65 + int(rng.integers(26))), (x + 6, y + 17), 0, 0.45, ink, 1, cv2.LINE_AA)
    return texture, cover


def paper(rng: Generator) -> Patch:
    """A score sheet or note, with lines of writing."""
    texture, cover = _sheet(200, 150, np.array([240, 244, 246], np.float32), 0)
    for y in range(18, 195, int(rng.integers(10, 22))):
        text = "".join(chr(int(c)) for c in rng.integers(48, 123, 20))
        _write(texture, text, (8, y), int(rng.integers(0, 8)), 0.45, (60, 40, 40), 1, cv2.LINE_AA)
    return texture, cover


def bowl(rng: Generator) -> Patch:
    """A bowl, plate or cup from above, perhaps with sweets in it."""
    colour = random_colour(rng)
    texture = np.empty((200, 200, 3), np.float32)
    texture[:] = colour
    cover = np.zeros((200, 200), np.float32)
    cv2.circle(cover, (100, 100), 97, 1, -1, cv2.LINE_AA)
    cv2.circle(texture, (100, 100), 78, (colour * 0.6).tolist(), -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 60))):
        a, r = rng.uniform(0, 2 * np.pi), rng.uniform(0, 66)
        centre = (int(100 + r * np.cos(a)), int(100 + r * np.sin(a)))
        cv2.circle(texture, centre, int(rng.integers(6, 14)), random_colour(rng).tolist(), -1, cv2.LINE_AA)
    return texture, cover


def hub(rng: Generator) -> Patch:
    """A station: a disc with slots around it."""
    colour = random_colour(rng)
    texture = np.empty((240, 240, 3), np.float32)
    texture[:] = colour
    cover = np.zeros((240, 240), np.float32)
    cv2.circle(cover, (120, 120), 84, 1, -1, cv2.LINE_AA)
    arms = int(rng.integers(4, 10))
    for k in range(arms):
        a = 2 * np.pi * k / arms
        wedge = [
            (120 + r * np.cos(a + d), 120 + r * np.sin(a + d))
            for r, d in ((70, 0.12), (118, 0.2), (118, -0.2), (70, -0.12))
        ]
        cv2.fillPoly(cover, [np.array(wedge, np.int32)], 1.0, cv2.LINE_AA)
        cv2.line(
            texture,
            (120, 120),
            (int(120 + 80 * np.cos(a)), int(120 + 80 * np.sin(a))),
            (colour * 0.7).tolist(),
            2,
            cv2.LINE_AA,
        )
    return texture, cover


def slab(rng: Generator) -> Patch:
    """A tile-sized block without pips that is no tile: an eraser, a lighter, a bar of chocolate, a slip of paper."""
    texture, cover = _sheet(
        int(rng.integers(90, 220)), int(rng.integers(50, 100)), random_colour(rng), int(rng.integers(0, 20))
    )
    if rng.random() < 0.5:
        _write(texture, "MADE", (4, 60), 0, 0.8, random_colour(rng).tolist(), 2, cv2.LINE_AA)
    return texture, cover


def book(rng: Generator) -> Patch:
    """A book or a game's box from above: a plain or patterned cover, a title, a band."""
    texture, cover = _sheet(240, 170, random_colour(rng), int(rng.integers(0, 6)))
    if rng.random() < 0.5:
        texture[30:210, 15:155] = surface(rng, 256).astype(np.float32)[:180, :140]
    ink = random_colour(rng).tolist()
    for y in (50, 85, 200)[: int(rng.integers(1, 4))]:
        _write(texture, "".join(chr(int(c)) for c in rng.integers(65, 91, 7)), (14, y), 0, 0.9, ink, 3, cv2.LINE_AA)
    cv2.line(texture, (8, 0), (8, 240), (texture[0, 0] * 0.6).tolist(), 3)
    return texture, cover


def remote(rng: Generator) -> Patch:
    """A remote control or a calculator: round or square buttons in rows on a slim body."""
    texture, cover = _sheet(260, 90, np.full(3, rng.uniform(15, 90), np.float32), 14)
    columns, round_ones = int(rng.integers(2, 5)), rng.random() < 0.5
    for y in range(24, 240, int(rng.integers(20, 34))):
        for k in range(columns):
            x = int(90 * (k + 0.5) / columns)
            colour = (random_colour(rng) if rng.random() < 0.2 else np.full(3, rng.uniform(110, 235))).tolist()
            if round_ones:
                cv2.circle(texture, (x, y), 7, colour, -1, cv2.LINE_AA)
            else:
                cv2.rectangle(texture, (x - 8, y - 6), (x + 8, y + 6), colour, -1)
    return texture, cover


THINGS: tuple[tuple[Callable[[Generator], Patch], float, float], ...] = (
    (card, 3.0, 5.0),
    (die, 0.7, 1.2),
    (coin, 0.7, 1.8),
    (phone, 5.0, 8.0),
    (keyboard, 4.0, 7.0),
    (paper, 4.0, 10.0),
    (bowl, 3.0, 8.0),
    (slab, 1.5, 4.0),
    (book, 5.0, 10.0),
    (remote, 4.0, 7.0),
)
"""Maker, and the range of its height in tile widths."""


def fingers(rng: Generator, image: Floats) -> Floats:
    """An arm or fingers reaching in from the edge, drawn in place; gives what they cover, (h, w) in 0..1."""
    height, width = image.shape[:2]
    skin = np.array([rng.uniform(60, 170), rng.uniform(90, 190), rng.uniform(130, 235)], np.float32)
    thick = rng.uniform(0.04, 0.14) * max(height, width)
    side = rng.uniform(0, 2 * np.pi)
    outside = np.array([width / 2 + width * np.cos(side), height / 2 + height * np.sin(side)])
    wrist = outside + (np.array([width / 2, height / 2]) - outside) * rng.uniform(0.3, 0.75)
    cover = np.zeros((height, width), np.float32)
    cv2.line(cover, tuple(int(v) for v in outside), tuple(int(v) for v in wrist), 1.0, max(1, int(thick)), cv2.LINE_AA)
    ahead = np.arctan2(*(wrist - outside)[::-1])
    for k in range(int(rng.integers(1, 6))):
        a = ahead + (k - 2) * rng.uniform(0.12, 0.3)
        tip = wrist + np.array([np.cos(a), np.sin(a)]) * thick * rng.uniform(0.8, 2.0)
        cv2.line(
            cover, tuple(int(v) for v in wrist), tuple(int(v) for v in tip), 1.0, max(1, int(thick * 0.3)), cv2.LINE_AA
        )
    soft = cv2.GaussianBlur(cover, (0, 0), max(1.0, thick * 0.06))
    shade = cv2.GaussianBlur(cover, (0, 0), max(1.0, thick * 0.3))
    image *= (1 - 0.35 * shade * (1 - cover))[..., None]
    image += soft[..., None] * (skin * (0.6 + 0.4 * shade[..., None]) - image)
    return soft
