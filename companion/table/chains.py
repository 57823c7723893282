"""From a layout to chains with names that last: which tile lies behind which, from one stable picture to the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from companion.table.deciding import halves_of
from companion.table.faults import SURE
from companion.table.layout import LaidTrain, Layout
from companion.table.tracks import TileTrack

Ends = tuple[int, int]


class Root(StrEnum):
    """What a chain begins at."""

    ENGINE = "engine"
    FREE = "free"
    BRANCH = "branch"


@dataclass(frozen=True, slots=True)
class Chain:
    """A train as tracks, whoever it belongs to.

    Attributes:
        number: its name in this watch, from 1; it stays while the chain grows.
        root: what it begins at.
        parent: for a branch the number of the chain it grows from.
        tracks: outward.
        ends: of each tile, inward end first.
        angle: where it leaves the engine, radians clockwise as the picture shows it; None without an engine.
        open_end: the value it asks for.
        marker: whether a marker stands at its last tile.
    """

    number: int
    root: Root
    parent: int | None
    tracks: tuple[int, ...]
    ends: tuple[Ends, ...]
    angle: float | None
    open_end: int
    marker: bool


@dataclass(frozen=True, slots=True)
class LyingTiles:
    """The table in tracks: the engine, chains and loose tiles, each with its decided values."""

    engine: int | None
    engine_value: int | None
    chains: tuple[Chain, ...]
    loose: tuple[int, ...]
    ends: Mapping[int, Ends]
    certainty: Mapping[int, float]
    doubtful: frozenset[int]
    """Tracks that meet a neighbour with another value, where one of the two readings is not sure."""

    def chain_of(self, track: int) -> Chain | None:
        """The chain that a track lies in."""
        return next((chain for chain in self.chains if track in chain.tracks), None)


class ChainNames:
    """Gives chains numbers that last: a chain keeps the number that most of its tiles had before."""

    def __init__(self) -> None:
        self._number_of: dict[int, int] = {}
        self._next = 1

    def name(self, layout: Layout, tracks: Sequence[TileTrack]) -> LyingTiles:
        """The layout's trains as chains; `tracks` in the order of the layout's tiles."""
        trains = [_oldest_first(train, layout, tracks) for train in layout.trains]
        numbers = self._numbers([[tracks[tile].number for tile in train.tiles] for train in trains])
        holder = {tile: number for train, number in zip(trains, numbers, strict=True) for tile in train.tiles}
        chains = [_chain(train, number, layout, tracks, holder) for train, number in zip(trains, numbers, strict=True)]
        return LyingTiles(
            engine=None if layout.engine is None else tracks[layout.engine].number,
            engine_value=layout.engine_value,
            chains=tuple(sorted(chains, key=lambda chain: chain.number)),
            loose=tuple(tracks[tile].number for tile in layout.loose),
            ends={track.number: ends for track, ends in zip(tracks, layout.ends, strict=True)},
            certainty={
                track.number: float(np.prod(sure)) for track, sure in zip(tracks, layout.certainty, strict=True)
            },
            doubtful=_doubtful(layout, tracks),
        )

    def _numbers(self, trains: Sequence[Sequence[int]]) -> list[int]:
        """A number for each train, the longest first to choose."""
        numbers = [0] * len(trains)
        for index in sorted(range(len(trains)), key=lambda k: -len(trains[k])):
            votes = Counter(self._number_of[track] for track in trains[index] if track in self._number_of)
            known = [number for number, _ in votes.most_common() if number not in numbers]
            if known:
                numbers[index] = known[0]
            else:
                numbers[index], self._next = self._next, self._next + 1
        for number, train in zip(numbers, trains, strict=True):
            self._number_of.update(dict.fromkeys(train, number))
        return numbers


def _oldest_first(train: LaidTrain, layout: Layout, tracks: Sequence[TileTrack]) -> LaidTrain:
    """A train that touches nothing begins where its oldest tile lies, unless its values say where it begins."""
    first, last = train.tiles[0], train.tiles[-1]
    begins = layout.ends[first][train.inward[0]]
    if not train.mexican or len(train.tiles) < 2 or begins == layout.engine_value:
        return train
    if tracks[first].since <= tracks[last].since:
        return train
    return LaidTrain(
        tiles=train.tiles[::-1],
        inward=tuple(1 - half for half in train.inward[::-1]),
        open_end=begins,
        open_double=len(set(layout.ends[first])) == 1,
        marker=train.marker,
        mexican=True,
    )


def _chain(
    train: LaidTrain, number: int, layout: Layout, tracks: Sequence[TileTrack], holder: Mapping[int, int]
) -> Chain:
    ends = tuple(
        (layout.ends[tile][inward], layout.ends[tile][1 - inward])
        for tile, inward in zip(train.tiles, train.inward, strict=True)
    )
    root = Root.FREE if train.mexican else Root.BRANCH if train.branch else Root.ENGINE
    angle = None
    if layout.engine is not None:
        away = tracks[train.tiles[0]].centre - tracks[layout.engine].centre
        angle = float(np.angle(away))
    return Chain(
        number=number,
        root=root,
        parent=_parent(train, layout, holder) if root is Root.BRANCH else None,
        tracks=tuple(tracks[tile].number for tile in train.tiles),
        ends=ends,
        angle=angle,
        open_end=train.open_end,
        marker=train.marker,
    )


def _doubtful(layout: Layout, tracks: Sequence[TileTrack]) -> frozenset[int]:
    found: set[int] = set()
    for join in layout.joins:
        halves = [*halves_of(join.tile, join.part), *halves_of(join.other, join.other_part)]
        values = {layout.ends[tile][half] for tile, half in halves}
        if len(values) > 1 and min(layout.certainty[tile][half] for tile, half in halves) < SURE:
            found |= {tracks[join.tile].number, tracks[join.other].number}
    return frozenset(found)


def _parent(train: LaidTrain, layout: Layout, holder: Mapping[int, int]) -> int | None:
    """The chain on whose tile a branch begins."""
    first = train.tiles[0]
    for join in layout.joins:
        if first in (join.tile, join.other):
            other = join.other if join.tile == first else join.tile
            if other in holder and other not in train.tiles:
                return holder[other]
    return None
