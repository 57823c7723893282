"""The table within a round: deeds told by people, plays seen by a camera, and which of the two is believed.

A camera's play counts at once and is marked as such until a person confirms it. What a person said (told, confirmed,
corrected, rejected) is never changed by a camera; where the two stay apart, `disagreement` says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.dominoes import Tile
from companion.rules.audit import Finding, audit
from companion.rules.moves import Catch, LayEngine, Move, Play
from companion.rules.referee import rule_on
from companion.rules.rulings import Ruling
from companion.rules.state import RoundState
from companion.session.answers import Outcome, Refused
from companion.session.desk import Desk
from companion.session.events import Command, Event, MoveConfirmed, MoveCorrected, MoveDropped, MoveMade, Source
from companion.session.game import Game, Round, TablePlay


class Table:
    """What concerns the tiles on the table in the round that is played."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def state(self, game_id: str, *, round_number: int | None = None, before: int | None = None) -> RoundState | None:
        """The referee's state of a round (None: the one that is played), or as it was before a play.

        None if there is no such game, round or play.
        """
        game = self._desk.game(game_id)
        number = None if game is None else _number(game, round_number)
        if game is None or number is None:
            return None
        replayed = self._desk.replays.of(game, number)
        return replayed.now if before is None else replayed.before(before)

    def plays(self, game_id: str, *, round_number: int | None = None) -> tuple[tuple[TablePlay, Ruling], ...]:
        """The plays of a round in their order, each with the ruling on it as the state was then."""
        game = self._desk.game(game_id)
        number = None if game is None else _number(game, round_number)
        if game is None or number is None:
            return ()
        replayed = self._desk.replays.of(game, number)
        return tuple(zip(replayed.plays, replayed.rulings, strict=True))

    def findings(self, game_id: str) -> tuple[Finding, ...]:
        """What is owed or wrong on the table now: uncovered doubles and who owes them, tiles that do not fit."""
        state = self.state(game_id)
        return () if state is None else tuple(audit(state))

    def tell(
        self,
        command: Command,
        game_id: str,
        move: Move,
        *,
        anyway: bool = False,
        before: int | None = None,
        pictures: Sequence[str] = (),
    ) -> Outcome:
        """A person says what was done; the play's id is ``outcome.sequence``.

        Args:
            command: whose wish.
            game_id: which game.
            move: the deed.
            anyway: it stands although it was illegal. Otherwise an illegal deed is refused (reason ``illegal``), and the
                refusal carries the ruling. A deed that depends on something unknown stands.
            before: the play before which it happened, where somebody forgot to tell it.
            pictures: ids of the pictures that show it, the one before it first.
        """

        def decide(game: Game) -> Sequence[Event] | Refused:
            number = game.current
            wrong = _wrong_move(game, move)
            if number is None or wrong is not None:
                return wrong or Refused.because("game_over")
            replayed = self._desk.replays.of(game, number)
            state = replayed.now if before is None else replayed.before(before)
            if state is None:
                return Refused.because("play_gone")
            ruling = rule_on(state, move)
            if ruling.violations and not anyway:
                return Refused.because("illegal", ruling=ruling, move=move)
            return (MoveMade(number, move, before, tuple(pictures)),)

        return self._desk.act(game_id, command, decide)

    def see(self, command: Command, game_id: str, move: Move, *, pictures: Sequence[str] = ()) -> Outcome:
        """A camera saw a play; legal or not, it counts until a person says otherwise.

        Refused (reason ``known``) where the tile lies in the game already, and (``person_said_no``) where a person said
        that it was not played: neither is trouble, the camera is late or wrong.
        """

        def decide(game: Game) -> Sequence[Event] | Refused:
            number = game.current
            wrong = _wrong_move(game, move)
            if number is None or wrong is not None:
                return wrong or Refused.because("game_over")
            tile = _laid(move)
            if tile is not None and tile in game.round(number).rejected:
                return Refused.because("person_said_no", tile=tile)
            if tile is not None and tile in self._desk.replays.of(game, number).now.table:
                return Refused.because("known", tile=tile)
            return (MoveMade(number, move, None, tuple(pictures)),)

        return self._desk.act(game_id, command, decide)

    def unsee(self, command: Command, game_id: str, tile: Tile) -> Outcome:
        """A camera takes back a play that it saw; refused where a person vouched for it."""

        def decide(game: Game) -> Sequence[Event] | Refused:
            found = _play_of(game.round(game.current or 0), tile)
            if found is None:
                return Refused.because("play_gone")
            if found.source is Source.PERSON:
                return Refused.because("person_said_so", tile=tile)
            return (MoveDropped(found.id),)

        return self._desk.act(game_id, command, decide)

    def confirm(self, command: Command, game_id: str, play: int) -> Outcome:
        """A person says that a play is right."""
        return self._change(command, game_id, play, MoveConfirmed(play))

    def correct(self, command: Command, game_id: str, play: int, move: Move) -> Outcome:
        """A person says what a play really was; it stands whether or not it was legal."""
        return self._change(command, game_id, play, MoveCorrected(play, move), move)

    def reject(self, command: Command, game_id: str, play: int) -> Outcome:
        """A person says that a play did not happen; a camera does not bring its tile back in this round."""
        return self._change(command, game_id, play, MoveDropped(play))

    def _change(
        self, command: Command, game_id: str, play: int, event: MoveConfirmed | MoveCorrected | MoveDropped,
        move: Move | None = None,
    ) -> Outcome:  # fmt: skip
        def decide(game: Game) -> Sequence[Event] | Refused:
            if game.find_play(play) is None:
                return Refused.because("play_gone")
            return (None if move is None else _wrong_move(game, move)) or (event,)

        return self._desk.act(game_id, command, decide)


def _number(game: Game, number: int | None) -> int | None:
    """The round that is meant; the last one that was played once the game is over."""
    if number is None:
        return game.current or max(game.rounds, default=None)
    return number if 1 <= number <= game.round_count else None


def _wrong_move(game: Game, move: Move) -> Refused | None:
    """A move that names somebody who does not play."""
    named = [move.player]
    if isinstance(move, Catch):
        named.append(move.caught)
    if isinstance(move, Play):
        named.append(move.train.owner.player)
    for player in named:
        if player is not None and player not in game.names:
            return Refused.because("no_player", player=player)
    return None


def _laid(move: Move) -> Tile | None:
    return move.tile if isinstance(move, Play | LayEngine) else None


def _play_of(here: Round, tile: Tile) -> TablePlay | None:
    return next((play for play in here.plays if _laid(play.move) == tile), None)
