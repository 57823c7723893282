"""The watch over a table: frames in, events out.

>>> from companion.rules.presets import standard_book
>>> watch = TableWatch(standard_book().rules("base"), ("Ann", "Ben", "Cy"), set_highest=12)
>>> watch.observe(TableSighting(frame=0, time_s=0.0, size_wh=(1280, 960), tiles=()))
()

What is believed now is worked out anew after every change, and compared with what was said: the difference is the events.
So a tile that is read better later, or was hidden, or is taken back, needs no story of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass, field, replace

import numpy as np

from companion.dominoes import Tile
from companion.rules.house_rules import HouseRules
from companion.rules.state import RoundState
from companion.sightings import HIGHEST_PIPS, Detection, PipReading
from companion.table.chains import ChainNames, LyingTiles
from companion.table.explaining import Explainer, ExplainingParameters, Told
from companion.table.layout import Layout, LayoutParameters, lay_out, with_toes
from companion.table.plane import Plane
from companion.table.saying import Belief, Sayer
from companion.table.seen import MarkerSighting, SeenTable
from companion.table.shapes import ShapeParameters, tile_shaped
from companion.table.sighting import TableSighting
from companion.table.story import Explanation, Opening, SeenChain, SeenPlay
from companion.table.table_map import BELIEVED, MapParameters, TableMap
from companion.table.tracks import TileTrack
from companion.table.uniqueness import with_uniqueness
from companion.table.watch_events import AskAbout, QuestionAsked, TableCleared, WatchEvent


@dataclass(frozen=True, slots=True)
class WatchParameters:
    """Every number of the watch, by the step that uses it."""

    map: MapParameters = field(default_factory=MapParameters)
    layout: LayoutParameters = field(default_factory=LayoutParameters)
    explaining: ExplainingParameters = field(default_factory=ExplainingParameters)
    odds: float = BELIEVED
    """Log of odds from which a tile is believed to lie there."""
    last_odds: float = 0.4
    """The same when the feed ends and no further look will come."""
    sure: float = 0.9
    """A play read less surely than this waits for a second frame."""
    cleared: float = 0.7
    """Share of the tiles that must go at once for the round to be over, and `cleared_least` how many."""
    cleared_least: int = 5
    astray: int = 5
    """Frames in a row that show tiles, and none that is known, before a person is asked to look."""
    shapes: ShapeParameters = field(default_factory=ShapeParameters)
    marker_looks: int = 2
    """Looks in a row that must agree before a marker is up or down."""
    hidden_looks: int = 2
    """And that must see a train go on under something before a person is asked what lies there."""


class TableWatch:
    """Follows one table through a feed."""

    def __init__(
        self,
        rules: HouseRules | None,
        players: Sequence[str] = (),
        *,
        set_highest: int | None = None,
        engine: int | None = None,
        parameters: WatchParameters | None = None,
    ) -> None:
        """A watch that has seen nothing yet.

        Args:
            rules: what the table plays; None watches tiles come and go without engine, trains or rules, and lets a tile
                repeat.
            players: their names, clockwise, beginning with who lays the next tile; none where nobody needs to know.
            set_highest: N of the double-N set; None takes it from the rules, or leaves it open without rules.
            engine: the engine's value, where a person told it.
            parameters: thresholds.

        Raises:
            HouseRulesError: the set is none that is sold.
        """
        p = self.parameters = parameters or WatchParameters()
        if rules is not None:
            highest = rules.set if set_highest is None else set_highest
            rules = rules.with_values({"set": highest})
            self._layout_parameters = with_toes(p.layout, rules.chicken_foot)
        else:
            highest = HIGHEST_PIPS if set_highest is None else set_highest
            self._layout_parameters = p.layout
        self.rules, self.players, self.highest, self.engine = rules, tuple(players), highest, engine
        self._begin()

    def _begin(self) -> None:
        """Forget everything, for a new round too."""
        p = self.parameters
        self._map = TableMap(p.map, repeats=self.rules is None)
        self._names = ChainNames()
        self._explainer = None if self.rules is None else Explainer(self.rules, self.players, parameters=p.explaining)
        self._sayer = Sayer()
        self._opened: int | None = None
        self._bare: int | None = None
        self._opened_with: int | None = None
        self._astray = 0
        self._frame = 0
        self._face_down = 0
        self._chains: dict[int, SeenChain] = {}
        self._told = Told()
        self._belief: Belief | None = None
        self._layout: Layout | None = None
        self._tracks: tuple[TileTrack, ...] = ()
        self._laid_by: dict[int, str] = {}
        self._marks = _Marks(p.marker_looks)
        self._lay_since: dict[int, int] = {}
        self._hidden: dict[int, int] = {}
        self._asked_hidden: set[int] = set()

    # -- what others ask for

    @property
    def layout(self) -> Layout | None:
        """The layout of all believed tiles on the map; None before the first and without rules."""
        return self._layout

    @property
    def state(self) -> RoundState | None:
        """The likeliest round, or None where no engine is known."""
        return self._told.state

    @property
    def tracks(self) -> tuple[TileTrack, ...]:
        """The believed tiles, in the order of the layout's tiles."""
        return self._tracks

    @property
    def explanation(self) -> Explanation | None:
        """How the last change came about."""
        return self._sayer.explanation

    def in_picture(self) -> tuple[SeenTable, Layout] | None:
        """The believed tiles and their layout in pixels of the last frame: to draw, or to look for markers.

        Tiles that a hand covers or that lie outside the picture are there too.
        """
        matrix, layout = self._map.matrix, self._layout
        if matrix is None or layout is None or layout.plane is None:
            return None
        quads = self._map.quads_px(self._tracks)
        plane = Plane(np.asarray(layout.plane.matrix @ matrix), layout.plane.error)
        tiles = tuple(
            replace(_as_detection(track, self), quad_px=quad) for track, quad in zip(self._tracks, quads, strict=True)
        )
        return SeenTable(tiles), replace(layout, quads_px=quads, plane=plane)

    # -- what comes in

    def observe(self, sighting: TableSighting) -> tuple[WatchEvent, ...]:
        """Take in one frame; what it changed."""
        before = len(self._map.tracks)
        change = self._map.observe(sighting)
        if not change.located:
            nothing_lies = not (sighting.tiles or sighting.passing or self._map.tracks)
            if nothing_lies and self._opened is None:
                self._bare = sighting.frame
                if sighting.face_down:
                    self._opened = sighting.frame  # a boneyard and nothing laid: what comes from now on is laid
            return self._lost(sighting)
        self._astray = 0
        self._frame, self._face_down = sighting.frame, len(sighting.face_down)
        if self._opened is None and not sighting.passing:
            self._opened = self._bare if self._first_is_laid(sighting) else sighting.frame
        if len(change.vanished) >= max(self.parameters.cleared_least, self.parameters.cleared * before):
            self._begin()
            return (TableCleared(sighting.frame),)
        if not change and not self._sayer.waiting:
            return ()
        return self._conclude(odds=self.parameters.odds, final=False)

    def _first_is_laid(self, sighting: TableSighting) -> bool:
        """Whether one tile was laid where nothing lay; many at once are a table that the camera was turned to."""
        bare = self._bare
        return bare is not None and sum(tile.since is None or tile.since > bare for tile in sighting.tiles) == 1

    def begin_round(self) -> None:
        """Forget everything that lay there: a person says that a new round begins."""
        self._begin()

    def _lost(self, sighting: TableSighting) -> tuple[WatchEvent, ...]:
        """A frame that could not be put on the map; after some of them somebody should look at the camera."""
        if not sighting.tiles or sighting.passing or not self._map.tracks:
            return ()
        self._astray += 1
        if self._astray != self.parameters.astray:
            return ()
        return (QuestionAsked(sighting.frame, AskAbout.FRAME, None, None, ()),)

    def mark(self, markers: Sequence[MarkerSighting]) -> tuple[WatchEvent, ...]:
        """Take in the markers that were seen in the last frame, in its pixels."""
        seen = self.in_picture()
        if seen is None or self._belief is None or self._belief.lying is None:
            return ()
        lasts = {self._tracks[train.tiles[-1]].number for train in seen[1].marked_by(markers).trains if train.marker}
        up = {chain.number for chain in self._belief.lying.chains if {chain.tracks[0], chain.tracks[-1]} & lasts}
        if not self._marks.look(self._frame, up, {chain.number for chain in self._belief.lying.chains}):
            return ()
        return self._conclude(odds=self.parameters.odds, final=False)

    def hide(self, trains: Collection[int]) -> tuple[WatchEvent, ...]:
        """Take in which trains (indices of the layout's) seemed to go on under something in the last frame."""
        layout = self._layout
        if layout is None:
            return ()
        lasts = {self._tracks[layout.trains[train].tiles[-1]].number for train in trains}
        self._hidden = {track: self._hidden.get(track, 0) + 1 for track in lasts}
        return self._ask_hidden(self.parameters.hidden_looks)

    def _ask_hidden(self, looks: int) -> tuple[WatchEvent, ...]:
        belief = self._belief
        if belief is None or belief.lying is None:
            return ()
        ends = {chain.tracks[-1]: chain for chain in belief.lying.chains}
        asked = [t for t, seen in self._hidden.items() if seen >= looks and t in ends and t not in self._asked_hidden]
        self._asked_hidden.update(asked)
        lie = {frozenset(halves) for halves in belief.halves.values()}
        return tuple(
            QuestionAsked(
                self._frame, AskAbout.HIDDEN, None, None,
                self._fitting(ends[track].open_end, lie), belief.train_name(ends[track].number),
            )
            for track in asked
        )  # fmt: skip

    def _fitting(self, value: int, lie: Collection[frozenset[int]]) -> tuple[str, ...]:
        """The tiles of the set that show a value and do not lie on the table."""
        others = [other for other in range(self.highest + 1) if frozenset((value, other)) not in lie]
        return tuple(str(Tile.of(value, other)) for other in others)

    def finish(self) -> tuple[WatchEvent, ...]:
        """The feed has ended: say what was waiting for another look."""
        if self._map.matrix is None:
            return ()
        return self._conclude(odds=self.parameters.last_odds, final=True) + self._ask_hidden(1)

    def confirm(
        self, track: int, *, ends: tuple[int, int] | None = None, player: str | None = None
    ) -> tuple[WatchEvent, ...]:
        """A person says what a tile shows (ends in the order of the play that was said), or who laid it.

        Raises:
            KeyError: no such tile lies on the table.
        """
        tile = self._map.track(track)
        if ends is not None:
            said = self._belief.ends.get(track) if self._belief is not None else None
            decided = self._belief.halves.get(track) if self._belief is not None else None
            turned = said is not None and decided is not None and said != decided
            self._map.tell(replace(tile, told=ends[::-1] if turned else ends))
        if player is not None:
            self._laid_by[track] = player
        return self._conclude(odds=self.parameters.odds, final=False)

    # -- from tracks to events

    def _conclude(self, *, odds: float, final: bool) -> tuple[WatchEvent, ...]:
        self._tracks = self._believed(odds)
        belief = self._believe() if self.rules is not None else self._believe_tiles()
        self._belief = belief
        return self._sayer.say(belief, frame=self._frame, sure=self.parameters.sure, final=final)

    def _believed(self, odds: float) -> tuple[TileTrack, ...]:
        """The tracks that are tiles: seen well or often enough, and as large as the others."""
        tracks = [track for track in self._map.tracks if track.odds >= odds or track.told is not None]
        if not tracks:
            return ()
        corners = np.array([track.corners for track in tracks])
        # a blank is what a reader makes of a thing without pips
        weights = np.array([0.2 + track.hits * (track.read(self.parameters.map.tracks) != (0, 0)) for track in tracks])
        quads = np.stack([corners.real, corners.imag], axis=-1)
        shaped, plane = tile_shaped(quads, weights, self.parameters.shapes)
        if plane is not None:
            self._map.rebase(plane.matrix)
        good = [t.number for t, fits in zip(tracks, shaped, strict=True) if fits or t.told is not None]
        return tuple(self._map.track(number) for number in good)

    def _believe_tiles(self) -> Belief:
        """Without rules: the tiles alone."""
        values = [track.values(self.parameters.map.tracks)[:, : self.highest + 1] for track in self._tracks]
        halves = {track.number: _best(value) for track, value in zip(self._tracks, values, strict=True)}
        return Belief(
            tracks=self._tracks,
            quads_px=self._map.quads_px(self._tracks),
            halves=halves,
            ends=halves,
            certainty={
                track.number: float(value.max(1).prod()) for track, value in zip(self._tracks, values, strict=True)
            },
            frames={track.number: track.since for track in self._tracks},
            opening=frozenset(track.number for track in self._tracks if self._is_opening(track.since)),
            face_down=self._face_down,
        )

    def _is_opening(self, since: int) -> bool:
        return self._opened is not None and since <= self._opened

    def _believe(self) -> Belief:
        """With rules: the layout, chains, and the story that explains them."""
        table = SeenTable(tuple(self._detections()))
        engine = self.engine if self.engine is not None else self._lone_double()
        layout = lay_out(table, highest=self.highest, engine=engine, parameters=self._layout_parameters)
        lying = self._names.name(layout, self._tracks)
        since = {
            track.number: min(track.since, self._lay_since.get(track.number, track.since)) for track in self._tracks
        }
        frames = _frames(lying, since, told=self._lay_since.keys())
        on_map = {track.number for track in self._map.tracks}
        self._lay_since = {track: frame for track, frame in (self._lay_since | frames).items() if track in on_map}
        opening = frozenset(number for number, frame in frames.items() if self._is_opening(frame))
        self._layout = layout
        assert self._explainer is not None
        told = self._told = self._explainer.explain(*self._story(lying, frames, opening))
        return Belief(
            tracks=self._tracks,
            quads_px=self._map.quads_px(self._tracks),
            halves=dict(zip((track.number for track in self._tracks), layout.ends, strict=True)),
            ends=dict(lying.ends)
            | {t: e for chain in lying.chains for t, e in zip(chain.tracks, chain.ends, strict=True)},
            certainty=dict(lying.certainty),
            frames=frames,
            opening=opening,
            face_down=self._face_down,
            lying=lying,
            layout=layout,
            told=told,
            rules=self.rules,
            anonymous=not self.players,
            marked=self._marks.up,
        )

    def _lone_double(self) -> int | None:
        """The value of a double that lay alone on the table: a round begins with its engine."""
        if len(self._tracks) == 1 and self._opened_with is None:
            values = self._tracks[0].values(self.parameters.map.tracks)
            a, b = _best(values)
            if a == b and values.max(1).prod() >= self.parameters.sure:
                self._opened_with = a
        return self._opened_with

    def _detections(self) -> list[Detection]:
        """The believed tiles as a picture of the whole table: readings fused over time, each tile once in the set."""
        if not self._tracks:
            return []
        values = np.array([track.values(self.parameters.map.tracks) for track in self._tracks])
        values = with_uniqueness(values)
        return [
            replace(_as_detection(track, self), readings=(_reading(a), _reading(b)))
            for track, (a, b) in zip(self._tracks, values, strict=True)
        ]

    def _story(
        self, lying: LyingTiles, frames: dict[int, int], opening: frozenset[int]
    ) -> tuple[Opening, list[SeenPlay]]:
        """What lies there, in the order in which it came, for the referee."""
        there: list[SeenPlay] = []
        plays: list[tuple[int, int, SeenPlay]] = []
        for chain in lying.chains:
            seen = self._chains.get(chain.number)
            if seen is None or (seen.at_engine, seen.parent) != (chain.root == "engine", chain.parent):
                seen = SeenChain(chain.number, chain.root == "engine", chain.parent, chain.angle)
                self._chains[chain.number] = seen
            latest = [min(frames[t] for t in chain.tracks[k:]) for k in range(len(chain.tracks))]
            for depth, (track, (inward, outward)) in enumerate(zip(chain.tracks, chain.ends, strict=True)):
                tile = Tile.of(inward, outward)
                play = SeenPlay(
                    track, tile, outward, seen, frames[track], self._marks.at(frames[track]), self._laid_by.get(track)
                )
                if track in opening:
                    there.append(replace(play, frame=0, marked=frozenset()))
                else:
                    plays.append((latest[depth], depth, play))
        plays.sort(key=lambda row: (row[0], row[1], row[2].chain.number))
        engine = None if lying.engine_value is None else Tile.double(lying.engine_value)
        return Opening(engine, tuple(there)), [play for _, _, play in plays]


