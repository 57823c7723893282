"""What is wrong or owed on a table that nobody watched: only what lies there is given.

A `LyingTable` may hold what cannot be (two engines, a tile twice, a tile beside every train): the audit says it, in the order
in which a person would look. Nothing here needs hands or a turn; a finding is told like a broken rule, with its number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Flag, auto

from companion.dominoes import Tile
from companion.rules.doubles import OpenDouble, debtors, open_doubles
from companion.rules.house_rules import HouseRules
from companion.rules.rulings import Violation
from companion.rules.state import RoundState
from companion.rules.trains import TRUNK, Branch, Train


class Anomaly(Flag):
    """What can be wrong with a table; several can be wrong at one place."""

    NO_ENGINE = auto()
    TWO_ENGINES = auto()
    NOT_IN_SET = auto()
    DUPLICATE_TILE = auto()
    ORPHAN_TILE = auto()
    WRONG_START = auto()
    MISMATCHED_JOIN = auto()
    TOO_MANY_MEXICANS = auto()
    PAST_OPEN_DOUBLE = auto()
    TOO_MANY_TOES = auto()
    OPEN_DOUBLE = auto()

    @property
    def is_fault(self) -> bool:
        """Whether it is a breach; an open double is only a duty."""
        return self != Anomaly.OPEN_DOUBLE

    def __str__(self) -> str:
        return "|".join(part.name or "" for part in self)

    @classmethod
    def parse(cls, text: str) -> Anomaly:
        """Read anomalies back; a ``ValueError`` for a word that is none."""
        found = cls(0)
        for name in text.split("|"):
            if name not in cls.__members__:
                raise ValueError(f"{name!r} is no anomaly")
            found |= cls[name]
        return found


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that the audit found.

    Attributes:
        anomaly: what kind of thing.
        told: the rule and the sentence.
        place: the branch and the place in it, where it is about a tile on a train.
    """

    anomaly: Anomaly
    told: Violation
    place: tuple[int, int] | None = None

    def __str__(self) -> str:
        return f"{self.anomaly}: {self.told}"


@dataclass(frozen=True, slots=True)
class LyingTable:
    """A table as it lies.

    Attributes:
        engines: the doubles in the middle; one, if all is well.
        trains: the trains, from the engine outward.
        loose: tiles that lie on no train.
    """

    engines: tuple[Tile, ...] = ()
    trains: tuple[Train, ...] = ()
    loose: tuple[Tile, ...] = ()


def audit(state: RoundState) -> list[Finding]:
    """Everything that is wrong or owed in a state, with who owes it now."""
    engines = (state.engine,) if state.engine is not None else ()
    found = audit_table(LyingTable(engines, state.trains), state.rules)
    found += [_owed(double, debtors(state, double)) for double in open_doubles(state)]
    return found


def audit_lying(table: LyingTable, rules: HouseRules) -> list[Finding]:
    """Everything that is wrong or owed on a table of which nothing else is known."""
    found = audit_table(table, rules)
    found += [_owed(double, ()) for double in open_doubles(_as_state(table, rules))]
    return found


def audit_table(table: LyingTable, rules: HouseRules) -> list[Finding]:
    """Everything that is wrong, without the open doubles."""
    return [
        *_engines(table),
        *_tiles(table, rules),
        *(finding for train in table.trains for finding in _joins(table, train, rules)),
        *_mexicans(table, rules),
    ]


def _engines(table: LyingTable) -> Iterator[Finding]:
    if not table.engines and (table.loose or any(train.started for train in table.trains)):
        yield Finding(Anomaly.NO_ENGINE, Violation.of("R-22", "no_engine"))
    for second in table.engines[1:]:
        yield Finding(Anomaly.TWO_ENGINES, Violation.of("R-22", "engine_lies", tile=second))
    for engine in table.engines:
        if not engine.is_double:
            yield Finding(Anomaly.NO_ENGINE, Violation.of("R-22", "engine_no_double", tile=engine))


def _tiles(table: LyingTable, rules: HouseRules) -> Iterator[Finding]:
    lying = Counter([*table.engines, *(laid.tile for train in table.trains for laid in train), *table.loose])
    for tile in sorted(lying):
        if tile not in rules.tile_set:
            yield Finding(Anomaly.NOT_IN_SET, Violation.of("R-03", "no_such_tile", tile=tile, set=rules.set))
        if lying[tile] > 1:
            yield Finding(Anomaly.DUPLICATE_TILE, Violation.of("R-03", "tile_twice", tile=tile, times=lying[tile]))
    for tile in table.loose:
        yield Finding(Anomaly.ORPHAN_TILE, Violation.of("R-04", "loose_tile", tile=tile))


