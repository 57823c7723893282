"""What one frame of a feed shows: the input of the watch. Plain values; the frame reader in `companion.vision` makes them."""

from __future__ import annotations

from dataclasses import dataclass

from companion.sightings import Detection, Point, Quad

Outline = tuple[Point, ...]
"""Corners of a region in pixels, in order."""


@dataclass(frozen=True, slots=True)
class TileSighting:
    """A face-up tile in one frame.

    Attributes:
        detection: where it lies and what its halves may be.
        since: the first frame in which it lies as it does now, by its pixels; None where the frames before tell nothing.
        fresh: whether it was read in this frame; False for a tile whose pixels have not changed since it was read, so
            that one look does not count as many.
    """

    detection: Detection
    since: int | None = None
    fresh: bool = True


@dataclass(frozen=True, slots=True)
class TableSighting:
    """One frame.

    Attributes:
        frame: its number in the feed, from 0.
        time_s: when it was taken, in seconds of the feed's own clock.
        size_wh: the picture's width and height in pixels.
        tiles: the face-up tiles that were seen.
        face_down: backs.
        covered: where a hand or arm hides the table; nothing begins or ends there.
        looked: where tiles were looked for in this frame; None for the whole picture. A tile is missed only where it was
            looked for.
        steady: whether the camera surely stands as it did in the sighting before: most of the picture is the same.
        passing: whether something moves over the table in this frame. What is new in it waits for a quieter one.
    """

    frame: int
    time_s: float
    size_wh: tuple[int, int]
    tiles: tuple[TileSighting, ...]
    face_down: tuple[Quad, ...] = ()
    covered: tuple[Outline, ...] = ()
    looked: tuple[Outline, ...] | None = None
    steady: bool = False
    passing: bool = False
