"""Find what may be a train's marker: a coin, a chip, a little train, sweets, on or beside a train's last tile.

No list of things that serve as markers is ever complete: the network learned from things of no particular kind that lie where
markers lie (`companion.training.marker_crops`). It looks at every train's end from straight above, and knows where tiles lie.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.layout import Layout
from companion.table.plane import Plane
from companion.table.seen import MarkerSighting, SeenTable
from companion.vision.models import Network
from companion.vision.opening import Picture
from companion.vision.rectify import Pyramid
from companion.vision.train_ends import SIDE_PX, end_crops, flat_quads, from_crop

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MarkerParameters:
    """What counts as a marker."""

    least: float = 0.5
    """Probability from which a place is proposed."""
    apart: float = 0.6
    """Sightings that lie nearer to each other (tile widths) are one: the ends of two trains may show the same marker."""
    most: int = 40
    """Ends looked at; no table has more trains."""


def find_markers(
    network: Network, image_bgr: Picture, seen: SeenTable, layout: Layout, parameters: MarkerParameters | None = None
) -> tuple[MarkerSighting, ...]:
    """Look at the last tile of every train.

    Args:
        network: `markers` of the models.
        image_bgr: the upright picture, height x width x 3.
        seen: the tiles that the layout was made from.
        layout: where the trains end.
        parameters: thresholds.
    """
    p = parameters or MarkerParameters()
    if layout.plane is None or not layout.trains:
        return ()
    quads = [np.array(tile.quad_px) for tile in seen.tiles] + [np.array(quad) for quad in seen.face_down]
    flat = flat_quads(layout.plane, quads)
    lasts = [k for k in dict.fromkeys(train.tiles[-1] for train in layout.trains) if np.isfinite(flat[k]).all()][
        : p.most
    ]
    if not lasts:
        return ()
    (maps,) = network.read_crops(end_crops(Pyramid(image_bgr), flat, lasts))
    shares = 1 / (1 + np.exp(-maps[:, 0].astype(np.float64)))
    found = []
    for last, share in zip(lasts, shares, strict=True):
        found += [(from_crop(flat[last], place[None])[0], score) for place, score in _peaks(share, p.least)]
    return _apart(found, layout.plane, p.apart)


def _peaks(shares: Array, least: float) -> list[tuple[Array, float]]:
    """Places (2,) in pixels of the crop where a map (28, 28) is highest around, with what it says there."""
    around = cv2.dilate(shares, np.ones((5, 5), np.uint8))
    step = SIDE_PX / len(shares)
    rows, columns = np.nonzero((shares == around) & (shares >= least))
    return [
        ((np.array([x, y]) + 0.5) * step - 0.5, float(shares[y, x]))
        for y, x in zip(rows.tolist(), columns.tolist(), strict=True)
    ]


def _apart(found: list[tuple[Array, float]], plane: Plane, apart: float) -> tuple[MarkerSighting, ...]:
    """The surest of sightings that lie in one place."""
    kept: list[MarkerSighting] = []
    places: list[Array] = []
    for place_px, score in sorted(found, key=lambda row: -row[1]):
        place = plane.to_table(place_px)
        if all(np.hypot(*(place - other)) >= apart for other in places):
            places.append(place)
            kept.append(MarkerSighting((float(place_px[0]), float(place_px[1])), score))
    return tuple(kept)
