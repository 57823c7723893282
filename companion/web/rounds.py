"""The end of a round: who went out, whose hand is counted, and on to the next."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.session.answers import Outcome, Refused
from companion.session.events import RoundTold
from companion.session.game import Game
from companion.session.sheet import points_in
from companion.web.asking import GameHead, Seat, command, head_of, number_in, round_of, seats_of, the_game, why
from companion.web.hand_page import RemarkLine, remark_line
from companion.web.parts import parts

blueprint = Blueprint("rounds", __name__, url_prefix="/games/<game_id>")


@dataclass(frozen=True, slots=True)
class HandLine:
    """A player's hand: counted, waiting to be confirmed, out, or still to come."""

    seat: Seat
    points: int | None
    out: bool
    marker: bool
    waits: bool
    corrected: bool


@dataclass(frozen=True, slots=True)
class RoundPage:
    """Everything that the page shows. `first_missing` is whose hand comes next; None when all are counted."""

    head: GameHead
    number: int
    engine: tuple[int, int] | None
    starter: str | None
    seats: tuple[Seat, ...]
    hands: tuple[HandLine, ...]
    told: bool
    blocked: bool
    asks_markers: bool
    first_missing: Seat | None
    questions: tuple[RemarkLine, ...]
    refused: str | None
    current: bool
    choose_starter: bool


@blueprint.get("/score")
def now(game_id: str) -> ResponseReturnValue:
    """The round that is played; the sheet once the game is over."""
    game = the_game(game_id)
    if game.current is None:
        return redirect(url_for("sheet.show", game_id=game_id))
    return redirect(url_for(".show", game_id=game_id, number=game.current))


@blueprint.get("/rounds/<int:number>")
def show(game_id: str, number: int) -> str:
    """A round: who went out and everybody's hand."""
    return render_template("round.html", page=_page(the_game(game_id), number))


@blueprint.post("/rounds/<int:number>/out")
def tell(game_id: str, number: int) -> ResponseReturnValue:
    """Say who went out, or that nobody could go on, and whose markers were up."""
    game = the_game(game_id)
    told = request.form.get("out", "")
    seat = number_in(told, 0, len(game.players) - 1)
    outcome = parts().session.rounds.tell(
        command(game, part=f"{told}{'.'.join(request.form.getlist('marker'))}"),
        game_id,
        out=() if seat is None else (game.names[seat],),
        blocked=told == "blocked",
        markers=_markers(game),
        round_number=number,
    )
    return _after(outcome, game_id, number)


@blueprint.post("/rounds/<int:number>/end")
def end(game_id: str, number: int) -> ResponseReturnValue:
    """Let the scores stand; the next round begins."""
    game = the_game(game_id)
    outcome = parts().session.rounds.end(command(game), game_id, round_number=number)
    if isinstance(outcome, Refused):
        return render_template("round.html", page=_page(the_game(game_id), number, refused=why(outcome))), 409
    return redirect(url_for("sheet.show", game_id=game_id), 303)


@blueprint.post("/rounds/<int:number>/starter")
def starter(game_id: str, number: int) -> ResponseReturnValue:
    """Name who begins a round."""
    game = the_game(game_id)
    seat = number_in(request.form.get("seat"), 0, len(game.players) - 1)
    if seat is not None:
        outcome = parts().session.rounds.begin_with(
            command(game, part=str(seat)), game_id, game.names[seat], round_number=number
        )
        return _after(outcome, game_id, number)
    return redirect(url_for(".show", game_id=game_id, number=number), 303)


def _markers(game: Game) -> tuple[str, ...]:
    seats = [number_in(text, 0, len(game.players) - 1) for text in request.form.getlist("marker")]
    return tuple(game.names[seat] for seat in seats if seat is not None)


def _after(outcome: Outcome, game_id: str, number: int) -> ResponseReturnValue:
    if isinstance(outcome, Refused):
        return render_template("round.html", page=_page(the_game(game_id), number, refused=why(outcome))), 409
    return redirect(url_for(".show", game_id=game_id, number=number), 303)


def _page(game: Game, number: int, *, refused: str | None = None) -> RoundPage:
    rounds = parts().session.rounds
    here = game.round(round_of(game, number))
    told = here.told or rounds.suggested(game.id, number)
    points = points_in(game, number)
    hands = tuple(_hand(game, number, seat, told, points[seat.name]) for seat in seats_of(game))
    sheet = rounds.sheet(game.id)
    row = next((row for row in sheet.rows if row.number == number), None) if sheet else None
    missing = [hand.seat for hand in hands if hand.points is None]
    return RoundPage(
        head=head_of(game, "round"),
        number=number,
        engine=row.engine.ends if row and row.engine else None,
        starter=row.starter if row else None,
        seats=seats_of(game),
        hands=hands,
        told=bool(told.out or told.blocked),
        blocked=told.blocked,
        asks_markers=game.rules.marker_penalty != 0,
        first_missing=missing[0] if missing else None,
        questions=tuple(map(remark_line, rounds.questions(game.id, number))) if not missing else (),
        refused=refused,
        current=number == game.current,
        choose_starter=row is not None and row.starter is None,
    )


def _hand(game: Game, number: int, seat: Seat, told: RoundTold, points: int | None) -> HandLine:
    here = game.round(number)
    score = here.scores.get(seat.name)
    return HandLine(
        seat=seat,
        points=points,
        out=seat.name in told.out,
        marker=seat.name in told.markers,
        waits=score is None and here.open_hand(seat.name) is not None,
        corrected=score is not None and score.corrected,
    )
