"""The table within a round: the referee's state after the plays that are known. Pure folds over a game."""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.engines import due_engine
from companion.rules.moves import LayEngine, Move
from companion.rules.proceedings import first_to_act
from companion.rules.state import RoundState
from companion.rules.transition import begin_with, happen
from companion.session.game import Game, TablePlay


def opening(game: Game, number: int) -> RoundState:
    """A round before its first play. An engine that is set aside before the deal lies in the middle already."""
    state = RoundState.opening(game.rules, game.names, round_number=number)
    starter = game.round(number).starter
    if starter is not None:
        state = begin_with(state, state.seat(starter))
    engine = due_engine(state)
    if game.rules.engine == "set_aside" and engine is not None and not _told_engine(game, number):
        state = happen(state, LayEngine(None, engine))
    return state


def round_state(game: Game, number: int, *, before: int | None = None) -> RoundState:
    """A round after its plays, or as it was before one of them (by its id).

    Raises:
        ValueError: if there is no such play.
    """
    plays = game.round(number).plays
    if before is not None:
        plays = plays[: _place(plays, before)]
    state = opening(game, number)
    for play in plays:
        state = after_move(state, play.move)
    return state


def begun_state(game: Game, number: int) -> RoundState:
    """A round just after its engine was laid, or as it is now where it was not; later plays cannot change who laid it."""
    state = opening(game, number)
    for play in game.round(number).plays:
        if state.begun:
            break
        state = after_move(state, play.move)
    return state


def after_move(state: RoundState, move: Move) -> RoundState:
    """The state after a deed, legal or not; where nobody was named to begin, whoever acts first begins."""
    return happen(first_to_act(state, move), move)


def _place(plays: Sequence[TablePlay], play: int) -> int:
    for index, found in enumerate(plays):
        if found.id == play:
            return index
    raise ValueError(f"there is no play {play}")


def _told_engine(game: Game, number: int) -> bool:
    """Whether somebody told or saw the engine being laid, perhaps another than is due."""
    return any(isinstance(play.move, LayEngine) for play in game.round(number).plays)
