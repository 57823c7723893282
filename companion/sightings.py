"""What a camera may claim: plain values that compare, hash and serialise. No arrays here.

A half's value stays a probability for every value (`PipReading`) until the picture has been decoded as a whole; what was
decided then is a `ReadTile`, and what stayed open is a `Doubt`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

HIGHEST_PIPS = 18
"""The largest value any set has: double-18."""

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
"""Corners of a tile's top face in pixels of the upright picture, clockwise; corners 0 and 1 bound the short outer edge of
half a, corners 2 and 3 that of half b."""


@dataclass(frozen=True, slots=True)
class PipReading:
    """A probability for each value 0..18 of one half; sums to 1."""

    probabilities: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.probabilities) != HIGHEST_PIPS + 1:
            raise ValueError(f"a reading has {HIGHEST_PIPS + 1} probabilities, not {len(self.probabilities)}")

    @property
    def best(self) -> int:
        """The likeliest value."""
        return max(range(len(self.probabilities)), key=self.probabilities.__getitem__)

    @property
    def confidence(self) -> float:
        """Probability of the likeliest value."""
        return max(self.probabilities)


@dataclass(frozen=True, slots=True)
class Detection:
    """One tile as seen: where it lies, what each half may be, how sure it is that a tile lies there at all (0..1)."""

    quad_px: Quad
    readings: tuple[PipReading, PipReading]
    score: float


class DoubtKind(StrEnum):
    """Why a person should look."""

    VALUE = "VALUE"  # another value is nearly as likely
    READERS_DISAGREE = "READERS_DISAGREE"  # the two readers see different values
    TOO_SMALL = "TOO_SMALL"  # located, but too few pixels to read
    BLURRED = "BLURRED"  # too blurred to read
    BURNT_OUT = "BURNT_OUT"  # it looks blank where the picture is burnt out by light
    DUPLICATE = "DUPLICATE"  # the same tile is seen twice
    NOT_IN_SET = "NOT_IN_SET"  # a value the set does not have
    MAYBE_NOT_A_TILE = "MAYBE_NOT_A_TILE"  # may be something else
    MAYBE_FACE_DOWN = "MAYBE_FACE_DOWN"  # a blank tile that may be the back of one
    CUT = "CUT"  # part of it lies outside the picture


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another reading of one tile and its probability."""

    ends: tuple[int, int]
    probability: float


@dataclass(frozen=True, slots=True)
class Doubt:
    """A tile to look at: `tile` is its index, `kinds` why, `alternatives` what else it could be, likeliest first."""

    tile: int
    kinds: tuple[DoubtKind, ...]
    why: str
    alternatives: tuple[Alternative, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadTile:
    """A tile as decided: `ends[0]` lies between corners 0 and 1 of the quad; `confidence` is calibrated (0..1)."""

    ends: tuple[int, int]
    quad_px: Quad
    confidence: float

    @property
    def pips(self) -> int:
        """Sum of both ends."""
        return self.ends[0] + self.ends[1]


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """Everything read from one photo: `set_highest` is N of the double-N set, `face_down` how many backs were seen."""

    size_wh: tuple[int, int]
    set_highest: int
    tiles: tuple[ReadTile, ...]
    face_down: int
    doubts: tuple[Doubt, ...]

    @property
    def pips(self) -> int:
        """Plain pip sum; what blanks cost is for the rules to say."""
        return sum(tile.pips for tile in self.tiles)

    def at_size(self, size_wh: tuple[int, int]) -> PhotoReading:
        """The same reading of the same photo at another size: the quads' pixels follow."""
        kx, ky = size_wh[0] / self.size_wh[0], size_wh[1] / self.size_wh[1]

        def moved(point: Point) -> Point:
            return round((point[0] + 0.5) * kx - 0.5, 2), round((point[1] + 0.5) * ky - 0.5, 2)

        def resized(tile: ReadTile) -> ReadTile:
            a, b, c, d = map(moved, tile.quad_px)
            return replace(tile, quad_px=(a, b, c, d))

        return replace(self, size_wh=size_wh, tiles=tuple(map(resized, self.tiles)))
