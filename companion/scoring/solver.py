"""The longest train of a hand: which tiles, in which order, get rid of most pips (or most tiles) from a start value.

A train joins like ends: tile after tile from the start value. A double may stand anywhere its value comes by; it takes no
room in the walk, so it is laid the first time its value is the open end. Under chicken foot a double wants toes before the
train goes on: tiles of its value laid beside the one that goes on; they leave the hand as well. A foot with too few toes ends
the train.

`companion.scoring.frontier` decides which tiles are laid, and how; here the choice becomes a train that can be laid in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from companion.dominoes import Tile
from companion.scoring.frontier import FrontierSearch
from companion.scoring.puzzle import Choice, Edge, Puzzle, Use

Aim = Literal["pips", "tiles"]


@dataclass(frozen=True, slots=True)
class LongTrain:
    """The best train found.

    Attributes:
        tiles: in the order in which they are laid; toes follow the tile that goes on from their double.
        toes: which of them are toes beside the train.
        pips: what they count together.
        exact: whether no train is better.
    """

    tiles: tuple[Tile, ...]
    toes: frozenset[Tile] = frozenset()
    pips: int = 0
    exact: bool = True

    def __str__(self) -> str:
        return " ".join(f"({tile})" if tile in self.toes else str(tile) for tile in self.tiles)


def longest_train(
    hand: Iterable[Tile],
    start: int,
    *,
    aim: Aim = "pips",
    toes: int = 0,
    out_of_time: Callable[[], bool] | None = None,
) -> LongTrain:
    """The train from ``start`` that gets rid of most pips (then most tiles), or of most tiles (then most pips).

    Args:
        hand: the tiles to choose from.
        start: the value that the first tile must show.
        aim: what counts first.
        toes: how many tiles must lie on a double before the train goes on (0: none but the one that goes on).
        out_of_time: asked now and then; once it says true, the best train so far is returned.
    """
    tiles = _within_reach(hand, start)
    # One number holds both aims: the first counts in thousands, the second in ones; a hand has far less than that.
    first, second = (1000, 1) if aim == "pips" else (1, 1000)
    plain = [tile for tile in tiles if not tile.is_double]
    doubles = {tile.high: tile.pips * first + second for tile in tiles if tile.is_double}
    edges = tuple(Edge(tile.high, tile.low, tile.pips * first + second) for tile in plain)
    puzzle = Puzzle(start, edges, doubles, beside=max(0, toes - 1) if doubles else 0)
    choice = FrontierSearch(puzzle, out_of_time).run()
    laid = _Laying(puzzle, plain, choice).train()
    order = tuple(tile for tile, _ in laid)
    return LongTrain(
        order, frozenset(tile for tile, is_toe in laid if is_toe), sum(tile.pips for tile in order), choice.proved
    )


def _within_reach(hand: Iterable[Tile], start: int) -> list[Tile]:
    """The tiles that hang together with the start value, heaviest first."""
    reached, left = {start}, sorted(set(hand), key=lambda tile: (-tile.pips, tile))
    found: set[Tile] = set()
    while more := [tile for tile in left if tile not in found and reached.intersection(tile.ends)]:
        found.update(more)
        reached.update(end for tile in more for end in tile.ends)
    return [tile for tile in left if tile in found]


class _Laying:
    """A choice of tiles as a train: a walk over the walk edges (Hierholzer), with the doubles and their toes put in."""

    def __init__(self, puzzle: Puzzle, plain: list[Tile], choice: Choice) -> None:
        self.puzzle = puzzle
        self.waiting = set(choice.laid)
        self.toes: dict[int, list[Tile]] = {}
        self.walk_edges: dict[int, list[tuple[Tile, int]]] = {}
        for tile, edge, use in zip(plain, puzzle.edges, choice.uses, strict=True):
            if use is Use.WALK:
                for end in edge.ends:
                    self.walk_edges.setdefault(end, []).append((tile, edge.other(end)))
            elif use is not Use.LOST:
                self.toes.setdefault(edge.first if use is Use.TOE_OF_FIRST else edge.second, []).append(tile)

    def train(self) -> list[tuple[Tile, bool]]:
        """The tiles in the order in which they are laid, and whether each is a toe."""
        laid: list[tuple[Tile, bool]] = []
        corner = self.puzzle.start
        for tile in self._walk():
            beside = self.toes.get(corner, [])
            if corner in self.waiting and len(beside) >= self.puzzle.beside:
                self.waiting.discard(corner)
                laid += [(Tile.double(corner), False), (tile, False), *((toe, True) for toe in beside)]
            else:
                laid.append((tile, False))
            corner = tile.other(corner)
        if corner in self.waiting:
            laid += [(Tile.double(corner), False), *((toe, True) for toe in self.toes.get(corner, []))]
        return laid

    def _walk(self) -> list[Tile]:
        """All walk edges in one walk from the start."""
        used: set[Tile] = set()
        path: list[tuple[int, Tile | None]] = [(self.puzzle.start, None)]
        order: list[Tile] = []
        while path:
            corner, reached_by = path[-1]
            edges = self.walk_edges.get(corner, [])
            while edges and edges[-1][0] in used:
                edges.pop()
            if edges:
                tile, end = edges.pop()
                used.add(tile)
                path.append((end, tile))
            else:
                path.pop()
                if reached_by is not None:
                    order.append(reached_by)
        return order[::-1]