def _joins(table: LyingTable, train: Train, rules: HouseRules) -> Iterator[Finding]:
    for number, branch in enumerate(train.branches):
        asked = _start(table, train, branch)
        previous: Tile | None = None
        for place, laid in enumerate(branch.tiles):
            if asked is not None and laid.inward != asked:
                told = Violation.of("R-04", "no_match", tile=laid.tile, train=train.ref(number), value=asked)
                anomaly = Anomaly.WRONG_START if place == 0 and number == TRUNK else Anomaly.MISMATCHED_JOIN
                if previous is not None and previous.is_double:
                    anomaly |= Anomaly.PAST_OPEN_DOUBLE
                yield Finding(anomaly, told, (number, place))
            asked, previous = laid.outward, laid.tile
        yield from _feet(train, number, branch, table, rules)


def _start(table: LyingTable, train: Train, branch: Branch) -> int | None:
    """The value that a branch starts from: the engine's, or that of the double it grows from."""
    if branch.root is None:
        return table.engines[0].high if table.engines else None
    number, place = branch.root
    tiles = train.branches[number].tiles if number < len(train.branches) else ()
    return tiles[place].outward if place < len(tiles) else None


def _feet(train: Train, number: int, branch: Branch, table: LyingTable, rules: HouseRules) -> Iterator[Finding]:
    """Chicken feet: a toe that went on too early, or one toe too many."""
    wanted = rules.chicken_foot or 1
    live = {(double.branch, double.place): double for double in _open_of(train, table, rules)}
    for place, laid in enumerate(branch.tiles):
        if not laid.tile.is_double:
            continue
        if train.toes(number, place) > wanted:
            told = Violation.of("R-20", "too_many_toes", tile=laid.tile, train=train.ref(number), toes=wanted)
            yield Finding(Anomaly.TOO_MANY_TOES, told, (number, place))
        double = live.get((number, place))
        if double is not None and double.toes and _went_on(train, number, place):
            told = Violation.of(
                "R-20", "toes_first", tile=laid.tile, train=train.ref(number), toes=wanted - double.toes
            )
            yield Finding(Anomaly.PAST_OPEN_DOUBLE, told, (number, place))


def _went_on(train: Train, number: int, place: int) -> bool:
    """Whether a tile lies beyond a toe of that double."""
    if len(train.branches[number].tiles) > place + 2:
        return True
    return any(other.root == (number, place) and len(other.tiles) > 1 for other in train.branches)


def _open_of(train: Train, table: LyingTable, rules: HouseRules) -> list[OpenDouble]:
    return [double for double in open_doubles(_as_state(table, rules)) if double.ref.owner == train.owner]


def _as_state(table: LyingTable, rules: HouseRules) -> RoundState:
    """The table as a state without hands, so that open doubles are found in the one place that finds them."""
    lying = frozenset([*table.engines, *(laid.tile for train in table.trains for laid in train), *table.loose])
    engine = table.engines[0] if table.engines else None
    return RoundState(rules, (), (), table.trains, lying, 0, engine=engine)


def _mexicans(table: LyingTable, rules: HouseRules) -> Iterator[Finding]:
    running = [train for train in table.trains if train.owner.is_mexican and train.started]
    allowed = len(running) if rules.mexican_trains == "many" else rules.mexican_trains
    if len(running) > allowed:
        message = "one_mexican_train" if allowed else "no_mexican_train"
        yield Finding(Anomaly.TOO_MANY_MEXICANS, Violation.of("R-06", message))


def _owed(double: OpenDouble, owing: tuple[str, ...]) -> Finding:
    place = (double.branch, double.place)
    if double.toes:
        told = Violation.of("R-20", "toes_open", tile=double.laid.tile, train=double.ref, toes=double.toes)
    elif owing:
        told = Violation.of("R-09", "double_owed", tile=double.laid.tile, train=double.ref, players=",".join(owing))
    else:
        told = Violation.of("R-09", "double_open", tile=double.laid.tile, train=double.ref)
    return Finding(Anomaly.OPEN_DOUBLE, told, place)
