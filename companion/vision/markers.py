"""Find what may be a train's marker: a coin, a chip, a little train, sweets, on or beside a train's last tile.

No list of things that serve as markers is ever complete, so none is used. A marker is what does not belong: on a tile,
where the face should shine through the pips and does not; beside a tile, a small patch whose colours the rest of the table
hardly has. Dots, checks and wood grain are all over the table and so are nothing new; the shadow of a tile is beside every tile.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sightings import Point
from companion.table.layout import LaidTrain, Layout
from companion.table.plane import Plane
from companion.table.seen import MarkerSighting, SeenTable
from companion.vision.flat_table import FlatParameters, FlatTable, colours, face_colour, flattened
from companion.vision.opening import Picture

Mask = NDArray[np.bool_]
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MarkerParameters:
    """Lengths in tile widths, areas in squares of them."""

    flat: FlatParameters = field(default_factory=FlatParameters)
    reach: tuple[float, float] = (0.35, 1.35)
    """Nearest and furthest middle of a marker from the last tile's rim."""
    aside: float = 0.6
    """How far its middle may lie from the tile's middle line."""
    rare: float = 0.12
    """A colour is new where the table has less than this share of what an even spread over its colours would give."""
    area: tuple[float, float] = (0.14, 2.8)
    """Smallest and largest hull of a new patch: a small coin has 0.3, a poker chip 2.3."""
    longest: float = 2.1
    """No side of the narrowest box around it is longer."""
    bridge: float = 0.45
    """New pixels this near to each other are one patch: the spots on a chip's rim."""
    filled: float = 0.55
    """Share of its narrowest box that a marker's hull fills; a cable or a shadow's edge fills little."""
    solid: float = 0.4
    """Share of its hull that is new."""
    face_least: float = 0.3
    """On the tile: less face than this in the disc is a marker; the densest 18 leaves 0.4."""
    disc: float = 0.3
    """Radius of that disc."""
    face_distance: float = 38.0
    """Colours within this distance (of 8-bit Lab) of the face's are face."""


def find_markers(
    image_bgr: Picture, seen: SeenTable, layout: Layout, parameters: MarkerParameters | None = None, *,
    flat: FlatTable | None = None,
) -> tuple[MarkerSighting, ...]:  # fmt: skip
    """Look at the last tile of every train.

    Args:
        image_bgr: the upright picture, height x width x 3.
        seen: the tiles that the layout was made from.
        layout: where the trains end.
        parameters: sizes and thresholds.
        flat: the picture flattened, where that was done already.
    """
    p = parameters or MarkerParameters()
    if layout.plane is None or not layout.trains:
        return ()
    flat = flat or flattened(image_bgr, layout.plane, seen, p.flat)
    corners = flat.corners
    new = _new_colours(flat, [corners[train.tiles[-1]] for train in layout.trains], p)
    found = []
    for train in layout.trains:
        sighting = _on_tile(flat, corners[train.tiles[-1]], p) or _beside(flat, new, corners, train, p)
        if sighting is not None:
            place, score = sighting
            found.append(MarkerSighting(_to_pixel(layout.plane, place), score))
    return tuple(found)


def _to_pixel(plane: Plane, place: complex) -> Point:
    x, y = plane.to_picture(np.array([place.real, place.imag]))
    return float(x), float(y)


_BINS = np.array([12, 8, 8])
"""Widths of a colour bin in 8-bit Lab: light changes within a table more than hue does."""


