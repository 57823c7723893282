"""Trains as they lie: tiles outward from the engine with their orientation, branches of a chicken foot, a marker.

A train may hold what cannot be (a tile that does not fit, a tile twice): the audit says what is wrong, nothing refuses it
here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.dominoes import Tile, TrainOwner, parse_ends

TRUNK = 0
"""The index of the branch that starts at the engine; notation calls it the first."""


@dataclass(frozen=True, slots=True)
class TrainRef:
    """Where a move points: a train, and one of its branches where it forks (``Ben``, ``mexican2``, ``Ben/2``)."""

    owner: TrainOwner
    branch: int = TRUNK

    def __str__(self) -> str:
        return str(self.owner) if self.branch == TRUNK else f"{self.owner}/{self.branch + 1}"

    @classmethod
    def parse(cls, text: str) -> TrainRef:
        """Read a train's name, with a branch counted from 1 where one is meant."""
        name, slash, number = text.partition("/")
        if not slash:
            return cls(TrainOwner.parse(name))
        if not (number.isascii() and number.isdecimal()) or not 1 <= int(number) < 100 or number.startswith("0"):
            raise ValueError(f"{text!r}: a branch is a number from 1, as in {name}/2")
        return cls(TrainOwner.parse(name), int(number) - 1)

    @classmethod
    def of(cls, player: str) -> TrainRef:
        """A player's own train."""
        return cls(TrainOwner(player))


@dataclass(frozen=True, slots=True)
class LaidTile:
    """A tile on a train.

    Attributes:
        tile: which.
        outward: the end that points away from the engine.
        by: the player who laid it, where known.
        order: the how-manieth tile of the round it is, where known.
        first_turn: whether it was laid in its player's first turn on the own train (a first chain's tile).
    """

    tile: Tile
    outward: int
    by: str | None = None
    order: int | None = None
    first_turn: bool = False

    @property
    def inward(self) -> int:
        """The end that points to the engine."""
        return self.tile.other(self.outward)

    def __str__(self) -> str:
        """Inward end first: ``12-5`` lies with its 5 outward."""
        return f"{self.inward}-{self.outward}"

    @classmethod
    def parse(cls, text: str) -> LaidTile:
        """Read a tile as it lies, inward end first."""
        inward, outward = parse_ends(text)
        return cls(Tile.of(inward, outward), outward)


@dataclass(frozen=True, slots=True)
class Branch:
    """A line of tiles.

    Attributes:
        tiles: outward from where it starts.
        root: for a toe, the double it is laid on: the branch and the place in it.
    """

    tiles: tuple[LaidTile, ...] = ()
    root: tuple[int, int] | None = None

    @property
    def tip(self) -> LaidTile | None:
        """Its last tile."""
        return self.tiles[-1] if self.tiles else None


@dataclass(frozen=True, slots=True)
class Train:
    """A train: whose, the trunk and what forks from it, and whether the marker is up."""

    owner: TrainOwner
    branches: tuple[Branch, ...] = (Branch(),)
    marker: bool = False

    @property
    def started(self) -> bool:
        """Whether a tile has been laid on it."""
        return bool(self.branches[TRUNK].tiles)

    def __iter__(self) -> Iterator[LaidTile]:
        """All its tiles, branch by branch."""
        for branch in self.branches:
            yield from branch.tiles

    def ref(self, branch: int = TRUNK) -> TrainRef:
        """How notation points at one of its branches."""
        return TrainRef(self.owner, branch)

    def toes(self, branch: int, place: int) -> int:
        """How many tiles lie on the tile at that place: what follows in its own branch, and what grows from it."""
        follows = len(self.branches[branch].tiles) > place + 1
        return follows + sum(other.root == (branch, place) for other in self.branches)

    def toe_ends(self, branch: int, place: int) -> tuple[tuple[int, int], ...]:
        """The branches that start on that tile, each with the value of its open end."""
        ends: list[tuple[int, int]] = []
        if len(self.branches[branch].tiles) > place + 1:
            ends.append((branch, self.branches[branch].tiles[-1].outward))
        for index, other in enumerate(self.branches):
            if other.root == (branch, place) and other.tiles:
                ends.append((index, other.tiles[-1].outward))
        return tuple(ends)

    def with_tile(self, laid: LaidTile, *, branch: int, root: tuple[int, int] | None = None) -> Train:
        """The train with one more tile: at the tip of a branch, or as a new branch that grows from ``root``."""
        if root is not None:
            return replace(self, branches=(*self.branches, Branch((laid,), root)))
        grown = Branch((*self.branches[branch].tiles, laid), self.branches[branch].root)
        return replace(self, branches=(*self.branches[:branch], grown, *self.branches[branch + 1 :]))

    def __str__(self) -> str:
        """``Ann*: 12-6 6-6 6-1 | 0.1 6-2``: ``*`` is the marker, ``0.1`` the branch and place that a toe is laid on."""
        parts: list[str] = []
        for branch in self.branches:
            root = [] if branch.root is None else [f"{branch.root[0]}.{branch.root[1]}"]
            parts.append(" ".join([*root, *map(str, branch.tiles)]))
        return f"{self.owner}{'*' if self.marker else ''}: {' | '.join(parts)}".rstrip()

    @classmethod
    def parse(cls, text: str) -> Train:
        """Read a train as `str` writes it (who laid the tiles and when is not part of it)."""
        name, colon, lines = text.partition(":")
        if not colon:
            raise ValueError(f"{text!r} is no train: write the owner, a colon and the tiles")
        branches: list[Branch] = []
        for number, line in enumerate(lines.split("|")):
            words = line.split()
            root: tuple[int, int] | None = None
            if number:
                branch, _, place = (words.pop(0) if words else "").partition(".")
                root = (int(branch), int(place))
            branches.append(Branch(tuple(map(LaidTile.parse, words)), root))
        return cls(TrainOwner.parse(name.removesuffix("*")), tuple(branches), name.endswith("*"))
