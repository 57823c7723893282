"""A photo with what was read drawn on it, made to be checked at a glance on a phone.

Every tile is outlined, its two values stand on chips at its two ends, upright. A doubtful tile has a dashed amber
outline, amber chips and a "?": the dashes and the mark speak where colours cannot be told apart. The sum is in a band
below the photo, so it hides nothing; coordinates of the photo stay as they are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from companion.dominoes import Tile
from companion.sightings import PhotoReading, Point, Quad, ReadTile
from companion.vision.opening import Picture

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class DrawingStyle:
    """Colours (blue, green, red) and sizes; shares are of the tile's short side unless they say otherwise."""

    sure_bgr: Colour = (150, 200, 0)
    doubt_bgr: Colour = (0, 176, 255)
    ink_bgr: Colour = (28, 20, 16)
    paper_bgr: Colour = (255, 255, 255)
    chip_share: float = 0.25
    """Radius of a chip: the corner pips stay visible beside it, and chips of joined ends hardly touch."""
    chip_inset_share: float = 0.26
    """How far inside the outer edge a chip's middle lies; further where the chip would reach over the edge."""
    chip_least_share: float = 0.012
    """Least radius as a share of the photo's long side: on a 390 px wide screen a numeral is then some 8 px high..."""
    chip_cap_share: float = 0.44
    """...but never so large that chips of one tile, or of tiles that touch, cover one another."""
    line_share: float = 0.05
    """Width of an outline; `line_least_share` (of the photo's long side) keeps it visible around small tiles."""
    line_least_share: float = 0.0014
    dash_share: float = 0.3
    band_share: float = 0.14
    """Height of the band with the sum, as a share of the photo's width; at least `band_least_px`."""
    band_most_of_height: float = 0.16
    band_least_px: int = 44


def annotate(image_bgr: Picture, reading: PhotoReading, *, score: int, style: DrawingStyle | None = None) -> Picture:
    """Draw a reading on its photo.

    Args:
        image_bgr: the upright picture, height x width x 3; it is not changed.
        reading: what was read from this picture.
        score: the sum to show, as the rules count it.
        style: colours and sizes.

    Returns:
        A new picture of the same width, with a band added below.
    """
    style = style or DrawingStyle()
    high, wide = image_bgr.shape[:2]
    band = _band_height(wide, high, style)
    canvas = np.empty((high + band, wide, 3), np.uint8)
    canvas[:high] = image_bgr
    photo = canvas[:high]
    doubtful = {doubt.tile for doubt in reading.doubts}
    for index, tile in enumerate(reading.tiles):
        _outline(photo, tile.quad_px, doubtful=index in doubtful, style=style)
    for index, tile in enumerate(reading.tiles):  # after all outlines, so that no line crosses a numeral
        _values(photo, tile, doubtful=index in doubtful, style=style)
    _band(canvas[high:], reading, score=score, style=style)
    return canvas


def _band_height(wide: int, high: int, style: DrawingStyle) -> int:
    return max(style.band_least_px, round(min(style.band_share * wide, style.band_most_of_height * high)))


def _outline(photo: Picture, quad_px: Quad, *, doubtful: bool, style: DrawingStyle) -> None:
    """A coloured line with a dark one under it: visible on white tiles, white cloth and black tables alike."""
    long_px = max(photo.shape[:2])
    width = max(style.line_share * short_side(quad_px), style.line_least_share * long_px, 2.0)
    colour = style.doubt_bgr if doubtful else style.sure_bgr
    for thick, ink in ((width * 1.9, style.ink_bgr), (width, colour)):
        pieces = _dashes(quad_px, style.dash_share * short_side(quad_px)) if doubtful else [tuple(quad_px)]
        for piece in pieces:
            points = np.round(np.array(piece) * 16).astype(np.int32)
            cv2.polylines(photo, [points], isClosed=not doubtful, color=ink, thickness=max(1, round(thick)),
                          lineType=cv2.LINE_AA, shift=4)  # fmt: skip


def _dashes(quad_px: Quad, dash_px: float) -> list[tuple[Point, ...]]:
    """Dashes along each side that start and end at its corners, so that the corners stay closed."""
    pieces: list[tuple[Point, ...]] = []
    for (ax, ay), (bx, by) in zip(quad_px, (*quad_px[1:], quad_px[0]), strict=True):
        gaps = max(1, round((math.dist((ax, ay), (bx, by)) / max(dash_px, 1.0) - 1) / 2))
        steps = np.linspace(0.0, 1.0, 2 * gaps + 2)
        for start, end in zip(steps[::2], steps[1::2], strict=True):
            ends = ((ax + (bx - ax) * share, ay + (by - ay) * share) for share in (start, end))
            pieces.append(tuple(ends))
    return pieces


def _values(photo: Picture, tile: ReadTile, *, doubtful: bool, style: DrawingStyle) -> None:
    short = short_side(tile.quad_px)
    radius = chip_radius(short, max(photo.shape[:2]), style)
    fill, text = (style.doubt_bgr, style.ink_bgr) if doubtful else (style.ink_bgr, style.paper_bgr)
    middle = _middle(*tile.quad_px)
    for end, value in enumerate(tile.ends):
        edge = _middle(*tile.quad_px[2 * end : 2 * end + 2])
        inset = max(style.chip_inset_share * short, radius * 1.05) / max(math.dist(edge, middle), 1e-6)
        inset = min(inset, 1.0)
        place = (edge[0] + (middle[0] - edge[0]) * inset, edge[1] + (middle[1] - edge[1]) * inset)
        _paste(photo, _chip(str(value), round(radius), fill, text, style.paper_bgr), place)
    if doubtful:
        _paste(photo, _chip("?", round(radius * 0.85), style.doubt_bgr, style.ink_bgr, style.ink_bgr),
               _place_of_mark(tile.quad_px, radius))  # fmt: skip


