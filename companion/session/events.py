"""What is written down: events, and the entries of the journal that carry them.

An event says what happened; an entry adds its number, when, who said so, from what, and by which command. `event_text` is
their text form. Players are named as they sit in the game; rounds are counted from 1; hands and plays are known by the
sequence number of the entry that brought them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from companion.dominoes import Tile
from companion.rules.house_rules import HouseRules
from companion.rules.moves import Move
from companion.session.players import Player
from companion.sightings import Doubt, PhotoReading, Quad

HOST = "host"
"""Who speaks where no player is named."""


class Source(StrEnum):
    """From what something is known. What a person said outranks a camera."""

    PERSON = "person"
    CAMERA = "camera"


@dataclass(frozen=True, slots=True)
class Command:
    """A wish to change something.

    Attributes:
        id: made by who wishes, once; sent again it changes nothing more.
        by: a player's name, or `HOST`.
        source: a person or a camera.
        seen: the game's version that the person looked at; if the game has changed since, the wish is refused. None: any.
    """

    id: str
    by: str = HOST
    source: Source = Source.PERSON
    seen: int | None = None

    def __post_init__(self) -> None:
        """Refuse what no journal can hold."""
        for text, most in ((self.id, 128), (self.by, 64)):
            if not (0 < len(text) <= most and text.isprintable()):
                raise ValueError(f"{text[:most]!r} must have 1 to {most} printable characters")


@dataclass(frozen=True, slots=True)
class HandTile:
    """A tile of a hand.

    Attributes:
        ends: its values; ``ends[0]`` lies between corners 0 and 1 of the quad.
        picture: the id of the picture that shows it.
        quad_px: where, in pixels of that picture.
        confidence: how sure the reading is (0..1); 1 for what a person said.
        doubt: why to look at it (its index there is that of the reading).
        checked: whether a person has looked at it or changed it.
    """

    ends: tuple[int, int]
    picture: str | None = None
    quad_px: Quad | None = None
    confidence: float = 1.0
    doubt: Doubt | None = None
    checked: bool = False

    @property
    def tile(self) -> Tile:
        """Which tile it is."""
        return Tile.of(*self.ends)

    @property
    def wants_look(self) -> bool:
        """Whether a person should still look at it."""
        return self.doubt is not None and not self.checked


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game began. `rules` holds every switch, so that a preset that changes later does not change an old game."""

    name: str
    players: tuple[Player, ...]
    preset: str
    rules: HouseRules


@dataclass(frozen=True, slots=True)
class HandProposed:
    """A photo of a hand was read; `adds_to` is an earlier hand of which this photo shows more."""

    round: int
    player: str
    picture: str
    reading: PhotoReading
    adds_to: int | None = None


@dataclass(frozen=True, slots=True)
class HandEdited:
    """A person changed tiles of a proposed hand."""

    hand: int
    tiles: tuple[HandTile, ...]


@dataclass(frozen=True, slots=True)
class HandDropped:
    """A proposed hand is not wanted."""

    hand: int


@dataclass(frozen=True, slots=True)
class ScoreGiven:
    """What a player is left with in a round; the last one counts, all are kept.

    Attributes:
        round: which.
        player: who.
        tiles: the hand; None where only a number was told.
        points: what it scores, where only a number was told.
        hand: the proposed hand that this confirms.
    """

    round: int
    player: str
    tiles: tuple[HandTile, ...] | None = None
    points: int | None = None
    hand: int | None = None


@dataclass(frozen=True, slots=True)
class RoundTold:
    """How a round ended: who went out, whether it was blocked, whose markers were up. The last one counts."""

    round: int
    out: tuple[str, ...] = ()
    blocked: bool = False
    markers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The scores of a round stand; the next one begins."""

    round: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game ends here, whether or not every round was played."""


@dataclass(frozen=True, slots=True)
class StarterNamed:
    """The table named the player who begins a round."""

    round: int
    player: str


@dataclass(frozen=True, slots=True)
class MoveMade:
    """A deed at the table, told by a person or seen by a camera (the entry says which).

    Attributes:
        round: which.
        move: the deed.
        before: the play before which it happened, where it is told late; None: after all others.
        pictures: ids of the pictures that show it, the one before it first.
    """

    round: int
    move: Move
    before: int | None = None
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MoveConfirmed:
    """A person says that a play that the camera saw is right."""

    play: int


@dataclass(frozen=True, slots=True)
class MoveCorrected:
    """A play was another one."""

    play: int
    move: Move


@dataclass(frozen=True, slots=True)
class MoveDropped:
    """A play did not happen, or was taken back."""

    play: int


@dataclass(frozen=True, slots=True)
class Undone:
    """An earlier entry does not count any more."""

    sequence: int


@dataclass(frozen=True, slots=True)
class TilesLabelled:
    """Tiles of a picture whose values a person vouches for, for a family's set of tiles.

    Attributes:
        set_name: what the family calls the set.
        picture: the picture's id.
        size_wh: its size in pixels.
        highest: N of the double-N set.
        tiles: each with ends, picture and quad.
    """

    set_name: str
    picture: str
    size_wh: tuple[int, int]
    highest: int
    tiles: tuple[HandTile, ...]


Event = (
    GameStarted
    | HandProposed
    | HandEdited
    | HandDropped
    | ScoreGiven
    | RoundTold
    | RoundEnded
    | GameEnded
    | StarterNamed
    | MoveMade
    | MoveConfirmed
    | MoveCorrected
    | MoveDropped
    | Undone
    | TilesLabelled
)


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """A line of a journal; only ever appended.

    Attributes:
        stream: the id of the game, or `SETS` for what belongs to none.
        sequence: its number in the stream, from 1; the order of truth, whatever the clock did.
        at: when, UTC.
        by: who said so: a player's name or `HOST`.
        source: a person or a camera.
        command: the id of the command that wrote it.
        event: what happened.
    """

    stream: str
    sequence: int
    at: datetime
    by: str
    source: Source
    command: str
    event: Event


SETS = "sets"
"""The stream of labelled tiles that were photographed outside a game."""
