"""The longest train of a hand: which tiles, in which order, get rid of most pips (or most tiles) from a start value.

A train joins like ends: tile after tile from the start value. A double may stand anywhere its value comes by; it takes no
room in the walk, so it is laid the first time its value is the open end. Under chicken foot a double wants toes before the
train goes on: tiles of its value laid beside the one that goes on; they leave the hand as well.

Without toes this is a trail in a multigraph (values are the corners, tiles the edges), searched depth first with an upper
bound: what is still reachable can at best all be laid. Exact unless the time given runs out; then the best found so far is
returned and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from companion.dominoes import Tile

Aim = Literal["pips", "tiles"]


@dataclass(frozen=True, slots=True)
class LongTrain:
    """The best train found.

    Attributes:
        tiles: in the order in which they are laid; toes follow their double.
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
    search = _Search(sorted(set(hand), key=hash), aim, toes, out_of_time)
    search.run(start)
    order = tuple(tile for tile, _ in search.best)
    beside = frozenset(tile for tile, is_toe in search.best if is_toe)
    return LongTrain(order, beside, sum(tile.pips for tile in order), not search.stopped)


_ASK_EVERY = 256
"""How many steps of the search go by between two looks at the time."""


class _Search:
    """One search. A step is (tile, whether it is a toe)."""

    def __init__(self, hand: list[Tile], aim: Aim, toes: int, out_of_time: Callable[[], bool] | None) -> None:
        self.doubles = {tile.high: tile for tile in hand if tile.is_double}
        self.edges: dict[int, list[tuple[int, int]]] = {}
        self.tiles = [tile for tile in hand if not tile.is_double]
        for number, tile in enumerate(self.tiles):
            self.edges.setdefault(tile.high, []).append((number, tile.low))
            self.edges.setdefault(tile.low, []).append((number, tile.high))
        # One number holds both aims: the first counts in thousands, the second in ones; a hand has far less than that.
        first, second = (1000, 1) if aim == "pips" else (1, 1000)
        self.worth = [tile.pips * first + second for tile in self.tiles]
        self.double_worth = {value: tile.pips * first + second for value, tile in self.doubles.items()}
        for ends in self.edges.values():
            ends.sort(key=lambda edge: -self.worth[edge[0]])
        self.toes = toes
        self.feet = toes > 1
        self.out_of_time = out_of_time
        self.path: list[tuple[Tile, bool]] = []
        self.best: list[tuple[Tile, bool]] = []
        self.best_worth = 0
        self.stopped = False
        self.steps = 0
        self.bounds: dict[tuple[int, int], tuple[int, int]] = {}
        self.seen: set[tuple[int, int]] = set()
        self.seen_feet: set[tuple[int, int, frozenset[int]]] = set()

    def run(self, start: int) -> None:
        if self.feet:
            self._walk_feet(start, (1 << len(self.tiles)) - 1, frozenset(self.doubles), 0)
        else:
            self._walk(start, (1 << len(self.tiles)) - 1, frozenset(self.doubles), 0)

    def _keep(self, worth: int) -> None:
        if worth > self.best_worth:
            self.best_worth, self.best = worth, list(self.path)

    def _tired(self) -> bool:
        self.steps += 1
        if self.out_of_time is not None and self.steps % _ASK_EVERY == 0 and self.out_of_time():
            self.stopped = True
        return self.stopped

    def _bound(self, value: int, left: int, doubles: frozenset[int]) -> int:
        """What can at best still be laid: all that hangs together with the open end, less what must stay behind."""
        key = (value, left)
        if key not in self.bounds:
            self.bounds[key] = self._reach(value, left)
        total, corners = self.bounds[key]
        return total + sum(self.double_worth[double] for double in doubles if corners >> double & 1)

    def _reach(self, value: int, left: int) -> tuple[int, int]:
        """The worth of the tiles that hang together with the open end, less the least that must stay; and the values.

        A walk that enters a corner leaves it again, so the tiles laid meet in even numbers at every corner but its two
        ends: from every other odd corner a tile stays behind, and one tile serves two corners at most. (A toe does not
        lead on, so with feet nothing of this holds and everything within reach counts.)
        """
        corners, waiting = 1 << value, [value]
        used = total = 0
        cheapest: dict[int, int] = {}
        odd: list[int] = []
        while waiting:
            corner = waiting.pop()
            degree = 0
            for number, end in self.edges.get(corner, ()):
                if left >> number & 1:
                    degree += 1
                    cheapest[corner] = self.worth[number]  # the edges of a corner are sorted, the cheapest last
                    if not used >> number & 1:
                        used |= 1 << number
                        total += self.worth[number]
                    if not corners >> end & 1:
                        corners |= 1 << end
                        waiting.append(end)
            if degree % 2 and corner != value:
                odd.append(cheapest[corner])
        if len(odd) > 1 and not self.feet:
            # One odd corner may be where the walk ends: at best the dearest. If the walk starts at an even corner and
            # ends elsewhere, a tile stays behind at its start as well.
            spared = max(odd)
            if len(odd) % 2 == 0:
                spared = max(0, spared - cheapest[value])
            total -= (sum(odd) - spared + 1) // 2
        return total, corners

    def _walk(self, value: int, left: int, doubles: frozenset[int], worth: int) -> None:
        if self._tired():
            return
        if value in doubles:
            self.path.append((self.doubles[value], False))
            self._walk(value, left, doubles - {value}, worth + self.double_worth[value])
            self.path.pop()
            return
        self._keep(worth)
        key = (value, left)
        if key in self.seen or worth + self._bound(value, left, doubles) <= self.best_worth:
            return
        self.seen.add(key)  # the tiles laid say which corners were passed, and so which doubles lie: worth is the same
        for number, end in self.edges.get(value, ()):
            if left >> number & 1:
                self.path.append((self.tiles[number], False))
                self._walk(end, left & ~(1 << number), doubles, worth + self.worth[number])
                self.path.pop()

    def _walk_feet(self, value: int, left: int, doubles: frozenset[int], worth: int) -> None:
        """As `_walk`, but a double wants its toes; without enough of them the train ends at the foot."""
        if self._tired():
            return
        self._keep(worth)
        key = (value, left, doubles)
        if key in self.seen_feet or worth + self._bound(value, left, doubles) <= self.best_worth:
            return
        self.seen_feet.add(key)
        if value in doubles:
            self.path.append((self.doubles[value], False))
            self._foot(value, left, doubles - {value}, worth + self.double_worth[value])
            self.path.pop()
        for number, end in self.edges.get(value, ()):
            if left >> number & 1:
                self.path.append((self.tiles[number], False))
                self._walk_feet(end, left & ~(1 << number), doubles, worth + self.worth[number])
                self.path.pop()

    def _foot(self, value: int, left: int, doubles: frozenset[int], worth: int) -> None:
        """A double lies: lay every choice of toes beside the one that goes on."""
        fitting = [number for number, _ in self.edges.get(value, ()) if left >> number & 1]
        self._keep(worth)
        for spread in _choices(fitting, min(self.toes, len(fitting))):
            gained = sum(self.worth[number] for number in spread)
            rest = left
            for number in spread:
                rest &= ~(1 << number)
            if len(spread) < self.toes:
                # Too few for a whole foot: they can still be laid, and the train ends here.
                self.path.extend((self.tiles[number], True) for number in spread)
                self._keep(worth + gained)
                del self.path[len(self.path) - len(spread) :]
                continue
            for onward in spread:
                beside = [number for number in spread if number != onward]
                self.path.append((self.tiles[onward], False))
                self.path.extend((self.tiles[number], True) for number in beside)
                self._walk_feet(self.tiles[onward].other(value), rest, doubles, worth + gained)
                del self.path[len(self.path) - len(spread) :]


def _choices(numbers: list[int], size: int) -> list[tuple[int, ...]]:
    if size == 0:
        return [()] if numbers == [] else []
    return list(combinations(numbers, size))
