"""Where to look again for tiles that the first search missed.

Dominoes lie beside dominoes: from a tile that is sure, the places follow where the next one would lie in a train, in a hand
laid in rows, or across its end. Boxes that the detector believed too little are places too. A place is worth a look when no
sure tile covers it and it has the colour of the tiles: all tiles of a set are of one ground, and pips cover less than half
of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.plane import Plane
from companion.vision.locate import Located, distinct, outside
from companion.vision.overlap import near_pairs, sampled_shares, smaller_covered
from companion.vision.rectify import UNIT_TILE, Pyramid, areas_of, from_rough, signed_area

Array = NDArray[np.float64]

_GROUND = np.stack(np.meshgrid(np.linspace(0.1, 0.9, 8), np.linspace(0.18, 1.82, 16)), -1).reshape(-1, 2)
"""Points all over a tile but for its rounded corners and edges, at which its ground is looked at: most miss all pips."""
_GROUND_PX = 24.0
"""Pixels of a tile's width at which it is looked at. Not much smaller, or pips would blend with the ground between them."""


def _lying(x: float, y: float) -> Array:
    """A tile along x whose corner nearest to the origin is (x, y)."""
    return np.array([[x, y + 1], [x, y], [x + 2, y], [x + 2, y + 1]], np.float64)


def _standing(x: float, y: float) -> Array:
    return UNIT_TILE + (x, y)


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
CUTS: tuple[Array, ...] = (
    *(_standing(0, y) for y in (1.0, -1.0)),  # of a row, end to end
    *(_lying(x, y) for y in (0.0, 1.0) for x in (0.0, -1.0)),  # of two side by side
)
"""Tiles of which one half is a half of the tile, had the halves been paired the wrong way."""
_BEYOND: tuple[Array, ...] = (UNIT_TILE * (1, 0.5) + (0, -1), UNIT_TILE * (1, 0.5) + (0, 2))
"""Squares of half a tile beyond either end."""


@dataclass(frozen=True, slots=True)
class LookAgainParameters:
    """What is worth another look. Shares 0..1."""

    sure: float = 0.8
    """Belief from which a tile's neighbourhood is searched, and from which it rules other places out."""
    covered: float = 0.35
    """A place of which sure tiles cover more is theirs."""
    least_weak: float = 0.04
    """A weak box that scores less is no place to look at, only a hint."""
    of_size: float = 2.0
    """A weak box so many times larger or smaller than tiles are there is none: of 2,466 four in ten, and no sure tile."""
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
    rounds: int = 2
    """How often new finds lead to new places."""
    sure_cut: float = 0.995
    """A tile of less belief may be halves of two: of 24 that were, 23 had less; of 1,900 true ones one in four has."""
    both_sure: float = 2.5
    """Odds of two tiles in a row (geometric mean) from which one that would be a half of each is none: of 900 tiles with room for
    such two, one had 2.0 and the others less; of nine that were halves of two, seven had more than 3.4."""
    two_score: float = 0.5
    """What each of these two counts as a detector's score: one cannot be without the other."""
    looked_at: float = 0.6
    """A place that shares more with one that was looked at (intersection over union) is that place."""
    most: int = 100
    """Looks of each kind in one round: time stays bounded on a white table."""


def places_about(quads: Sequence[Array], where: Sequence[Array], plane: Plane | None = None) -> Array:
    """Quads (n, 4, 2) of `where` about each tile (`PLACES`, `CUTS`), as the table's plane shows them, or else its own perspective.

    A tile's own corners tell little of the perspective: one of them a pixel off, and where the table is seen at a slant the place
    straight on shares little more than half with the tile that lies there.
    """
    tiles = _stacked(quads)
    if plane is None:
        corners = from_rough(tiles, np.concatenate(where)).reshape(-1, 4, 2)
    else:
        corners = plane.to_picture(_beside(plane.to_table(tiles), where)).reshape(-1, 4, 2)
    edges = np.roll(corners, -1, axis=1) - corners
    after = np.roll(edges, -1, axis=1)
    clockwise = (edges[..., 0] * after[..., 1] - edges[..., 1] * after[..., 0] > 0).all(1)  # not beyond the horizon
    return np.asarray(corners[clockwise & np.isfinite(corners).all((1, 2))])


