"""Where two tiles may be joined, by geometry alone: every pair of parts that could touch, and how convincing it looks.

Four ways in which trains go on, each measured in the table's plane in tile widths:

STRAIGHT  end to end, in line or on a curve.
SIDE      an end against the long side of a double that lies crosswise.
CORNER    an end against the flank of the other tile's half: the train bends by 90 degrees.
HUB       an end that points at the engine, with the station's rim or nothing between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from companion.table.seen import Array, PlacedTiles, Points


class ContactKind(StrEnum):
    """How two tiles meet."""

    STRAIGHT = "STRAIGHT"
    SIDE = "SIDE"
    CORNER = "CORNER"
    HUB = "HUB"


@dataclass(frozen=True, slots=True)
class ContactParameters:
    """How far from ideal a contact may be; lengths in tile widths, angles in radians, scores in logs of odds.

    A score is `base` less half the squared deviations: the log of how much likelier a join looks like this than chance does.
    """

    straight_base: float = 6.5
    side_base: float = 6.0
    corner_base: float = 5.5
    """Lower: neighbouring trains meet at right angles more often than end to end."""
    hub_base: float = 6.5
    close: float = 0.12
    """Tiles that touch lie this near, noise of the corners included."""
    gap_sigma: float = 0.28
    """So that a gap of half a tile (1.0) costs 5: values that agree still bridge it, values that differ do not."""
    side_gap_sigma: float = 0.22
    corner_gap_sigma: float = 0.18
    """Tighter: a loose tile that points at another's flank is common."""
    overlap_sigma: float = 0.12
    gap_most: float = 1.1
    slide_sigma: float = 0.16
    """Sideways offset of two ends, or of an end along a double's side."""
    corner_slide_free: float = 0.12
    corner_slide_sigma: float = 0.28
    """People set the corner flush, or let the end lie anywhere along the half."""
    slide_most: float = 0.75
    bend_sigma: float = 0.24
    """14 degrees: curves turn by up to 26 degrees a tile."""
    bend_most: float = 0.75
    hub_slide_sigma: float = 0.15
    hub_slide_growth: float = 0.08
    """The further the end from the engine, the further its line may miss the middle."""
    hub_most: float = 3.0
    """Largest distance from an end to the engine's middle: a station of eight trains has a radius of 2.2."""
    hub_touch: float = 0.6
    """An end that touches the engine's long side is this far from its middle."""
    hub_distance_cost: float = 0.6
    """For each tile width of distance."""
    toe_slide_sigma: float = 0.6
    toe_bend_sigma: float = 0.5
    """The toes of a chicken foot lie beside each other along a double's long side, or spread by up to 60 degrees."""
    toes: bool = False
    """Whether doubles may have toes."""
    double_least: float = 0.15
    """A tile is taken for a double, among other things, when this probable."""
    worst: float = -3.0
    """Contacts below are not looked at: values that agree could not save them."""


@dataclass(frozen=True, slots=True)
class Contacts:
    """Possible joins as columns: tile and half of the end that meets something, tile and part that it meets.

    `part` is 0 or 1 for half a or b, 2 for a long side. `port` numbers the place on the met tile: 0, 1 the ends, 2, 3 the
    long side to the right and left of the way from b to a; -1 for HUB. `score` is the geometry's log of odds.
    """

    kind: NDArray[np.str_]
    tile: NDArray[np.int64]
    half: NDArray[np.int64]
    other: NDArray[np.int64]
    part: NDArray[np.int64]
    port: NDArray[np.int64]
    gap: Array
    score: Array

    def __len__(self) -> int:
        return len(self.tile)


SIDE_PART = 2


@dataclass(frozen=True, slots=True)
class _Ports:
    """Places (m,) that ends can meet: tile, part, port, place, outward direction."""

    tile: NDArray[np.int64]
    part: NDArray[np.int64]
    port: NDArray[np.int64]
    place: Points
    out: Points


def find_contacts(tiles: PlacedTiles, parameters: ContactParameters | None = None) -> Contacts:
    """All contacts worth weighing, each pair of parts once."""
    p = parameters or ContactParameters()
    ends = _ends(tiles)
    found = [
        _meetings(tiles, ends, ends, ContactKind.STRAIGHT, p),
        _meetings(tiles, ends, _sides(tiles, p), ContactKind.SIDE, p),
        _meetings(tiles, ends, _flanks(tiles), ContactKind.CORNER, p),
        _hubs(tiles, ends, p),
    ]
    return Contacts(*(np.concatenate(columns) for columns in zip(*found, strict=True)))


def _ends(tiles: PlacedTiles) -> _Ports:
    count = np.arange(len(tiles))
    half = np.repeat([0, 1], len(tiles))
    sign = np.where(half == 0, 1.0, -1.0)
    heading = np.tile(tiles.heading, 2)
    return _Ports(np.tile(count, 2), half, half, np.tile(tiles.centre, 2) + sign * heading, sign * heading)


def _sides(tiles: PlacedTiles, p: ContactParameters) -> _Ports:
    doubles = np.flatnonzero(tiles.double >= p.double_least)
    turn = np.repeat([1j, -1j], len(doubles))
    out = np.tile(tiles.heading[doubles], 2) * turn
    port = np.repeat([2, 3], len(doubles))
    return _Ports(
        np.tile(doubles, 2), np.full(len(out), SIDE_PART), port, np.tile(tiles.centre[doubles], 2) + 0.5 * out, out
    )


