"""What is wrong or open on a table: faults that are sure, and questions where a look decides."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass
from enum import StrEnum

from companion.sightings import Alternative, Doubt, DoubtKind
from companion.table.deciding import Decision, Half, Join, halves_of
from companion.table.seen import PlacedTiles
from companion.table.trains import Leg, Start


class Fault(StrEnum):
    """Codes of what can be wrong."""

    MISMATCHED_JOIN = "MISMATCHED_JOIN"  # two joined halves show different values
    DUPLICATE_TILE = "DUPLICATE_TILE"  # a tile of the set lies on the table twice
    WRONG_START = "WRONG_START"  # a train does not begin with the engine's value
    NO_ENGINE = "NO_ENGINE"  # trains, but no engine in view
    TWO_ENGINES = "TWO_ENGINES"  # two doubles from which trains go out
    LOST_START = "LOST_START"  # a train whose beginning is not in view, or shows another value
    ORPHAN_TILE = "ORPHAN_TILE"  # a tile that is in no train and in no row
    CUT_TILE = "CUT_TILE"  # a tile of which a part lies outside the picture: it is in no train
    UNCOVERED_DOUBLE = "UNCOVERED_DOUBLE"  # a train ends in a double
    NOT_IN_SET = "NOT_IN_SET"  # a value the set does not have


@dataclass(frozen=True, slots=True)
class Anomaly:
    """One thing that is wrong: a code for programs, the tiles concerned, a sentence for people."""

    code: Fault
    tiles: tuple[int, ...]
    message: str


SURE = 0.9
"""Both halves of a tile must be this sure before two of it are a fault."""


def find_faults(
    joins: Sequence[Join], decision: Decision, legs: Sequence[Leg], *,
    loose: Sequence[int], engine: int | None, value: int | None, highest: int, toes: int = 1,
    cut: Set[int] = frozenset(), goes_on: Set[int] = frozenset(), maybe_none: Set[int] = frozenset(),
) -> tuple[Anomaly, ...]:  # fmt: skip
    """Everything that is surely wrong, faults in play first, then what is merely not as it should be.

    `cut` are tiles that the picture's edge cuts, `goes_on` those that one of them continues, `maybe_none` what may be no tile.
    """
    found = [*_mismatches(joins, decision, engine), *_duplicates(decision, maybe_none)]
    if engine is None and legs:
        found.append(Anomaly(Fault.NO_ENGINE, (), "No engine is in view."))
    found += _second_engines(joins, decision.ends, engine, toes)
    found += _lost_starts(legs, decision.ends, value)
    found += _open_doubles([leg for leg in legs if leg.tiles[-1] not in goes_on], decision, joins)
    found += [
        Anomaly(Fault.NOT_IN_SET, (tile,), f"{name(ends)} is not in a double-{highest} set.")
        for tile, ends in enumerate(decision.ends)
        if max(ends) > highest
    ]
    found += [
        Anomaly(Fault.ORPHAN_TILE, (tile,), f"{name(decision.ends[tile])} lies by itself.")
        for tile in loose
        if tile not in cut
    ]
    found += [
        Anomaly(
            Fault.CUT_TILE,
            (tile,),
            f"{name(decision.ends[tile])} is cut by the picture's edge: take it from farther off.",
        )
        for tile in sorted(cut)
    ]
    return tuple(found)


def name(ends: tuple[int, int]) -> str:
    """A tile as people say it."""
    return f"{max(ends)}-{min(ends)}"


def _mismatches(joins: Sequence[Join], decision: Decision, engine: int | None) -> list[Anomaly]:
    found = []
    for wrong in decision.mismatches:
        if not wrong.sure:
            continue
        join = joins[wrong.join]
        one, two = name(decision.ends[join.tile]), name(decision.ends[join.other])
        if engine in (join.tile, join.other):
            first = join.other if join.tile == engine else join.tile
            value = decision.ends[engine][0] if engine is not None else 0
            text = f"The train that begins with {name(decision.ends[first])} does not begin with a {value}."
            found.append(Anomaly(Fault.WRONG_START, (first,), text))
            continue
        text = f"{one} and {two} meet with {wrong.values[0]} against {wrong.values[1]}."
        found.append(Anomaly(Fault.MISMATCHED_JOIN, (join.tile, join.other), text))
    return found


def _duplicates(decision: Decision, maybe_none: Set[int]) -> list[Anomaly]:
    places: dict[tuple[int, int], list[int]] = defaultdict(list)
    for tile, (a, b) in enumerate(decision.ends):
        if min(decision.certainty[tile]) >= SURE and tile not in maybe_none:
            places[max(a, b), min(a, b)].append(tile)
    return [
        Anomaly(Fault.DUPLICATE_TILE, tuple(tiles), f"{name(ends)} lies on the table {len(tiles)} times.")
        for ends, tiles in sorted(places.items())
        if len(tiles) > 1
    ]


def _lost_starts(legs: Sequence[Leg], ends: Sequence[tuple[int, int]], value: int | None) -> list[Anomaly]:
    found = []
    for leg in legs:
        if leg.start is not Start.FREE or value is None:
            continue
        first = ends[leg.tiles[0]]
        shown = first[leg.entered[0]] if leg.entered[0] in (0, 1) else first[0]
        if shown != value:
            text = f"The train from {name(first)} to {name(ends[leg.tiles[-1]])} does not begin with a {value} in view."
            found.append(Anomaly(Fault.LOST_START, (leg.tiles[0],), text))
    return found


def _second_engines(
    joins: Sequence[Join], ends: Sequence[tuple[int, int]], engine: int | None, toes: int
) -> list[Anomaly]:
    """Doubles from which more trains go out than the toes that the rules allow (one: a train passes through)."""
    met = Counter(tile for join in joins for tile in (join.tile, join.other))
    return [
        Anomaly(
            Fault.TWO_ENGINES, (engine, tile), f"Trains go out from {name(ends[engine])} and from {name(ends[tile])}."
        )
        for tile, count in sorted(met.items())
        if engine is not None and tile != engine and ends[tile][0] == ends[tile][1] and count > 1 + max(toes, 1)
    ]


def _open_doubles(legs: Sequence[Leg], decision: Decision, joins: Sequence[Join]) -> list[Anomaly]:
    last = [leg.tiles[-1] for leg in legs]
    return [
        Anomaly(Fault.UNCOVERED_DOUBLE, (tile,), f"{name(decision.ends[tile])} is not covered.")
        for tile in last
        if decision.surely_double(tile, joins)
    ]


def questions(tiles: PlacedTiles, joins: Sequence[Join], decision: Decision) -> tuple[Doubt, ...]:
    """What to ask: the less sure half of each join that may or may not match."""
    doubts = []
    for wrong in decision.mismatches:
        if wrong.sure:
            continue
        join = joins[wrong.join]
        halves: list[Half] = [*halves_of(join.tile, join.part), *halves_of(join.other, join.other_part)]
        tile, half = min(halves, key=lambda where: decision.certainty[where[0]][where[1]])
        mine = decision.ends[tile]
        wanted = wrong.values[0] if mine[half] == wrong.values[1] else wrong.values[1]
        other = (wanted, mine[1]) if half == 0 else (mine[0], wanted)
        why = f"the {mine[half]} of {name(mine)} lies against a {wanted}: is it a {wanted}?"
        doubts.append(
            Doubt(tile, (DoubtKind.VALUE,), why, (Alternative(other, float(tiles.values[tile, half, wanted])),))
        )
    return tuple(doubts)