def _place_of_mark(quad_px: Quad, radius: float) -> Point:
    """Where the "?" goes: the tile's middle, or beside the tile where its two chips leave no room between them."""
    middle = _middle(*quad_px)
    half_length = math.dist(_middle(*quad_px[:2]), middle)
    if half_length >= 3.9 * radius:
        return middle
    side = _middle(*quad_px[1:3])
    away = 1 + radius * 0.8 / max(math.dist(side, middle), 1e-6)
    return middle[0] + (side[0] - middle[0]) * away, middle[1] + (side[1] - middle[1]) * away


def short_side(quad_px: Quad) -> float:
    """Mean length of the two short outer edges, in pixels."""
    return (math.dist(quad_px[0], quad_px[1]) + math.dist(quad_px[2], quad_px[3])) / 2


def chip_radius(short_px: float, long_px: int, style: DrawingStyle) -> float:
    """Radius in pixels: by the tile's size, yet readable by the photo's, yet never over the neighbours."""
    readable = max(style.chip_share * short_px, style.chip_least_share * long_px)
    return max(6.0, min(readable, style.chip_cap_share * short_px))


def _middle(*points: Point) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


@lru_cache(maxsize=256)
def _chip(text: str, radius: int, fill_bgr: Colour, text_bgr: Colour, rim_bgr: Colour) -> NDArray[np.uint8]:
    """A disc with a rim and a word in it: rows x columns x (blue, green, red, alpha). Drawn large, then reduced."""
    fine = 3 if radius < 80 else 1
    side = (2 * radius + 1) * fine
    image = Image.new("RGBA", (side, side))
    pen = ImageDraw.Draw(image)
    rim = max(1, round(radius * 0.09)) * fine
    pen.ellipse((0, 0, side - 1, side - 1), fill=(*rim_bgr[::-1], 255))
    pen.ellipse((rim, rim, side - 1 - rim, side - 1 - rim), fill=(*fill_bgr[::-1], 255))
    height = radius * (1.5 if len(text) == 1 else 1.25) * fine
    pen.text((side / 2, side / 2), text, font=_font(round(height)), fill=(*text_bgr[::-1], 255), anchor="mm",
             stroke_width=max(0.0, height / 45), stroke_fill=(*text_bgr[::-1], 255))  # fmt: skip
    image = image.resize((side // fine, side // fine), Image.Resampling.BOX) if fine > 1 else image
    return np.ascontiguousarray(np.asarray(image)[..., (2, 1, 0, 3)])


@lru_cache(maxsize=64)
def _font(height_px: int) -> ImageFont.FreeTypeFont:
    """Pillow's own font: the same on every computer, and no file to look for."""
    font = ImageFont.load_default(max(6, height_px))
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


def _paste(photo: Picture, patch: NDArray[np.uint8], middle: Point) -> None:
    """Lay a patch with alpha on the photo, cut where it leaves the picture; a middle outside moves to the border."""
    high, wide = photo.shape[:2]
    rows, columns = patch.shape[:2]
    left = round(min(max(middle[0], 0), wide - 1)) - columns // 2
    top = round(min(max(middle[1], 0), high - 1)) - rows // 2
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + columns, wide), min(top + rows, high)
    piece = patch[y0 - top : y1 - top, x0 - left : x1 - left]
    alpha = piece[..., 3:].astype(np.uint16)
    under = photo[y0:y1, x0:x1]
    under[:] = (piece[..., :3] * alpha + under * (255 - alpha) + 127) // 255


def _band(band: Picture, reading: PhotoReading, *, score: int, style: DrawingStyle) -> None:
    """The sum, large; beside it how many tiles, what to check, how many lie face down."""
    high, wide = band.shape[:2]
    image = Image.new("RGB", (wide, high), style.ink_bgr[::-1])
    pen = ImageDraw.Draw(image)
    margin = round(high * 0.25)
    sum_font = _font(round(high * 0.86))
    pen.text((margin, high / 2), str(score), font=sum_font, fill=style.paper_bgr[::-1], anchor="lm",
             stroke_width=high / 90, stroke_fill=style.paper_bgr[::-1])  # fmt: skip
    left = margin * 2 + pen.textlength(str(score), font=sum_font) + high / 45
    lines = band_lines(reading)
    size = high * 0.7 / len(lines) * 0.72
    widest = max(pen.textlength(text, font=_font(round(size))) for text, _ in lines)
    size = min(size, size * (wide - left - margin) / max(widest, 1), high * 0.3)
    step = size * 1.38
    top = high / 2 - step * (len(lines) - 1) / 2
    for row, (text, doubt) in enumerate(lines):
        colour = style.doubt_bgr if doubt else style.paper_bgr
        pen.text((left, top + row * step), text, font=_font(round(size)), fill=colour[::-1], anchor="lm")
    band[:] = np.asarray(image)[..., ::-1]


def band_lines(reading: PhotoReading) -> list[tuple[str, bool]]:
    """What the band says beside the sum, a line each, and whether the line is a doubt."""
    tiles = len(reading.tiles)
    first = f"{tiles} tile{'' if tiles == 1 else 's'}"
    if reading.face_down:
        first += f", {reading.face_down} face down"
    lines = [(first, False)]
    doubtful = sorted({doubt.tile for doubt in reading.doubts})
    if doubtful:
        names = [str(Tile.of(*reading.tiles[index].ends)) for index in doubtful]
        shown = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
        lines.append((f"? look at {shown}", True))
    return lines
