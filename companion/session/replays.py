"""Rounds replayed and kept: when a round has grown by a play, only that play is looked at.

A state is a fold over the plays before it, so what was worked out for the first plays holds for as long as these are the same.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from companion.rules.referee import rule_on
from companion.rules.rulings import Ruling
from companion.rules.state import RoundState
from companion.session.game import Game, TablePlay
from companion.session.playing import after_move, opening

_MOST_KEPT = 32
"""Rounds; a family looks at the one that is played and sometimes at an older one."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """A round's plays with the state before each (and one more: after the last) and the ruling on each."""

    plays: tuple[TablePlay, ...]
    states: tuple[RoundState, ...]
    rulings: tuple[Ruling, ...]

    @property
    def now(self) -> RoundState:
        """The state after all plays."""
        return self.states[-1]

    def before(self, play: int) -> RoundState | None:
        """The state before a play (by its id); None if there is no such play."""
        return next((state for found, state in zip(self.plays, self.states, strict=False) if found.id == play), None)


class Replays:
    """Replays rounds and keeps the last ones. Safe to share between threads: at worst something is worked out twice."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int], Replayed] = OrderedDict()

    def of(self, game: Game, number: int) -> Replayed:
        """A round as it stands."""
        plays = game.round(number).plays
        first = opening(game, number)
        known = self._kept.get((game.id, number))
        if known is None or known.states[0] != first:
            known = Replayed((), (first,), ())
        replayed = _grown(known, plays)
        self._kept[game.id, number] = replayed
        while len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return replayed


def _grown(known: Replayed, plays: tuple[TablePlay, ...]) -> Replayed:
    """The replay of these plays, from what is known of the first of them."""
    same = 0
    while same < min(len(plays), len(known.plays)) and plays[same].move == known.plays[same].move:
        same += 1
    states, rulings = list(known.states[: same + 1]), list(known.rulings[:same])
    for play in plays[same:]:
        rulings.append(rule_on(states[-1], play.move))
        states.append(after_move(states[-1], play.move))
    return Replayed(plays, tuple(states), tuple(rulings))
