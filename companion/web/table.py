"""The table of the round that is played: whose turn it is, what is told with two taps, what was played, what is owed."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.dominoes import Tile
from companion.rules.moves import Draw, End, Knock, LayEngine, Mark, Move, Pass, Play, Unmark
from companion.rules.rulings import Ruling, Verdict
from companion.rules.state import RoundState
from companion.rules.wording import say
from companion.session.answers import Refused
from companion.session.events import Source
from companion.session.game import Game, TablePlay
from companion.web.asking import GameHead, Seat, command, core, head_of, number_in, seats_of, the_game, train_name, why
from companion.web.board import Board, board_of, ref_of
from companion.web.correcting import ChangePad, change_pad, corrected_move
from companion.web.languages import moment
from companion.web.parts import parts
from companion.web.telling import say_move

blueprint = Blueprint("table", __name__, url_prefix="/games/<game_id>/table")


@dataclass(frozen=True, slots=True)
class PlayLine:
    """A play of the list. `wrong` is what the referee says against it; `by_camera` waits for a person to say yes.

    `changeable` is a play of a tile, which can have been another.
    """

    id: int
    text: str
    at: str
    by_camera: bool
    changeable: bool
    verdict: str
    wrong: str | None
    pictures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LayPad:
    """The pad on which the tile for a train is chosen: one end is known, its open end."""

    code: str
    train: str
    open_end: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Deed:
    """A button of the strip."""

    word: str
    seat: int


@dataclass(frozen=True, slots=True)
class TablePage:
    """Everything that the page shows. `anyway` repeats a refused deed's fields for the button that lets it stand."""

    head: GameHead
    board: Board | None
    seat: Seat | None
    seats: tuple[Seat, ...]
    pad: LayPad | None
    change: ChangePad | None
    engines: tuple[int, ...]
    marker_up: bool
    plays: tuple[PlayLine, ...]
    findings: tuple[str, ...]
    refused: str | None
    rule: str | None
    anyway: dict[str, str] | None


@blueprint.get("")
def show(game_id: str) -> str:
    """The table; `seat` who plays (whose turn it is unless chosen), `train` where."""
    return render_template("table.html", page=table_page(the_game(game_id)))


@blueprint.post("/moves")
def tell(game_id: str) -> ResponseReturnValue:
    """Say what was done. An illegal deed is refused with the rule, and can stand anyway."""
    game = the_game(game_id)
    state = parts().session.table.state(game_id)
    move = _move_in(state) if state is not None else None
    if move is None:
        return redirect(url_for(".show", game_id=game_id), 303)
    fields = {name: value for name, value in request.form.items() if name not in ("csrf_token", "command", "anyway")}
    part = ".".join(fields.values()).replace(" ", "")[:40]
    outcome = parts().session.table.tell(
        command(game, part=part + request.form.get("anyway", "")),
        game_id,
        move,
        anyway=bool(request.form.get("anyway")),
    )
    if isinstance(outcome, Refused):
        rule = outcome.ruling.rules[0] if outcome.ruling and outcome.ruling.rules else None
        anyway = fields if outcome.ruling is not None else None
        page = table_page(the_game(game_id), refused=why(outcome), rule=rule, anyway=anyway)
        return render_template("table.html", page=page), 409
    return redirect(url_for(".show", game_id=game_id), 303)


@blueprint.post("/plays/<int:play>")
def judge(game_id: str, play: int) -> ResponseReturnValue:
    """Say that a play is right, or that it did not happen."""
    game = the_game(game_id)
    table, yes = parts().session.table, request.form.get("right") == "yes"
    change = table.confirm if yes else table.reject
    outcome = change(command(game, part=f"{play}{yes}"), game_id, play)
    if isinstance(outcome, Refused):
        return render_template("table.html", page=table_page(the_game(game_id), refused=why(outcome))), 409
    return redirect(url_for(".show", game_id=game_id), 303)


