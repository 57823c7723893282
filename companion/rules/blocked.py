"""Whether a round is blocked: nobody has a play and nobody may draw."""

from __future__ import annotations

from companion.rules.state import RoundState
from companion.rules.view import Answer, TurnView


def is_blocked(state: RoundState) -> Answer:
    """Whether nobody can go on, as far as is known.

    With an empty boneyard (or no draws at all) hands that are wholly known decide; where some are not, a whole round of
    passes does, if the rules oblige who can play to play.
    """
    if not state.begun or state.out:
        return Answer.NO
    if state.rules.draw != "none" and state.boneyard > 0:
        return Answer.NO
    answers = [can_play(state, seat) for seat in range(len(state.players))]
    if Answer.YES in answers:
        return Answer.NO
    if Answer.MAYBE not in answers:
        return Answer.YES
    return Answer.YES if state.rules.must_play and state.passes >= len(state.players) else Answer.MAYBE


def can_play(state: RoundState, seat: int) -> Answer:
    """Whether that seat would have a play if it were its turn."""
    turn = state.turn if state.turn.seat == seat else state.fresh_turn(seat)
    view = TurnView(state, seat, turn)
    hand = view.hand
    return view.can_lay(hand.known, hand.unknown)
