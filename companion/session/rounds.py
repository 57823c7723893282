"""Rounds: how one ended, that its scores stand, who begins the next, and the score sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.rules.blocked import is_blocked
from companion.rules.view import Answer
from companion.session.answers import Outcome, Refused, Remark
from companion.session.desk import Desk
from companion.session.events import Command, Event, RoundEnded, RoundTold, StarterNamed
from companion.session.game import Game
from companion.session.sheet import Sheet, points_in, sheet_of


class Rounds:
    """What concerns a round as a whole."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def sheet(self, game_id: str) -> Sheet | None:
        """The score sheet; None if there is no such game."""
        game = self._desk.game(game_id)
        return None if game is None else sheet_of(game)

    def suggested(self, game_id: str, number: int) -> RoundTold:
        """How a round ended, as far as its plays tell: who is out, whose markers are up, whether it is blocked."""
        game = self._desk.game(game_id)
        if game is None or not game.round(number).plays:
            return RoundTold(number)
        state = self._desk.replays.of(game, number).now
        return RoundTold(
            number,
            out=tuple(state.players[seat] for seat in sorted(state.out)),
            blocked=is_blocked(state) is Answer.YES,
            markers=tuple(state.players[seat] for seat in range(len(state.players)) if state.trains[seat].marker),
        )

    def tell(
        self,
        command: Command,
        game_id: str,
        *,
        out: Sequence[str] = (),
        blocked: bool = False,
        markers: Sequence[str] = (),
        round_number: int | None = None,
    ) -> Outcome:
        """Say how a round ended: now, or later as a correction."""

        def decide(game: Game) -> Sequence[Event] | Refused:
            number = game.current if round_number is None else round_number
            told = _told(game, number, out, markers, blocked=blocked)
            if isinstance(told, Refused):
                return told
            changed = game.with_round(replace(game.round(told.round), told=told))
            missing = _missing(changed, told.round) if game.round(told.round).ended else ()
            if missing:
                return Refused.because("scores_missing", players=", ".join(missing), round=told.round)
            return (told,)

        return self._desk.act(game_id, command, decide)

    def end(
        self,
        command: Command,
        game_id: str,
        *,
        out: Sequence[str] | None = None,
        blocked: bool = False,
        markers: Sequence[str] = (),
        round_number: int | None = None,
    ) -> Outcome:
        """Let the scores of the round that is played stand, so that the next begins.

        Refused while somebody has no score: who went out needs none, all others do.

        Args:
            command: whose wish.
            game_id: which game.
            out: who went out, where that was not told before (`tell`); then `blocked` and `markers` count too.
            blocked: whether nobody could go on.
            markers: whose markers were still up.
            round_number: the round that the person looked at, so that a second phone does not end the next one as well.
        """

        def decide(game: Game) -> Sequence[Event] | Refused:
            number = game.current
            if number is None:
                return Refused.because("game_over")
            if round_number is not None and round_number != number:
                return Refused.because("round_ended_already", round=round_number)
            told = None
            if out is not None:
                found = _told(game, number, out, markers, blocked=blocked)
                if isinstance(found, Refused):
                    return found
                told = found
                game = game.with_round(replace(game.round(number), told=told))
            if missing := _missing(game, number):
                return Refused.because("scores_missing", players=", ".join(missing), round=number)
            return (RoundEnded(number),) if told is None else (told, RoundEnded(number))

        return self._desk.act(game_id, command, decide)

    def begin_with(self, command: Command, game_id: str, player: str, *, round_number: int | None = None) -> Outcome:
        """Name the player who starts a round."""

        def decide(game: Game) -> Sequence[Event] | Refused:
            number = game.current if round_number is None else round_number
            if number is None:
                return Refused.because("game_over")
            if player not in game.names:
                return Refused.because("no_player", player=player)
            if number != game.current:
                return Refused.because("other_round", round=number)
            return (StarterNamed(number, player),)

        return self._desk.act(game_id, command, decide)

    def questions(self, game_id: str, number: int) -> tuple[Remark, ...]:
        """What looks odd about a round that is about to end: nobody out and not blocked, several out."""
        game = self._desk.game(game_id)
        if game is None:
            return ()
        told = game.round(number).told or RoundTold(number)
        if not told.out and not told.blocked:
            return (Remark.of("nobody_out", round=number),)
        if len(told.out) > 1 and game.rules.first_turn_out == "round_ends":
            return (Remark.of("several_out", players=", ".join(told.out)),)
        return ()


def _told(
    game: Game, number: int | None, out: Sequence[str], markers: Sequence[str], *, blocked: bool
) -> RoundTold | Refused:
    if number is None:
        return Refused.because("game_over")
    if number != game.current and not game.round(number).ended:
        return Refused.because("other_round", round=number)
    for player in (*out, *markers):
        if player not in game.names:
            return Refused.because("no_player", player=player)
    if blocked and out:
        return Refused.because("blocked_and_out", player=out[0])
    in_seat_order = [name for name in game.names if name in out]
    return RoundTold(number, tuple(in_seat_order), blocked, tuple(name for name in game.names if name in markers))


def _missing(game: Game, number: int) -> tuple[str, ...]:
    """Who has no score in a round."""
    return tuple(player for player, points in points_in(game, number).items() if points is None)
