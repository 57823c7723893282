"""Type a hand in: tile by tile on a pad of pips, or as a number. What was typed stands in the address: no reload loses it."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.dominoes import parse_ends
from companion.scoring.counting import hand_count
from companion.session.answers import Refused
from companion.session.events import HandTile
from companion.session.game import Game
from companion.session.hands import MOST_POINTS
from companion.sightings import HIGHEST_PIPS
from companion.web.asking import GameHead, Seat, command, head_of, number_in, round_of, seat_of, the_game, why
from companion.web.hand_page import RemarkLine, ScoreNow, remark_line, score_now
from companion.web.languages import translate as _
from companion.web.parts import parts

blueprint = Blueprint("by_hand", __name__, url_prefix="/games/<game_id>/rounds/<int:number>/hands/<int:seat>/typed")

MOST_TILES = 60
"""No hand holds more; a longer address is a joke."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the pad: a value and the address with it typed."""

    value: int
    href: str


@dataclass(frozen=True, slots=True)
class TypedTile:
    """A tile that was typed, and the address without it."""

    ends: tuple[int, int]
    href_without: str
    bad: bool


@dataclass(frozen=True, slots=True)
class TypedPage:
    """Everything that the page shows; `first` is the value of the half that was typed last, if it waits for the other."""

    head: GameHead
    seat: Seat
    number: int
    tiles: tuple[TypedTile, ...]
    text: str
    first: int | None
    keys: tuple[Key, ...]
    points: int
    remarks: tuple[RemarkLine, ...]
    score: ScoreNow | None
    refused: str | None


@blueprint.get("")
def show(game_id: str, number: int, seat: int) -> str:
    """The pad."""
    return render_template("typed.html", page=_page(the_game(game_id), number, seat))


@blueprint.post("")
def enter(game_id: str, number: int, seat: int) -> ResponseReturnValue:
    """Write the score down: the tiles, or the number that was typed."""
    game = the_game(game_id)
    player = seat_of(game, seat).name
    replaces = bool(request.form.get("replace"))
    hands, typed = parts().session.hands, request.form.get("points")
    if typed is None:
        tiles = tuple(HandTile(ends, checked=True) for ends in tiles_in(request.form.get("tiles", "")))
        outcome = hands.enter(command(game), game_id, player=player, tiles=tiles, round_number=number, replace=replaces)
    elif (points := number_in(typed, -MOST_POINTS, MOST_POINTS)) is not None:
        outcome = hands.enter(
            command(game), game_id, player=player, points=points, round_number=number, replace=replaces
        )
    else:
        return _again(game, number, seat, _("Type a whole number of points."))
    if isinstance(outcome, Refused):
        return _again(game, number, seat, why(outcome))
    if number == outcome.game.current:
        return redirect(url_for("rounds.show", game_id=game_id, number=number), 303)
    return redirect(url_for("sheet.cell", game_id=game_id, number=number, seat=seat), 303)


def _again(game: Game, number: int, seat: int, refused: str) -> ResponseReturnValue:
    return render_template("typed.html", page=_page(game, number, seat, refused=refused)), 409


def _page(game: Game, number: int, seat_number: int, *, refused: str | None = None) -> TypedPage:
    seat = seat_of(game, seat_number)
    ends = tiles_in(request.values.get("tiles", ""))
    first = number_in(request.args.get("first"), 0, game.rules.set)
    tiles = tuple(HandTile(pair, checked=True) for pair in ends)
    remarks = parts().session.hands.check(game.id, seat.name, tiles, round_number=number) if tiles else ()
    bad = {remark.tile for remark in remarks}

    def href(pairs: list[tuple[int, int]], half: int | None = None) -> str:
        text = text_of(pairs)
        return url_for(".show", game_id=game.id, number=number, seat=seat_number, tiles=text or None, first=half)

    return TypedPage(
        head=head_of(game, "round"),
        seat=seat,
        number=round_of(game, number),
        tiles=tuple(TypedTile(pair, href([*ends[:n], *ends[n + 1 :]]), n in bad) for n, pair in enumerate(ends)),
        text=text_of(ends),
        first=first,
        keys=tuple(
            Key(value, href(ends, value) if first is None else href([*ends, (first, value)]))
            for value in range(game.rules.set + 1)
        ),
        points=hand_count((tile.tile for tile in tiles), game.rules),
        remarks=tuple(map(remark_line, remarks)),
        score=score_now(game, number, seat.name),
        refused=refused,
    )


def text_of(tiles: list[tuple[int, int]]) -> str:
    """Tiles for an address, as ``12-5.3-3``."""
    return ".".join(f"{a}-{b}" for a, b in tiles)


def tiles_in(text: str) -> list[tuple[int, int]]:
    """The tiles of an address, as ``12-5.3-3``; what is no tile is left out."""
    found = []
    for part in text.split(".")[:MOST_TILES]:
        try:
            ends = parse_ends(part)
        except ValueError:
            continue
        if max(ends) <= HIGHEST_PIPS:
            found.append(ends)
    return found
