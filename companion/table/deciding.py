"""Decide every value with the help of the neighbours, and tell sure mismatches from doubtful ones.

Halves that are joined (and the two halves of a double that is met on its long side) form a group that should show one value.
A group's value is the one that explains all its readings best, where each half may instead keep its own best reading at the
price of a mismatch. So a neighbour settles what is open, and never overrules what is sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.table.contacts import SIDE_PART
from companion.table.seen import Array, PlacedTiles


@dataclass(frozen=True, slots=True)
class Join:
    """Two tiles that are joined: `part` and `other_part` 0 or 1 for half a or b, 2 for a double's long side."""

    tile: int
    part: int
    other: int
    other_part: int
    gap: float
    """Free space between them in tile widths."""
    score: float
    """How convincing the join is by geometry alone, in logs of odds."""


@dataclass(frozen=True, slots=True)
class DecidingParameters:
    """When a reading is sure."""

    mismatch_price: float = 4.0
    """Logs of odds a half must offer to differ from its neighbours: its own value is then 55 times likelier."""
    least_joined: float = 0.3
    """Where a smaller share of the tiles is joined, these may as well touch by chance, and no neighbour settles anything."""
    sure: float = 0.9
    """Both readings must be this sure (and say different things) before a mismatch is a fault and not a question."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A join whose halves show different values; `sure` when both readings are."""

    join: int
    values: tuple[int, int]
    sure: bool


@dataclass(frozen=True, slots=True)
class Decision:
    """Values of all halves (n of pairs), their probabilities, and the joins that do not match."""

    ends: tuple[tuple[int, int], ...]
    certainty: tuple[tuple[float, float], ...]
    mismatches: tuple[Mismatch, ...]

    def surely_double(self, tile: int, joins: Sequence[Join]) -> bool:
        """Whether a tile is likelier a double than not, and nothing that it lies against says otherwise."""
        a, b = self.ends[tile]
        if a != b or self.certainty[tile][0] * self.certainty[tile][1] < _DOUBLE:
            return False
        open_to_doubt = (joins[wrong.join] for wrong in self.mismatches if not wrong.sure)
        return all(tile not in (join.tile, join.other) for join in open_to_doubt)


_DOUBLE = 0.5
"""Probability from which a tile is called a double."""

Half = tuple[int, int]


def decide(
    tiles: PlacedTiles, joins: Sequence[Join], *, engine_value: Array | None = None, engine: int | None = None,
    parameters: DecidingParameters | None = None,
) -> Decision:  # fmt: skip
    """Decide all values; `engine_value` (19,) logs of a person's word about the engine, where there is one."""
    p = parameters or DecidingParameters()
    logs = np.log(tiles.values)
    if engine is not None and engine_value is not None:
        logs[engine] += engine_value
    best = logs.argmax(2)
    joined = {tile for join in joins for tile in (join.tile, join.other)}
    if len(joined) >= p.least_joined * len(tiles):
        for group in groups_of(joins):
            for half, value in _common(logs, group, p).items():
                best[half] = value
    ends = tuple((int(a), int(b)) for a, b in best)
    certainty = tuple((float(tiles.values[k, 0, a]), float(tiles.values[k, 1, b])) for k, (a, b) in enumerate(ends))
    wrong = tuple(_mismatches(joins, ends, certainty, p))
    return Decision(ends, certainty, wrong)


def halves_of(tile: int, part: int) -> tuple[Half, ...]:
    """The halves that meet at a part: one, or both of a double's long side."""
    return ((tile, 0), (tile, 1)) if part == SIDE_PART else ((tile, part),)


def groups_of(joins: Sequence[Join]) -> list[list[Half]]:
    """Halves that should show one value, each group sorted."""
    up: dict[Half, Half] = {}

    def root(half: Half) -> Half:
        while up.setdefault(half, half) != half:
            half = up[half]
        return half

    for join in joins:
        met = [*halves_of(join.tile, join.part), *halves_of(join.other, join.other_part)]
        for half in met[1:]:
            up[root(half)] = root(met[0])
    groups: dict[Half, list[Half]] = {}
    for half in sorted(up):
        groups.setdefault(root(half), []).append(half)
    return list(groups.values())


def _common(logs: Array, group: list[Half], p: DecidingParameters) -> dict[Half, int]:
    """The values of a group: one for all, but for halves that are surer of another than a mismatch costs."""
    of = np.stack([logs[half] for half in group])
    own = of.max(1, keepdims=True) - p.mismatch_price
    value = int(np.maximum(of, own).sum(0).argmax())
    keeps = of[:, value] < own[:, 0]
    return {half: int(of[k].argmax()) if keeps[k] else value for k, half in enumerate(group)}


def _mismatches(
    joins: Sequence[Join],
    ends: Sequence[tuple[int, int]],
    certainty: Sequence[tuple[float, float]],
    p: DecidingParameters,
) -> list[Mismatch]:
    found = []
    for index, join in enumerate(joins):
        one, two = halves_of(join.tile, join.part), halves_of(join.other, join.other_part)
        values = ends[one[0][0]][one[0][1]], ends[two[0][0]][two[0][1]]
        if values[0] == values[1]:
            continue
        sure = all(certainty[tile][half] >= p.sure for tile, half in (*one, *two))
        found.append(Mismatch(index, values, sure))
    return found
