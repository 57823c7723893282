"""The first page (go on with a game, begin one) and the page on which a game is set up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from companion.session.answers import Refused
from companion.session.game import Game
from companion.web.asking import Seat, command, number_in, seats_of, the_game, why
from companion.web.parts import parts
from companion.web.setting_up import Draft, NewGamePage, draft_of, new_game_page

blueprint = Blueprint("games", __name__)

MOST_SHOWN = 20
MOST_NAMES_OFFERED = 12


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game to go on with, or one that is over."""

    id: str
    title: str
    seats: tuple[Seat, ...]
    round: int | None
    rounds: int
    leaders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FirstPage:
    """Games that are being played and games that are over, the last one first."""

    running: tuple[GameLine, ...]
    over: tuple[GameLine, ...]


@blueprint.get("/")
def first() -> str:
    """Go on with a game, or begin one."""
    games = parts().session.games.list(most=MOST_SHOWN)
    page = FirstPage(
        tuple(_line(game) for game in games if not game.over), tuple(_line(game) for game in games if game.over)
    )
    return render_template("first.html", page=page)


def _line(game: Game) -> GameLine:
    sheet = parts().session.rounds.sheet(game.id)
    leaders = tuple(place.player for place in sheet.standings if place.place == 1) if sheet else ()
    return GameLine(game.id, game.name, seats_of(game), game.current, game.round_count, leaders)


@blueprint.get("/games/new")
def new() -> str:
    """Set a game up; what has been chosen so far stands in the address, so that reload and back lose nothing."""
    return render_template("new.html", page=_page(draft_of(request.args)))


@blueprint.post("/games")
def start() -> ResponseReturnValue:
    """Begin the game."""
    draft = draft_of(request.form)
    outcome = parts().session.games.start(
        command(),
        players=draft.names,
        colours=draft.colours,
        preset=draft.preset,
        set_highest=draft.set_highest,
        switches=draft.changed,
        name=draft.title,
    )
    if isinstance(outcome, Refused):
        return render_template("new.html", page=_page(draft, refused=why(outcome))), 409
    return redirect(url_for("sheet.show", game_id=outcome.game.id), 303)


@blueprint.post("/games/<game_id>/me")
def me(game_id: str) -> ResponseReturnValue:
    """Remember whose phone this is; what is done here is then written down under that name."""
    game = the_game(game_id)
    seat = number_in(request.form.get("seat"), 0, len(game.players) - 1)
    session["me"] = None if seat is None else game.names[seat]
    return redirect(url_for("sheet.show", game_id=game_id), 303)


def _page(draft: Draft, *, refused: str | None = None) -> NewGamePage:
    return new_game_page(draft, recent=_recent_names(parts().session.games.list(most=MOST_SHOWN)), refused=refused)


def _recent_names(games: Iterable[Game]) -> tuple[str, ...]:
    """Who played lately, the last game's players first."""
    names = dict.fromkeys(name for game in games for name in game.names)
    return tuple(names)[:MOST_NAMES_OFFERED]
