"""The journal in a database. The order is the sequence number's, never the clock's."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, Row, func, insert, select
from sqlalchemy.exc import IntegrityError

from companion.session.event_text import EventText
from companion.session.events import Command, Event, JournalEntry, Source
from companion.session.ports import StaleVersion
from companion.store.database import reading, writing
from companion.store.schema import ENTRIES


class DatabaseJournal:
    """Entries as rows. Safe to share between threads and processes."""

    def __init__(self, engine: Engine, text: EventText) -> None:
        self._engine = engine
        self._text = text

    def append(
        self, stream: str, events: Sequence[Event], *, command: Command, expected: int, at: datetime
    ) -> tuple[JournalEntry, ...]:
        """Write all events or none; they are on the disk when this returns.

        Raises:
            StaleVersion: the stream has grown, or has this command already.
            StoreUnusable: they could not be written; nothing was.
        """
        entries = tuple(
            JournalEntry(stream, expected + number, at, command.by, command.source, command.id, event)
            for number, event in enumerate(events, start=1)
        )
        rows = [self._row(entry) for entry in entries]
        try:
            with writing(self._engine) as connection:
                version = _version(connection, stream)
                if version != expected or _has_command(connection, stream, command.id):
                    raise StaleVersion(version)
                connection.execute(insert(ENTRIES), rows)
        except IntegrityError as error:  # another process wrote between our look and our write
            raise StaleVersion(expected + 1) from error
        return entries

    def read(self, stream: str, *, after: int = 0) -> tuple[JournalEntry, ...]:
        """The entries with a higher number, in order."""
        wanted = select(ENTRIES).where(ENTRIES.c.stream == stream, ENTRIES.c.sequence > after)
        with reading(self._engine) as connection:
            rows = connection.execute(wanted.order_by(ENTRIES.c.sequence)).all()
        return tuple(map(self._entry, rows))

    def written_by(self, stream: str, command: str) -> tuple[JournalEntry, ...]:
        """What a command wrote to a stream."""
        wanted = select(ENTRIES).where(ENTRIES.c.stream == stream, ENTRIES.c.command == command)
        with reading(self._engine) as connection:
            rows = connection.execute(wanted.order_by(ENTRIES.c.sequence)).all()
        return tuple(map(self._entry, rows))

    def streams(self) -> tuple[str, ...]:
        """All streams, the one that was written to last first."""
        newest = func.max(ENTRIES.c.id)
        with reading(self._engine) as connection:
            rows = connection.execute(select(ENTRIES.c.stream).group_by(ENTRIES.c.stream).order_by(newest.desc()))
            return tuple(rows.scalars())

    def _row(self, entry: JournalEntry) -> dict[str, Any]:
        return {
            "stream": entry.stream,
            "sequence": entry.sequence,
            "at": entry.at,
            "by": entry.by,
            "source": entry.source.value,
            "command": entry.command,
            "event": self._text.write(entry.event),
        }

    def _entry(self, row: Row[Any]) -> JournalEntry:
        return JournalEntry(
            row.stream, row.sequence, row.at, row.by, Source(row.source), row.command, self._text.read(row.event)
        )


def _version(connection: Connection, stream: str) -> int:
    found = connection.execute(select(func.max(ENTRIES.c.sequence)).where(ENTRIES.c.stream == stream)).scalar()
    return int(found or 0)


def _has_command(connection: Connection, stream: str, command: str) -> bool:
    wanted = select(ENTRIES.c.id).where(ENTRIES.c.stream == stream, ENTRIES.c.command == command).limit(1)
    return connection.execute(wanted).first() is not None
