"""Hands that lie face up in a line, end to end: they lie as trains do, and hardly any of their values meet.

One wrong tile on a train is what people look for, and stays. Two joins of a train that do not match are no wrong play but the
train's end and the beginning of somebody's hand: that the tiles of a hand lie in line with each other speaks for no join.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from companion.table.deciding import Join
from companion.table.trains import components, edges_of


@dataclass(frozen=True, slots=True)
class StrangerParameters:
    """When tiles that hang together are no train; logs of odds."""

    least: float = 0.0
    """What the values of a chain must say in all, if it does not hang on the engine, or hangs on the train by a mismatch."""
    wrong: int = 2
    """So many mismatches on the way out from a train, at least, are no wrong play."""
    few: int = 2
    """So many tiles of a hand, or fewer, that match have met by chance."""
    played: float = 6.0
    """What all joins that match must say before anything is a stranger: else a few tiles lie in a line, and no game is played."""


def without_strangers(
    joins: Sequence[Join],
    says: Sequence[float],
    *,
    engine: int | None,
    count: int,
    parameters: StrangerParameters | None = None,
) -> tuple[Join, ...]:
    """The joins but for those that only hands have.

    Args:
        joins: of a whole table, without rings.
        says: what the values say for each join, in logs of odds; below 0 they do not match.
        engine: the tile that is the engine, if any.
        count: tiles on the table.
        parameters: thresholds.
    """
    p = parameters or StrangerParameters()
    if sum(said for said in says if said > 0) < p.played:
        return tuple(joins)
    kept = list(range(len(joins)))
    while True:
        cut = _strangers([joins[k] for k in kept], [says[k] for k in kept], engine, count, p)
        if not cut:
            return tuple(joins[k] for k in kept)
        kept = [k for n, k in enumerate(kept) if n not in cut]


def _strangers(
    joins: Sequence[Join], says: Sequence[float], engine: int | None, count: int, p: StrangerParameters
) -> set[int]:
    """Indices of joins that are none; what they held together may then hold more of them."""
    pieces = components(count, edges_of([join for join, said in zip(joins, says, strict=True) if said >= 0]))
    piece_of = {tile: k for k, piece in enumerate(pieces) for tile in piece}
    inside = [0.0] * len(pieces)
    wrong: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for k, (join, said) in enumerate(zip(joins, says, strict=True)):
        one, other = piece_of[join.tile], piece_of[join.other]
        if said >= 0:
            inside[one] += said
        else:
            wrong[one].append((other, k))
            wrong[other].append((one, k))
    cut: set[int] = set()
    for group in components(len(pieces), {one: [(0, other, 0) for other, _ in near] for one, near in wrong.items()}):
        if len(group) < 2:
            continue
        holds_engine = engine is not None and piece_of[engine] in group
        root = piece_of[engine] if engine is not None and holds_engine else max(group, key=lambda k: len(pieces[k]))
        tree = _Tree(wrong, inside, joins, says)
        total, _ = tree.below(root, -1)
        cut.update(tree.cut_from(root, -1, p))
        if not holds_engine and total < p.least:
            cut.update(k for one in group for _, k in wrong[one])
            apart = {one for one in group if len(pieces[one]) <= p.few}
            cut.update(k for k, join in enumerate(joins) if piece_of[join.tile] in apart)
    return cut


@dataclass(frozen=True)
class _Tree:
    """Pieces that hang together by mismatches."""

    wrong: dict[int, list[tuple[int, int]]]
    inside: Sequence[float]
    joins: Sequence[Join]
    says: Sequence[float]

    def below(self, piece: int, came: int) -> tuple[float, int]:
        """What the values say of a piece and all beyond it, as seen from join `came`, and how many mismatches that has."""
        total, mismatches = self.inside[piece], 0
        for other, k in self.wrong[piece]:
            if k != came:
                beyond, more = self.below(other, k)
                total, mismatches = total + self.says[k] + beyond, mismatches + 1 + more
        return total, mismatches

    def cut_from(self, piece: int, came: int, p: StrangerParameters) -> list[int]:
        """The joins, nearest to the piece, beyond which strangers lie."""
        found = []
        for other, k in self.wrong[piece]:
            if k == came:
                continue
            beyond, more = self.below(other, k)
            if 1 + more >= p.wrong and self.joins[k].score + self.says[k] + beyond < p.least:
                found.append(k)
            else:
                found += self.cut_from(other, k, p)
        return found
