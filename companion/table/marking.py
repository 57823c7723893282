"""Which train a marker belongs to: the one at whose last tile it lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.sightings import Quad
from companion.table.plane import Plane
from companion.table.seen import MarkerSighting


@dataclass(frozen=True, slots=True)
class MarkingParameters:
    """How far a marker may lie from its train; in tile widths."""

    reach: float = 1.6
    """From the last tile's rim to the marker's middle."""
    least_score: float = 0.5
    """Sightings below are not proposed."""


def marked_trains(
    markers: Sequence[MarkerSighting],
    plane: Plane,
    lasts_px: Sequence[Quad],
    parameters: MarkingParameters | None = None,
) -> set[int]:
    """Indices of the trains that have a marker: each marker marks the train whose last tile is nearest and within reach.

    Args:
        markers: places in pixels.
        plane: picture to table.
        lasts_px: the quad of each train's last tile.
        parameters: how near is near.
    """
    p = parameters or MarkingParameters()
    marked: set[int] = set()
    if not lasts_px:
        return marked
    boxes = plane.to_table(np.array(lasts_px))
    corners = boxes[..., 0] + 1j * boxes[..., 1]
    centre = corners.mean(1)
    heading = corners[:, :2].mean(1) - centre
    heading /= np.maximum(np.abs(heading), 1e-9)
    for marker in markers:
        if marker.score < p.least_score:
            continue
        x, y = plane.to_table(np.array(marker.place_px))
        seen = (x + 1j * y - centre) * heading.conj()
        off = np.hypot(np.maximum(np.abs(seen.real) - 1, 0), np.maximum(np.abs(seen.imag) - 0.5, 0))
        nearest = int(off.argmin())
        if off[nearest] < p.reach:
            marked.add(nearest)
    return marked
