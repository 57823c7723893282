"""What would make a deed legal: other presets, and single switches of the same rules.

Trains, markers, hands and the turn stay as they are; what open doubles demand is worked out anew from the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.rules.errors import HouseRulesError
from companion.rules.moves import Move
from companion.rules.presets import RuleBook
from companion.rules.referee import is_legal
from companion.rules.state import RoundState
from companion.rules.switches import SWITCHES, Value


@dataclass(frozen=True, slots=True)
class OneSwitch:
    """One switch that would make the difference."""

    name: str
    value: Value

    def __str__(self) -> str:
        return f"{self.name}={str(self.value).lower() if isinstance(self.value, bool) else self.value}"


def legal_under(state: RoundState, move: Move, book: RuleBook) -> tuple[str, ...]:
    """The presets, played with the same set, under which the move would be legal."""
    found: list[str] = []
    for preset in book:
        rules = preset.for_set(state.rules.set)
        try:
            rules.tiles_each(len(state.players))
        except HouseRulesError:
            continue
        if is_legal(replace(state, rules=rules), move):
            found.append(preset.name)
    return tuple(found)


def legal_with(state: RoundState, move: Move) -> tuple[OneSwitch, ...]:
    """The single switches that would make the move legal under the rules that are played."""
    return tuple(change for change in _changes(state) if is_legal(_changed(state, change), move))


def _changes(state: RoundState) -> Iterator[OneSwitch]:
    """Every other value of every switch that can matter to a ruling; the set stays."""
    for switch in SWITCHES:
        if switch.counting or switch.name == "set":
            continue
        for value, _ in switch.values:
            if value != state.rules.value(switch.name):
                yield OneSwitch(switch.name, value)


def _changed(state: RoundState, change: OneSwitch) -> RoundState:
    return replace(state, rules=state.rules.with_switch(change.name, change.value))
