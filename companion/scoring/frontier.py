"""The exact search behind `companion.scoring.solver`: which tiles of a hand cannot be laid in the best train.

Values are corners, tiles are edges, a double is a loop. A train uses some edges for its walk from the start corner, a foot uses
edges as toes, and the rest is lost. Whether a choice of edges can be laid in one walk is a matter of three counts (Euler): an
even number of walk edges at every corner but the start and the end, a connected walk, and the right number of toes at every
double that lies. So the edges are decided one after another, corner by corner, and of all that was decided only the corners with
undecided edges matter: the *frontier*. Two histories that leave the same frontier go on alike, and the cheaper one is kept.

What must still be lost is bounded from below by the same counts without the connection (`_Bound`). A layer keeps the most
promising states; if one that was dropped could still win, the next pass keeps more. So there is soon a good train, and in the
end one that is proved the best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from itertools import accumulate


class Use(IntEnum):
    """What becomes of an edge."""

    LOST = 0
    WALK = 1
    TOE_OF_FIRST = 2
    TOE_OF_SECOND = 3


@dataclass(frozen=True, slots=True)
class Edge:
    """A tile that is no double: its values and what it is worth."""

    first: int
    second: int
    worth: int

    @property
    def ends(self) -> tuple[int, int]:
        """Both values."""
        return self.first, self.second

    def other(self, end: int) -> int:
        """The value across from ``end``."""
        return self.second if end == self.first else self.first


@dataclass(frozen=True, slots=True)
class Puzzle:
    """What to choose from.

    Attributes:
        start: the corner at which the walk begins.
        edges: the tiles that hang together with it.
        doubles: the worth of the doubles by their value, of corners that hang together with it.
        beside: how many toes must lie beside the edge that goes on from a double; 0 without feet.
    """

    start: int
    edges: tuple[Edge, ...]
    doubles: dict[int, int]
    beside: int


@dataclass(frozen=True, slots=True)
class Choice:
    """What is laid: the use of every edge, the corners whose double lies, and what is lost."""

    uses: tuple[Use, ...]
    laid: frozenset[int]
    lost: int
    proved: bool


@dataclass(frozen=True, slots=True)
class _Step:
    """A decision: over an edge between two places of the frontier, or (no edge) over a corner whose edges are decided.

    Attributes:
        corner: the corner that is worked off.
        place: where it stands in the frontier.
        edge: the edge's number; None to close the corner, which then leaves the frontier.
        other: where the edge's other corner stands.
        enters: how many corners enter the frontier with this step, at its end.
    """

    corner: int
    place: int
    edge: int | None = None
    other: int = -1
    enters: int = 0


# A corner in the frontier is one small number: the connected part of the walk that it belongs to (0: none yet) times 8,
# plus 4 if it has an odd number of walk edges, plus its toes (at most 3).
_PART, _ODD, _TOES = 8, 4, 3
_State = tuple[int, ...]


@dataclass(slots=True)
class _Node:
    lost: int
    parent: _Node | None
    mark: int | None


_FIRST_WIDTH, _WIDENING = 48, 6
_NEVER = 1 << 60


@dataclass
class FrontierSearch:
    """One search for the choice that loses least."""

    puzzle: Puzzle
    out_of_time: Callable[[], bool] | None = None
    steps: list[_Step] = field(init=False)

    def __post_init__(self) -> None:
        self.steps = list(_plan(self.puzzle))
        self.bound = _Bound(self.puzzle, self.steps)

    def run(self) -> Choice:
        """The best choice found; once there is one, time may run out."""
        best: _Node | None = None
        width = _FIRST_WIDTH
        while True:
            found, missed = self._pass(width, _NEVER if best is None else best.lost)
            if found is not None and (best is None or found.lost < best.lost):
                best = found
            if best is not None and (missed is None or missed >= best.lost):
                return self._choice(best, proved=True)
            if best is not None and self.out_of_time is not None and self.out_of_time():
                return self._choice(best, proved=False)
            width *= _WIDENING

    def _pass(self, width: int, limit: int) -> tuple[_Node | None, int | None]:
        """Decide everything once with so many states a layer: the best end, and the least bound of what was dropped."""
        layer: dict[tuple[_State, bool], _Node] = {((0,), False): _Node(0, None, None)}
        missed: int | None = None
        for number, step in enumerate(self.steps):
            following: dict[tuple[_State, bool], _Node] = {}
            for (state, ended), node in layer.items():
                for mark, cost, after, over in self._decide(step, state, ended):
                    lost = node.lost + cost
                    key = (after, over)
                    known = following.get(key)
                    if known is None or lost < known.lost:
                        following[key] = _Node(lost, node, mark)
            layer, dropped = self._best(number + 1, following, width, limit)
            if dropped is not None and (missed is None or dropped < missed):
                missed = dropped
        return layer.get(((), True)), missed

    def _best(
        self, number: int, layer: dict[tuple[_State, bool], _Node], width: int, limit: int
    ) -> tuple[dict[tuple[_State, bool], _Node], int | None]:
        """The states that may win, the most promising ones of them, and the least bound of the others."""
        rated = []
        bound = self.bound.of
        for key, node in layer.items():
            at_least = node.lost + bound(number, *key)
            if at_least < limit:
                rated.append((at_least, key, node))
        if len(rated) <= width:
            return {key: node for _, key, node in rated}, None
        rated.sort(key=lambda one: (one[0], -sum(one[1][0])))
        return {key: node for _, key, node in rated[:width]}, rated[width][0]

    def _decide(self, step: _Step, state: _State, ended: bool) -> Iterator[tuple[int, int, _State, bool]]:
        """Every way to take a step: a mark to remember it by, what it costs, and the state after it."""
        if step.edge is None:
            yield from self._close(step, state, ended)
            return
        edge = self.puzzle.edges[step.edge]
        state += (0,) * step.enters
        yield Use.LOST, edge.worth, state, ended
        yield Use.WALK, 0, _joined(state, step.place, step.other), ended
        if not self.puzzle.beside:
            return
        for corner, place in ((step.corner, step.place), (edge.other(step.corner), step.other)):
            if corner in self.puzzle.doubles and state[place] & _TOES < self.puzzle.beside:
                use = Use.TOE_OF_FIRST if corner == edge.first else Use.TOE_OF_SECOND
                yield use, 0, (*state[:place], state[place] + 1, *state[place + 1 :]), ended

    def _close(self, step: _Step, state: _State, ended: bool) -> Iterator[tuple[int, int, _State, bool]]:
        """A corner with nothing left to decide: is the walk in order there, and does the double lie?"""
        code = state[step.place]
        part, toes, odd = code // _PART, code & _TOES, bool(code & _ODD)
        starts = step.corner == self.puzzle.start
        visited = starts or part > 0
        ends = odd != starts  # an odd corner is the start or the end; the start with an even number is both
        if (ends and ended) or (toes and not visited):
            return
        rest = (*state[: step.place], *state[step.place + 1 :])
        if part and not starts and not any(other // _PART == part for other in rest):
            return  # this part of the walk would never meet the rest
        double = self.puzzle.doubles.get(step.corner, 0)
        lies = visited and (ends or toes == self.puzzle.beside)
        if lies or not toes:
            yield int(lies and double > 0), 0 if lies else double, _renumbered(rest), ended or ends

    def _choice(self, node: _Node, *, proved: bool) -> Choice:
        lost, marks = node.lost, []
        at: _Node | None = node
        while at is not None and at.mark is not None:
            marks.append(at.mark)
            at = at.parent
        uses = [Use.LOST] * len(self.puzzle.edges)
        laid = []
        for step, mark in zip(self.steps, reversed(marks), strict=True):
            if step.edge is not None:
                uses[step.edge] = Use(mark)
            elif mark:
                laid.append(step.corner)
        return Choice(tuple(uses), frozenset(laid), lost, proved)


def _joined(state: _State, one: int, other: int) -> _State:
    """The frontier after a walk edge between two of its corners."""
    codes = list(state)
    codes[one] ^= _ODD
    codes[other] ^= _ODD
    first, second = codes[one] // _PART, codes[other] // _PART
    if not first and not second:
        part = 1 + max(code // _PART for code in codes)
        codes[one] += part * _PART
        codes[other] += part * _PART
    elif not first or not second:
        codes[one if not first else other] += (first + second) * _PART
    elif first != second:
        codes = [code + (first - second) * _PART if code // _PART == second else code for code in codes]
    return _renumbered(tuple(codes))


@lru_cache(maxsize=1 << 15)
def _renumbered(state: _State) -> _State:
    """Parts numbered as they come, so that equal frontiers are equal."""
    names: dict[int, int] = {0: 0}
    return tuple(names.setdefault(code // _PART, len(names)) * _PART + code % _PART for code in state)


def _plan(puzzle: Puzzle) -> Iterator[_Step]:
    """The order of decisions: always the corner that lets the frontier grow least; the start stays to the last."""
    undecided = dict(enumerate(puzzle.edges))
    frontier = [puzzle.start]
    waiting = {corner for edge in puzzle.edges for corner in edge.ends} - {puzzle.start}
    while waiting or frontier:
        growth = {one: len(_entering(undecided.values(), frontier, one)) for one in waiting}
        corner = min(waiting, key=lambda one: (growth[one], one), default=puzzle.start)
        waiting.discard(corner)
        for number in [number for number, edge in undecided.items() if corner in edge.ends]:
            edge = undecided.pop(number)
            entering = [one for one in (corner, edge.other(corner)) if one not in frontier]
            frontier += entering
            yield _Step(corner, frontier.index(corner), number, frontier.index(edge.other(corner)), len(entering))
        yield _Step(corner, frontier.index(corner))
        frontier.remove(corner)


def _entering(undecided: Iterable[Edge], frontier: list[int], corner: int) -> set[int]:
    """The corners that enter the frontier when that one is worked off."""
    touched = {end for edge in undecided if corner in edge.ends for end in edge.ends}
    return touched.difference(frontier, {corner})


class _Bound:
    """The least that must still be lost from a frontier, if the walk need not hang together and any corner may have toes.

    What matters then is only which corners are odd, whether the end is taken, and how many toes are left to lay. A double at a
    corner with too few edges for a foot that the walk leaves again lies at the end or not at all.
    """

    def __init__(self, puzzle: Puzzle, steps: list[_Step]) -> None:
        self.puzzle = puzzle
        self.steps = steps
        self.known: dict[tuple[int, int, bool, int], int] = {}
        degree = Counter(corner for edge in puzzle.edges for corner in edge.ends)
        self.weak = {
            corner: worth
            for corner, worth in puzzle.doubles.items()
            if puzzle.beside and degree[corner] < puzzle.beside + 1 + (corner != puzzle.start)
        }
        self.edges_left = [0] * (len(steps) + 1)
        self.cheapest: list[list[int]] = [[0] for _ in range(len(steps) + 1)]
        self.cheapest_strong = list(self.cheapest)
        every: list[int] = []
        strong: list[int] = []
        for number in reversed(range(len(steps))):
            step = steps[number]
            if step.edge is None and step.corner in puzzle.doubles:
                every.append(puzzle.doubles[step.corner])
                strong += [] if step.corner in self.weak else every[-1:]
            self.edges_left[number] = self.edges_left[number + 1] + (step.edge is not None)
            self.cheapest[number] = [0, *accumulate(sorted(every))]
            self.cheapest_strong[number] = [0, *accumulate(sorted(strong))]

    def of(self, number: int, state: _State, ended: bool) -> int:
        """The bound before the step of that number; `_NEVER` if the walk cannot be put in order any more."""
        odd = odds = toes = walked = 0
        place = 1
        for code in state:
            if code >= _PART:
                walked += 1
                if code & _ODD:
                    odds += 1
                    odd |= place
            toes += code & _TOES
            place += place
        edges_left = self.edges_left[number]
        beside = self.puzzle.beside
        if not beside:
            return self._rest(number, odd, ended, 0)
        # A foot takes its toes and an edge to leave by; of two odd ends of a piece of the walk it leaves one and comes in at
        # the other. Where the edges do not go round, doubles are lost, at best the cheapest.
        ready = toes + walked - odds + (odds + ended) // 2
        feet = (edges_left + ready + (not ended) * (beside + 1)) // (beside + 1)
        every, strong = self.cheapest[number], self.cheapest_strong[number]
        can_be_feet = min(feet, len(strong) - 1 + (not ended))
        by_counts = self._rest(number, odd, ended, max(0, min(beside * can_be_feet - toes, edges_left)))
        return max(by_counts + strong[max(0, len(strong) - 1 - feet)], every[max(0, len(every) - 1 - feet)])

    def _rest(self, number: int, odd: int, ended: bool, toes: int) -> int:
        if number == len(self.steps):
            return 0 if ended else _NEVER
        key = (number, odd, ended, toes)
        found = self.known.get(key)
        if found is None:
            step = self.steps[number]
            found = self._edge(number, step, odd, ended, toes) if step.edge is not None else self._closing(*key)
            self.known[key] = found
        return found

    def _edge(self, number: int, step: _Step, odd: int, ended: bool, toes: int) -> int:
        assert step.edge is not None
        edge = self.puzzle.edges[step.edge]
        toes = min(toes, self.edges_left[number])
        walked = self._rest(number + 1, odd ^ (1 << step.place) ^ (1 << step.other), ended, toes)
        least = min(walked, edge.worth + self._rest(number + 1, odd, ended, toes))
        if toes and (edge.first in self.puzzle.doubles or edge.second in self.puzzle.doubles):
            least = min(least, self._rest(number + 1, odd, ended, toes - 1))
        return least

    def _closing(self, number: int, odd: int, ended: bool, toes: int) -> int:
        step = self.steps[number]
        ends = bool(odd >> step.place & 1) != (step.corner == self.puzzle.start)
        if ends and ended:
            return _NEVER
        below = odd & ((1 << step.place) - 1)
        cost = 0 if ends else self.weak.get(step.corner, 0)
        return cost + self._rest(number + 1, below | odd >> (step.place + 1) << step.place, ended or ends, toes)
