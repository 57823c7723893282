"""The vocabulary of the table: tiles, sets of tiles, and whose a train is.

Standard library only, and nothing here knows a rule of play. Every value has a text form that reads back::

    >>> str(Tile.parse("5-12"))
    '12-5'
    >>> Tile(12, 5) in TileSet(9)
    False
    >>> TileSet(12).size
    91
    >>> str(TrainOwner.parse("mexican2"))
    'mexican2'
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

SET_SIZES: tuple[int, ...] = (6, 9, 12, 15, 18)
"""The highest value of each set that is sold."""

MEXICAN = "mexican"
"""The word for the train that belongs to nobody; players cannot bear it."""

_TILE_TEXT = re.compile(r"(0|[1-9]\d?)-(0|[1-9]\d?)", re.ASCII)
_MEXICAN_TEXT = re.compile(MEXICAN + r"([1-9]\d{0,2})?", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """One domino tile, always held with its higher end first."""

    high: int
    low: int

    def __post_init__(self) -> None:
        """Refuse ends that are negative or out of order."""
        if not 0 <= self.low <= self.high:
            raise ValueError(f"a tile holds its higher end first and no end below 0: {self.high}-{self.low}")

    def __hash__(self) -> int:
        """A cheap and stable hash; tiles are looked up very often."""
        return self.high * 64 + self.low

    def __str__(self) -> str:
        """The tile as players write it, high end first."""
        return f"{self.high}-{self.low}"

    @classmethod
    def of(cls, first: int, second: int) -> Tile:
        """The tile with these two ends, in whatever order they come."""
        return cls(first, second) if first >= second else cls(second, first)

    @classmethod
    def double(cls, value: int) -> Tile:
        """The double of a value."""
        return cls(value, value)

    @classmethod
    def parse(cls, text: str) -> Tile:
        """Read ``"12-5"`` or ``"5-12"``; anything else is a ``ValueError``."""
        return cls.of(*parse_ends(text))

    @property
    def pips(self) -> int:
        """The sum of both ends."""
        return self.high + self.low

    @property
    def is_double(self) -> bool:
        """Whether both ends show the same value."""
        return self.high == self.low

    @property
    def ends(self) -> tuple[int, int]:
        """Both ends, the higher one first."""
        return self.high, self.low

    def has(self, value: int) -> bool:
        """Whether an end shows this value."""
        return value in (self.high, self.low)

    def other(self, end: int) -> int:
        """The end across from ``end``; a ``ValueError`` if the tile has no such end."""
        if end == self.high:
            return self.low
        if end == self.low:
            return self.high
        raise ValueError(f"{self} has no end that shows {end}")


def parse_ends(text: str) -> tuple[int, int]:
    """Both ends of a written tile in the order in which they are written.

    Raises:
        ValueError: if the text is not two numbers joined by a hyphen.
    """
    match = _TILE_TEXT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a tile: write both ends, as in 12-5")
    return int(match[1]), int(match[2])


@dataclass(frozen=True, slots=True, order=True)
class TileSet:
    """A double-N set: one tile for every pair of values from 0 to ``highest``."""

    highest: int

    def __post_init__(self) -> None:
        """Refuse a set that nobody sells."""
        if self.highest not in SET_SIZES:
            raise ValueError(f"there is no double-{self.highest} set: choose one of {', '.join(map(str, SET_SIZES))}")

    def __str__(self) -> str:
        """The set's name, which reads back."""
        return f"double-{self.highest}"

    @classmethod
    def parse(cls, text: str) -> TileSet:
        """Read ``"double-12"`` or ``"12"``."""
        number = text.removeprefix("double-")
        if not (number.isascii() and number.isdecimal()):
            raise ValueError(f"{text!r} is not a set: write its highest value, as in 12")
        return cls(int(number))

    @property
    def size(self) -> int:
        """How many tiles the set has."""
        return (self.highest + 1) * (self.highest + 2) // 2

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Every tile of the set, lowest first."""
        return tuple(self)

    @property
    def doubles(self) -> tuple[Tile, ...]:
        """The doubles of the set, highest first."""
        return tuple(Tile(value, value) for value in range(self.highest, -1, -1))

    def __iter__(self) -> Iterator[Tile]:
        """All tiles, lowest first."""
        for high in range(self.highest + 1):
            for low in range(high + 1):
                yield Tile(high, low)

    def __len__(self) -> int:
        """How many tiles the set has."""
        return self.size

    def __contains__(self, tile: object) -> bool:
        """Whether the set has this tile."""
        return isinstance(tile, Tile) and tile.high <= self.highest


@dataclass(frozen=True, slots=True)
class TrainOwner:
    """Whose a train is: a player's, or nobody's (the Mexican train, of which some tables run several)."""

    player: str | None
    number: int = 1

    def __post_init__(self) -> None:
        """Refuse a player's second train and a nameless number."""
        if self.player is not None and self.number != 1:
            raise ValueError("a player has one train")
        if self.number < 1:
            raise ValueError("Mexican trains are counted from 1")
        if self.player is not None and (not self.player or is_mexican_name(self.player)):
            raise ValueError(f"{self.player!r} cannot be a player's name")

    @classmethod
    def mexican(cls, number: int = 1) -> TrainOwner:
        """The Mexican train, or the second, the third."""
        return cls(None, number)

    @classmethod
    def parse(cls, text: str) -> TrainOwner:
        """Read a player's name, ``mexican`` or ``mexican2``."""
        match = _MEXICAN_TEXT.fullmatch(text)
        if match is None:
            return cls(text)
        return cls(None, int(match[1] or 1))

    @property
    def is_mexican(self) -> bool:
        """Whether the train belongs to nobody."""
        return self.player is None

    def __str__(self) -> str:
        """The owner as notation writes it."""
        if self.player is not None:
            return self.player
        return MEXICAN if self.number == 1 else f"{MEXICAN}{self.number}"


def is_mexican_name(text: str) -> bool:
    """Whether a word names a Mexican train and so cannot name a player."""
    return _MEXICAN_TEXT.fullmatch(text) is not None
