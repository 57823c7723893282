"""What to say: the difference between what is believed now and what was said before.

Saying is careful where believing is not: a play that was read unsurely waits for a second frame, a value that was said changes
only for good reasons, and an accusation is made only when both readings and the stories leave no doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from companion.dominoes import Tile
from companion.rules.doubles import debtors, open_doubles
from companion.rules.house_rules import HouseRules
from companion.rules.moves import Play
from companion.rules.rulings import Ruling
from companion.rules.trains import TrainRef
from companion.sightings import Quad
from companion.table.chains import Chain, Ends, LyingTiles
from companion.table.explaining import Told
from companion.table.faults import Anomaly, Fault
from companion.table.layout import Layout
from companion.table.story import Account, Ambiguous, Explained, Explanation, Unexplained
from companion.table.tracks import TileTrack
from companion.table.watch_events import (
    AnomalySeen,
    AskAbout,
    DoubleOwed,
    Evidence,
    MarkerSeen,
    PlayRetracted,
    PlaySeen,
    QuestionAsked,
    RulingGiven,
    StateSeen,
    TrainSeen,
    WatchEvent,
    Why,
)

TABLE = "table"
"""The name of no train: a tile that touches none, or any tile without rules."""
ENGINE = "engine"

_WORTH_SAYING = {Fault.MISMATCHED_JOIN, Fault.DUPLICATE_TILE, Fault.WRONG_START, Fault.TWO_ENGINES, Fault.NOT_IN_SET}
"""The rest is told by other events, or is no fault while the table is not wholly in view."""

_SURELY_ILLEGAL = 0.9
_MAYBE_ILLEGAL = 0.15
"""Between the two, who laid the tile decides, and is asked."""


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """Everything that is believed after a change; tiles by the numbers of their tracks.

    Attributes:
        tracks: the believed tiles, and `quads_px` where they lie in the last frame.
        halves: values of halves a and b; `ends` the same with the inward end first where there is one.
        certainty: probability of the values.
        frames: when each came to lie there.
        opening: those that lay there from the beginning.
        face_down: backs in view.
        lying, layout, told, rules: chains, layout, stories and rules; None without rules.
        anonymous: whether nobody named the players.
        marked: chains at which a marker stands.
    """

    tracks: tuple[TileTrack, ...]
    quads_px: tuple[Quad, ...]
    halves: Mapping[int, Ends]
    ends: Mapping[int, Ends]
    certainty: Mapping[int, float]
    frames: Mapping[int, int]
    opening: frozenset[int]
    face_down: int
    lying: LyingTiles | None = None
    layout: Layout | None = None
    told: Told = field(default_factory=Told)
    rules: HouseRules | None = None
    anonymous: bool = True
    marked: frozenset[int] = frozenset()

    def train_of(self, track: int) -> str:
        """The name of the train that a tile lies in."""
        if self.lying is None:
            return TABLE
        if track == self.lying.engine:
            return ENGINE
        chain = self.lying.chain_of(track)
        return TABLE if chain is None else self.train_name(chain.number)

    def train_name(self, chain: int) -> str:
        """A chain's name: whose train it is, or its number."""
        ref = self.told.owners.get(chain)
        if ref is None or (self.anonymous and not ref.owner.is_mexican):
            return f"train {chain}"
        return str(ref)


@dataclass(slots=True)
class _Said:
    """A play that was said."""

    tile: Tile
    frame: int
    ruling: Ruling | None = None
    player: str | None = None
    other: Tile | None = None
    """Another value that was decided once since, and not said yet."""


