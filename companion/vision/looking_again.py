"""Where to look again for tiles that the first search missed.

Dominoes lie beside dominoes: from a tile that is sure, the places follow where the next one would lie in a train, in a hand
laid in rows, or across its end. Boxes that the detector believed too little are places too. A place is worth a look when no
sure tile covers it and it has the colour of the tiles: all tiles of a set are of one ground, and pips cover less than half
of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.plane import Plane
from companion.vision.choosing import covered_share
from companion.vision.locate import Located, intersection_over_union
from companion.vision.rectify import Pyramid, homography, move, signed_area

Array = NDArray[np.float64]

_UNIT = np.array([[0, 0], [1, 0], [1, 2], [0, 2]], np.float64)
_PATCH_WH = (20, 40)
_INSIDE = np.array([[-2, -4], [22, -4], [22, 44], [-2, 44]], np.float64)
"""The tile laid over a patch a little smaller than it: its rounded corners and edges stay out. Not much smaller, or pips would
blend with the ground between them."""


def _lying(x: float, y: float) -> Array:
    """A tile along x whose corner nearest to the origin is (x, y)."""
    return np.array([[x, y + 1], [x, y], [x + 2, y], [x + 2, y + 1]], np.float64)


def _standing(x: float, y: float) -> Array:
    return _UNIT + (x, y)


PLACES: tuple[Array, ...] = (
    *(_standing(0, y) for y in (2.0, -2.0)),  # straight on
    *(
        _lying(x, y) for y in (2.0, -1.0) for x in (-0.5, 0.0, -1.0)
    ),  # across an end: a double in its middle, a bend to either side
    *(
        _lying(x, y) for x in (1.0, -2.0) for y in (0.5, 0.0, 1.0)
    ),  # off a long side: from a double's middle, from either half
    *(_standing(x, 0) for x in (1.0, -1.0)),  # side by side
)
"""Where a neighbour may lie, in units of a tile that stands from (0, 0) to (1, 2)."""


@dataclass(frozen=True, slots=True)
class LookAgainParameters:
    """What is worth another look. Shares 0..1."""

    sure: float = 0.8
    """Belief from which a tile's neighbourhood is searched, and from which it rules other places out."""
    covered: float = 0.35
    """A place of which sure tiles cover more is theirs."""
    least_weak: float = 0.08
    """A weak box that scores less is no place to look at, only a hint: of a thousand on the rendered tables none was a tile."""
    hint: float = 0.25
    """A place beside a tile is worth a look where some weak box shares this with it: the detector is blind nowhere, only unsure."""
    hint_score: float = 0.01
    """And where that share, times the box's score, is this much."""
    same_place: float = 0.6
    """Places that share more (intersection over union) are one."""
    colour_off: float = 34.0
    """How far a place's ground may be from the tiles' (CIELAB, lightness halved): light falls unevenly, white is not wood."""
    place_score: float = 0.2
    """What a place beside a tile counts as a detector's score: some neighbour is likely, but not at each of 16 places."""
    unplaced: float = 0.3
    """A box that scores this and belongs to no tile is looked at again as the table's plane would have it."""
    hopeless: float = 0.05
    """Odds of a tile below which a place is given up after its corners were moved once: of ten places seven are."""
    rounds: int = 2
    """How often new finds lead to new places."""
    most: int = 120
    """Looks in one round: time stays bounded on a white table."""


def neighbouring_places(quad: Array, plane: Plane | None = None) -> list[Array]:
    """Quads (4, 2) of the places around a tile, as the table's plane shows them, or else the tile's own perspective.

    A tile's own corners tell little of the perspective: one of them a pixel off, and where the table is seen at a slant the place
    straight on shares little more than half with the tile that lies there.
    """
    if plane is None:
        corners = move(homography(_UNIT, quad), np.concatenate(PLACES)).reshape(-1, 4, 2)
    else:
        corners = plane.to_picture(_beside(plane.to_table(quad))).reshape(-1, 4, 2)
    edges = np.roll(corners, -1, axis=1) - corners
    after = np.roll(edges, -1, axis=1)
    clockwise = (edges[..., 0] * after[..., 1] - edges[..., 1] * after[..., 0] > 0).all(1)  # not beyond the horizon
    return list(corners[clockwise & np.isfinite(corners).all((1, 2))])


def _beside(flat: Array) -> Array:
    """Corners (n, 2) of the places around a tile of the table, whose corners (4, 2) are nearly those of one of 1 x 2."""
    middle = flat.mean(0)
    along = (flat[2:].mean(0) - flat[:2].mean(0)) @ np.array([1, 1j])
    along /= max(1e-9, abs(along))
    across = -1j * along  # clockwise in a picture, where y runs down
    places = (np.concatenate(PLACES) - _UNIT.mean(0)) @ np.array([[across.real, across.imag], [along.real, along.imag]])
    return np.asarray(places + middle)


