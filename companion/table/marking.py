"""Which train a marker belongs to: the one at whose last tile it lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.table.seen import MarkerSighting, PlacedTiles
from companion.table.trains import Leg


@dataclass(frozen=True, slots=True)
class MarkingParameters:
    """How far a marker may lie from its train; in tile widths."""

    reach: float = 1.6
    """From the last tile's rim to the marker's middle."""
    least_score: float = 0.5
    """Sightings below are not proposed."""


def marked_trains(
    markers: Sequence[MarkerSighting], tiles: PlacedTiles, legs: Sequence[Leg],
    parameters: MarkingParameters | None = None,
) -> set[int]:  # fmt: skip
    """Indices of the trains that have a marker; each marker marks the nearest train within reach."""
    p = parameters or MarkingParameters()
    marked: set[int] = set()
    believed = [marker for marker in markers if marker.score >= p.least_score]
    if not believed or not legs:
        return marked
    last = np.array([leg.tiles[-1] for leg in legs])
    for marker in believed:
        x, y = tiles.plane.to_table(np.array(marker.place_px))
        seen = (x + 1j * y - tiles.centre[last]) * tiles.heading[last].conj()
        off = np.hypot(np.maximum(np.abs(seen.real) - 1, 0), np.maximum(np.abs(seen.imag) - 0.5, 0))
        nearest = int(off.argmin())
        if off[nearest] < p.reach:
            marked.add(nearest)
    return marked