def _new_colours(flat: FlatTable, lasts: Iterable[NDArray[np.complex128]], p: MarkerParameters) -> Mask:
    """Pixels whose colour the table, looked at away from the trains' ends, hardly has."""
    near = np.zeros(flat.tiles.shape, np.uint8)
    for corners in lasts:
        cv2.circle(near, _whole(flat.at(complex(corners.mean()))), round(2.6 * flat.scale), 1, -1)
    known = flat.inside & ~flat.tiles & (near == 0)
    if known.sum() < 50 * flat.scale**2 / 4:
        known = flat.inside & ~flat.tiles
    bins = flat.lab // _BINS.astype(np.uint8)
    shape = tuple((256 // _BINS + 1).tolist())
    index = np.asarray(np.ravel_multi_index(tuple(bins.reshape(-1, 3).T), shape)).reshape(bins.shape[:2])
    count = np.bincount(index[known], minlength=int(np.prod(shape))).astype(np.float64).reshape(shape)
    for axis in range(3):  # neighbours in colour count too, so that light and noise do not make colours new
        count = count + 0.7 * (np.roll(count, 1, axis) + np.roll(count, -1, axis))
    used = max(int((count > 0).sum()), 1)
    share = count.ravel()[index] * used / max(float(count.sum()), 1.0)
    return np.asarray((share < p.rare) & flat.inside & ~flat.tiles)


def _whole(place: tuple[float, float]) -> tuple[int, int]:
    return round(place[0]), round(place[1])


def _on_tile(flat: FlatTable, corners: NDArray[np.complex128], p: MarkerParameters) -> tuple[complex, float] | None:
    """A marker that lies on the tile: a disc in which the tile's face does not show."""
    centre = complex(corners.mean())
    along = complex(corners[:2].mean()) - centre
    face = face_colour(flat, corners)
    best = (1.0, centre)
    for step in (-0.5, -0.3, 0.3, 0.5):
        place = centre + step * along
        pixels = _disc(flat, place, p.disc)
        if len(pixels):
            best = min(
                best, (float((np.abs(pixels - face).sum(1) < p.face_distance).mean()), place), key=lambda x: x[0]
            )
    share, place = best
    return (place, 1.0 - share) if share < p.face_least else None


def _disc(flat: FlatTable, place: complex, radius: float) -> Array:
    """Colours (k, 3) in a disc of the plane."""
    grid = np.linspace(-radius, radius, 9)
    offsets = (grid[:, None] + 1j * grid[None]).ravel()
    return colours(flat, place + offsets[np.abs(offsets) <= radius])


def _beside(
    flat: FlatTable, new: Mask, corners: NDArray[np.complex128], train: LaidTrain, p: MarkerParameters
) -> tuple[complex, float] | None:
    """A marker beside the tile or beyond its end: a small, full patch of new colour."""
    last = corners[train.tiles[-1]]
    centre = complex(last.mean())
    up = complex(last[:2].mean()) - centre
    up /= max(abs(up), 1e-9)
    out = -up if train.inward[-1] == 0 else up
    ways = [(up * 1j, 0.5), (up * -1j, 0.5), (out, 1.0)]
    best: tuple[complex, float] | None = None
    for place, score in _patches(flat, new, centre, p):
        for way, rim in ways:
            seen = (place - centre) * way.conjugate()
            if (
                p.reach[0] <= seen.real - rim <= p.reach[1]
                and abs(seen.imag) <= p.aside
                and (best is None or score > best[1])
            ):
                best = place, score
    return best


def _patches(flat: FlatTable, new: Mask, centre: complex, p: MarkerParameters) -> list[tuple[complex, float]]:
    """Patches of new colour around a place whose size and shape a marker may have, each with how full it is."""
    x, y = _whole(flat.at(centre))
    side = round(3.4 * flat.scale)
    left, top = max(x - side, 0), max(y - side, 0)
    window = new[top : y + side, left : x + side].astype(np.uint8)
    if not window.size:
        return []
    reach = 2 * round(p.bridge * flat.scale / 2) + 1
    closed = cv2.morphologyEx(window, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach)))
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = []
    for outline in outlines:
        hull = cv2.convexHull(outline)
        _, (wide, high), _ = cv2.minAreaRect(hull)
        area = float(cv2.contourArea(hull))
        size, filled = area / flat.scale**2, area / max(wide * high, 1.0)
        if not p.area[0] <= size <= p.area[1] or filled < p.filled or max(wide, high) > p.longest * flat.scale:
            continue
        solid = float(cv2.contourArea(outline)) / max(area, 1.0)
        if solid >= p.solid:
            x, y = hull.reshape(-1, 2).mean(0) + (left, top) - flat.matrix[:2, 2]
            found.append((complex(x, y) / flat.scale, min(1.0, 0.5 + solid / 2)))
    return found
