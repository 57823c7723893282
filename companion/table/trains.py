"""From joins to trains: which tile is the engine, and what leads away from it tile by tile."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.table.contacts import SIDE_PART
from companion.table.deciding import Join
from companion.table.seen import PlacedTiles


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
    least: float = 2.9
    """Less is no engine: two tiles that meet a small double are a chain."""
    known: float = 20.0
    """A person's word."""


@dataclass(frozen=True, slots=True)
class Leg:
    """One train: tiles outward and the part by which each is entered (0, 1, or 2 for a long side)."""

    tiles: tuple[int, ...]
    entered: tuple[int, ...]
    left: int
    """The part at which the next tile would be laid: 0, 1, or 2 for a double's free long side."""
    start: str
    """engine, branch (of an earlier train) or free (its first tile touches nothing)."""


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
    best, engine = p.least, None
    joined = [tile for tile in edges if edges[tile]]
    middle = np.median(tiles.centre[joined].real) + 1j * np.median(tiles.centre[joined].imag) if joined else 0j
    spread = float(np.abs(tiles.centre[joined] - middle).max()) if joined else 1.0
    for tile, (a, b) in enumerate(ends):
        if a != b or (known is not None and a != known):
            continue
        trains = len(edges.get(tile, ()))
        score = p.each_train * trains + p.crossing * (trains >= 3) + p.highest * (a == highest) + p.known * (a == known)
        score += p.middle * (1 - float(abs(tiles.centre[tile] - middle)) / max(spread, 1e-9)) * (trains > 0)
        score += p.known * (tile == hub)
        if not trains and known is None:
            continue
        if score > best:
            best, engine = score, tile
    return engine


def legs_from(root: int, edges: Edges, *, engine: bool) -> list[Leg]:
    """All trains that lead away from a tile: from the engine one for each neighbour, else one that begins with the tile.

    Where a train forks (the toes of a chicken foot, a branch) it follows the straightest way on, and the others are legs of
    their own that begin with their first tile.
    """
    legs: list[Leg] = []
    if engine:
        open_ways = [(tile, part, root, "engine") for _, tile, part in edges.get(root, [])]
    else:
        open_ways = [(root, -1, -1, "free")]
    while open_ways:
        tile, part, came, start = open_ways.pop(0)
        leg, forks = _follow(tile, part, came, edges, start)
        legs.append(leg)
        open_ways.extend(forks)
    return legs


Way = tuple[int, int, int, str]


def _follow(tile: int, part: int, came: int, edges: Edges, start: str) -> tuple[Leg, list[Way]]:
    tiles, entered, forks = [], [], []
    while True:
        tiles.append(tile)
        entered.append(part)
        ways = [way for way in edges.get(tile, []) if way[1] != came]
        if not ways:
            return Leg(tuple(tiles), tuple(entered), _opposite(part), start), forks
        ways.sort(key=lambda way: _preference(part, way))
        forks += [(other, other_part, tile, "branch") for _, other, other_part in ways[1:]]
        came, (_, tile, part) = tile, ways[0]


def _opposite(part: int) -> int:
    return {0: 1, 1: 0, SIDE_PART: SIDE_PART, -1: 1}[part]


def _preference(entered: int, way: tuple[int, int, int]) -> tuple[bool, int]:
    """The end across from where the train came in goes on; all else are branches."""
    return way[0] != _opposite(entered), way[1]


def longest_ends(component: Sequence[int], edges: Edges) -> list[int]:
    """Tiles of a chain with one neighbour at most: where it may begin."""
    return [tile for tile in component if len(edges.get(tile, ())) <= 1] or list(component)


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
