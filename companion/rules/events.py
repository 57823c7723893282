"""Deeds as records: who did what, and what it led to. Screen, journal and tests read these.

An event's text form is the deed as notation writes it, what followed in brackets, and when and in which picture it was
seen. Only the deed matters for a replay: the rest follows from it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.rules.moves import Move, parse_move
from companion.rules.state import RoundState

_EVENT_TEXT = re.compile(r"(?P<deed>[^\[]*?)(?: \[(?P<effects>[^\]]*)\])?(?: at (?P<at>\S+))?(?: in (?P<picture>\S+))?")


@dataclass(frozen=True, slots=True)
class Event:
    """A deed that happened.

    Attributes:
        move: the deed.
        effects: what it led to, in words: ``Ann marker up``, ``Ben out``, ``turn of Cy``, ``round over``.
        at: when, in seconds of whatever clock the caller has.
        picture: the picture in which it was seen.
    """

    move: Move
    effects: tuple[str, ...] = ()
    at: float | None = None
    picture: str | None = None

    @classmethod
    def between(cls, state: RoundState, move: Move, after: RoundState) -> Event:
        """The event of a move that led from one state to the other."""
        effects: list[str] = []
        for seat, player in enumerate(state.players):
            if state.trains[seat].marker != after.trains[seat].marker:
                effects.append(f"{player} marker {'up' if after.trains[seat].marker else 'down'}")
            if seat in after.out and seat not in state.out:
                effects.append(f"{player} out")
        if after.over and not state.over:
            effects.append("round over")
        elif after.turn.seat is not None and after.turn.seat != state.turn.seat:
            effects.append(f"turn of {after.players[after.turn.seat]}")
        return cls(move, tuple(effects))

    def __str__(self) -> str:
        text = str(self.move)
        if self.effects:
            text += f" [{', '.join(self.effects)}]"
        if self.at is not None:
            text += f" at {self.at!r}"
        if self.picture is not None:
            text += f" in {self.picture}"
        return text

    @classmethod
    def parse(cls, text: str) -> Event:
        """Read an event back."""
        match = _EVENT_TEXT.fullmatch(text)
        if match is None:
            raise ValueError(f"{text!r} is no event")
        effects = tuple(match["effects"].split(", ")) if match["effects"] else ()
        at = float(match["at"]) if match["at"] else None
        return cls(parse_move(match["deed"]), effects, at, match["picture"])
