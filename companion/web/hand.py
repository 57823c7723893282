"""Score a hand: photograph it, look at what is doubtful, mend it with two taps, confirm. Or type it in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.dominoes import parse_ends
from companion.errors import UnusablePhoto
from companion.session.answers import Outcome, Refused
from companion.session.events import HandTile
from companion.session.game import Game, Hand
from companion.sightings import HIGHEST_PIPS, Doubt, DoubtKind
from companion.web.asking import command, number_in, round_of, seat_of, the_game, why
from companion.web.hand_page import hand_page
from companion.web.languages import translate as _
from companion.web.parts import parts
from companion.web.photo_drawing import quad_at
from companion.web.photo_words import say_unusable
from companion.web.photos import bytes_of, read_photo, sent_photos

blueprint = Blueprint("hand", __name__, url_prefix="/games/<game_id>/rounds/<int:number>/hands/<int:seat>")

Change = Callable[[tuple[HandTile, ...]], Sequence[HandTile] | None]
"""The tiles as they become; None where what the page showed is not there any more."""


@blueprint.get("")
def show(game_id: str, number: int, seat: int) -> str:
    """The hand as it stands; `tile` names the one whose pad is open."""
    game = the_game(game_id)
    chosen = number_in(request.args.get("tile"), 0, 999)
    return render_template("hand.html", page=hand_page(game, round_of(game, number), seat, chosen=chosen))


@blueprint.post("/photos")
def photograph(game_id: str, number: int, seat: int) -> ResponseReturnValue:
    """Read photos of the hand. `more` adds them to the hand that is there; otherwise they take its place."""
    game = the_game(game_id)
    player = seat_of(game, seat).name
    before = game.round(round_of(game, number)).open_hand(player)
    adds_to = before.id if before and request.form.get("more") else None
    try:
        for position, file in enumerate(sent_photos()):
            found = read_photo(bytes_of(file), set_highest=game.rules.set)
            outcome = parts().session.hands.propose(
                command(game, part=str(position)), game_id,
                player=player, picture=found.picture, reading=found.reading, round_number=number, adds_to=adds_to,
            )  # fmt: skip
            if isinstance(outcome, Refused):
                return _again(game_id, number, seat, why(outcome))
            adds_to = adds_to or outcome.sequence
    except UnusablePhoto as error:
        return _again(game_id, number, seat, say_unusable(error), status=422)
    if before is not None and adds_to != before.id:
        parts().session.hands.drop(command(game, part="instead"), game_id, before.id)
    return redirect(url_for(".show", game_id=game_id, number=number, seat=seat), 303)


@blueprint.post("/tiles/<int:index>")
def change(game_id: str, number: int, seat: int, index: int) -> ResponseReturnValue:
    """Change a tile: one half (`set`: half and value), both (`ends`), take it away (`remove`), or say that it is right."""
    form = request.form
    stay = index if form.get("set") else None
    part = f"{index}{form.get('set', '')}{form.get('ends', '')}{form.get('remove', '')}"
    return _edit(game_id, number, seat, lambda tiles: change_tile(tiles, index, form), part=part, chosen=stay)


def change_tile(tiles: tuple[HandTile, ...], index: int, form: Mapping[str, str]) -> Sequence[HandTile] | None:
    """The tiles after a tap on a pad or a doubt; None if the tile is not any more what the page showed (`was`)."""
    was = _ends(form.get("was"))
    if index >= len(tiles) or was not in (None, tiles[index].ends):
        return None
    if form.get("remove"):
        return tiles[:index] + tiles[index + 1 :]
    tile = tiles[index]
    new = _ends(form.get("ends")) or tile.ends
    half_value = _half_and_value(form.get("set"))
    if half_value is not None:
        half, value = half_value
        new = (value, new[1]) if half == 0 else (new[0], value)
    return (*tiles[:index], replace(tile, ends=new, checked=True, confidence=1.0), *tiles[index + 1 :])


@blueprint.post("/tiles")
def add(game_id: str, number: int, seat: int) -> ResponseReturnValue:
    """Add a tile that was not seen, where the table was tapped (`x`, `y` in pixels of `picture`), and open its pad."""
    game = the_game(game_id)
    hand = game.round(round_of(game, number)).open_hand(seat_of(game, seat).name)
    if hand is None:
        return _again(game_id, number, seat, _("This photo of a hand is not there any more. Take it again."))
    x, y = (number_in((request.form.get(name) or "").partition(".")[0], 0, 99_999) for name in ("x", "y"))
    photo = next((p for p in hand.photos if p.picture == request.form.get("picture")), None)
    fresh = HandTile((0, 0), doubt=Doubt(len(hand.tiles), (DoubtKind.VALUE,), "added by hand"), confidence=0.0)
    if photo is not None and x is not None and y is not None:
        quad = quad_at(x, y, hand.tiles, photo.picture, photo.reading.size_wh)
        fresh = replace(fresh, picture=photo.picture, quad_px=quad)
    return _edit(game_id, number, seat, lambda tiles: (*tiles, fresh), part=f"add{x}-{y}", chosen=len(hand.tiles))


@blueprint.post("/confirm")
def confirm(game_id: str, number: int, seat: int) -> ResponseReturnValue:
    """Make the hand the player's score."""
    game = the_game(game_id)
    wanted = number_in(request.form.get("hand"), 0, 999_999)
    outcome = parts().session.hands.confirm(
        command(game), game_id, wanted or 0, replace=bool(request.form.get("replace"))
    )
    return _after_score(outcome, game_id, number, seat)