class Sayer:
    """Remembers what was said."""

    def __init__(self) -> None:
        self.explanation: Explanation | None = None
        self.waiting = False
        """Whether a play waits only for another frame."""
        self._said: dict[int, _Said] = {}
        self._asked: set[tuple[AskAbout, int | None, tuple[str, ...]]] = set()
        self._owed: set[int] = set()
        self._faults: set[tuple[str, frozenset[int]]] = set()
        self._up: frozenset[int] = frozenset()
        self._state: StateSeen | None = None

    def say(self, belief: Belief, *, frame: int, sure: float, final: bool) -> tuple[WatchEvent, ...]:
        """The events that lead from what was said to what is believed; `final` waits for nothing."""
        self.waiting = False
        events = [*self._retracted(belief, frame)]
        events += self._played(belief, frame, sure, final=final)
        events += self._marked(belief, frame)
        events += self._ruled(belief, frame)
        events += self._owing(belief, frame)
        events += self._faulty(belief, frame)
        events += self._state_of(belief, frame)
        return tuple(events)

    # -- plays

    def _retracted(self, belief: Belief, frame: int) -> Iterator[WatchEvent]:
        there = {track.number for track in belief.tracks}
        for number, said in list(self._said.items()):
            why = None
            if number not in there:
                why = Why.TAKEN_BACK
            elif number in belief.opening:
                why = Why.FOUND_EARLIER
            if why is not None:
                del self._said[number]
                yield PlayRetracted(number, frame, said.tile, why)

    def _played(self, belief: Belief, frame: int, sure: float, *, final: bool) -> Iterator[WatchEvent]:
        quads = dict(zip((track.number for track in belief.tracks), belief.quads_px, strict=True))
        hands = set() if belief.layout is None else {belief.tracks[tile].number for tile in belief.layout.in_rows}
        new = [t for t in belief.tracks if t.number not in belief.opening and t.number not in hands]
        order = {account.play.track: place for place, account in enumerate(belief.told.accounts)}
        for track in sorted(new, key=lambda track: (order.get(track.number, -1), belief.frames[track.number])):
            number, certainty = track.number, belief.certainty[track.number]
            said = self._said.get(number)
            tile = Tile.of(*belief.ends[number])
            if said is None:
                if not (final or track.hits > 1 or certainty >= sure or track.told is not None):
                    self.waiting = True
                    continue
            elif said.tile == tile or not self._has_changed(said, tile, certainty, final=final):
                continue
            else:
                yield PlayRetracted(number, frame, said.tile, Why.REREAD)
            since = belief.frames[number]
            self._said[number] = _Said(tile, since)
            evidence = Evidence(since - 1 if since else None, since, quads[number], certainty)
            train, player = belief.train_of(number), _player(belief, number)
            yield PlaySeen(number, since, tile, belief.ends[number], train, player, evidence)

    def _has_changed(self, said: _Said, tile: Tile, certainty: float, *, final: bool) -> bool:
        """Whether another value is to be said: it is sure, or was decided twice in a row."""
        if certainty >= 0.8 or said.other == tile or final:
            return True
        said.other, self.waiting = tile, True
        return False

    # -- what the referee says

    def _ruled(self, belief: Belief, frame: int) -> Iterator[WatchEvent]:
        moves: list[Play] = []
        open_question: Ambiguous | None = None
        for account in belief.told.accounts:
            said = self._said.get(account.play.track)
            if said is None or account.ruling is None or said.tile != account.play.tile:
                continue
            question = self._question(belief, account, frame)
            if question is not None:
                open_question = Ambiguous(((account.move,),) if account.move else (), "|".join(question.choices))
                if self._ask(question):
                    yield question
                continue
            if (
                said.ruling is not None
                and said.ruling.verdict == account.ruling.verdict
                and said.player == account.player
            ):
                continue
            said.ruling, said.player = account.ruling, account.player
            if account.move is not None:
                moves.append(account.move)
            train = belief.train_of(account.play.track)
            yield RulingGiven(account.play.track, said.frame, said.tile, train, account.player, account.ruling)
        if open_question is not None:
            self.explanation = open_question
        elif moves:
            self.explanation = Explained(tuple(moves))

    def _question(self, belief: Belief, account: Account, frame: int) -> QuestionAsked | None:
        """What must be settled before this play can be called illegal."""
        play = account.play
        if account.ruling is None or account.illegal < _MAYBE_ILLEGAL:
            return None
        assert belief.lying is not None
        if play.track in belief.lying.doubtful:
            choices = _matching(belief, play.track, play.tile)
            return QuestionAsked(frame, AskAbout.MATCH, play.track, play.tile, choices)
        if account.illegal < _SURELY_ILLEGAL and len(account.players) > 1:
            names = tuple(name for name, share in account.players if share > 0.02)
            return QuestionAsked(frame, AskAbout.PLAYER, play.track, play.tile, names)
        return None

    def _ask(self, question: QuestionAsked) -> bool:
        """Whether a question is new."""
        key = question.about, question.track, question.choices
        if key in self._asked:
            return False
        self._asked.add(key)
        return True

    def _owing(self, belief: Belief, frame: int) -> Iterator[WatchEvent]:
        if belief.lying is None or belief.told.state is None:
            return
        state = belief.told.state
        by_tile = {double.laid.tile: double for double in open_doubles(state)}
        for chain in belief.lying.chains:
            last = chain.tracks[-1]
            double = by_tile.get(Tile.of(*chain.ends[-1]))
            if double is None:
                continue
            if last in self._owed or (last not in self._said and last not in belief.opening):
                continue
            self._owed.add(last)
            known = not belief.anonymous and belief.told.turn is not None
            by = debtors(state, double) if known else ()
            yield DoubleOwed(frame, double.laid.tile, belief.train_name(chain.number), by)

    # -- the rest

    def _marked(self, belief: Belief, frame: int) -> Iterator[WatchEvent]:
        if belief.lying is None:
            return
        for chain in belief.lying.chains:
            if (chain.number in belief.marked) != (chain.number in self._up):
                yield MarkerSeen(frame, belief.train_name(chain.number), chain.number in belief.marked)
        self._up = belief.marked

    def _faulty(self, belief: Belief, frame: int) -> Iterator[WatchEvent]:
        if belief.layout is None:
            return
        found: list[Anomaly] = []
        for anomaly in belief.layout.anomalies:
            tracks = frozenset(belief.tracks[tile].number for tile in anomaly.tiles)
            ruled = any(track in self._said and (r := self._said[track].ruling) and r.violations for track in tracks)
            if anomaly.code not in _WORTH_SAYING or ruled or (anomaly.code.value, tracks) in self._faults:
                continue
            self._faults.add((anomaly.code.value, tracks))
            found.append(anomaly)
            tiles = tuple(Tile.of(*belief.layout.ends[tile]) for tile in anomaly.tiles)
            yield AnomalySeen(frame, anomaly.code.value, tiles, anomaly.message)
        if found:
            self.explanation = Unexplained(tuple(found))

    def _state_of(self, belief: Belief, frame: int) -> Iterator[WatchEvent]:
        shown = [track for track in belief.tracks if track.number in self._said or track.number in belief.opening]
        if belief.lying is None:
            loose = tuple(belief.ends[track.number] for track in shown)
            state = StateSeen(frame, None, (), loose, None, belief.face_down)
        else:
            state = StateSeen(
                frame,
                belief.lying.engine_value,
                tuple(_train(belief, chain) for chain in belief.lying.chains),
                tuple(belief.ends[number] for number in belief.lying.loose),
                belief.told.turn,
                belief.face_down,
            )
        if self._state is None or _without_frame(state) != _without_frame(self._state):
            self._state = state
            yield state


def _train(belief: Belief, chain: Chain) -> TrainSeen:
    return TrainSeen(
        name=belief.train_name(chain.number),
        tiles=chain.ends,
        open_end=chain.open_end,
        open_double=chain.ends[-1][0] == chain.ends[-1][1],
        marker=chain.number in belief.marked,
        mexican=_is_mexican(belief.told.owners.get(chain.number)),
    )


def _is_mexican(ref: TrainRef | None) -> bool:
    return ref is not None and ref.owner.is_mexican


def _without_frame(state: StateSeen) -> tuple[object, ...]:
    return state.engine, state.trains, state.loose, state.turn


def _player(belief: Belief, track: int) -> str | None:
    return next((account.player for account in belief.told.accounts if account.play.track == track), None)


def _matching(belief: Belief, track: int, tile: Tile) -> tuple[str, ...]:
    """What the tile is taken for, and what it would be if it matched its neighbour."""
    if belief.layout is None:
        return (str(tile),)
    index = next(k for k, seen in enumerate(belief.tracks) if seen.number == track)
    others = [
        str(Tile.of(*other.ends))
        for doubt in belief.layout.doubts
        if doubt.tile == index
        for other in doubt.alternatives
    ]
    return tuple(dict.fromkeys([str(tile), *others]))
