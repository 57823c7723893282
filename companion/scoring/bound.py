"""How much of a hand must still be lost from a frontier: the bound of the search for the longest train."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import accumulate

from companion.scoring.puzzle import Puzzle, Step

# A corner in the frontier is one small number: the connected part of the walk that it belongs to (0: none yet) times 8,
# plus 4 if it has an odd number of walk edges, plus its toes (at most 3).
PART, ODD, TOES = 8, 4, 3
State = tuple[int, ...]

NEVER = 1 << 60
"""The bound of what cannot be put in order any more."""

MANY_TOES, COUNTED_EDGES = 16, 40
"""Beyond so many toes, and in puzzles of more edges, they are not counted: the bound is looser and takes less time."""


class Bound:
    """The least that must still be lost from a frontier, if the walk need not hang together and any corner may have toes.

    What matters then is only which corners are odd, whether the end is taken, and how many toes are left to lay (``many`` toes
    are as good as any number). A double at a corner with too few edges for a foot that the walk leaves again lies at the end or
    not at all.
    """

    def __init__(self, puzzle: Puzzle, steps: list[Step]) -> None:
        self.puzzle = puzzle
        self.steps = steps
        self.known: dict[tuple[int, int, bool, int], int] = {}
        degree = Counter(corner for edge in puzzle.edges for corner in edge.ends)
        self.start_must_be_odd = degree[puzzle.start] == 1  # the walk leaves it, and there is one way to go
        self.weak = {
            corner: worth
            for corner, worth in puzzle.doubles.items()
            if puzzle.beside and degree[corner] < puzzle.beside + 1 + (corner != puzzle.start)
        }
        self.many = MANY_TOES if len(puzzle.edges) <= COUNTED_EDGES else 1
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
        self.feet_at = list(self._feet_at(degree)) if puzzle.beside else []

    def _feet_at(self, degree: Counter[int]) -> Iterator[list[tuple[int, int, int, int]]]:
        """Before each step: of every double in the frontier its place, undecided edges, whether it is the start, its worth.

        The worth of a weak one is not told: `_rest` has counted it already.
        """
        doubles, left, frontier = self.puzzle.doubles, dict(degree), [self.puzzle.start]
        for step in [*self.steps, None]:
            yield [
                (place, left.get(corner, 0), corner == self.puzzle.start, 0 if corner in self.weak else doubles[corner])
                for place, corner in enumerate(frontier)
                if corner in doubles
            ]
            if step is None:
                return
            if step.edge is None:
                frontier.remove(step.corner)
                continue
            other = self.puzzle.edges[step.edge].other(step.corner)
            frontier += [corner for corner in (step.corner, other) if corner not in frontier]
            left[step.corner] -= 1
            left[other] -= 1

    def _lost_feet(self, number: int, state: State, ended: bool) -> int:
        """The worth of the doubles in the frontier that have too few edges left to become a foot and are not the end."""
        lost = dearest = begun = 0
        for place, left, starts, worth in self.feet_at[number]:
            code = state[place]
            toes = code & TOES
            arrives = code & ODD > 0 and not starts  # and has yet to leave
            walk = 2 - starts if code < PART else int(arrives)
            if self.puzzle.beside - toes + walk > left:
                if toes:
                    begun += 1
                else:
                    lost += worth
                    dearest = max(dearest, worth)
        if begun + ended > 1:
            return NEVER
        return lost if begun + ended else lost - dearest

    def of(self, number: int, state: State, ended: bool) -> int:
        """The bound before the step of that number; `NEVER` if the walk cannot be put in order any more."""
        odd = odds = toes = walked = 0
        place = 1
        for code in state:
            if code >= PART:
                walked += 1
                if code & ODD:
                    odds += 1
                    odd |= place
            toes += code & TOES
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
        short = max(strong[max(0, len(strong) - 1 - feet)], self._lost_feet(number, state, ended))
        return max(by_counts + short, every[max(0, len(every) - 1 - feet)])

    def _rest(self, number: int, odd: int, ended: bool, toes: int) -> int:
        if number == len(self.steps):
            return 0 if ended else NEVER
        key = (number, odd, ended, toes)
        found = self.known.get(key)
        if found is None:
            step = self.steps[number]
            found = self._edge(number, step, odd, ended, toes) if step.edge is not None else self._closing(*key)
            self.known[key] = found
        return found

    def _edge(self, number: int, step: Step, odd: int, ended: bool, toes: int) -> int:
        assert step.edge is not None
        edge = self.puzzle.edges[step.edge]
        toes = min(toes, self.edges_left[number], self.many)
        walked = self._rest(number + 1, odd ^ (1 << step.place) ^ (1 << step.other), ended, toes)
        least = min(walked, edge.worth + self._rest(number + 1, odd, ended, toes))
        if toes and (edge.first in self.puzzle.doubles or edge.second in self.puzzle.doubles):
            least = min(least, self._rest(number + 1, odd, ended, toes - (toes < self.many)))
        return least

    def _closing(self, number: int, odd: int, ended: bool, toes: int) -> int:
        step = self.steps[number]
        ends = bool(odd >> step.place & 1) != (step.corner == self.puzzle.start)
        if (ends and ended) or (ends and step.corner == self.puzzle.start and self.start_must_be_odd):
            return NEVER
        below = odd & ((1 << step.place) - 1)
        cost = 0 if ends else self.weak.get(step.corner, 0)
        return cost + self._rest(number + 1, below | odd >> (step.place + 1) << step.place, ended or ends, toes)