@blueprint.post("/drop")
def drop(game_id: str, number: int, seat: int) -> ResponseReturnValue:
    """Throw the photographed hand away."""
    game = the_game(game_id)
    hand = game.round(round_of(game, number)).open_hand(seat_of(game, seat).name)
    if hand is not None:
        parts().session.hands.drop(command(game), game_id, hand.id)
    return redirect(url_for(".show", game_id=game_id, number=number, seat=seat), 303)


def _edit(
    game_id: str, number: int, seat: int, change: Change, *, part: str, chosen: int | None
) -> ResponseReturnValue:
    game = the_game(game_id)
    hand: Hand | None = game.round(round_of(game, number)).open_hand(seat_of(game, seat).name)
    tiles = None if hand is None else change(hand.tiles)
    if hand is None or tiles is None:
        return _again(game_id, number, seat, _("Somebody else changed this hand just now. Look at it again."))
    outcome = parts().session.hands.edit(command(game, part=part), game_id, hand.id, tiles)
    if isinstance(outcome, Refused):
        return _again(game_id, number, seat, why(outcome))
    return redirect(url_for(".show", game_id=game_id, number=number, seat=seat, tile=chosen), 303)


def _after_score(outcome: Outcome, game_id: str, number: int, seat: int) -> ResponseReturnValue:
    if isinstance(outcome, Refused):
        return _again(game_id, number, seat, why(outcome), can_replace=outcome.reason == "already_scored")
    game: Game = outcome.game
    if number == game.current:
        return redirect(url_for("rounds.show", game_id=game_id, number=number), 303)
    return redirect(url_for("sheet.cell", game_id=game_id, number=number, seat=seat), 303)


def _again(
    game_id: str, number: int, seat: int, refused: str, *, can_replace: bool = False, status: int = 409
) -> ResponseReturnValue:
    page = hand_page(the_game(game_id), number, seat, refused=refused, can_replace=can_replace)
    return render_template("hand.html", page=page), status


def _ends(text: str | None) -> tuple[int, int] | None:
    try:
        ends = parse_ends(text or "")
    except ValueError:
        return None
    return ends if max(ends) <= HIGHEST_PIPS else None


def _half_and_value(text: str | None) -> tuple[int, int] | None:
    half, _colon, value = (text or "").partition(":")
    number = number_in(value, 0, HIGHEST_PIPS)
    return None if half not in ("0", "1") or number is None else (int(half), number)
