"""The exact search behind `companion.scoring.solver`: which tiles of a hand cannot be laid in the best train.

Values are corners, tiles are edges, a double is a loop. A train uses some edges for its walk from the start corner, a foot uses
edges as toes, and the rest is lost. Whether a choice of edges can be laid in one walk is a matter of three counts (Euler): an
even number of walk edges at every corner but the start and the end, a connected walk, and the right number of toes at every
double that lies. So the edges are decided one after another, corner by corner, and of all that was decided only the corners with
undecided edges matter: the *frontier*. Two histories that leave the same frontier go on alike, and the cheaper one is kept.

What must still be lost is bounded from below by the same counts without the connection (`companion.scoring.bound`). A layer
keeps the most promising states; if one that was dropped could still win, the next pass keeps more. So there is soon a good
train, and in the end one that is proved the best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from companion.scoring.bound import ODD, PART, TOES, Bound, State
from companion.scoring.puzzle import Choice, Puzzle, Step, Use, plan

_FIRST_WIDTH, _WIDENING = 48, 6


@dataclass(slots=True)
class _Node:
    lost: int
    parent: _Node | None
    mark: int | None


@dataclass
class FrontierSearch:
    """One search for the choice that loses least."""

    puzzle: Puzzle
    out_of_time: Callable[[], bool] | None = None
    steps: list[Step] = field(init=False)

    def __post_init__(self) -> None:
        self.steps = list(plan(self.puzzle))
        self.bound = Bound(self.puzzle, self.steps)

    def run(self) -> Choice:
        """The best choice found; there is always one, and time may run out."""
        best = self._standstill()
        width = _FIRST_WIDTH
        while True:
            found, missed = self._pass(width, best.lost)
            if found is not None:
                best = self._choice(found)
            if missed is None or missed >= best.lost:
                return replace(best, proved=True)
            if self.out_of_time is not None and self.out_of_time():
                return best
            width *= _WIDENING

    def _standstill(self) -> Choice:
        """The train that never leaves the start: its double with the dearest toes, if there is one, and else nothing."""
        start, edges = self.puzzle.start, self.puzzle.edges
        beside = self.puzzle.beside if start in self.puzzle.doubles else 0
        dearest = sorted((n for n, edge in enumerate(edges) if start in edge.ends), key=lambda n: -edges[n].worth)[
            :beside
        ]
        uses = [Use.LOST] * len(edges)
        for number in dearest:
            uses[number] = Use.TOE_OF_FIRST if edges[number].first == start else Use.TOE_OF_SECOND
        laid = frozenset({start}.intersection(self.puzzle.doubles))
        kept = sum(edges[number].worth for number in dearest) + sum(self.puzzle.doubles[corner] for corner in laid)
        everything = sum(edge.worth for edge in edges) + sum(self.puzzle.doubles.values())
        return Choice(tuple(uses), laid, everything - kept, proved=False)

    def _pass(self, width: int, limit: int) -> tuple[_Node | None, int | None]:
        """Decide everything once with so many states a layer: the best end, and the least bound of what was dropped."""
        layer: dict[tuple[State, bool], _Node] = {((0,), False): _Node(0, None, None)}
        missed: int | None = None
        for number, step in enumerate(self.steps):
            following: dict[tuple[State, bool], _Node] = {}
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
        self, number: int, layer: dict[tuple[State, bool], _Node], width: int, limit: int
    ) -> tuple[dict[tuple[State, bool], _Node], int | None]:
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

    def _decide(self, step: Step, state: State, ended: bool) -> Iterator[tuple[int, int, State, bool]]:
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
            if corner in self.puzzle.doubles and state[place] & TOES < self.puzzle.beside:
                use = Use.TOE_OF_FIRST if corner == edge.first else Use.TOE_OF_SECOND
                yield use, 0, (*state[:place], state[place] + 1, *state[place + 1 :]), ended

    def _close(self, step: Step, state: State, ended: bool) -> Iterator[tuple[int, int, State, bool]]:
        """A corner with nothing left to decide: is the walk in order there, and does the double lie?"""
        code = state[step.place]
        part, toes, odd = code // PART, code & TOES, bool(code & ODD)
        starts = step.corner == self.puzzle.start
        ends = odd != starts  # an odd corner is the start or the end; the start with an even number is both
        if (ends and ended) or (not part and (toes or starts)):
            return
        rest = (*state[: step.place], *state[step.place + 1 :])
        if part and not starts and not any(other // PART == part for other in rest):
            return  # this part of the walk would never meet the rest
        double = self.puzzle.doubles.get(step.corner, 0)
        lies = part > 0 and (ends or toes == self.puzzle.beside)
        if lies or not toes:
            yield int(lies and double > 0), 0 if lies else double, _renumbered(rest), ended or ends

    def _choice(self, node: _Node) -> Choice:
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
        return Choice(tuple(uses), frozenset(laid), lost, proved=False)


def _joined(state: State, one: int, other: int) -> State:
    """The frontier after a walk edge between two of its corners."""
    codes = list(state)
    codes[one] ^= ODD
    codes[other] ^= ODD
    first, second = codes[one] // PART, codes[other] // PART
    if not first and not second:
        part = 1 + max(code // PART for code in codes)
        codes[one] += part * PART
        codes[other] += part * PART
    elif not first or not second:
        codes[one if not first else other] += (first + second) * PART
    elif first != second:
        codes = [code + (first - second) * PART if code // PART == second else code for code in codes]
    return _renumbered(tuple(codes))


@lru_cache(maxsize=1 << 15)
def _renumbered(state: State) -> State:
    """Parts numbered as they come, so that equal frontiers are equal."""
    names: dict[int, int] = {0: 0}
    return tuple(names.setdefault(code // PART, len(names)) * PART + code % PART for code in state)
