"""The live table: frames of one camera go to the watch, what it sees goes into the game, everybody else may look on."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field
from time import monotonic
from typing import Protocol

from companion.dominoes import Tile
from companion.rules.moves import Play
from companion.rules.state import RoundState
from companion.rules.trains import TRUNK, TrainRef
from companion.session.disagreement import Comparison, lying_from
from companion.session.events import Command, Source
from companion.session.game import Game
from companion.session.session import Session
from companion.session.sheet import next_round
from companion.table.look import TableLook, WatchSetting
from companion.table.watch_events import (
    AskAbout,
    DoubleOwed,
    PlayRetracted,
    PlaySeen,
    QuestionAsked,
    RulingGiven,
    StateSeen,
    TableCleared,
    TrainSeen,
    WatchEvent,
)

FRAMES_KEPT = 90
"""Frames in memory, so that a play has its picture from before: half a minute at three a second."""
CAMERA_GONE_S = 6.0
"""A camera that has sent nothing for so long has gone; another one may watch."""


class WatchesTables(Protocol):
    """Watches tables away from the threads that answer pages."""

    def look(self, setting: WatchSetting, jpeg: bytes, *, frame: int, time_s: float) -> TableLook:
        """Take in a frame (the bytes of a JPEG) of a table.

        Raises:
            UnusablePhoto: the frame cannot be opened.
            CompanionError: the watch does not work.
        """
        ...


class OtherCamera(Exception):
    """Another camera watches this table already."""


@dataclass(slots=True)
class LiveTable:
    """One table as its camera shows it: the last look, and what still stands of the ones before."""

    key: str
    frame: int = -1
    camera: str = ""
    seen_at: float = 0.0
    look: TableLook | None = None
    state: StateSeen | None = None
    owed: dict[Tile, tuple[str, ...]] = field(default_factory=dict)
    rulings: dict[Tile, RulingGiven] = field(default_factory=dict)
    question: QuestionAsked | None = None
    hidden: dict[str, int] = field(default_factory=dict)
    """Trains at whose end something hides a tile, and how many tiles they had then."""
    comparison: Comparison = field(default_factory=Comparison)
    frames: OrderedDict[int, bytes] = field(default_factory=OrderedDict)
    busy: threading.Lock = field(default_factory=threading.Lock)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def note(self, look: TableLook, frame: int, jpeg: bytes) -> None:
        """Take in what a frame told. What stands is replaced, never changed: pages draw it meanwhile."""
        for event in look.events:
            match event:
                case StateSeen():
                    self.state = event
                    doubles = {Tile.of(*train.tiles[-1]) for train in event.trains if train.open_double}
                    self.owed = {tile: by for tile, by in self.owed.items() if tile in doubles}
                    tiles = {train.name: len(train.tiles) for train in event.trains}
                    self.hidden = {name: count for name, count in self.hidden.items() if tiles.get(name) == count}
                case DoubleOwed():
                    self.owed = self.owed | {event.double: event.by}
                case RulingGiven():
                    self.rulings = self.rulings | {event.tile: event}
                case PlayRetracted():
                    self.rulings = {tile: told for tile, told in self.rulings.items() if tile != event.tile}
                case QuestionAsked(about=AskAbout.HIDDEN, train=str(name)):
                    trains = self.state.trains if self.state is not None else ()
                    count = next((len(train.tiles) for train in trains if train.name == name), 0)
                    self.hidden = self.hidden | {name: count}
                case QuestionAsked():
                    self.question = event
                case TableCleared():
                    self.owed, self.rulings, self.question, self.hidden = {}, {}, None, {}
        self.frames[frame] = jpeg
        while len(self.frames) > FRAMES_KEPT:
            self.frames.popitem(last=False)
        with self.changed:
            self.look, self.frame = look, frame
            self.changed.notify_all()

    def wait(self, beyond: int, timeout_s: float) -> bool:
        """Wait for a newer frame than that one."""
        with self.changed:
            return self.changed.wait_for(lambda: self.frame > beyond, timeout_s)


class LiveTables:
    """The tables that are watched. Safe to share between threads."""

    def __init__(self, session: Session, watcher: WatchesTables, *, clock: Callable[[], float] = monotonic) -> None:
        self._session = session
        self._watcher = watcher
        self._clock = clock
        self._tables: dict[str, LiveTable] = {}
        self._lock = threading.Lock()

    def find(self, game_id: str) -> LiveTable | None:
        """The table of a game, where a camera has shown it."""
        return self._tables.get(game_id)

    def is_watched(self, game_id: str) -> bool:
        """Whether a camera shows the table now."""
        table = self._tables.get(game_id)
        return table is not None and self._clock() - table.seen_at < CAMERA_GONE_S

    def take_in(self, game: Game, jpeg: bytes, *, camera: str, still: bool = False) -> LiveTable:
        """Look at a frame of the round that is played, and put what it shows into the game.

        Args:
            game: whose table.
            jpeg: the frame.
            camera: a name that the sending page made for itself; one camera watches at a time.
            still: whether it is a photo of its own rather than a frame of a stream.

        Raises:
            OtherCamera: another one sent a frame a moment ago.
            UnusablePhoto: the frame cannot be opened.
        """
        table = self._table(game, "still" if still else "live")
        with table.busy:
            now = self._clock()
            if table.camera not in ("", camera) and now - table.seen_at < CAMERA_GONE_S:
                raise OtherCamera
            table.camera, table.seen_at = camera, now
            frame = table.frame + 1
            setting = _setting(game, table.key, stills=still)
            look = self._watcher.look(setting, jpeg, frame=frame, time_s=now)
            table.note(look, frame, jpeg)
            self._take_over(game, look.events, f"{table.key}-{frame}")
            for number, event in enumerate(look.events):
                self._tell(game, table, event, f"{table.key}-{frame}-{number}")
            self._compare(game, table, now)
        return table

    def _table(self, game: Game, kind: str) -> LiveTable:
        key = f"{game.id}-{game.current}-{kind}"
        with self._lock:
            table = self._tables.get(game.id)
            if table is None or table.key != key:
                table = self._tables[game.id] = LiveTable(key)
            return table

    def _compare(self, game: Game, table: LiveTable, now: float) -> None:
        """Note where camera and game stay apart; only what lasts is told."""
        state = self._session.table.state(game.id)
        if state is not None and table.state is not None:
            table.comparison = table.comparison.seen(state, lying_from(table.state, game.names), now)

    def _take_over(self, game: Game, events: Sequence[WatchEvent], command_id: str) -> None:
        """Bring tiles into the game that lay on a train before the camera came; who laid them is not known."""
        new = {event.tile for event in events if isinstance(event, PlaySeen)}
        for event in events:
            for train in event.trains if isinstance(event, StateSeen) else ():
                self._take_over_train(game, train, new, f"{command_id}-{train.name}")

    def _take_over_train(self, game: Game, train: TrainSeen, new: Set[Tile], command_id: str) -> None:
        """Lengthen the game's train by what lies beyond it; where the two stay apart, nothing is taken over."""
        for place, (inward, outward) in enumerate(train.tiles):
            state, tile = self._session.table.state(game.id), Tile.of(inward, outward)
            ref = None if state is None else _ref(train.name, state)
            if state is None or ref is None or tile in new:
                return
            index = state.train_index(ref.owner)
            ours = () if index is None else state.trains[index].branches[TRUNK].tiles
            if place < len(ours):
                if ours[place].tile != tile:
                    return
                continue
            player = ref.owner.player or state.players[state.turn.seat or 0]
            command = Command(f"{command_id}-{tile}", source=Source.CAMERA)
            self._session.table.see(command, game.id, Play(player, tile, ref, outward))

    def _tell(self, game: Game, table: LiveTable, event: WatchEvent, command_id: str) -> None:
        """Tell the game what the camera saw; what people said stands, so a refusal is no trouble."""
        command = Command(command_id, source=Source.CAMERA)
        if isinstance(event, PlayRetracted):
            self._session.table.unsee(command, game.id, event.tile)
        elif isinstance(event, PlaySeen):
            state = self._session.table.state(game.id)
            move = None if state is None else _move(event, state)
            if move is not None:
                wanted = (event.evidence.before, event.evidence.after)
                shown = [table.frames[number] for number in wanted if number is not None and number in table.frames]
                pictures = [self._session.pictures.put(jpeg) for jpeg in shown]
                self._session.table.see(command, game.id, move, pictures=pictures)


def _setting(game: Game, key: str, *, stills: bool) -> WatchSetting:
    here = next_round(game, game.current or 1)
    start = game.names.index(here.starter) if here.starter in game.names else 0
    players = game.names[start:] + game.names[:start]
    return WatchSetting(key, game.rules, players, None if here.engine is None else here.engine.high, stills)


def _move(event: PlaySeen, state: RoundState) -> Play | None:
    """The play as the game knows plays; None where the camera cannot tell on which train it lies."""
    ref = _ref(event.train, state)
    if ref is None:
        return None
    turn = state.turn.seat
    player = event.player or ref.owner.player or (None if turn is None else state.players[turn])
    return None if player is None else Play(player, event.tile, ref, event.ends[1])


def _ref(name: str, state: RoundState) -> TrainRef | None:
    """The train of this name; None for one whose owner the camera does not know."""
    try:
        ref = TrainRef.parse(name)
    except ValueError:
        return None
    return ref if ref.owner.player is None or ref.owner.player in state.players else None
