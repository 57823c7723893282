"""What a request asks about and wishes: the game and the seat in its address, the command in its form, who speaks."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from flask import abort, request, session
from flask_babel import get_locale

from companion.rules.trains import TrainRef
from companion.rules.wording import say_train
from companion.session.answers import Refused
from companion.session.events import HOST, Command
from companion.session.game import Game
from companion.session.wording import HOST_WORD, say_refused
from companion.translations import translator
from companion.web.parts import parts

_COMMAND_ID = re.compile(r"[0-9A-Za-z_-]{8,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Seat:
    """A player as pages show one; addresses name players by their seat, never by what they are called."""

    number: int
    name: str
    colour: str


@dataclass(frozen=True, slots=True)
class GameHead:
    """What every page of a game shows: which game, which round, where one is, whose phone it is."""

    id: str
    title: str
    version: int
    tab: str
    round: int | None
    rounds: int
    seats: tuple[Seat, ...]
    me: str | None


def core() -> Callable[[str], str]:
    """The translator of the referee's and the session's sentences into this request's language."""
    return translator(str(get_locale() or "en"))


def the_game(game_id: str) -> Game:
    """The game of this address; ends the request where there is none."""
    game = parts().session.games.get(game_id) if len(game_id) <= 64 else None
    if game is None:
        abort(404)
    return game


def head_of(game: Game, tab: str) -> GameHead:
    """What every page of the game shows."""
    title = game.name or ", ".join(game.names)
    return GameHead(game.id, title, game.version, tab, game.current, game.round_count, seats_of(game), me(game))


def seats_of(game: Game) -> tuple[Seat, ...]:
    """The players in seat order."""
    return tuple(Seat(number, player.name, player.colour) for number, player in enumerate(game.players))


def seat_of(game: Game, number: int) -> Seat:
    """One seat by its number; ends the request where there is none."""
    if not 0 <= number < len(game.players):
        abort(404)
    return seats_of(game)[number]


def round_of(game: Game, number: int) -> int:
    """A round that is played or has ended; ends the request for any other."""
    if number != game.current and not game.round(number).ended:
        abort(404)
    return number


def me(game: Game) -> str | None:
    """Whose phone this is, where that was said."""
    name = session.get("me")
    return name if name in game.names else None


def command(game: Game | None = None, *, part: str = "") -> Command:
    """The wish of this request. `part` tells apart what one form can wish for, a button each."""
    given = request.form.get("command", "") if request.form else ""
    made = given if _COMMAND_ID.fullmatch(given) else parts().new_command()
    by = me(game) if game is not None else None
    return Command(f"{made}-{part}" if part else made, by or HOST)


def why(refused: Refused) -> str:
    """A refusal in this person's words."""
    return say_refused(refused, core())


def who(name: str) -> str:
    """A player's name, or the word for the host."""
    return core()(HOST_WORD) if name == HOST else name


def train_name(ref: TrainRef) -> str:
    """A train as people call it, in this person's language."""
    return say_train(ref, core())


def number_in(text: str | None, lowest: int, highest: int) -> int | None:
    """A whole number of a form or an address; None unless it is one within the bounds."""
    text = (text or "").strip()
    if not re.fullmatch(r"-?\d{1,6}", text, re.ASCII):
        return None
    number = int(text)
    return number if lowest <= number <= highest else None
