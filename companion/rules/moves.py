"""Moves: what a player does or says. A closed union, matched exhaustively; each reads back from its text form.

A move of notation is written as a line (``Ann 12-5 @mexican``); `parse_move` reads one.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.dominoes import Tile, TrainOwner, parse_ends
from companion.rules.trains import TRUNK, TrainRef


@dataclass(frozen=True, slots=True)
class Play:
    """A player lays a tile on a train.

    Attributes:
        player: who.
        tile: which.
        train: where.
        outward: the half written second: the open end if the tile does not fit but stands.
    """

    player: str
    tile: Tile
    train: TrainRef
    outward: int | None = None

    def __str__(self) -> str:
        outward = self.tile.low if self.outward is None else self.outward
        own = self.train.owner.player == self.player and self.train.branch == TRUNK
        return f"{self.player} {self.tile.other(outward)}-{outward}" + ("" if own else f" @{self.train}")


@dataclass(frozen=True, slots=True)
class Draw:
    """A player draws a tile, seen or not."""

    player: str
    tile: Tile | None = None

    def __str__(self) -> str:
        return f"{self.player} draw" + (f" {self.tile}" if self.tile else "")


@dataclass(frozen=True, slots=True)
class Pass:
    """A player ends the turn without a play."""

    player: str

    def __str__(self) -> str:
        return f"{self.player} pass"


@dataclass(frozen=True, slots=True)
class Done:
    """A player ends a first chain."""

    player: str

    def __str__(self) -> str:
        return f"{self.player} done"


@dataclass(frozen=True, slots=True)
class Mark:
    """A player puts the own marker up by choice."""

    player: str

    def __str__(self) -> str:
        return f"{self.player} mark"


@dataclass(frozen=True, slots=True)
class Unmark:
    """A player takes the own marker down by choice."""

    player: str

    def __str__(self) -> str:
        return f"{self.player} unmark"


@dataclass(frozen=True, slots=True)
class SeenUnmarked:
    """Somebody saw that a player's marker is not up."""

    player: str

    def __str__(self) -> str:
        return f"{self.player} unmarked"


@dataclass(frozen=True, slots=True)
class Knock:
    """A player says that one tile is left."""

    player: str

    def __str__(self) -> str:
        return f"{self.player} knock"


@dataclass(frozen=True, slots=True)
class Catch:
    """A player claims that another one had to knock and did not; the tiles drawn for it, as far as seen."""

    player: str
    caught: str
    tiles: tuple[Tile, ...] = ()

    def __str__(self) -> str:
        return " ".join([self.player, "catch", self.caught, *map(str, self.tiles)])


@dataclass(frozen=True, slots=True)
class LayEngine:
    """The double that starts the round goes into the middle, from a player's hand or (no player) from beside it."""

    player: str | None
    tile: Tile

    def __str__(self) -> str:
        return " ".join(([self.player] if self.player else []) + ["engine", str(self.tile)])


@dataclass(frozen=True, slots=True)
class End:
    """The table stops the round and counts."""

    player: None = None

    def __str__(self) -> str:
        return "end"


Move = Play | Draw | Pass | Done | Mark | Unmark | SeenUnmarked | Knock | Catch | LayEngine | End

_WORDS: dict[str, type[Pass | Done | Mark | Unmark | SeenUnmarked | Knock]] = {
    "pass": Pass,
    "done": Done,
    "mark": Mark,
    "unmark": Unmark,
    "unmarked": SeenUnmarked,
    "knock": Knock,
}


def parse_move(text: str) -> Move:
    """Read a move.

    Raises:
        ValueError: says what cannot be read.
    """
    move: Move
    match text.split():
        case ["end"]:
            move = End()
        case ["engine", tile]:
            move = LayEngine(None, Tile.parse(tile))
        case [player, "engine", tile]:
            move = LayEngine(_name(player), Tile.parse(tile))
        case [player, "draw"]:
            move = Draw(_name(player))
        case [player, "draw", tile]:
            move = Draw(_name(player), Tile.parse(tile))
        case [player, "catch", caught, *tiles]:
            move = Catch(_name(player), _name(caught), tuple(map(Tile.parse, tiles)))
        case [player, word] if word in _WORDS:
            move = _WORDS[word](_name(player))
        case [player, tile]:
            move = _play(_name(player), tile, None)
        case [player, tile, place] if place.startswith("@"):
            move = _play(_name(player), tile, place[1:])
        case _:
            raise ValueError(f"{text!r} is no deed")
    return move


def _name(text: str) -> str:
    player = TrainOwner.parse(text).player
    if player is None:
        raise ValueError(f"{text!r} is a train, not a player")
    return player


def _play(player: str, tile: str, place: str | None) -> Play:
    inward, outward = parse_ends(tile)
    train = TrainRef.of(player) if place is None else TrainRef.parse(place)
    return Play(player, Tile.of(inward, outward), train, outward)
