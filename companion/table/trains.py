"""From joins to trains: which tile is the engine, and what leads away from it tile by tile."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from companion.table.contacts import SIDE_PART
from companion.table.deciding import Join
from companion.table.seen import Array, PlacedTiles, Points


@dataclass(frozen=True, slots=True)
class TrainParameters:
    """What speaks for an engine; scores in logs of odds."""

    each_train: float = 1.0
    """For each train that goes out from it."""
    crossing: float = 2.0
    """More for three and over: a double inside a train has two neighbours."""
    highest: float = 2.0
    """The set's highest double starts the first round."""
    middle: float = 0.8
    """For lying in the middle of all train tiles, none for their rim."""
    free_chain: float = 0.8
    """For each chain elsewhere that begins with its value."""
    holds: float = 3.0
    """For the share of all joined tiles that hang on it; it only chooses among doubles that convince without it."""
    least: float = 2.9
    """Less is no engine: two tiles that meet a small double are a chain."""
    known: float = 20.0
    """A person's word."""


class Start(StrEnum):
    """What a train begins at."""

    ENGINE = "ENGINE"
    BRANCH = "BRANCH"  # a tile of an earlier train
    FREE = "FREE"  # nothing that touches it


@dataclass(frozen=True, slots=True)
class Leg:
    """One train: tiles outward and the part by which each is entered (0, 1, or 2 for a long side)."""

    tiles: tuple[int, ...]
    entered: tuple[int, ...]
    left: int
    """The part at which the next tile would be laid: 0, 1, or 2 for a double's free long side."""
    start: Start


Edges = dict[int, list[tuple[int, int, int]]]
"""For each tile: (own part, neighbour, neighbour's part)."""


def edges_of(joins: Sequence[Join]) -> Edges:
    """Joins by tile."""
    edges: Edges = defaultdict(list)
    for join in joins:
        edges[join.tile].append((join.part, join.other, join.other_part))
        edges[join.other].append((join.other_part, join.tile, join.part))
    return edges


def find_engine(
    tiles: PlacedTiles, joins: Sequence[Join], ends: Sequence[tuple[int, int]], *,
    hub: int | None, known: int | None, highest: int, parameters: TrainParameters | None = None,
) -> int | None:  # fmt: skip
    """The tile that is the engine, or None where none convinces.

    Args:
        tiles: the tiles in the plane.
        joins: chosen joins.
        ends: decided values.
        hub: the tile that others point at from afar.
        known: the engine's value where a person named it.
        highest: N of the double-N set.
        parameters: weights.
    """
    p = parameters or TrainParameters()
    edges = edges_of(joins)
    parts = [part for part in components(len(tiles), edges) if len(part) > 1]
    centrality = _centrality(tiles, [tile for part in parts for tile in part])
    best, engine = 0.0, None
    for tile, (a, b) in enumerate(ends):
        trains = len(edges.get(tile, ()))
        if a != b or (known is not None and a != known) or (known is None and not trains):
            continue
        score = p.each_train * trains + p.crossing * (trains >= 3) + p.highest * (a == highest) + p.known * (a == known)
        score += p.middle * float(centrality[tile]) * (trains > 0) + p.known * (tile == hub)
        score += p.free_chain * sum(tile not in part and a in tip_values(part, edges, ends) for part in parts)
        if score < p.least:
            continue
        mine = sum(len(part) for part in parts if tile in part)
        score += p.holds * mine / max(sum(len(part) for part in parts), 1)
        if score > best:
            best, engine = score, tile
    return engine


def _centrality(tiles: PlacedTiles, joined: Sequence[int]) -> Array:
    """How near each tile (n,) is to the middle of all joined ones: 1 in the middle, 0 at the rim and beyond."""
    if not joined:
        return np.zeros(len(tiles))
    placed = tiles.centre[list(joined)]
    away = np.abs(tiles.centre - (np.median(placed.real) + 1j * np.median(placed.imag)))
    return np.asarray(np.maximum(1 - away / max(float(away[list(joined)].max()), 1e-9), 0.0))


def free_part(tile: int, edges: Edges) -> int:
    """The part of a chain's outermost tile that touches nothing."""
    part = edges[tile][0][0]
    return SIDE_PART if part == SIDE_PART else 1 - part


def free_value(tile: int, edges: Edges, ends: Sequence[tuple[int, int]]) -> int:
    """What that part shows."""
    part = free_part(tile, edges)
    return ends[tile][0 if part == SIDE_PART else part]


def tips_of(chain: Sequence[int], edges: Edges) -> list[int]:
    """The outermost tiles of a chain."""
    return [tile for tile in chain if len(edges[tile]) == 1]


def tip_values(chain: Sequence[int], edges: Edges, ends: Sequence[tuple[int, int]]) -> set[int]:
    """What a chain's outermost ends show."""
    return {free_value(tile, edges, ends) for tile in tips_of(chain, edges)}


def legs_from(root: int, edges: Edges, centre: Points, *, engine: bool) -> list[Leg]:
    """All trains that lead away from a tile: from the engine one for each neighbour, else one that begins with the tile.

    Where a train forks (the toes of a chicken foot, a branch) it follows the straightest way on, and the others are legs of
    their own that begin with their first tile.
    """
    legs: list[Leg] = []
    if engine:
        open_ways = [(tile, part, root, Start.ENGINE) for _, tile, part in edges.get(root, [])]
    else:
        open_ways = [(root, -1, -1, Start.FREE)]
    while open_ways:
        open_way = open_ways.pop(0)
        leg, forks = _follow(open_way, edges, centre)
        legs.append(leg)
        open_ways.extend(forks)
    return legs


Way = tuple[int, int, int, Start]
"""Into a tile: the tile, the part, the tile it comes from, what it is."""


def _follow(way: Way, edges: Edges, centre: Points) -> tuple[Leg, list[Way]]:
    """One leg from a way into its first tile, and the ways that fork off it."""
    tile, part, came, start = way
    tiles: list[int] = []
    entered: list[int] = []
    forks: list[Way] = []
    while True:
        tiles.append(tile)
        entered.append(part)
        ways = [way for way in edges.get(tile, []) if way[1] != came]
        if not ways:
            return Leg(tuple(tiles), tuple(entered), _opposite(part), start), forks
        before = came if came >= 0 else tile
        ways.sort(key=lambda way: (way[0] != _opposite(part), _turn(centre[before], centre[tile], centre[way[1]])))
        forks += [(other, other_part, tile, Start.BRANCH) for _, other, other_part in ways[1:]]
        came, (_, tile, part) = tile, ways[0]


def _opposite(part: int) -> int:
    return {0: 1, 1: 0, SIDE_PART: SIDE_PART, -1: 1}[part]


def _turn(before: complex, here: complex, after: complex) -> float:
    """How far a train turns (0 straight on, pi back); the way on is across from where it came in, and the straightest."""
    if before == here:
        return 0.0
    return abs(float(np.angle((after - here) / (here - before))))


def components(count: int, edges: Edges) -> list[list[int]]:
    """Tiles that hang together, each list sorted; single tiles too."""
    seen: set[int] = set()
    found = []
    for root in range(count):
        if root in seen:
            continue
        stack, here = [root], []
        seen.add(root)
        while stack:
            tile = stack.pop()
            here.append(tile)
            for _, other, _ in edges.get(tile, []):
                if other not in seen:
                    seen.add(other)
                    stack.append(other)
        found.append(sorted(here))
    return found
