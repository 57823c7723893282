"""Where the camera and the game stay apart, said in a sentence once it has lasted.

A comparison is a value that is handed from look to look: each difference keeps the time at which it was first seen, and one
that is gone for a moment (an arm in the way) starts anew.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from companion.dominoes import Tile, TrainOwner
from companion.rules.audit import LyingTable
from companion.rules.state import RoundState
from companion.rules.trains import Branch, LaidTile, Train, TrainRef
from companion.session.answers import Remark
from companion.table.watch_events import StateSeen

LASTING_S = 20.0
"""Seconds for which a difference must last: longer than any play takes to be laid, seen and told."""

Difference = tuple[str, Tile | None, Tile | None, TrainOwner | None]
"""What differs (an id of a sentence), the tile in the game, the tile that the camera sees, on which train."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Every difference between game and camera, with the time (seconds of any steady clock) since when it has been seen."""

    since: Mapping[Difference, float] = field(default_factory=dict)
    at_s: float = 0.0

    def seen(self, state: RoundState, lying: LyingTable, at_s: float) -> Comparison:
        """The comparison after another look at the table."""
        return Comparison({found: self.since.get(found, at_s) for found in differences(state, lying)}, at_s)

    def lasting(self, *, for_s: float = LASTING_S) -> tuple[Remark, ...]:
        """What has differed for so long that people should hear of it."""
        return tuple(_say(found) for found, since in self.since.items() if self.at_s - since >= for_s)


def lying_from(seen: StateSeen, players: Collection[str]) -> LyingTable:
    """The table that a watch sees, as far as it knows whose the trains are; a train without an owner says nothing here."""
    branches: dict[TrainOwner, list[Branch]] = {}
    for train in seen.trains:
        owner = _owner(train.name, players)
        if owner is not None:
            tiles = tuple(LaidTile(Tile.of(inward, outward), outward) for inward, outward in train.tiles)
            branches.setdefault(owner, []).append(Branch(tiles))
    engines = () if seen.engine is None else (Tile.double(seen.engine),)
    return LyingTable(engines, tuple(Train(owner, tuple(lines)) for owner, lines in branches.items()))


def _owner(name: str, players: Collection[str]) -> TrainOwner | None:
    try:
        owner = TrainRef.parse(name).owner
    except ValueError:
        return None
    return owner if owner.is_mexican or owner.player in players else None


def differences(state: RoundState, lying: LyingTable) -> Iterator[Difference]:
    """How a table that is seen differs from the game's, train by train.

    A tile in the place of another is one difference, not two. Tiles that the camera does not see at the end of a train
    may be hidden or not laid yet; they are told as missing, tiles that only the camera has as extra.
    """
    seen = {train.owner: train for train in lying.trains}
    ours = {train.owner: train for train in state.trains}
    for owner in dict.fromkeys((*ours, *seen)):
        yield from _in_train(owner, ours.get(owner), seen.get(owner))
    engine = lying.engines[0] if lying.engines else None
    if engine is not None and engine != state.engine:
        kind = "other_engine" if state.engine is not None else "extra_engine"
        yield (kind, state.engine, engine, None)


def _in_train(owner: TrainOwner, ours: Train | None, seen: Train | None) -> Iterator[Difference]:
    for branch in range(max(_branches(ours), _branches(seen))):
        mine, theirs = _tiles(ours, branch), _tiles(seen, branch)
        for place in range(max(len(mine), len(theirs))):
            told = mine[place] if place < len(mine) else None
            shown = theirs[place] if place < len(theirs) else None
            if told == shown:
                continue
            kind = "extra" if told is None else "missing" if shown is None else "other_tile"
            yield (kind, told, shown, owner)


def _branches(train: Train | None) -> int:
    return 0 if train is None else len(train.branches)


def _tiles(train: Train | None, branch: int) -> list[Tile]:
    if train is None or branch >= len(train.branches):
        return []
    return [laid.tile for laid in train.branches[branch].tiles]


def _say(found: Difference) -> Remark:
    kind, told, shown, owner = found
    named = {"told": told, "shown": shown, "train": owner}
    arguments = tuple((name, str(value)) for name, value in named.items() if value is not None)
    return Remark(f"table_{kind}", arguments)
