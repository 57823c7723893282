"""Neighbours as evidence that something is a tile: where trains meet both halves show one value, in hands tiles lie side by side.

By chance two halves agree once in ten times; in a train they nearly always do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.table.plane import Plane

Array = NDArray[np.float64]
Points = NDArray[np.complex128]

REACH = 0.3
"""Tile widths beyond an end: who has that point points there."""
PARALLEL = 0.98
"""Cosine of the angle between two ways that are one."""
SLACK = 0.12
"""Tile widths by which two tiles may be off that lie side by side, long side on long side."""
SURE = 0.8
"""Probability of a half's value, on both sides."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A tile on the table: its middle, and the unit way from its middle to half a."""

    middle: complex
    way: complex

    def is_near(self, other: Lying) -> bool:
        """Whether both may meet: no two tiles that do are farther apart."""
        return abs(other.middle - self.middle) <= 2.6

    def beyond(self, half: int) -> complex:
        """The point that an end points at."""
        return self.middle + self.way * (1 + REACH) * (1 if half == 0 else -1)

    def half_at(self, point: complex) -> tuple[int, ...]:
        """The half in which a point lies (both, near the bar), or none beside the tile."""
        own = (point - self.middle) * self.way.conjugate()
        if abs(own.imag) > 0.5 or abs(own.real) > 1.0:
            return ()
        if abs(own.real) < 0.25:
            return (0, 1)
        return (0,) if own.real > 0 else (1,)


def lying(plane: Plane, quads: Sequence[Array]) -> list[Lying]:
    """Tiles whose corners (4, 2) in pixels are given, half a between corners 0 and 1, as they lie in the table's plane."""
    corners: Points = plane.to_table(np.stack(quads).reshape(-1, 2)).reshape(-1, 4, 2) @ np.array([1, 1j])
    ways = corners[:, :2].mean(1) - corners[:, 2:].mean(1)
    ways /= np.maximum(1e-9, np.abs(ways))
    return [Lying(*row) for row in zip(corners.mean(1).tolist(), ways.tolist(), strict=True)]


def agree(one: Lying, ones: Array, two: Lying, twos: Array) -> bool:
    """Whether two tiles meet that do not overlap, and show one value there; probabilities (2, 19) of their halves."""
    for mine, values, other, theirs in ((one, ones, two, twos), (two, twos, one, ones)):
        for half in (0, 1):
            met = other.half_at(mine.beyond(half))
            value = int(values[half].argmax())
            if met and values[half, value] > SURE and any(theirs[k, value] > SURE for k in met):
                return True
    return False


def side_by_side(tiles: Sequence[Lying]) -> list[tuple[int, int]]:
    """Pairs of tiles, by their indices, that lie long side on long side and end beside end."""
    middles, ways = np.array([tile.middle for tile in tiles]), np.array([tile.way for tile in tiles])
    away = (middles - middles[:, None]) * ways.conj()[:, None]
    parallel = np.abs((ways * ways.conj()[:, None]).real) > PARALLEL
    beside = parallel & (np.abs(away.real) < SLACK) & (np.abs(np.abs(away.imag) - 1) < SLACK)
    return [(i, j) for i, j in np.argwhere(beside | beside.T).tolist() if i < j]
