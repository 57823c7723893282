"""What is drawn over a photo: each tile's outline and its values at its ends, in the photo's own pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from companion.session.events import HandTile
from companion.sightings import Point, Quad

LEAST_TEXT = 1 / 26
"""Height of the numerals as a share of the photo's width, at least: 15 px on a phone that is 390 px wide."""
TEXT_OF_TILE = 0.42
"""Height of the numerals as a share of the tile's width, where that is more."""
INWARD = 0.1
"""How far a numeral's middle lies inside the tile's outer edge, as a share of the tile's length; half of it stays outside."""


@dataclass(frozen=True, slots=True)
class ValueChip:
    """A numeral: where its middle lies and what it says."""

    x: float
    y: float
    value: int


@dataclass(frozen=True, slots=True)
class TileDrawing:
    """One outlined tile. `state` is a class of the style sheet: empty, ``doubtful`` or ``bad``."""

    index: int
    ends: tuple[int, int]
    points: str
    chips: tuple[ValueChip, ValueChip]
    state: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class PhotoDrawing:
    """A photo with its tiles. Lengths are pixels of the photo."""

    picture: str
    size_wh: tuple[int, int]
    tiles: tuple[TileDrawing, ...]
    text_px: float


def draw_photo(
    picture: str, size_wh: tuple[int, int], tiles: Sequence[HandTile], *, chosen: int | None = None,
    bad: frozenset[int] = frozenset(),
) -> PhotoDrawing:  # fmt: skip
    """Draw those of the tiles that lie in this picture."""
    here = [(n, tile, tile.quad_px) for n, tile in enumerate(tiles) if tile.picture == picture and tile.quad_px]
    widths = sorted(_length(quad[0], quad[1]) for _, _, quad in here)
    typical = widths[len(widths) // 2] if widths else 0.0
    drawn = tuple(
        TileDrawing(
            index,
            tile.ends,
            points_text(quad),
            (_chip(quad, 0, tile.ends[0]), _chip(quad, 2, tile.ends[1])),
            "bad" if index in bad else "doubtful" if tile.wants_look else "",
            index == chosen,
        )
        for index, tile, quad in here
    )
    return PhotoDrawing(picture, size_wh, drawn, round(max(LEAST_TEXT * size_wh[0], TEXT_OF_TILE * typical), 1))


def points_text(quad: Quad) -> str:
    """A quad as the points of an SVG polygon."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in quad)


def crop_around(quad: Quad, size_wh: tuple[int, int], *, room: float = 0.35) -> str:
    """The part of a photo around a tile as an SVG viewBox, four wide to three high, within the photo."""
    xs, ys = [x for x, _ in quad], [y for _, y in quad]
    wide = max(max(xs) - min(xs), (max(ys) - min(ys)) * 4 / 3) * (1 + 2 * room)
    high = wide * 3 / 4
    left = (max(xs) + min(xs) - wide) / 2
    top = (max(ys) + min(ys) - high) / 2
    left = min(max(left, 0), max(size_wh[0] - wide, 0))
    top = min(max(top, 0), max(size_wh[1] - high, 0))
    return f"{left:.0f} {top:.0f} {wide:.0f} {high:.0f}"


def quad_at(x: float, y: float, tiles: Sequence[HandTile], picture: str, size_wh: tuple[int, int]) -> Quad:
    """An upright outline around a point that was tapped, as large as the other tiles of the photo."""
    lengths = sorted(_length(t.quad_px[1], t.quad_px[2]) for t in tiles if t.picture == picture and t.quad_px)
    length = lengths[len(lengths) // 2] if lengths else min(size_wh) / 5
    half_long, half_short = length / 2, length / 4
    return (
        (x - half_short, y - half_long),
        (x + half_short, y - half_long),
        (x + half_short, y + half_long),
        (x - half_short, y + half_long),
    )


def _chip(quad: Quad, corner: int, value: int) -> ValueChip:
    """The numeral of the half whose outer edge lies between this corner and the next."""
    near = _middle(quad[corner], quad[corner + 1])
    far = _middle(quad[(corner + 2) % 4], quad[(corner + 3) % 4])
    return ValueChip(
        round(near[0] + (far[0] - near[0]) * INWARD, 1), round(near[1] + (far[1] - near[1]) * INWARD, 1), value
    )


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _length(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])