def _beside(flat: Array, where: Sequence[Array]) -> Array:
    """Corners (n, k, 2) of places about tiles of the table, whose corners (n, 4, 2) are nearly those of one of 1 x 2."""
    along = (flat[:, 2:].mean(1) - flat[:, :2].mean(1)) @ np.array([1, 1j])
    along /= np.maximum(1e-9, np.abs(along))
    across = -1j * along  # clockwise in a picture, where y runs down
    ways = np.stack([np.stack([way.real, way.imag], 1) for way in (across, along)], 1)
    return np.asarray((np.concatenate(where) - UNIT_TILE.mean(0)) @ ways + flat.mean(1)[:, None])


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
                places.append(replace(box, quad=quad if signed_area(quad) > 0 else quad[[1, 0, 3, 2]], guessed=True))
    return places


def of_tiles_size(plane: Plane, boxes: Sequence[Located], parameters: LookAgainParameters) -> list[Located]:
    """The boxes that are not much larger or smaller than a tile would be there."""
    if not boxes:
        return []
    quads = np.stack([box.quad for box in boxes])
    middles = plane.to_table(quads.mean(1))[:, None]
    tiles = plane.to_picture(middles + UNIT_TILE - UNIT_TILE.mean(0))
    ratios = areas_of(quads) / np.maximum(1e-9, areas_of(tiles))
    like = (ratios > 1 / parameters.of_size) & (ratios < parameters.of_size)
    return [box for box, fits in zip(boxes, like.tolist(), strict=True) if fits]


def as_the_plane_has_them(plane: Plane, quads: Sequence[Array]) -> Array:
    """For each quad (4, 2) the tiles of the plane that share an end with it, its middle, and the other end: (n, 3, 4, 2)."""
    flat = plane.to_table(_stacked(quads))
    long = flat[:, 2:].mean(1) - flat[:, :2].mean(1)
    too_long = long - 2 * long / np.maximum(1e-9, np.linalg.norm(long, axis=1))[:, None]
    shifts = too_long[:, None] * np.array([-0.5, 0.0, 0.5])[:, None]
    return plane.to_picture(_beside(flat, (UNIT_TILE,))[:, None] + shifts[:, :, None])


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
    likely = [box for box in weak if box.score >= parameters.least_weak]
    places = likely + [
        Located(place, parameters.place_score, False, True) for place in places_about(around, PLACES, plane)
    ]
    if not places:
        return []
    quads, taken = _stacked([box.quad for box in places]), _stacked(tiles)
    middles = quads.mean(1)
    open_ = ((middles > 0) & (middles < picture.image_bgr.shape[1::-1])).all(1)
    open_[len(likely) :] &= _hinted(quads[len(likely) :], hints, parameters)
    open_ &= ~_covered(quads, taken, parameters.covered)
    rows = np.flatnonzero(open_)
    rows = rows[like_tiles(picture, quads[rows], tiles, parameters.colour_off)]
    rows = rows[distinct(quads[rows], parameters.same_place)]
    # each kind has its share: on a busy cloth weak boxes are many, and the place beside a tile is where the missed one lies
    shares = rows[rows < len(likely)][: parameters.most], rows[rows >= len(likely)][: parameters.most]
    return [places[k] for k in np.concatenate(shares).tolist()]


def other_cuts(
    picture: Pyramid, tiles: Sequence[Array], looked_at: Sequence[Array], *,
    hints: Sequence[Located], parameters: LookAgainParameters, plane: Plane | None = None,
) -> list[Located]:  # fmt: skip
    """Boxes where the halves of tiles would belong to other tiles, and where none was looked for yet.

    Where tiles touch, halves may be paired the wrong way all along a row, and each such pair looks much like a tile.
    """
    quads = places_about(tiles, CUTS, plane)
    quads = quads[_hinted(quads, hints, parameters)]
    quads = quads[like_tiles(picture, quads, tiles, parameters.colour_off)]
    cuts = [Located(quad, parameters.place_score, False, True) for quad in quads]
    return outside(cuts, list(looked_at), parameters.looked_at)[: parameters.most]