def _flanks(tiles: PlacedTiles) -> _Ports:
    count = len(tiles)
    tile = np.tile(np.arange(count), 4)
    half = np.repeat([0, 0, 1, 1], count)
    port = np.repeat([2, 3, 2, 3], count)
    heading = np.tile(tiles.heading, 4)
    out = heading * np.where(port == 2, 1j, -1j)
    place = np.tile(tiles.centre, 4) + np.where(half == 0, 0.5, -0.5) * heading + 0.5 * out
    return _Ports(tile, half, port, place, out)


def hub_contacts(tiles: PlacedTiles, parameters: ContactParameters | None = None) -> Contacts:
    """Only the contacts of ends that point at the middle of a tile that may be the engine."""
    return Contacts(*_hubs(tiles, _ends(tiles), parameters or ContactParameters()))


Columns = tuple[
    NDArray[np.str_],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    Array,
    Array,
]


def _meetings(tiles: PlacedTiles, ends: _Ports, met: _Ports, kind: ContactKind, p: ContactParameters) -> Columns:
    """Contacts of ends with ends, sides or flanks."""
    apart = ends.place[:, None] - met.place[None]
    pairs = (np.abs(apart) < p.gap_most + 2 * p.slide_most) & (ends.tile[:, None] != met.tile[None])
    if kind is ContactKind.STRAIGHT:
        pairs &= np.arange(len(ends.tile))[:, None] < np.arange(len(met.tile))[None]
    one, two = np.nonzero(pairs)
    way = apart[one, two]
    bend = np.angle(-ends.out[one] * met.out[two].conj())
    seen = way * met.out[two].conj()
    gap, slide = seen.real, seen.imag
    if kind is ContactKind.STRAIGHT:
        back = -way * ends.out[one].conj()
        gap, slide = (gap + back.real) / 2, np.maximum(np.abs(slide), np.abs(back.imag))
    # the corners of an end that meets at an angle touch before its middle does
    gap = gap - 0.5 * np.abs(np.sin(bend))
    score = _score(kind, gap, slide, bend, p)
    spread = 2.0 if kind is ContactKind.SIDE and p.toes else 1.0
    keep = (np.abs(bend) < spread * p.bend_most) & (np.abs(slide) < spread * p.slide_most)
    keep &= (gap < p.gap_most) & (score > p.worst)
    if kind is ContactKind.SIDE:
        score = score + np.log(tiles.double[met.tile[two]])
    one, two, gap, score = one[keep], two[keep], gap[keep], score[keep]
    return (
        np.full(len(one), kind.value), ends.tile[one], ends.part[one],
        met.tile[two], met.part[two], met.port[two], gap, score,
    )  # fmt: skip


def _score(kind: ContactKind, gap: Array, slide: Array, bend: Array, p: ContactParameters) -> Array:
    slide, turn = np.abs(slide), bend / p.bend_sigma
    if kind is ContactKind.CORNER:
        base, across = p.corner_base, np.maximum(slide - p.corner_slide_free, 0) / p.corner_slide_sigma
    else:
        base = p.straight_base if kind is ContactKind.STRAIGHT else p.side_base
        across = slide / p.slide_sigma
        if kind is ContactKind.SIDE and p.toes:
            across, turn = slide / p.toe_slide_sigma, bend / p.toe_bend_sigma
    sigma = {ContactKind.CORNER: p.corner_gap_sigma, ContactKind.SIDE: p.side_gap_sigma}.get(kind, p.gap_sigma)
    along = np.where(gap > 0, np.maximum(gap - p.close, 0) / sigma, np.minimum(gap + p.close, 0) / p.overlap_sigma)
    return np.asarray(base - (along**2 + across**2 + turn**2) / 2)


def _hubs(tiles: PlacedTiles, ends: _Ports, p: ContactParameters) -> Columns:
    """Ends that point at the middle of a tile that may be the engine, with nothing between them."""
    doubles = np.flatnonzero(tiles.double >= p.double_least)
    seen = (tiles.centre[doubles][None] - ends.place[:, None]) * ends.out.conj()[:, None]
    ahead, slide = seen.real, seen.imag
    sigma = p.hub_slide_sigma + p.hub_slide_growth * np.maximum(ahead, 0)
    overlap = np.minimum(ahead - p.hub_touch + p.close, 0) / p.overlap_sigma
    score = (
        p.hub_base - ((slide / sigma) ** 2 + overlap**2) / 2 - p.hub_distance_cost * np.maximum(ahead - p.hub_touch, 0)
    )
    score = score + np.log(tiles.double[doubles])[None]
    near = (ahead > 0) & (ahead < p.hub_most) & (score > p.worst) & (ends.tile[:, None] != doubles[None])
    one, two = np.nonzero(near)
    free = np.array(
        [_clear(tiles, int(ends.tile[e]), int(doubles[d]), ends.place[e]) for e, d in zip(one, two, strict=True)], bool
    ).reshape(-1)
    one, two = one[free], two[free]
    count = len(one)
    return (
        np.full(count, ContactKind.HUB.value), ends.tile[one], ends.part[one], doubles[two],
        np.full(count, SIDE_PART), np.full(count, -1), ahead[one, two], score[one, two],
    )  # fmt: skip


def _clear(tiles: PlacedTiles, tile: int, engine: int, place: complex) -> bool:
    """Whether no third tile lies between an end and the engine's middle."""
    steps = place + np.array([0.25, 0.5, 0.75]) * (tiles.centre[engine] - place)
    seen = (steps[:, None] - tiles.centre[None]) * tiles.heading.conj()[None]
    inside = (np.abs(seen.real) < 0.95) & (np.abs(seen.imag) < 0.45)
    inside[:, [tile, engine]] = False
    return not inside.any()
