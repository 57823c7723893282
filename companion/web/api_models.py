"""What programs send and get under ``/api/v1``. The OpenAPI document is made from these."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from companion.session.hands import MOST_POINTS

CommandId = Annotated[
    str,
    Field(
        pattern=r"^[0-9A-Za-z_-]{8,64}$",
        description="Made once by who sends it; sent again it changes nothing more. Without one, every request is a new wish.",
    ),
]
Pips = Annotated[int, Field(ge=0, le=18)]
TileEnds = Annotated[list[Pips], Field(min_length=2, max_length=2, description="Both ends of a tile.")]
Name = Annotated[str, Field(min_length=1, max_length=60)]


class Sent(BaseModel):
    """What is sent: nothing that is not named here."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewGame(Sent):
    """A game to begin."""

    players: Annotated[list[Name], Field(min_length=2, max_length=14, description="In seat order, clockwise.")]
    preset: Annotated[str, Field(max_length=40)] = "base"
    set: Literal[6, 9, 12, 15, 18] | None = None
    switches: Annotated[
        dict[str, str | int | bool], Field(description="House rules that differ from the preset's, by name.")
    ] = Field(default_factory=dict, max_length=60)
    name: Annotated[str, Field(max_length=60)] = ""
    command: CommandId | None = None


class NewScore(Sent):
    """A player's score of a round: the tiles that are left, or a number that then stands."""

    player: Name
    tiles: Annotated[list[TileEnds], Field(max_length=60)] | None = None
    points: Annotated[int, Field(ge=-MOST_POINTS, le=MOST_POINTS)] | None = None
    replace: Annotated[bool, Field(description="Whether a score that is there is corrected by it.")] = False
    command: CommandId | None = None


class RoundEnd(Sent):
    """How a round ended."""

    out: Annotated[list[Name], Field(max_length=14, description="Who went out.")] = Field(default_factory=list)
    blocked: bool = False
    markers: Annotated[list[Name], Field(max_length=14, description="Whose markers were still up.")] = Field(
        default_factory=list
    )
    command: CommandId | None = None


class NewMove(Sent):
    """A deed at the table. A play names its tile and its train; an engine names its tile."""

    player: Name
    deed: Literal["play", "draw", "pass", "done", "knock", "mark", "unmark", "engine"]
    tile: TileEnds | None = None
    train: Annotated[
        str | None,
        Field(
            max_length=64,
            description="A player's name, `mexican` or `mexican2`; a branch follows a slash. Own if missing.",
        ),
    ] = None
    anyway: Annotated[bool, Field(description="It stands although it is against the rules.")] = False
    command: CommandId | None = None


class Question(Sent):
    """A play to rule on, and as much of the hand as is shown."""

    player: Name
    tile: TileEnds
    train: Annotated[str | None, Field(max_length=64)] = None
    hand: Annotated[list[TileEnds], Field(max_length=60)] = Field(default_factory=list)


class PlayerOut(BaseModel):
    """A player."""

    name: str
    colour: str


class CellOut(BaseModel):
    """A player's score of a round; null while it is not known."""

    player: str
    points: int | None
    total: int | None
    out: bool
    corrected: bool
    pictures: list[str]


class RoundOut(BaseModel):
    """A round of the sheet."""

    number: int
    engine: str | None
    starter: str | None
    ended: bool
    blocked: bool
    scores: list[CellOut]


class PlaceOut(BaseModel):
    """Where a player stands."""

    player: str
    total: int
    place: int


class GameLineOut(BaseModel):
    """A game in the list."""

    id: str
    name: str
    players: list[PlayerOut]
    round: int | None
    rounds: int


class GamesOut(BaseModel):
    """Games, the one that was changed last first."""

    games: list[GameLineOut]


class GameOut(GameLineOut):
    """A game and its sheet; `version` grows with every change, `round` is null once it is over."""

    version: int
    preset: str
    rules: str
    sheet: list[RoundOut]
    standings: list[PlaceOut]
    winners: list[str]


class ViolationOut(BaseModel):
    """A broken rule."""

    rule: str
    sentence: str


class RulingOut(BaseModel):
    """What the referee says."""

    verdict: Literal["legal", "illegal", "depends"]
    violations: list[ViolationOut]
    needs: list[str]
    legal_under: list[str]


class PlayOut(BaseModel):
    """A deed that was told or seen, and the ruling on it."""

    id: int
    move: str
    by: str
    source: Literal["person", "camera"]
    verdict: Literal["legal", "illegal", "depends"]
    rules: list[str]
    pictures: list[str]


class PlaysOut(BaseModel):
    """The deeds of the round that is played, in their order."""

    plays: list[PlayOut]


class ProblemOut(BaseModel):
    """A problem (RFC 9457). `code` is a stable word; `title` and `detail` are for people."""

    type: str
    status: int
    code: str
    title: str
    detail: str
