"""What the session needs from outside: a journal, a place for pictures, a clock, a bell.

`companion.store` keeps them on a disk, `companion.session.in_memory` in memory for tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from companion.session.events import Command, Event, JournalEntry


class StaleVersion(Exception):
    """A journal has grown since it was read; `version` is its last sequence number now. Read it and decide again."""

    def __init__(self, version: int) -> None:
        super().__init__(f"the journal is at {version} already")
        self.version = version


class Journal(Protocol):
    """Append-only streams of entries, one for each game."""

    def append(
        self, stream: str, events: Sequence[Event], *, command: Command, expected: int, at: datetime
    ) -> tuple[JournalEntry, ...]:
        """Write all events or none, durably before it returns, with sequence numbers from ``expected + 1``.

        Raises:
            StaleVersion: the stream's last sequence number is not `expected`, or the command has been written to it.
            CompanionError: they could not be written; nothing was.
        """
        ...

    def read(self, stream: str, *, after: int = 0) -> tuple[JournalEntry, ...]:
        """The entries with a higher sequence number, in their order; empty for a stream that does not exist."""
        ...

    def written_by(self, stream: str, command: str) -> tuple[JournalEntry, ...]:
        """What a command wrote to a stream; empty if it wrote nothing."""
        ...

    def streams(self) -> tuple[str, ...]:
        """All streams, the one that was written to last first."""
        ...


class Pictures(Protocol):
    """Pictures by what is in them: the same bytes have the same id (their sha256 in hex)."""

    def put(self, data: bytes) -> str:
        """Keep a picture durably and return its id.

        Raises:
            CompanionError: it could not be written.
        """
        ...

    def get(self, picture: str) -> bytes:
        """A picture's bytes.

        Raises:
            KeyError: there is no such picture.
        """
        ...


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """The time in UTC, aware of its zone."""
        ...


class Bell(Protocol):
    """Rings when a stream has grown, for those who follow it live."""

    def ring(self, stream: str, version: int) -> None:
        """Say that a stream has reached this version."""
        ...

    def wait(self, stream: str, beyond: int, timeout_s: float) -> bool:
        """Wait until the stream is beyond a version (True), or the time is up (False)."""
        ...
