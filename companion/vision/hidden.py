"""Where a train seems to go on with a tile that nobody can read: its face shows round a figure that stands on it.

Beyond a train's last tile there is table, or a tile that was read. Where there is neither, but a rectangle as large as a tile whose
rim has the colour of the faces, with another colour all round it, a tile lies half hidden.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.table.layout import LaidTrain, Layout
from companion.table.seen import SeenTable
from companion.vision.flat_table import FlatParameters, FlatTable, colours, face_colour, flattened
from companion.vision.opening import Picture

Corners = NDArray[np.complex128]


@dataclass(frozen=True, slots=True)
class HiddenParameters:
    """What half a tile looks like; lengths in tile widths."""

    flat: FlatParameters = field(default_factory=FlatParameters)
    gap: float = 0.08
    """Between the last tile and the next."""
    rim: float = 0.4
    """How far from its middle line its rim is looked at."""
    around: float = 0.85
    """And the table beside it."""
    face_distance: float = 38.0
    """Colours within this distance (of 8-bit Lab) of the last tile's face are face."""
    face_least: float = 0.42
    """Share of the rim that shows face."""
    table_most: float = 0.25
    """Share of the table around it that may have that colour too."""
    read: float = 0.2
    """Where so much of the place belongs to tiles that were read, nothing is hidden."""


def hidden_ends(
    image_bgr: Picture, seen: SeenTable, layout: Layout, parameters: HiddenParameters | None = None
) -> frozenset[int]:
    """Trains (indices of `layout.trains`) that go on under something.

    Args:
        image_bgr: the upright picture, height x width x 3.
        seen: the tiles that the layout was made from.
        layout: where the trains end.
        parameters: sizes and thresholds.
    """
    p = parameters or HiddenParameters()
    if layout.plane is None or not layout.trains:
        return frozenset()
    flat = flattened(image_bgr, layout.plane, seen, p.flat)
    return frozenset(k for k, train in enumerate(layout.trains) if _goes_on(flat, train, layout.engine, p))


def _goes_on(flat: FlatTable, train: LaidTrain, engine: int | None, p: HiddenParameters) -> bool:
    end = _open_end(flat.corners, train, engine)
    if end is None:
        return False
    place, out = end
    along, across = np.linspace(0.15, 1.85, 12), np.linspace(-p.rim, p.rim, 6)
    rim = np.concatenate([along + 1j * p.rim, along - 1j * p.rim, 1.85 + 1j * across])
    around = np.concatenate([along + 1j * p.around, along - 1j * p.around, 2 + p.around - p.rim + 1j * across])
    start = place + p.gap * out
    if _share_of_tiles(flat, start + np.add.outer(along, 1j * across).ravel() * out) > p.read:
        return False
    face = face_colour(flat, flat.corners[train.tiles[-1]])
    shows = [_share_of(face, colours(flat, start + places * out), len(places), p) for places in (rim, around)]
    return shows[0] >= p.face_least and shows[1] <= p.table_most


def _open_end(corners: Corners, train: LaidTrain, engine: int | None) -> tuple[complex, complex] | None:
    """The middle of the edge at which the next tile would be laid, and the direction in which it would lie."""
    last = corners[train.tiles[-1]]
    middle = complex(last.mean())
    up = complex(last[:2].mean()) - middle
    up /= max(abs(up), 1e-9)
    before = train.tiles[-2] if len(train.tiles) > 1 else None if train.mexican or train.branch else engine
    came = middle - complex(corners[before].mean()) if before is not None else None
    if train.open_double and came is not None:
        seen = came * up.conjugate()
        if abs(seen.imag) > abs(seen.real):  # crosswise: on over its long side
            out = up * 1j * (1 if seen.imag > 0 else -1)
            return middle + 0.5 * out, out
        out = up * (1 if seen.real > 0 else -1)
        return middle + out, out
    if train.inward[-1] not in (0, 1):
        return None
    out = -up if train.inward[-1] == 0 else up
    return middle + out, out


def _share_of(face: NDArray[np.float64], seen: NDArray[np.float64], asked: int, p: HiddenParameters) -> float:
    """Share of the places asked for that have the face's colour; places outside the picture have none."""
    return float((np.abs(seen - face).sum(1) < p.face_distance).sum()) / asked


def _share_of_tiles(flat: FlatTable, places: Corners) -> float:
    x, y = flat.pixels(places)
    return float(flat.tiles[y, x].sum()) / len(places)
