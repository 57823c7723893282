"""What a use case answers: done, or refused with a reason that a person can act on. Both are values.

A reason is an id with arguments; the sentence is made at the edge with a translator, as the referee's are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.rules.rulings import Ruling

if TYPE_CHECKING:
    from companion.session.events import JournalEntry
    from companion.session.game import Game

Translate = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was changed.

    Attributes:
        reason: the id of a sentence in `companion.session.wording.REASONS`.
        arguments: what the sentence names.
        ruling: the referee's, where a move was refused.
    """

    reason: str
    arguments: tuple[tuple[str, str], ...] = ()
    ruling: Ruling | None = None

    @classmethod
    def because(cls, reason: str, *, ruling: Ruling | None = None, **arguments: object) -> Refused:
        """A refusal whose arguments are written as they are shown."""
        return cls(reason, tuple((name, str(value)) for name, value in arguments.items()), ruling)

    def argument(self, name: str) -> str | None:
        """One of the arguments by its name."""
        return dict(self.arguments).get(name)


@dataclass(frozen=True, slots=True)
class Done:
    """It is written down.

    Attributes:
        game: the game after it.
        entries: what was written.
        repeated: whether this command had been carried out before; then `entries` are those of the first time.
    """

    game: Game
    entries: tuple[JournalEntry, ...]
    repeated: bool = False

    @property
    def sequence(self) -> int:
        """The number of the first entry: the id of a hand that was proposed, of a play that was told."""
        return self.entries[0].sequence


Outcome = Done | Refused


@dataclass(frozen=True, slots=True)
class Remark:
    """Something to look at before a hand is confirmed. Nothing is ever barred by one.

    Attributes:
        reason: the id of a sentence in `companion.session.wording.REMARKS`.
        arguments: what the sentence names.
        tile: the index of the tile in the hand, where one is meant.
        pictures: ids of the pictures that show it.
    """

    reason: str
    arguments: tuple[tuple[str, str], ...] = ()
    tile: int | None = None
    pictures: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, reason: str, *, index: int | None = None, pictures: tuple[str, ...] = (), **arguments: object
    ) -> Remark:
        """A remark whose arguments are written as they are shown."""
        return cls(reason, tuple((name, str(value)) for name, value in arguments.items()), index, pictures)
