"""The ports in memory, for tests: nothing here outlives the process, and time stands still until it is told to go on."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from companion.rules.presets import RuleBook
from companion.session.events import Command, Event, JournalEntry
from companion.session.ports import StaleVersion
from companion.session.session import Session

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class MemoryJournal:
    """A journal that forgets. Safe to share between threads."""

    def __init__(self) -> None:
        self._streams: dict[str, list[JournalEntry]] = {}
        self._lock = threading.Lock()

    def append(
        self, stream: str, events: Sequence[Event], *, command: Command, expected: int, at: datetime
    ) -> tuple[JournalEntry, ...]:
        """Write all or none."""
        with self._lock:
            entries = self._streams.pop(stream, [])
            self._streams[stream] = entries  # the stream that was written to last stands last
            if len(entries) != expected or any(entry.command == command.id for entry in entries):
                raise StaleVersion(len(entries))
            fresh = tuple(
                JournalEntry(stream, expected + number, at, command.by, command.source, command.id, event)
                for number, event in enumerate(events, start=1)
            )
            entries.extend(fresh)
            return fresh

    def read(self, stream: str, *, after: int = 0) -> tuple[JournalEntry, ...]:
        """The entries after a number."""
        with self._lock:
            return tuple(self._streams.get(stream, ())[after:])

    def written_by(self, stream: str, command: str) -> tuple[JournalEntry, ...]:
        """What a command wrote."""
        return tuple(entry for entry in self.read(stream) if entry.command == command)

    def streams(self) -> tuple[str, ...]:
        """All streams that hold anything, the newest first."""
        with self._lock:
            return tuple(stream for stream in reversed(self._streams) if self._streams[stream])


class MemoryPictures:
    """Pictures in memory."""

    def __init__(self) -> None:
        self._pictures: dict[str, bytes] = {}

    def put(self, data: bytes) -> str:
        """Keep a picture."""
        name = hashlib.sha256(data).hexdigest()
        self._pictures[name] = data
        return name

    def get(self, picture: str) -> bytes:
        """A picture; a `KeyError` if there is none."""
        return self._pictures[picture]


class StandingClock:
    """A clock that stands at noon until it is moved, also backwards."""

    def __init__(self, start: datetime = NOON) -> None:
        self._now = start

    def now(self) -> datetime:
        """The time at which it stands."""
        return self._now

    def move(self, seconds: float) -> None:
        """Move it on, or back."""
        self._now += timedelta(seconds=seconds)


class SilentBell:
    """A bell that nobody waits for: whoever waits is told at once whether there is something to read."""

    def __init__(self) -> None:
        self._versions: dict[str, int] = {}

    def ring(self, stream: str, version: int) -> None:
        """Note the version."""
        self._versions[stream] = version

    def wait(self, stream: str, beyond: int, timeout_s: float) -> bool:
        """Whether the stream is beyond a version; no time passes."""
        return self._versions.get(stream, 0) > beyond


def memory_session(book: RuleBook, *, clock: StandingClock | None = None) -> Session:
    """A session that forgets everything, for tests and examples."""
    return Session(
        journal=MemoryJournal(),
        pictures=MemoryPictures(),
        clock=clock or StandingClock(),
        bell=SilentBell(),
        book=book,
    )