@blueprint.post("/plays/<int:play>/change")
def change(game_id: str, play: int) -> ResponseReturnValue:
    """Say what a play really was (`seat`, `train`, and the tile's other `end`)."""
    game = the_game(game_id)
    move = corrected_move(game, play)
    if move is None:
        return redirect(url_for(".show", game_id=game_id, change=play), 303)
    fields = ".".join(request.form.get(name, "") for name in ("seat", "train", "end"))
    outcome = parts().session.table.correct(command(game, part=f"{play}.{fields}"), game_id, play, move)
    if isinstance(outcome, Refused):
        return render_template("table.html", page=table_page(the_game(game_id), refused=why(outcome))), 409
    return redirect(url_for(".show", game_id=game_id), 303)


def table_page(
    game: Game, *, refused: str | None = None, rule: str | None = None, anyway: dict[str, str] | None = None
) -> TablePage:
    """The page of the round that is played."""
    table = parts().session.table
    state = table.state(game.id)
    seat = _acting(game, state)
    change = change_pad(game, number_in(request.args.get("change"), 0, 999_999))
    code = None if change else request.args.get("train")
    return TablePage(
        head=head_of(game, "table"),
        board=board_of(game, state, code) if state else None,
        seat=seat,
        seats=seats_of(game),
        pad=_pad(game, state, code),
        change=change,
        engines=tuple(range(game.rules.set, -1, -1)) if state and not state.begun and not state.over else (),
        marker_up=state is not None and seat is not None and state.trains[seat.number].marker,
        plays=tuple(_play_line(*pair) for pair in reversed(table.plays(game.id))),
        findings=() if parts().live.is_watched(game.id) else _findings(game),
        refused=refused,
        rule=rule,
        anyway=anyway,
    )


def _findings(game: Game) -> tuple[str, ...]:
    """What is owed or wrong; while a camera watches, its picture says so."""
    return tuple(say(found.told, core()) for found in parts().session.table.findings(game.id))


def _acting(game: Game, state: RoundState | None) -> Seat | None:
    """Who is about to act: who was chosen, else whose turn it is, else the first seat."""
    if state is None:
        return None
    chosen = number_in(request.values.get("seat"), 0, len(game.players) - 1)
    turn = state.turn.seat
    return seats_of(game)[chosen if chosen is not None else turn if turn is not None else 0]


def _pad(game: Game, state: RoundState | None, code: str | None) -> LayPad | None:
    ref = ref_of(state, code) if state else None
    if state is None or ref is None:
        return None
    line = next((line for line in board_of(game, state).lines if line.code == code), None)
    if line is None or line.open_end is None:
        return None
    return LayPad(line.code, train_name(ref), line.open_end, tuple(range(game.rules.set + 1)))


def _move_in(state: RoundState) -> Move | None:
    """The deed of a form: who (`seat`), what (`deed`), and of a play where (`train`) and which other end (`end`)."""
    form = request.form
    seat = number_in(form.get("seat"), 0, len(state.players) - 1)
    if seat is None:
        return None
    player, deed = state.players[seat], form.get("deed", "")
    simple: dict[str, Move] = {
        "draw": Draw(player),
        "pass": Pass(player),
        "knock": Knock(player),
        "mark": Mark(player),
        "unmark": Unmark(player),
        "end": End(),
    }
    if deed == "engine":
        value = number_in(form.get("end"), 0, state.rules.set)
        holder = None if state.rules.engine == "set_aside" else player
        return None if value is None else LayEngine(holder, Tile.double(value))
    return _play_in(state, player) if deed == "play" else simple.get(deed)


def _play_in(state: RoundState, player: str) -> Play | None:
    form = request.form
    ref = ref_of(state, form.get("train"))
    inward, outward = number_in(form.get("open"), 0, 18), number_in(form.get("end"), 0, 18)
    if ref is None or inward is None or outward is None:
        return None
    return Play(player, Tile.of(inward, outward), ref, outward)


def _play_line(play: TablePlay, ruling: Ruling) -> PlayLine:
    wrong = say(ruling.violations[0], core()) if ruling.verdict is Verdict.ILLEGAL else None
    return PlayLine(
        id=play.id,
        text=say_move(play.move),
        at=moment(play.at),
        by_camera=play.source is Source.CAMERA,
        changeable=isinstance(play.move, Play | LayEngine),
        verdict=ruling.verdict.value,
        wrong=wrong,
        pictures=play.pictures,
    )
