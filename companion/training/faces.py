"""Made tile faces: materials, pips, numerals, bars and spinners of every kind of set.

A `SetStyle` is one box of dominoes; `draw_face` draws one tile of it as a texture of 1 x 2 units with alpha, and says where
its pips are. Nothing here copies a picture of a real tile.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from companion.training.surfaces import Floats, noise, random_colour
from companion.vision.layouts import layouts_of


@dataclass(frozen=True)
class SetStyle:
    """One box of dominoes, as its maker made it.

    Lengths are in tile widths. `ink_bgr` has a colour for each value 0..18; `layout` the index of the layout for each value.
    """

    highest: int
    ground_bgr: Floats
    grain: str  # none | wood | speckle | pearl
    grain_strength: float
    side_bgr: Floats
    base_bgr: Floats  # of the lower half of the walls: many sets are glued from two layers
    back_bgr: Floats
    back_pattern: str  # plain | frame | emblem | dots
    thickness: float
    length: float
    corner: float
    edge_shade: float
    ink_bgr: tuple[Floats, ...]
    layout: tuple[int, ...]
    spread: float
    pip_radius: float
    pip_look: str  # flat | hollow | ring | bead
    numerals: bool
    numeral_font: int
    numeral_turn: int
    numeral_size: float
    bar: str  # none | line | groove | short
    bar_bgr: Floats
    bar_width: float
    spinner_bgr: Floats | None
    spinner_radius: float
    frame_bgr: Floats | None
    wear: float
    gloss: float = 0.0
    """0..1: how large and bright a lamp is mirrored in beads and drilled pips."""


def _contrast(a: Floats, b: Floats) -> float:
    return float(np.abs(a - b) @ np.array([0.2, 0.5, 0.3], np.float32))


def _inks(rng: Generator, ground: Floats) -> tuple[Floats, ...]:
    """Colours of the values: one ink for all, or a scheme of its own; always visible on the ground, sometimes barely."""
    least = rng.uniform(20, 80)

    def one() -> Floats:
        for _ in range(30):
            ink = random_colour(rng, saturation=(0, 255), value=(10, 255))
            if _contrast(ink, ground) > least:
                return ink
        return np.full(3, 0 if ground.mean() > 128 else 255, np.float32)

    dark = ground.mean() < 110
    if rng.random() < 0.4:
        common = np.full(3, 245.0 if dark else rng.uniform(0, 70), np.float32) if rng.random() < 0.8 else one()
        return tuple(common for _ in range(19))
    return tuple(one() for _ in range(19))


def random_style(rng: Generator, *, highest: int | None = None) -> SetStyle:
    """A set that a shop could sell."""
    highest = int(rng.choice([6, 9, 12, 15, 18], p=[0.16, 0.12, 0.32, 0.2, 0.2])) if highest is None else highest
    kind = rng.choice(["white", "ivory", "black", "wood", "colour", "grey"], p=[0.42, 0.2, 0.14, 0.1, 0.1, 0.04])
    tint = rng.uniform(-8, 8, 3).astype(np.float32)
    ground = {
        "white": np.array([236, 240, 242], np.float32) + tint,
        "ivory": np.array([175, 215, 235], np.float32) + tint * 2,
        "black": np.array([28, 28, 28], np.float32) + tint * 2,
        "wood": np.array([110, 165, 205], np.float32) * rng.uniform(0.6, 1.15),
        "colour": random_colour(rng, saturation=(60, 230), value=(60, 250)),
        "grey": np.full(3, rng.uniform(90, 200), np.float32),
    }[str(kind)]
    ground = np.clip(ground, 0, 252).astype(np.float32)
    same_side = rng.random() < 0.6
    back = ground * rng.uniform(0.92, 1.0) if rng.random() < 0.45 else random_colour(rng)
    inks = _inks(rng, ground)
    side = (ground * rng.uniform(0.75, 1.02) if same_side else back).astype(np.float32)
    two_layers = rng.random() < 0.3
    most = {6: 0.145, 9: 0.14, 12: 0.12, 15: 0.09, 18: 0.08}[highest]
    return SetStyle(
        highest=highest,
        ground_bgr=ground,
        grain="wood" if kind == "wood" else str(rng.choice(["none", "speckle", "pearl"], p=[0.7, 0.15, 0.15])),
        grain_strength=float(rng.uniform(0.03, 0.2)),
        side_bgr=side,
        base_bgr=random_colour(rng) if two_layers else side,
        back_bgr=back.astype(np.float32),
        back_pattern=str(rng.choice(["plain", "frame", "emblem", "dots"], p=[0.72, 0.1, 0.14, 0.04])),
        thickness=float(rng.uniform(0.12, 0.55)),
        length=float(rng.normal(2.0, 0.05)),
        corner=float(rng.uniform(0.02, 0.22)),
        edge_shade=float(rng.uniform(0, 0.35)),
        ink_bgr=inks,
        layout=tuple(0 if v < 10 and rng.random() < 0.75 else int(rng.integers(len(layouts_of(v)))) for v in range(19)),
        spread=float(rng.uniform(0.46, 0.7)),
        pip_radius=float(rng.uniform(0.055, most)),
        pip_look=str(rng.choice(["flat", "hollow", "ring", "bead"], p=[0.35, 0.35, 0.12, 0.18])),
        numerals=bool(rng.random() < 0.1),
        numeral_font=int(rng.integers(0, 1000)),
        numeral_turn=int(rng.integers(0, 4)),
        numeral_size=float(rng.uniform(0.38, 0.75)),
        bar=str(rng.choice(["none", "line", "groove", "short"], p=[0.3, 0.22, 0.18, 0.3])),
        bar_bgr=(
            inks[1]
            if rng.random() < 0.3
            else np.full(3, rng.uniform(0, 90), np.float32)
            if ground.mean() > 110
            else np.full(3, rng.uniform(150, 250), np.float32)
        ).astype(np.float32),
        bar_width=float(rng.uniform(0.012, 0.08)),
        spinner_bgr=np.array([80, 170, 205], np.float32) * rng.uniform(0.6, 1.2) if rng.random() < 0.35 else None,
        spinner_radius=float(rng.uniform(0.03, 0.09)),
        frame_bgr=random_colour(rng) if rng.random() < 0.06 else None,
        wear=float(rng.uniform(0, 1) ** 3),
        gloss=float(rng.uniform(0, 1) ** 2),
    )


def _fonts_below() -> tuple[str, ...]:
    """TrueType files that matplotlib brings (it comes with the [train] extra); none is fine."""
    try:
        import matplotlib
    except ImportError:
        return ()
    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return tuple(
        str(p)
        for p in sorted(folder.glob("*.ttf"))
        if p.name.startswith(("DejaVu", "STIXGeneral")) and "Display" not in p.name
    )


@functools.cache
def _font(index: int, size_px: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    files = _fonts_below()
    choice = index % (len(files) + 1)
    return ImageFont.load_default(size_px) if choice == len(files) else ImageFont.truetype(files[choice], size_px)


def _numeral(value: int, style: SetStyle, unit_px: int) -> NDArray[np.float32]:
    """Coverage of a printed number, float32 (unit, unit) in 0..1; 6 and 9 are underlined so that they can be told apart."""
    canvas = Image.new("L", (unit_px, unit_px), 0)
    if value == 0 and style.numeral_font % 2:
        return np.asarray(canvas, np.float32)
    draw = ImageDraw.Draw(canvas)
    size = max(6, int(unit_px * style.numeral_size * (0.8 if value > 9 else 1)))
    middle = (unit_px / 2, unit_px / 2)
    font = _font(style.numeral_font, size)
    draw.text(middle, str(value), fill=255, font=font, anchor="mm")
    if str(value) in ("6", "9", "16", "19"):
        left, _, right, bottom = draw.textbbox(middle, str(value), font=font, anchor="mm")
        thick = max(1, int(unit_px * 0.03))
        draw.rectangle((left, bottom + thick, right, bottom + 2 * thick), fill=255)
    turned = np.rot90(np.asarray(canvas, np.float32) / 255, style.numeral_turn)
    return np.ascontiguousarray(turned)


def _disc(
    shape: tuple[int, int], centre: tuple[float, float], radius: float
) -> tuple[NDArray[np.float32], slice, slice]:
    """Coverage of a disc with soft edge within its own box: (coverage, rows, columns)."""
    x, y = centre
    r = int(np.ceil(radius)) + 2
    rows = slice(max(0, int(y) - r), min(shape[0], int(y) + r + 1))
    cols = slice(max(0, int(x) - r), min(shape[1], int(x) + r + 1))
    xx = np.arange(cols.start, cols.stop, dtype=np.float32) - np.float32(x)
    yy = np.arange(rows.start, rows.stop, dtype=np.float32) - np.float32(y)
    return np.clip(np.float32(radius + 0.5) - np.hypot(xx[None], yy[:, None]), 0, 1), rows, cols


def _pip(
    face: Floats, centre: tuple[float, float], radius: float, ink: Floats, look: str, light: float, gloss: float = 0.0
) -> None:
    """Draw one pip in place; `light` is the angle from which the lamp shines."""
    cover, rows, cols = _disc(face.shape[:2], centre, radius)
    if not cover.size:
        return
    patch = face[rows, cols]
    colour: Floats = np.broadcast_to(ink, patch.shape).astype(np.float32)
    xx = np.arange(cols.start, cols.stop, dtype=np.float32) - np.float32(centre[0])
    yy = np.arange(rows.start, rows.stop, dtype=np.float32) - np.float32(centre[1])
    along = (xx[None] * np.float32(np.cos(light)) + yy[:, None] * np.float32(np.sin(light))) / np.float32(
        max(radius, 1)
    )
    if look == "hollow":  # a drilled cup: dark towards the lamp, bright at the far wall
        colour = colour * (1 - 0.45 * np.clip(along, -1, 1)[..., None])
    elif look == "bead":
        colour = colour * (1 + 0.3 * np.clip(along, -1, 1)[..., None])
    patch += cover[..., None] * (colour - patch)
    if look == "ring":
        inner, r2, c2 = _disc(face.shape[:2], centre, radius * 0.55)
        face[r2, c2] += inner[..., None] * (face[r2, c2] * 0.3 + 70 - face[r2, c2]) * 0.5
    if look in ("hollow", "bead"):
        glint = (centre[0] + 0.4 * radius * np.cos(light), centre[1] + 0.4 * radius * np.sin(light))
        spot, r2, c2 = _disc(face.shape[:2], glint, max(0.6, radius * (0.25 + 0.3 * gloss)))
        face[r2, c2] += spot[..., None] * (255 - face[r2, c2]) * (0.6 + 0.35 * gloss)


def _ground(rng: Generator, style: SetStyle, colour: Floats, shape: tuple[int, int]) -> Floats:
    height, width = shape
    face = np.empty((height, width, 3), np.float32)
    face[:] = colour * rng.uniform(0.95, 1.03)
    if style.grain == "wood":
        grain = noise(rng, height, (rng.uniform(8, 30), 2)) + 0.5 * noise(rng, height, (50, 4))
        face *= 1 + style.grain_strength * grain[:, :width, None]
    elif style.grain == "speckle":
        face *= 1 + style.grain_strength * rng.normal(0, 0.5, (height, width, 1)).astype(np.float32)
    elif style.grain == "pearl":
        face *= 1 + style.grain_strength * noise(rng, height, (5, 5))[:, :width, None]
    return face


def _outline(style: SetStyle, unit_px: int, height: int) -> NDArray[np.float32]:
    """Alpha of the rounded face, float32 0..1."""
    alpha = np.zeros((height, unit_px), np.uint8)
    r = max(1, round(style.corner * unit_px))
    cv2.rectangle(alpha, (r, 0), (unit_px - 1 - r, height - 1), 255, -1)
    cv2.rectangle(alpha, (0, r), (unit_px - 1, height - 1 - r), 255, -1)
    for x in (r, unit_px - 1 - r):
        for y in (r, height - 1 - r):
            cv2.circle(alpha, (x, y), r, 255, -1, cv2.LINE_AA)
    return np.asarray(alpha.astype(np.float32) / 255, np.float32)


def _shade_edges(face: Floats, style: SetStyle, unit_px: int) -> None:
    """A bevel: the rim is darker or brighter than the face."""
    if style.edge_shade <= 0.02:
        return
    inside = np.zeros(face.shape[:2], np.float32)
    margin = max(1, int(unit_px * 0.05))
    inside[margin:-margin, margin:-margin] = 1
    soft = cv2.GaussianBlur(inside, (0, 0), margin * 0.6)
    face *= (1 - style.edge_shade * (1 - soft))[..., None]


def _bar(face: Floats, style: SetStyle, unit_px: int) -> None:
    height = face.shape[0]
    middle, thick = height / 2, max(1.0, style.bar_width * unit_px)
    if style.bar != "none":
        reach = {"line": 0.5, "groove": 0.5, "short": 0.4}[style.bar] * unit_px
        rows = slice(int(middle - thick / 2), max(int(middle - thick / 2) + 1, int(middle + thick / 2)))
        cols = slice(max(0, int(unit_px / 2 - reach)), int(unit_px / 2 + reach))
        if style.bar == "groove":
            face[rows, cols] *= 0.55
            below = slice(rows.stop, rows.stop + max(1, int(thick / 2)))
            face[below, cols] = face[below, cols] * 0.6 + 0.4 * 255
        else:
            face[rows, cols] = style.bar_bgr
    if style.spinner_bgr is not None:
        _pip(face, (unit_px / 2, middle), style.spinner_radius * unit_px, style.spinner_bgr, "bead", -2.0)


def draw_face(
    rng: Generator, style: SetStyle, ends: tuple[int, int], unit_px: int
) -> tuple[Floats, NDArray[np.float32], NDArray[np.float64]]:
    """Draw one tile: (face BGR float32 (2u, u, 3), alpha (2u, u), pip centres (n, 2) in tile widths from the top left).

    A numeral set has no pips: the array is empty.
    """
    height = round(unit_px * style.length)
    face = _ground(rng, style, style.ground_bgr, (height, unit_px))
    if style.frame_bgr is not None:
        inset = int(unit_px * 0.06)
        cv2.rectangle(
            face,
            (inset, inset),
            (unit_px - inset, height - inset),
            style.frame_bgr.tolist(),
            max(1, unit_px // 50),
            cv2.LINE_AA,
        )
    light = rng.uniform(-np.pi, np.pi)
    centres: list[tuple[float, float]] = []
    half_height = style.length / 2
    for half, value in enumerate(ends):
        ink = style.ink_bgr[value]
        if style.numerals:
            cover = cv2.resize(_numeral(value, style, unit_px), (unit_px, height // 2))
            part = face[: height // 2] if half == 0 else face[height - height // 2 :]
            cover = cover if half == 0 else cover[::-1, ::-1]
            part += cover[..., None] * (ink - part)
            continue
        layouts = layouts_of(value)
        layout = layouts[style.layout[value] % len(layouts)]
        spread = style.spread * (0.5 if value < 10 else min(0.5, 0.36 / style.spread + 0.14))
        spacing = 1.0 if value < 2 else _least_distance(layout) * spread
        radius = min(style.pip_radius * (1.15 if value < 10 else 1.0), 0.42 * spacing)
        for x, y in layout:
            u, v = 0.5 + x * spread, half_height / 2 + y * spread * min(1.05, half_height)
            if half:
                u, v = 1 - u, style.length - v
            jitter = rng.normal(0, 0.004, 2)
            u, v = u + jitter[0], v + jitter[1]
            _pip(face, (u * unit_px, v * unit_px), radius * unit_px, ink, style.pip_look, light, style.gloss)
            centres.append((u, v))
    _bar(face, style, unit_px)
    _wear(rng, face, style, unit_px)
    _shade_edges(face, style, unit_px)
    return face, _outline(style, unit_px, height), np.array(centres, np.float64).reshape(-1, 2)


def draw_back(rng: Generator, style: SetStyle, unit_px: int) -> tuple[Floats, NDArray[np.float32]]:
    """The back of a tile: plain, framed or with an emblem, without a bar; (BGR float32, alpha)."""
    height = round(unit_px * style.length)
    face = _ground(rng, style, style.back_bgr, (height, unit_px))
    ink = (style.back_bgr * (0.6 if style.back_bgr.mean() > 90 else 1.8) + 8).tolist()
    centre = (unit_px // 2, height // 2)
    if style.back_pattern == "frame":
        inset = int(unit_px * 0.12)
        cv2.rectangle(face, (inset, inset), (unit_px - inset, height - inset), ink, max(1, unit_px // 30), cv2.LINE_AA)
    elif style.back_pattern == "emblem":
        cv2.ellipse(
            face, centre, (int(unit_px * 0.3), int(unit_px * 0.55)), 0, 0, 360, ink, max(1, unit_px // 25), cv2.LINE_AA
        )
        cv2.circle(face, centre, int(unit_px * 0.15), ink, -1, cv2.LINE_AA)
    elif style.back_pattern == "dots":
        for x in np.linspace(0.15, 0.85, 6):
            for y in np.linspace(0.1, style.length - 0.1, 12):
                cv2.circle(face, (int(x * unit_px), int(y * unit_px)), max(1, unit_px // 40), ink, -1, cv2.LINE_AA)
    _wear(rng, face, style, unit_px)
    _shade_edges(face, style, unit_px)
    return face, _outline(style, unit_px, height)


def _least_distance(layout: NDArray[np.float64]) -> float:
    gaps = np.linalg.norm(layout[:, None] - layout[None], axis=2)
    return float(gaps[gaps > 0].min())


def _wear(rng: Generator, face: Floats, style: SetStyle, unit_px: int) -> None:
    """Scratches and dirt."""
    for _ in range(int(style.wear * 6)):
        a, b = rng.integers(0, unit_px, 2), rng.integers(0, face.shape[0], 2)
        shade = float(rng.uniform(0, 255))
        end = (int(a[0] + rng.normal(0, unit_px / 5)), int(b[0] + rng.normal(0, unit_px / 5)))
        overlay = face.copy()
        cv2.line(overlay, (int(a[0]), int(b[0])), end, (shade, shade, shade), max(1, unit_px // 90), cv2.LINE_AA)
        face += (overlay - face) * rng.uniform(0.1, 0.5)
