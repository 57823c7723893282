"""Say what a play really was: another player, another train, another tile. What a person says stands, legal or not."""

from __future__ import annotations

from dataclasses import dataclass

from flask import request

from companion.dominoes import Tile
from companion.rules.moves import LayEngine, Move, Play
from companion.rules.state import RoundState
from companion.session.game import Game, TablePlay
from companion.web.asking import Seat, number_in, seats_of
from companion.web.board import BoardLine, board_of, code_of, ref_of
from companion.web.parts import parts
from companion.web.telling import say_move


@dataclass(frozen=True, slots=True)
class ChangePad:
    """The pad on which a play is put right: as it is told, and what was chosen instead so far.

    Of a tile one end follows from the train (its open end then), so that only the `other` is asked for. An engine has neither
    `line` nor `lines`.
    """

    play: int
    text: str
    seat: Seat | None
    seats: tuple[Seat, ...]
    line: BoardLine | None
    lines: tuple[BoardLine, ...]
    other: int
    values: tuple[int, ...]


def change_pad(game: Game, play_id: int | None) -> ChangePad | None:
    """The pad for a play of the round that is played; None if it is no play of a tile."""
    found = _found(game, play_id)
    return None if found is None else _pad(game, *found)


def _pad(game: Game, play: TablePlay, state: RoundState) -> ChangePad | None:
    move, values = play.move, tuple(range(game.rules.set + 1))
    seats = seats_of(game)
    chosen = number_in(request.values.get("seat"), 0, len(seats) - 1)
    seat = seats[chosen] if chosen is not None else next((s for s in seats if s.name == move.player), None)
    if isinstance(move, LayEngine):
        return ChangePad(play.id, say_move(move), seat, seats, None, (), move.tile.high, values)
    if not isinstance(move, Play):
        return None
    code = request.values.get("train") or code_of(state, move.train)
    lines = tuple(line for line in board_of(game, state, code).lines if line.open_end is not None)
    line = next((line for line in lines if line.chosen), None)
    return ChangePad(play.id, say_move(move), seat, seats, line, lines, _other_end(move, line), values)


def corrected_move(game: Game, play_id: int) -> Move | None:
    """What the form says that the play was; None if it says nothing that can be."""
    found = _found(game, play_id)
    end = number_in(request.form.get("end"), 0, game.rules.set)
    if found is None or end is None:
        return None
    play, state = found
    pad = _pad(game, play, state)
    if pad is None:
        return None
    if isinstance(play.move, LayEngine):
        return LayEngine(pad.seat.name if pad.seat else play.move.player, Tile.double(end))
    ref = ref_of(state, pad.line.code) if pad.line else None
    if pad.line is None or pad.line.open_end is None or ref is None or pad.seat is None:
        return None
    return Play(pad.seat.name, Tile.of(pad.line.open_end, end), ref, end)


def _found(game: Game, play_id: int | None) -> tuple[TablePlay, RoundState] | None:
    """The play, and the round as it was before it."""
    play = None if play_id is None or game.current is None else game.round(game.current).play(play_id)
    state = None if play is None else parts().session.table.state(game.id, before=play.id)
    return None if play is None or state is None else (play, state)


def _other_end(move: Play, line: BoardLine | None) -> int:
    """The end that the tile turned outward, if that is known; else the one that is not the train's."""
    if move.outward is not None:
        return move.outward
    high, low = move.tile.ends
    return low if line is not None and line.open_end == high else high
