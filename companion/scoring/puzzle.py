"""The longest train as a puzzle: corners (values), edges (tiles), and the order in which they are decided.

See `companion.scoring.frontier` for how it is solved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum


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
class Step:
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


def plan(puzzle: Puzzle) -> Iterator[Step]:
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
            yield Step(corner, frontier.index(corner), number, frontier.index(edge.other(corner)), len(entering))
        yield Step(corner, frontier.index(corner))
        frontier.remove(corner)


def _entering(undecided: Iterable[Edge], frontier: list[int], corner: int) -> set[int]:
    """The corners that enter the frontier when that one is worked off."""
    touched = {end for edge in undecided if corner in edge.ends for end in edge.ends}
    return touched.difference(frontier, {corner})
