"""Neighbours as evidence that something is a tile: where its end points at a tile, both halves that meet show one value.

By chance two halves agree once in ten times; in a train they nearly always do.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.table.plane import Plane

Array = NDArray[np.float64]
Points = NDArray[np.complex128]

REACH = 0.3
"""Tile widths beyond an end: who has that point points there."""
SURE = 0.8
"""Probability of a half's value, on both sides."""


def agrees(plane: Plane, quad: Array, values: Array, others: Sequence[Array], other_values: Sequence[Array]) -> bool:
    """Whether a tile meets another that shows the same value there.

    Args:
        plane: the table's.
        quad: corners (4, 2) in pixels, half a between corners 0 and 1.
        values: probabilities (2, 19) of its halves.
        others: corners of the tiles beside it, none of which it overlaps.
        other_values: the probabilities of their halves.
    """
    mine = _Flat.of(plane, quad)
    for other_quad, theirs in zip(others, other_values, strict=True):
        other = _Flat.of(plane, other_quad)
        if abs(other.middle - mine.middle) > 2.6:  # no two tiles that meet are farther apart
            continue
        for one, ones, two, twos in ((mine, values, other, theirs), (other, theirs, mine, values)):
            for half in (0, 1):
                met = two.half_at(one.beyond(half))
                if met is None:
                    continue
                value = int(ones[half].argmax())
                if ones[half, value] > SURE and any(twos[k, value] > SURE for k in met):
                    return True
    return False


class _Flat:
    """A tile on the table: its middle, and the unit way from its middle to half a."""

    __slots__ = ("middle", "way")

    def __init__(self, middle: complex, way: complex) -> None:
        self.middle, self.way = middle, way

    @classmethod
    def of(cls, plane: Plane, quad: Array) -> _Flat:
        corners: Points = plane.to_table(quad) @ np.array([1, 1j])
        way = complex(corners[:2].mean() - corners[2:].mean())
        return cls(complex(corners.mean()), way / max(1e-9, abs(way)))

    def beyond(self, half: int) -> complex:
        """The point that an end points at."""
        return self.middle + self.way * (1 + REACH) * (1 if half == 0 else -1)

    def half_at(self, point: complex) -> tuple[int, ...] | None:
        """The half in which a point lies (both, near the bar), or None beside the tile."""
        own = (point - self.middle) * self.way.conjugate()
        if abs(own.imag) > 0.5 or abs(own.real) > 1.0:
            return None
        if abs(own.real) < 0.25:
            return (0, 1)
        return (0,) if own.real > 0 else (1,)
