"""Open doubles: which there are, whether they still count, and who owes them.

Everything is read off the table, so that the same position can be judged under other rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.dominoes import Tile
from companion.rules.house_rules import HouseRules
from companion.rules.state import RoundState
from companion.rules.trains import LaidTile, Train, TrainRef


@dataclass(frozen=True, slots=True)
class OpenDouble:
    """A double that wants a cover, or toes.

    Attributes:
        laid: the double as it lies.
        train: the place of its train in the state's trains.
        branch: the branch it lies in.
        place: its place in the branch.
        toes: how many tiles lie on it already.
        ref: how notation points there.
    """

    laid: LaidTile
    train: int
    branch: int
    place: int
    toes: int
    ref: TrainRef

    @property
    def value(self) -> int:
        """The value that a cover must show."""
        return self.laid.outward


def open_doubles(state: RoundState) -> list[OpenDouble]:
    """The doubles that count as open, in the order in which they were laid."""
    found: list[OpenDouble] = []
    if state.rules.chicken_foot:
        for index, train in enumerate(state.trains):
            found.extend(_feet(state, index, train))
    else:
        for index, train in enumerate(state.trains):
            for number, branch in enumerate(train.branches):
                if branch.tiles and branch.tiles[-1].tile.is_double:
                    found.extend(_bare(state, index, train, number))
    if len(found) > 1:
        found.sort(key=lambda double: -1 if double.laid.order is None else double.laid.order)
    return found


def _bare(state: RoundState, index: int, train: Train, number: int) -> Iterator[OpenDouble]:
    """The double at the tip of a branch, unless nobody can cover it any more."""
    tiles = train.branches[number].tiles
    if _counts(state, tiles[-1]):
        yield OpenDouble(tiles[-1], index, number, len(tiles) - 1, 0, train.ref(number))


def _feet(state: RoundState, index: int, train: Train) -> Iterator[OpenDouble]:
    """The doubles of a train that lack toes, wherever they lie in it."""
    for number, branch in enumerate(train.branches):
        for place, laid in enumerate(branch.tiles):
            if laid.tile.is_double:
                toes = train.toes(number, place)
                if toes < state.rules.chicken_foot and _counts(state, laid):
                    yield OpenDouble(laid, index, number, place, toes, train.ref(number))


def _counts(state: RoundState, laid: LaidTile) -> bool:
    return state.rules.double_dead == "owed" or not is_dead(state.rules, state.table, laid)


def is_dead(rules: HouseRules, table: frozenset[Tile], laid: LaidTile) -> bool:
    """Whether all other tiles of a double's value lie on the table, so that nobody can cover it."""
    value = laid.outward
    highest = rules.set
    lying = 0
    for tile in table:
        if (tile.high == value or tile.low == value) and tile.high <= highest:  # noqa: PLR1714 - the hottest loop
            lying += 1
    return lying > highest


def waits_for_first_turns(state: RoundState, double: OpenDouble) -> bool:
    """Whether a first chain's last double is not owed yet (``first_chain_double = owed_after_first_turns``)."""
    rules = state.rules
    return (
        rules.first_turn == "chain"
        and rules.first_chain_double == "owed_after_first_turns"
        and double.laid.first_turn
        and len(state.had_first) < len(state.players)
    )


def owes(state: RoundState, seat: int, double: OpenDouble) -> bool:
    """Whether that seat must cover an open double before anything else in its turn."""
    rules = state.rules
    if waits_for_first_turns(state, double):
        return False
    if rules.chicken_foot:
        return rules.chicken_foot_stops == "table"
    if rules.double_owed_by == "next":
        return True
    return rules.double_owed_by == "player" and double.laid.by == state.players[seat]


def debtors(state: RoundState, double: OpenDouble) -> tuple[str, ...]:
    """The players who owe a double now: its own player, or whoever's turn it is, as the rules say."""
    if state.turn.seat is not None and owes(state, state.turn.seat, double):
        return (state.players[state.turn.seat],)
    return tuple(player for seat, player in enumerate(state.players) if owes(state, seat, double))


def in_order(rules: HouseRules, owed: list[OpenDouble]) -> OpenDouble | None:
    """The owed double that comes before the others, or None where the order is free."""
    if len(owed) < 2 or rules.double_order == "any":
        return None
    return owed[0] if rules.double_order == "as_laid" else owed[-1]
