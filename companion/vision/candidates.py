"""What may be tiles, and which of it is: the detector's word, the first reader's, the plane's and the neighbours' together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.table.plane import Plane
from companion.vision.agreeing import agree, lying, side_by_side
from companion.vision.choosing import (
    LEAST_FOR_PLANE,
    choose_apart,
    covered_share,
    misfits,
    of_like_size,
    plane_of_most,
)
from companion.vision.locate import Located, distinct
from companion.vision.read_parameters import ReadParameters
from companion.vision.seen import SeenTile
from companion.vision.values import ValueReading

Array = NDArray[np.float64]

FACE_UP, FACE_DOWN, NO_TILE = 0, 1, 2
LEAST_TO_AGREE = 6
"""Tiles whose plane is so well known that to lie in it says something."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A box, where its corners really are, what is read there, and what speaks for a tile just there (logs of odds)."""

    box: Located
    quad: Array
    values: ValueReading
    just_there: float = 0.0


Kept = tuple[int, int, float]
"""Index of a candidate, its kind, and the belief that it is a tile."""


def believed(candidates: list[Candidate], parameters: ReadParameters) -> list[Kept]:
    """What is a tile, face up or down; no two in one place."""
    if not candidates:
        return []
    quads = [candidate.quad for candidate in candidates]
    odds = np.array([odds_of(candidate) for candidate in candidates])
    belief = odds / (1 + odds)
    sure = [k for k in range(len(quads)) if belief[k] >= parameters.sure_of_plane]
    apart = choose_apart([quads[k] for k in sure], [float(belief[k]) for k in sure], parameters.overlap)
    flat = [quads[sure[n]] for n in apart]
    plane = plane_of_most(flat)
    off = np.maximum(0, misfits(quads, plane) - parameters.plane_slack) / parameters.plane_sigma
    odds = odds * np.exp(-0.5 * off**2)
    kinds = [kind_of(candidate, parameters) for candidate in candidates]
    together: list[tuple[int, int]] = []
    if plane is not None and len(flat) >= LEAST_TO_AGREE:
        odds = odds * np.where(off <= 0, parameters.plane_agrees, 1.0)
        odds = odds * _neighbours_say(candidates, odds, [sure[n] for n in apart], plane, parameters)
        likely = odds * parameters.beside_agrees >= _least_odds(parameters)
        together = _together(quads, [k for k, kind in enumerate(kinds) if kind == FACE_UP and likely[k]], plane)
        odds = _lifted(odds, together, parameters)
    belief = odds / (1 + odds)
    rows = [
        (k, kind, float(belief[k]))
        for k, kind in enumerate(kinds)
        if belief[k] >= parameters.least_belief and kind != NO_TILE
    ]
    # of several quads about one tile the likeliest, lest the largest win
    rows.sort(key=lambda row: -odds[row[0]])
    rows = [rows[n] for n in distinct(np.array([quads[k] for k, _, _ in rows]), parameters.same_tile)]
    place = {k: n for n, (k, _, _) in enumerate(rows)}
    pairs = [(place[i], place[j]) for i, j in together if i in place and j in place]
    kept = choose_apart([quads[k] for k, _, _ in rows], [belief for _, _, belief in rows], parameters.overlap, pairs)
    rows = with_one_blank([rows[n] for n in kept], candidates, parameters)
    if len(flat) >= LEAST_FOR_PLANE:  # then the plane has judged sizes, and knows that far tiles look small
        return rows
    kept = of_like_size(
        [quads[k] for k, _, _ in rows],
        [belief for _, _, belief in rows],
        sure=parameters.sure_of_size,
        ratio=parameters.size_ratio,
    )
    return [rows[n] for n in kept]


def _together(quads: list[Array], which: list[int], plane: Plane) -> list[tuple[int, int]]:
    """Pairs of the quads with these indices that lie side by side, as tiles of a hand do."""
    if not which:
        return []
    return [(which[i], which[j]) for i, j in side_by_side(lying(plane, [quads[k] for k in which]))]


def _least_odds(parameters: ReadParameters) -> float:
    """Odds from which something counts as a tile."""
    return parameters.least_belief / (1 - parameters.least_belief)


def _lifted(odds: Array, together: list[tuple[int, int]], parameters: ReadParameters) -> Array:
    """The odds (n,), raised for what is nearly believed to be a tile and lies side by side with one that is believed."""
    least = _least_odds(parameters)
    lifted = odds.copy()
    for pair in together:
        for k, other in (pair, pair[::-1]):
            if odds[k] < least <= odds[other]:
                lifted[k] = odds[k] * parameters.beside_agrees
    return lifted


