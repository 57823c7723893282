"""What the watch says: one frozen record for each thing that happened, with a form for programs.

`as_record` gives plain data for one line of JSON; docs/watch-json.md describes it. Sentences for people are made in
`companion.table.watch_words`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.dominoes import Tile
from companion.rules.rulings import Ruling
from companion.sightings import Quad


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a play is believed on.

    Attributes:
        before: the last frame in which the tile did not lie there; None for one that lay there from the beginning.
        after: the first frame in which it does.
        quad_px: where it lies, in pixels of the frame in which it was last seen.
        certainty: probability of its values (0..1).
    """

    before: int | None
    after: int
    quad_px: Quad
    certainty: float


@dataclass(frozen=True, slots=True)
class PlaySeen:
    """A tile that is new on the table.

    Attributes:
        track: the tile's number in this watch; it stays when the values are put right.
        frame: the first frame in which it lies still.
        tile: which.
        ends: its values, inward end first.
        train: the train's name: its owner, ``mexican``, or ``train 3`` where nobody knows whose it is; ``table`` without
            rules or where the tile touches no train.
        player: who laid it, where known.
        evidence: pictures and certainty.
    """

    track: int
    frame: int
    tile: Tile
    ends: tuple[int, int]
    train: str
    player: str | None
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class RulingGiven:
    """What the referee says about a play that was seen; given anew when it changes."""

    track: int
    frame: int
    tile: Tile
    train: str
    player: str | None
    ruling: Ruling


class Why(StrEnum):
    """Why a play is not believed any more."""

    TAKEN_BACK = "taken_back"  # the tile does not lie there any more
    REREAD = "reread"  # it is another tile; a new play follows
    FOUND_EARLIER = "found_earlier"  # it lay there before the watch began
    TOLD = "told"  # a person said so


@dataclass(frozen=True, slots=True)
class PlayRetracted:
    """A play that is not believed any more."""

    track: int
    frame: int
    tile: Tile
    why: Why


@dataclass(frozen=True, slots=True)
class MarkerSeen:
    """A train's marker has gone up or down."""

    frame: int
    train: str
    up: bool


@dataclass(frozen=True, slots=True)
class DoubleOwed:
    """A double that waits for its cover; `by` whom, where the rules and the turn tell."""

    frame: int
    double: Tile
    train: str
    by: tuple[str, ...]


class AskAbout(StrEnum):
    """What a question is about."""

    VALUE = "value"  # which of two values a half shows
    MATCH = "match"  # whether two halves that meet show one value
    PLAYER = "player"  # who laid a tile
    FRAME = "frame"  # where the camera looks
    HIDDEN = "hidden"  # which tile lies under what stands at a train's end


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """The cheapest question that would settle what the pictures leave open.

    Attributes:
        frame: when it came up.
        about: what kind of question.
        track: the tile it is about, if any.
        tile: what it is taken for meanwhile.
        choices: the answers, likeliest first: tiles as ``6-5``, or players; for what is hidden, all tiles that fit and do not
            lie on the table.
        train: the name of the train that it is about, where it is about a train's end.
    """

    frame: int
    about: AskAbout
    track: int | None
    tile: Tile | None
    choices: tuple[str, ...]
    train: str | None = None


@dataclass(frozen=True, slots=True)
class AnomalySeen:
    """Something on the table that no move explains: a code of `companion.table.faults.Fault`, the tiles, a sentence."""

    frame: int
    code: str
    tiles: tuple[Tile, ...]
    message: str


@dataclass(frozen=True, slots=True)
class TableCleared:
    """Nearly all tiles went at once: the round is over, and the watch begins anew."""

    frame: int


@dataclass(frozen=True, slots=True)
class TrainSeen:
    """A train as it lies: tiles outward, each with its inward end first."""

    name: str
    tiles: tuple[tuple[int, int], ...]
    open_end: int
    open_double: bool
    marker: bool
    mexican: bool


@dataclass(frozen=True, slots=True)
class StateSeen:
    """The table after a change.

    Attributes:
        frame: the frame it stands for.
        engine: the engine's value, where known.
        trains: every train.
        loose: tiles on no train.
        turn: whose turn it is, where known.
        face_down: how many backs lie in view.
    """

    frame: int
    engine: int | None
    trains: tuple[TrainSeen, ...]
    loose: tuple[tuple[int, int], ...]
    turn: str | None
    face_down: int


WatchEvent = (
    PlaySeen
    | RulingGiven
    | PlayRetracted
    | MarkerSeen
    | DoubleOwed
    | QuestionAsked
    | AnomalySeen
    | TableCleared
    | StateSeen
)


def as_record(  # noqa: PLR0911 - one return for each event
    event: WatchEvent, *, violations: Sequence[dict[str, str]] | None = None
) -> dict[str, object]:
    """An event as plain data for JSON; `violations` are a ruling's with their sentences, made by whoever shows them."""
    match event:
        case PlaySeen():
            return _play(event)
        case RulingGiven():
            told = violations
            if told is None:
                told = [{"rule": broken.rule, "message": broken.message} for broken in event.ruling.violations]
            return {
                "event": "ruling", "frame": event.frame, "track": event.track, "tile": list(event.tile.ends),
                "train": event.train, "player": event.player, "ruling": event.ruling.verdict.value,
                "violations": list(told), "needs": [str(fact) for fact in event.ruling.needs],
            }  # fmt: skip
        case PlayRetracted():
            return {
                "event": "retract", "frame": event.frame, "track": event.track, "tile": list(event.tile.ends),
                "why": event.why.value,
            }  # fmt: skip
        case MarkerSeen():
            return {"event": "marker", "frame": event.frame, "train": event.train, "up": event.up}
        case DoubleOwed():
            return {
                "event": "owed", "frame": event.frame, "double": list(event.double.ends), "train": event.train,
                "by": list(event.by),
            }  # fmt: skip
        case QuestionAsked():
            return {
                "event": "question", "frame": event.frame, "about": event.about.value, "track": event.track,
                "tile": None if event.tile is None else list(event.tile.ends), "choices": list(event.choices),
                "train": event.train,
            }  # fmt: skip
        case AnomalySeen():
            tiles = [list(tile.ends) for tile in event.tiles]
            return {
                "event": "anomaly",
                "frame": event.frame,
                "code": event.code,
                "tiles": tiles,
                "message": event.message,
            }
        case TableCleared():
            return {"event": "cleared", "frame": event.frame}
        case StateSeen():
            return _state(event)


def _play(event: PlaySeen) -> dict[str, object]:
    evidence = event.evidence
    return {
        "event": "play",
        "frame": event.frame,
        "track": event.track,
        "tile": list(event.ends),
        "train": event.train,
        "player": event.player,
        "evidence": {
            "before": evidence.before,
            "after": evidence.after,
            "quad": [list(point) for point in evidence.quad_px],
            "certainty": round(evidence.certainty, 4),
        },
    }


def _state(event: StateSeen) -> dict[str, object]:
    trains = [
        {
            "name": train.name,
            "tiles": [list(ends) for ends in train.tiles],
            "open_end": train.open_end,
            "open_double": train.open_double,
            "marker": train.marker,
            "mexican": train.mexican,
        }
        for train in event.trains
    ]
    return {
        "event": "state",
        "frame": event.frame,
        "engine": event.engine,
        "trains": trains,
        "loose": [list(ends) for ends in event.loose],
        "turn": event.turn,
        "face_down": event.face_down,
    }