def as_tiles_of(plane: Plane, boxes: Sequence[Located]) -> list[Located]:
    """What tiles in the middle of boxes would look like in the plane: one along the box and one across it, with its score.

    A rectangle around a tile seen at a slant may be far from it, even the wrong way round.
    """
    places = []
    for box in boxes:
        ends = np.stack([box.quad[:2].mean(0), box.quad[2:].mean(0)])
        first, last = plane.to_table(ends)
        (middle,) = plane.to_table(box.quad.mean(0)[None])
        along = (last - first) / max(1e-9, float(np.linalg.norm(last - first)))
        for axis in (along, np.array([-along[1], along[0]])):
            across = np.array([-axis[1], axis[0]])  # so that the corners run clockwise, as they do in the picture
            corners = [middle - axis + across / 2, middle - axis - across / 2]
            corners += [middle + axis - across / 2, middle + axis + across / 2]
            quad = plane.to_picture(np.stack(corners))
            if np.isfinite(quad).all():
                places.append(Located(quad if signed_area(quad) > 0 else quad[[1, 0, 3, 2]], box.score, box.face_down))
    return places


def places_to_look(
    picture: Pyramid, tiles: Sequence[Array], around: Sequence[Array], weak: Sequence[Located], *,
    hints: Sequence[Located], parameters: LookAgainParameters, plane: Plane | None = None,
) -> list[Located]:  # fmt: skip
    """Boxes worth another look.

    Args:
        picture: where to look.
        tiles: the quads of all sure tiles.
        around: those of them whose neighbourhood is new.
        weak: boxes that were believed too little and have not been looked at.
        hints: all boxes that were, which speak for places near them.
        parameters: what is worth it.
        plane: the table's, where enough tiles are sure to tell it.
    """
    height, width = picture.image_bgr.shape[:2]
    grounds = np.array([ground_lab(picture, quad) for quad in tiles]).reshape(-1, 3)
    likely = [box for box in weak if box.score >= parameters.least_weak]
    places = likely + [
        Located(place, parameters.place_score, False) for quad in around for place in neighbouring_places(quad, plane)
    ]
    if not places:
        return []
    middles, reaches = _middles([box.quad for box in places]), _diagonals([box.quad for box in places])
    near_tiles = np.abs(middles[:, None] - _middles(tiles)) < reaches[:, None]
    near_hints = np.abs(middles[:, None] - _middles([box.quad for box in hints])) < reaches[:, None]
    least = [max(parameters.hint, parameters.hint_score / box.score) for box in hints]
    inside = (middles.real > 0) & (middles.real < width) & (middles.imag > 0) & (middles.imag < height)
    inside[len(likely) :] &= near_hints[len(likely) :].any(1)
    found: list[int] = []
    for k in np.flatnonzero(inside).tolist():
        quad = places[k].quad
        if any(covered_share(quad, tiles[n]) > parameters.covered for n in np.flatnonzero(near_tiles[k]).tolist()):
            continue
        if k >= len(likely) and not any(
            intersection_over_union(quad, hints[n].quad) > least[n] for n in np.flatnonzero(near_hints[k]).tolist()
        ):
            continue
        near_found = (n for n in found if abs(middles[n] - middles[k]) < reaches[k])
        if any(intersection_over_union(quad, places[n].quad) > parameters.same_place for n in near_found):
            continue
        if len(tiles) and np.linalg.norm(grounds - ground_lab(picture, quad), axis=1).min() > parameters.colour_off:
            continue
        found.append(k)
        if len(found) >= parameters.most:
            break
    return [places[k] for k in found]


def _middles(quads: Sequence[Array]) -> NDArray[np.complex128]:
    return np.asarray(np.array(quads).reshape(-1, 4, 2).mean(1) @ np.array([1, 1j]))


def _diagonals(quads: Sequence[Array]) -> Array:
    corners = np.array(quads).reshape(-1, 4, 2)
    return np.asarray(np.linalg.norm(corners[:, 0] - corners[:, 2], axis=1))


def ground_lab(picture: Pyramid, quad: Array) -> Array:
    """Median colour inside a quad, (3,): CIELAB with lightness halved."""
    patch = picture.warp(quad, _INSIDE, _PATCH_WH).reshape(-1, 3)
    middle = np.partition(patch, len(patch) // 2, axis=0)[len(patch) // 2]
    lab = cv2.cvtColor(middle.reshape(1, 1, 3), cv2.COLOR_BGR2LAB).reshape(3).astype(np.float64)
    return np.asarray(lab * (0.5, 1.0, 1.0))
