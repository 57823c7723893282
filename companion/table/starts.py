"""Where trains begin: at the engine, or, for those that touch none, at the end that fits the round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.table.contacts import SIDE_PART
from companion.table.deciding import Join
from companion.table.seen import PlacedTiles
from companion.table.trains import Edges, Leg, components, edges_of, legs_from


@dataclass(frozen=True, slots=True)
class StartParameters:
    """How the beginning of a train that touches no engine is chosen."""

    nearer: float = 0.1
    """Weight of one tile width nearer to the engine; values decide first, this settles what they leave open."""
    fits: float = 10.0
    """Weight of a free end that shows the engine's value."""


def find_trains(
    tiles: PlacedTiles, joins: Sequence[Join], ends: Sequence[tuple[int, int]], *,
    engine: int | None, known: int | None, parameters: StartParameters | None = None,
) -> tuple[list[Leg], list[int], int | None]:  # fmt: skip
    """All trains, the loose tiles, and the engine's value if it can be told.

    Trains from the engine come first, by their first tile's index; then those that touch none.
    """
    p = parameters or StartParameters()
    edges = edges_of(joins)
    legs: list[Leg] = []
    loose: list[int] = []
    chains: list[list[int]] = []
    for component in components(len(tiles), edges):
        if engine is not None and engine in component:
            legs += legs_from(engine, edges, engine=True)
        elif len(component) > 1:
            chains.append(component)
        else:
            loose += component
    value = known if engine is None else ends[engine][0]
    if value is None:
        value = _shared_value(chains, edges, ends)
    for chain in chains:
        start = _start(chain, edges, tiles, ends, engine, value, p)
        legs += _from_start(start, edges)
    return legs, loose, value


def _free_part(tile: int, edges: Edges) -> int:
    """The part of a chain's outermost tile that touches nothing."""
    part = edges[tile][0][0]
    return SIDE_PART if part == SIDE_PART else 1 - part


def _free_value(tile: int, edges: Edges, ends: Sequence[tuple[int, int]]) -> int:
    part = _free_part(tile, edges)
    return ends[tile][0 if part == SIDE_PART else part]


def _tips(chain: Sequence[int], edges: Edges) -> list[int]:
    return [tile for tile in chain if len(edges[tile]) == 1]


def _shared_value(chains: Sequence[Sequence[int]], edges: Edges, ends: Sequence[tuple[int, int]]) -> int | None:
    """The value that free ends of two chains or more share: that of an engine outside the picture."""
    votes = Counter(value for chain in chains for value in {_free_value(tile, edges, ends) for tile in _tips(chain, edges)})
    ranked = sorted(votes.items(), key=lambda row: (-row[1], -row[0]))
    return ranked[0][0] if ranked and ranked[0][1] > 1 else None


def _start(
    chain: Sequence[int], edges: Edges, tiles: PlacedTiles, ends: Sequence[tuple[int, int]],
    engine: int | None, value: int | None, p: StartParameters,
) -> int:  # fmt: skip
    """The tip at which a chain most likely begins."""
    tips = _tips(chain, edges)

    def fitness(tile: int) -> tuple[float, int]:
        score = p.fits * (_free_value(tile, edges, ends) == value)
        if engine is not None:
            score -= p.nearer * float(np.abs(tiles.centre[tile] - tiles.centre[engine]))
        return score, _free_value(tile, edges, ends)

    return max(tips, key=fitness)


def _from_start(start: int, edges: Edges) -> list[Leg]:
    legs = legs_from(start, edges, engine=False)
    entered = (_free_part(start, edges), *legs[0].entered[1:])
    return [replace(legs[0], entered=entered), *legs[1:]]
