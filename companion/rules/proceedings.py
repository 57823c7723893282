"""A written round, judged line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.rules.moves import Done, Draw, Move, Pass, Play
from companion.rules.notation import Deed, Line, Question, RoundRecord, Start, WhatMay
from companion.rules.referee import Plays, rule_on, what_may, whose_turn_is_unknown
from companion.rules.rulings import Ruling
from companion.rules.state import RoundState
from companion.rules.transition import begin_with, happen


@dataclass(frozen=True, slots=True)
class Entry:
    """What the referee says to a line.

    Attributes:
        line: the line.
        move: the deed or what is asked about; None for "what may Cy do?".
        ruling: the ruling.
        plays: the answer to "what may Cy do?".
        before: the state in which the line was judged.
        after: the state after it: the same for a question, and for a deed that did not happen.
    """

    line: Line
    move: Move | None
    ruling: Ruling
    plays: Plays | None
    before: RoundState
    after: RoundState


def proceed(record: RoundRecord) -> Iterator[Entry]:
    """Judge a round: legal deeds and those that depend happen, illegal ones do not unless they were seen to."""
    state = record.opening
    for line, statement in record.statements:
        match statement:
            case Start(player):
                state = begin_with(state, state.seat(player))
            case WhatMay(player):
                plays = what_may(state, player)
                yield Entry(line, None, plays.ruling, plays, state, state)
            case Question(move):
                yield Entry(line, move, rule_on(state, move), None, state, state)
            case Deed(move, seen):
                state = first_to_act(state, move)
                ruling = rule_on(state, move)
                after = happen(state, move) if seen or not ruling.violations else state
                yield Entry(line, move, ruling, None, state, after)
                state = after


def first_to_act(state: RoundState, move: Move) -> RoundState:
    """Where nobody was named to begin, whoever acts first begins."""
    if whose_turn_is_unknown(state) and isinstance(move, Play | Draw | Pass | Done):
        return replace(state, turn=state.fresh_turn(state.seat(move.player)))
    return state