def halves_of_two(
    picture: Pyramid, tiles: Sequence[Array], others: Sequence[Array], plane: Plane, parameters: LookAgainParameters
) -> list[tuple[int, Array]]:
    """Tiles that may be halves of two others in a row: index, and the quads (2, 4, 2) of those two, end to end.

    There is room for half a tile of the same colour beyond both ends, where no tile nor anything of `others` lies.
    """
    flat = plane.to_table(_stacked(tiles))
    beyond, two = (plane.to_picture(_beside(flat, where).reshape(-1, 2, 4, 2)) for where in (_BEYOND, CUTS[:2]))
    seen = np.isfinite(two).all((1, 2, 3)) & np.isfinite(beyond).all((1, 2, 3))
    middles = beyond.mean(2)
    seen &= ((middles > 0) & (middles < picture.image_bgr.shape[1::-1])).all((1, 2))
    rows = np.flatnonzero(seen)
    taken = _covered(beyond[rows].reshape(-1, 4, 2), _stacked([*tiles, *others]), parameters.covered)
    rows = rows[~taken.reshape(-1, 2).any(1)]
    alike = like_tiles(picture, beyond[rows].reshape(-1, 4, 2), tiles, parameters.colour_off).reshape(-1, 2)
    return [(int(k), two[k]) for k in rows[alike.all(1)]]


def like_tiles(picture: Pyramid, quads: Array, tiles: Sequence[Array], off: float) -> NDArray[np.bool_]:
    """Whether places (n, 4, 2) are no farther `off` the colour of one of the tiles (CIELAB, lightness halved), if there are any."""
    if not len(tiles) or not len(quads):
        return np.ones(len(quads), bool)
    gaps = np.linalg.norm(grounds_lab(picture, quads)[:, None] - grounds_lab(picture, tiles), axis=2)
    return np.asarray(gaps.min(1) <= off)


def _stacked(quads: Sequence[Array]) -> Array:
    return np.array(quads, np.float64).reshape(-1, 4, 2)


def _covered(quads: Array, tiles: Array, most: float) -> NDArray[np.bool_]:
    """Whether a tile covers more than `most` of a place, or a place of a tile."""
    rows, columns = near_pairs(quads, tiles, 0.75)
    covered = np.zeros(len(quads), bool)
    covered[rows[smaller_covered(quads[rows], tiles[columns]) > most]] = True
    return covered


def _hinted(quads: Array, hints: Sequence[Located], parameters: LookAgainParameters) -> NDArray[np.bool_]:
    """Whether some weak box speaks for a place."""
    boxes = _stacked([box.quad for box in hints])
    least = np.maximum(parameters.hint, parameters.hint_score / np.array([box.score for box in hints]))
    rows, columns = near_pairs(quads, boxes, 0.75)
    sizes, others = areas_of(quads[rows]), areas_of(boxes[columns])
    shared = sampled_shares(quads[rows], boxes[columns]) * sizes
    hinted = np.zeros(len(quads), bool)
    hinted[rows[shared > least[columns] * (sizes + others - shared)]] = True
    return hinted


def grounds_lab(picture: Pyramid, quads: Sequence[Array] | Array) -> Array:
    """Median colours inside quads, (n, 3): CIELAB with lightness halved."""
    if not len(quads):
        return np.zeros((0, 3))
    pixels = picture.at(np.asarray(quads, np.float64), _GROUND, _GROUND_PX)
    middle = pixels.shape[1] // 2
    medians = np.partition(pixels, middle, axis=1)[:, middle]
    lab = cv2.cvtColor(medians[None], cv2.COLOR_BGR2LAB)[0]
    return np.asarray(lab.astype(np.float64) * (0.5, 1.0, 1.0))
