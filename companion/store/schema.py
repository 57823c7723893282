"""The tables, as `migrations` builds them up."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Dialect,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)


class UtcTime(TypeDecorator[datetime]):
    """A time in UTC; SQLite keeps none of the zone, so it is put on again when it is read."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """To the database."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """From the database."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


METADATA = MetaData()

ENTRIES = Table(
    "entries",
    METADATA,
    # SQLite numbers rows by itself only if the key is an INTEGER
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("stream", String(64), nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("by", String(64), nullable=False),
    Column("source", String(16), nullable=False),
    Column("command", String(128), nullable=False),
    Column("event", Text, nullable=False),
    UniqueConstraint("stream", "sequence", name="one_entry_a_number"),
    Index("entries_by_command", "stream", "command"),
)
"""Every entry of every journal; rows are only ever inserted."""
