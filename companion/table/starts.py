"""Where trains begin: at the engine, or, for those that touch none, at the end that fits the round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

import numpy as np

from companion.table.deciding import Join
from companion.table.rows import RowParameters, neighbours_in_row
from companion.table.seen import PlacedTiles
from companion.table.trains import (
    Edges,
    Leg,
    Start,
    components,
    edges_of,
    free_part,
    free_value,
    legs_from,
    tip_values,
    tips_of,
)


@dataclass(frozen=True, slots=True)
class StartParameters:
    """How the beginning of a train that touches no engine is chosen."""

    nearer: float = 0.1
    """Weight of one tile width nearer to the engine; values decide first, this settles what they leave open."""
    fits: float = 10.0
    """Weight of a free end that shows the engine's value."""
    alone_within: float = 8.0
    """A single tile is a train that was just begun when it shows the engine's value this near to it (tile widths)."""


@dataclass(frozen=True, slots=True)
class Table:
    """What is known when trains are sought."""

    tiles: PlacedTiles
    edges: Edges
    ends: Sequence[tuple[int, int]]
    engine: int | None
    value: int | None
    rows: tuple[bool, ...]
    """Which tiles stand in rows."""


@dataclass(frozen=True, slots=True)
class FoundTrains:
    """Trains (those from the engine first), tiles in none, the engine's value if it can be told."""

    legs: tuple[Leg, ...]
    loose: tuple[int, ...]
    value: int | None
    joins: tuple[Join, ...]
    """The joins but for those inside of hands."""
    in_rows: tuple[int, ...] = ()
    """The tiles in none that stand side by side: hands that lie face up."""


def find_trains(
    tiles: PlacedTiles, joins: Sequence[Join], ends: Sequence[tuple[int, int]], *,
    engine: int | None, known: int | None, highest: int, cut: Set[int] = frozenset(),
    parameters: StartParameters | None = None, rows: RowParameters | None = None,
) -> FoundTrains:  # fmt: skip
    """All trains of a table whose joins are chosen and whose values are decided; one that is `cut` begins none."""
    p, row_parameters = parameters or StartParameters(), rows or RowParameters()
    edges = edges_of(joins)
    parts = components(len(tiles), edges)
    chains = [part for part in parts if len(part) > 1 and engine not in part]
    value = known if engine is None else ends[engine][0]
    if value is None:
        value = _shared_value(chains, edges, ends, highest)
    in_rows = tuple(bool(count) for count in neighbours_in_row(tiles, row_parameters))
    table = Table(tiles, edges, ends, engine, value, in_rows)
    hands = [chain for chain in chains if _is_hand(chain, table, row_parameters)]
    chains = [chain for chain in chains if chain not in hands]
    legs = legs_from(engine, edges, tiles.centre, engine=True) if engine is not None else []
    for chain in chains:
        legs += _from_start(_start(chain, table, p), table)
    loose = [part[0] for part in parts if len(part) == 1 and part[0] != engine]
    begun = _just_begun([tile for tile in loose if tile not in cut], legs, table, p)
    if begun is not None:
        legs.append(begun)
        loose.remove(begun.tiles[0])
    in_hands = {tile for hand in hands for tile in hand}
    kept = tuple(join for join in joins if join.tile not in in_hands)
    free = tuple(sorted([*loose, *in_hands]))
    return FoundTrains(tuple(legs), free, value, kept, tuple(tile for tile in free if in_rows[tile]))


def lost_tiles(joins: Sequence[Join], ends: Sequence[tuple[int, int]], *, engine: int | None, count: int) -> set[int]:
    """Tiles of chains that touch no engine and do not begin with its value; empty where there is no engine."""
    if engine is None:
        return set()
    edges = edges_of(joins)
    chains = [part for part in components(count, edges) if len(part) > 1 and engine not in part]
    return {tile for chain in chains if ends[engine][0] not in tip_values(chain, edges, ends) for tile in chain}


def _shared_value(
    chains: Sequence[Sequence[int]], edges: Edges, ends: Sequence[tuple[int, int]], highest: int
) -> int | None:
    """The value of an engine outside the picture: what free ends of two chains show, or one and it is the set's highest."""
    votes = Counter(value for chain in chains for value in tip_values(chain, edges, ends))
    ranked = sorted(votes.items(), key=lambda row: (-row[1] - (row[0] == highest), -row[0]))
    return ranked[0][0] if ranked and ranked[0][1] + (ranked[0][0] == highest) > 1 else None


def _is_hand(chain: Sequence[int], table: Table, p: RowParameters) -> bool:
    """A few tiles that hang together but all stand in rows, and none of which begins a train."""
    if len(chain) > p.columns or not all(table.rows[tile] for tile in chain):
        return False
    return table.value not in tip_values(chain, table.edges, table.ends)


def _start(chain: Sequence[int], table: Table, p: StartParameters) -> int:
    """The tip at which a chain most likely begins."""

    def fitness(tile: int) -> tuple[float, int]:
        shown = free_value(tile, table.edges, table.ends)
        score = p.fits * (shown == table.value)
        if table.engine is not None:
            score -= p.nearer * _distance(tile, table)
        return score, shown

    return max(tips_of(chain, table.edges), key=fitness)


def _distance(tile: int, table: Table) -> float:
    """From a tile to the engine, in tile widths."""
    assert table.engine is not None
    return float(np.abs(table.tiles.centre[tile] - table.tiles.centre[table.engine]))


def _from_start(start: int, table: Table) -> list[Leg]:
    legs = legs_from(start, table.edges, table.tiles.centre, engine=False)
    entered = (free_part(start, table.edges), *legs[0].entered[1:])
    return [replace(legs[0], entered=entered), *legs[1:]]


def _just_begun(loose: Sequence[int], legs: Sequence[Leg], table: Table, p: StartParameters) -> Leg | None:
    """A single tile that must be the Mexican train's first: it shows the engine's value, and no other train stands free."""
    if table.engine is None or any(leg.start is Start.FREE for leg in legs):
        return None
    near = [
        tile
        for tile in loose
        if table.value in table.ends[tile] and not table.rows[tile] and _distance(tile, table) < p.alone_within
    ]
    if len(near) != 1:
        return None
    part = table.ends[near[0]].index(table.value)
    return Leg((near[0],), (part,), 1 - part, Start.FREE)