def _neighbours_say(
    candidates: list[Candidate], odds: Array, sure: list[int], plane: Plane, parameters: ReadParameters
) -> Array:
    """By what the odds (n,) of each candidate rise because it shows its sure neighbours' values where it meets them."""
    factors = np.ones(len(candidates))
    open_odds = np.flatnonzero((odds > 1 / parameters.open_odds) & (odds < parameters.open_odds)).tolist()
    if not open_odds:
        return factors
    rows = sorted({*open_odds, *sure})
    flat = dict(zip(rows, lying(plane, [candidates[k].quad for k in rows]), strict=True))
    for k in open_odds:
        near = [n for n in sure if n != k and flat[n].is_near(flat[k])]
        beside = [n for n in near if covered_share(candidates[k].quad, candidates[n].quad) < parameters.overlap]
        shown = np.exp(candidates[k].values.values)
        if any(agree(flat[k], shown, flat[n], np.exp(candidates[n].values.values)) for n in beside):
            factors[k] = parameters.neighbours_agree
    return factors


def with_one_blank(rows: list[Kept], candidates: list[Candidate], parameters: ReadParameters) -> list[Kept]:
    """The same, but that of several blank doubles only the surest is one; another must be one beyond doubt.

    What light has burnt out may be any tile: it stays, to be doubted.
    """
    faces = {k: float(np.exp(candidates[k].values.kind[FACE_UP])) for k, kind, _ in rows if kind == FACE_UP}
    blanks = [k for k in faces if not candidates[k].values.values.argmax(1).any()]
    surest = max(blanks, key=lambda k: faces[k], default=None)
    plain = [k for k in blanks if candidates[k].values.burnt.max() <= parameters.burnt]
    doubtful = {k for k in plain if k != surest and faces[k] < parameters.another_blank}
    kinds = {k: _kind_of_blank(candidates[k]) for k in doubtful}
    return [(k, kinds.get(k, kind), belief) for k, kind, belief in rows if kinds.get(k, kind) != NO_TILE]


def _kind_of_blank(candidate: Candidate) -> int:
    """Of what shows no pips and is no blank double."""
    _, down, none = candidate.values.kind
    return FACE_DOWN if down >= none else NO_TILE


def kind_of(candidate: Candidate, parameters: ReadParameters) -> int:
    """Face up, face down, or no tile after all: what shows no pips must surely be a face to be a blank double.

    Where a tile was only guessed, what shows no pips is none, or surely a back: the table shows none either, nor do the squares
    of a board. Had the detector seen something there, its box would have been looked at. Nor is it one if nobody can read it.
    """
    up, down, _ = np.exp(candidate.values.kind)
    values = candidate.values.values
    is_blank = not values.argmax(1).any()
    if candidate.box.guessed and is_blank:
        return FACE_DOWN if down >= parameters.guessed_back else NO_TILE
    if candidate.box.guessed and np.exp(values.max(1).sum()) < parameters.guessed_readable:
        return NO_TILE
    if down * (2.0 if candidate.box.face_down else 0.5) > up:
        return FACE_DOWN
    if up < parameters.sure_blank and is_blank:
        return _kind_of_blank(candidate)
    return FACE_UP


def odds_of(candidate: Candidate) -> float:
    """That a tile lies there, face up or down: the words of the detector, the first reader and, where asked, the coarse network."""
    none = float(np.exp(candidate.values.kind[NO_TILE]))
    odds_tile = (1 - none + 1e-4) / (none + 1e-4)
    odds_box = (candidate.box.score + 1e-3) / (1.001 - candidate.box.score)
    return float(np.sqrt(odds_box) * odds_tile * np.exp(candidate.just_there))


def if_sure_of_some(
    tiles: list[SeenTile], face_down: list[Array], parameters: ReadParameters
) -> tuple[list[SeenTile], list[Array]]:
    """The tiles and backs of a whole picture, or none where not one of them is surely a tile: then all are something else.

    A part of a picture may well hold nothing but a doubtful tile; this is not for parts. Backs alone count as a boneyard does,
    from `least_backs` on.
    """
    if some_sure(tiles, parameters):
        return tiles, face_down
    return [], face_down if len(face_down) >= parameters.least_backs else []


def of_one_colour(colours: Array, parameters: ReadParameters) -> bool:
    """Whether most of some backs, of these colours (n, 3), are alike, as those of one set are."""
    if not len(colours):
        return True
    off = np.linalg.norm(colours - np.median(colours, axis=0), axis=1)
    return bool((off < parameters.like_back).mean() >= parameters.alike)


def some_sure(tiles: list[SeenTile], parameters: ReadParameters) -> bool:
    """Whether one of the tiles is a tile beyond doubt, and can be read."""
    return any(
        tile.belief >= parameters.sure_unread
        or (
            tile.belief >= parameters.sure_of_some
            and np.exp(tile.values.values.max(1).sum()) >= parameters.readable
            and tile.values.values.argmax(1).any()
        )
        for tile in tiles
    )
