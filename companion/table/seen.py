"""What the layout is made from: the tiles of one picture with their values still open, and what else was seen beside them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.sightings import HIGHEST_PIPS, Detection, PipReading, Point, Quad
from companion.table.plane import Plane, PlaneParameters, fit_plane

Array = NDArray[np.float64]
Points = NDArray[np.complex128]
"""Places and directions in the plane as complex numbers x + iy: turning is then a product."""

CUT = 0.02
"""Share of a tile that may lie outside the picture: corners are sure to about a fortieth of a tile's width."""

_STEPS = 50
"""Points along each side by which that share is counted."""

_UNREADABLE = 1e-4
"""Share of every value mixed into a reading, so that no reading is believed beyond 1 : 10,000."""


@dataclass(frozen=True, slots=True)
class MarkerSighting:
    """Something small that may be a train's marker: its middle in pixels, and how sure a reader is of it (0..1)."""

    place_px: Point
    score: float


@dataclass(frozen=True, slots=True)
class SeenTable:
    """One picture of a table: face-up tiles, backs (the boneyard, hidden hands), and what may be markers.

    `cut` are the tiles of which a part lies outside the picture: read, but too little seen to build a train on.
    """

    tiles: tuple[Detection, ...]
    face_down: tuple[Quad, ...] = ()
    markers: tuple[MarkerSighting, ...] = ()
    cut: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class PlacedTiles:
    """All face-up tiles as rectangles of 1 x 2 in the table's plane.

    `centre` and `heading` (n,) complex: the middle, and the unit direction from the middle to half a; `values` (n, 2, 19)
    probabilities of each half; `double` (n,) probability that both halves show one value.
    """

    plane: Plane
    centre: Points
    heading: Points
    values: Array
    double: Array

    def __len__(self) -> int:
        return len(self.centre)

    def end(self, half: int) -> Points:
        """Middles (n,) of the short outer edges of half a (0) or b (1)."""
        return self.centre + (1 - 2 * half) * self.heading

    def common_value(self) -> Array:
        """Probabilities (n, 19) of a tile's value given that it is a double."""
        both = self.values[:, 0] * self.values[:, 1]
        return np.asarray(both / both.sum(1, keepdims=True))


def seen_table(
    quads_px: Array,
    values: Array,
    scores: Array,
    *,
    face_down_px: Array,
    markers: tuple[MarkerSighting, ...] = (),
    size_wh: tuple[int, int] | None = None,
) -> SeenTable:
    """A seen table from the arrays of a reader.

    Args:
        quads_px: (n, 4, 2) corners.
        values: (n, 2, 19) probabilities of halves a and b.
        scores: (n,) how sure the reader is that a tile lies there.
        face_down_px: (m, 4, 2) corners of backs.
        markers: what may be markers.
        size_wh: of the picture in pixels, where tiles may be cut by its edge.
    """
    tiles = []
    for quad, halves, score in zip(quads_px.tolist(), values, scores.tolist(), strict=True):
        a, b = (PipReading(tuple(half.tolist())) for half in halves)
        tiles.append(Detection(as_quad(quad), (a, b), score))
    backs = tuple(as_quad(quad) for quad in face_down_px.reshape(-1, 4, 2).tolist())
    cut = frozenset() if size_wh is None else _cut_tiles(quads_px, size_wh)
    return SeenTable(tuple(tiles), backs, markers, cut)


def _cut_tiles(quads_px: Array, size_wh: tuple[int, int]) -> frozenset[int]:
    """Which quads (n, 4, 2) lie outside a picture with more than `CUT` of their area."""
    over = np.flatnonzero(((quads_px < 0) | (quads_px > np.array(size_wh))).any((1, 2)))
    steps = (np.arange(_STEPS) + 0.5) / _STEPS
    along, across = (grid[..., None, None] for grid in np.meshgrid(steps, steps, indexing="ij"))
    a, b, c, d = np.moveaxis(quads_px[over], 1, 0)
    points = (1 - along) * ((1 - across) * a + across * b) + along * ((1 - across) * d + across * c)
    outside = ((points < 0) | (points > np.array(size_wh))).any(-1).mean((0, 1))
    return frozenset(over[outside > CUT].tolist())


def as_quad(corners: list[list[float]]) -> Quad:
    """Four corners as a quad."""
    a, b, c, d = ((x, y) for x, y in corners)
    return a, b, c, d


def place_tiles(table: SeenTable, *, highest: int, parameters: PlaneParameters | None = None) -> PlacedTiles:
    """Put the tiles of a picture into the table's plane, each as the rectangle that fits its quad best.

    Face-down tiles are tiles too: their outlines help to find the plane. Values above `highest` are struck out.

    Raises:
        ValueError: there is no face-up tile.
    """
    quads = [tile.quad_px for tile in table.tiles]
    plane = fit_plane(quads + list(table.face_down), parameters)
    flat = plane.to_table(np.asarray(quads, dtype=np.float64).reshape(-1, 4, 2))
    corners = flat[..., 0] + 1j * flat[..., 1]
    centre = corners.mean(1)
    template = np.array([-0.5 - 1j, 0.5 - 1j, 0.5 + 1j, -0.5 + 1j])
    turn = ((corners - centre[:, None]) * template.conj()).sum(1)
    heading = -1j * turn / np.maximum(np.abs(turn), 1e-12)
    values = _values(table, highest)
    return PlacedTiles(plane, centre, heading, values, (values[:, 0] * values[:, 1]).sum(1))


def _values(table: SeenTable, highest: int) -> Array:
    read = np.array([[half.probabilities for half in tile.readings] for tile in table.tiles], dtype=np.float64)
    read = read.reshape(-1, 2, HIGHEST_PIPS + 1)
    possible = np.arange(HIGHEST_PIPS + 1) <= highest
    # a value beyond the set keeps a trace: a tile of another set is a fault to report, not one to hide
    read = np.where(possible, read + _UNREADABLE, read * 1e-2 + 1e-6)
    return np.asarray(read / read.sum(-1, keepdims=True))
