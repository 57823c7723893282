"""What is no tile of this set, by its colour: flowers of a cloth, and backs that were taken for the blank double.

All tiles of a set have one ground. Light changes it across a table, and a thing that lies on a tile hides it; so a colour alone
tells nothing, unless it is that of a blank double: on what shows no pips, nothing but the ground is seen.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.vision.candidates import FACE_DOWN, FACE_UP, NO_TILE, Candidate, Kept
from companion.vision.choosing import misfits, plane_of_most
from companion.vision.concluding import halves_of
from companion.vision.looking_again import like_tiles
from companion.vision.overlap import smaller_covered
from companion.vision.read_parameters import ReadParameters
from companion.vision.rectify import UNIT_TILE, Pyramid, from_rough
from companion.vision.seen import SeenTile

Array = NDArray[np.float64]

TOUCHING = 0.15
"""Tile widths around a tile in which another one touches it."""
_AROUND = UNIT_TILE + TOUCHING * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])


def without_strange(
    picture: Pyramid, found: list[Candidate], kept: list[Kept], parameters: ReadParameters
) -> list[Kept]:
    """The same without face-up tiles that have neither the shape of the others nor the colour of any.

    Where too few tiles are sure to tell the shape, those that can hardly be read and have another colour: stains of a floor.
    """
    up = [(k, belief) for k, kind, belief in kept if kind == FACE_UP]
    doubtful = [k for k, belief in up if belief < parameters.surely_one]
    if not doubtful:
        return kept
    sure = [found[k].quad for k, belief in up if belief >= parameters.sure_of_plane]
    plane = plane_of_most(sure)
    if plane is None:
        odd = [k for k in doubtful if found[k].values.least_sure < parameters.hardly_read]
    else:
        off = misfits([found[k].quad for k in doubtful], plane).tolist()
        odd = [k for k, misfit in zip(doubtful, off, strict=True) if misfit > parameters.strange_shape]
    strange = _of_another_colour(picture, {k: found[k].quad for k in odd}, sure, parameters.strange_colour)
    return [row for row in kept if row[0] not in strange]


def without_strange_blanks(
    picture: Pyramid, tiles: list[SeenTile], backs: list[Array], parameters: ReadParameters
) -> tuple[list[SeenTile], list[Array]]:
    """The same, but that what shows no pips is a back, or nothing, where it has not the colour of any sure tile.

    And a back where it has the very colour of one and is not surely a face. Light that burns pips out changes colours, too: what
    it burnt out stays, to be doubted.
    """
    shows_pips, sure = _showing_pips(tiles, parameters)
    if len(sure) < parameters.least_coloured:
        return tiles, backs
    blanks = {
        k: tile.quad
        for k, tile in enumerate(tiles)
        if not shows_pips[k] and tile.values.burnt.max() <= parameters.burnt
    }
    strange = _of_another_colour(picture, blanks, sure, parameters.blank_colour)
    doubtful = {k for k in blanks if tiles[k].kind[FACE_UP] < parameters.blank_among_backs} if backs else set()
    like_backs = doubtful - _of_another_colour(picture, {k: blanks[k] for k in doubtful}, backs, parameters.same_colour)
    downs = like_backs | {k for k in strange if tiles[k].kind[FACE_DOWN] >= tiles[k].kind[NO_TILE]}
    left = [tile for k, tile in enumerate(tiles) if k not in strange | like_backs]
    return left, backs + [tiles[k].quad for k in sorted(downs)]


def is_lone_blank(picture: Pyramid, tiles: list[SeenTile], backs: list[Array], parameters: ReadParameters) -> bool:
    """Whether the only back of a picture is its blank double: it touches a face, has the very colour of faces, and no other is one.

    Backs come in numbers, mostly in another colour, and the last of a boneyard lies apart.
    """
    if len(backs) != 1:
        return False
    shows_pips, sure = _showing_pips(tiles, parameters)
    if not all(shows_pips) or len(sure) < parameters.least_coloured:
        return False
    (around,) = from_rough(np.stack(backs), _AROUND)
    touches = smaller_covered(np.stack([around] * len(sure)), np.stack(sure)).any()
    return bool(touches and like_tiles(picture, np.stack(backs), sure, parameters.same_colour)[0])


def _showing_pips(tiles: list[SeenTile], parameters: ReadParameters) -> tuple[list[bool], list[Array]]:
    """Which tiles show pips, and the quads (4, 2) of those that surely are tiles."""
    shows_pips = halves_of(tiles, parameters.decode).argmax(-1).any(-1).tolist()
    return shows_pips, [
        tile.quad
        for tile, shows in zip(tiles, shows_pips, strict=True)
        if shows and tile.belief >= parameters.sure_of_plane
    ]


def _of_another_colour(picture: Pyramid, quads: dict[int, Array], tiles: list[Array], off: float) -> set[int]:
    """Which of the quads, by their keys, are farther off the colour of every tile than that."""
    if not quads:
        return set()
    alike = like_tiles(picture, np.stack(list(quads.values())), tiles, off)
    return {k for k, is_like in zip(quads, alike.tolist(), strict=True) if not is_like}
