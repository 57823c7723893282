"""Score a photo file: opened no larger than reading needs, and whole where its tiles turn out small."""

from __future__ import annotations

import os
from dataclasses import dataclass
from statistics import median
from typing import Protocol

from companion.sightings import PhotoReading
from companion.vision.opening import OpeningLimits, Picture, open_picture, open_reduced

ENOUGH_PIXELS = 2_900_000
"""A 12-megapixel photo is opened at half its sides. Hands are then 100 px a tile and more, and crops are 64 px wide."""
ENOUGH_TILE_PX = 64.0
"""Where the tiles of the reduced picture are narrower, the whole one shows more."""


class ReadsPictures(Protocol):
    """Reads an upright picture; raises UnusablePhoto."""

    def read(self, image_bgr: Picture, *, set_highest: int | None) -> PhotoReading:
        """All tiles of the picture."""
        ...


@dataclass(frozen=True, slots=True)
class ReadPhoto:
    """A photo that was read: `reading` in pixels of the photo; `picture` to draw on, and `on_picture`, the same in its pixels."""

    picture: Picture
    on_picture: PhotoReading
    reading: PhotoReading


def read_photo(
    reader: ReadsPictures,
    source: str | os.PathLike[str] | bytes,
    *,
    set_highest: int | None = None,
    limits: OpeningLimits | None = None,
) -> ReadPhoto:
    """Open a photo (a path or its bytes) and read it.

    Raises:
        UnusablePhoto: it cannot be opened, or nothing can be read on it.
    """
    opened = open_reduced(source, enough_pixels=ENOUGH_PIXELS, limits=limits)
    if opened.reduced:
        reading = reader.read(opened.picture, set_highest=set_highest)
        if not reading.tiles or median(map(_width_px, (t.quad_px for t in reading.tiles))) >= ENOUGH_TILE_PX:
            return ReadPhoto(opened.picture, reading, reading.at_size(opened.photo_size_wh))
        picture = open_picture(source, limits=limits)
    else:
        picture = opened.picture
    reading = reader.read(picture, set_highest=set_highest)
    return ReadPhoto(picture, reading, reading)


def _width_px(quad: tuple[tuple[float, float], ...]) -> float:
    """Mean length of the two short edges."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    return float(((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5 + ((dx - cx) ** 2 + (dy - cy) ** 2) ** 0.5) / 2