class _Marks:
    """Which chains are marked, believed after some looks that agree, and when that changed."""

    def __init__(self, looks: int) -> None:
        self.looks = looks
        self.up: frozenset[int] = frozenset()
        self._history: list[tuple[int, frozenset[int]]] = []
        self._pending: dict[int, tuple[bool, int, int]] = {}

    def look(self, frame: int, up: set[int], chains: set[int]) -> bool:
        """Take in one look; whether what is believed has changed."""
        before = self.up
        for chain in sorted(chains):
            now = chain in up
            if now == (chain in self.up):
                self._pending.pop(chain, None)
                continue
            _, since, count = self._pending.get(chain, (now, frame, 0))
            self._pending[chain] = (now, since, count + 1)
            if count + 1 >= self.looks:
                del self._pending[chain]
                self.up = self.up | {chain} if now else self.up - {chain}
                self._history.append((since, self.up))
        return self.up != before

    def at(self, frame: int) -> frozenset[int]:
        """The marked chains in a frame."""
        return next((up for since, up in reversed(self._history) if since <= frame), frozenset())


def _frames(lying: LyingTiles, since: dict[int, int], *, told: Set[int]) -> dict[int, int]:
    """When each tile came to lie there: one that is found late under another of a train at the engine came before that one.

    What was `told` before stays: it was seen to come. A train that does not begin with the engine's value may be seen the wrong
    way round, and then it grew the other way.
    """
    frames = dict(since)
    for chain in lying.chains:
        if chain.root != "engine" or chain.ends[0][0] != lying.engine_value:
            continue
        for inner, outer in zip(reversed(chain.tracks[:-1]), reversed(chain.tracks[1:]), strict=True):
            if inner not in told:
                frames[inner] = min(frames[inner], frames[outer])
    return frames


def _as_detection(track: TileTrack, watch: TableWatch) -> Detection:
    quad = tuple((float(c.real), float(c.imag)) for c in track.corners)
    values = track.values(watch.parameters.map.tracks)
    return Detection(quad, (_reading(values[0]), _reading(values[1])), 1.0)  # type: ignore[arg-type]


def _reading(values: np.ndarray) -> PipReading:
    return PipReading(tuple(values.tolist()))


def _best(values: np.ndarray) -> tuple[int, int]:
    a, b = values.argmax(1)
    return int(a), int(b)
