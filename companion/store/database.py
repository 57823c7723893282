"""Opening a database: SQLite so that a confirmed write survives a pulled plug, or PostgreSQL by its URL; brought up to date."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError

from companion.store.errors import StoreFull, StoreUnusable

BUSY_S = 10
"""Seconds that a write waits for another one; every write of ours takes milliseconds."""

_MIGRATIONS = Path(__file__).parent / "migrations"
_MIGRATION_LOCK = 7_236_105
"""Any number that no other user of the same PostgreSQL database locks."""


def open_database(url: str) -> Engine:
    """A database whose tables are those of this program.

    Raises:
        StoreUnusable: it cannot be opened, or a newer program has changed its tables.
    """
    engine = _engine(url)
    try:
        with writing(engine) as connection:
            _bring_up_to_date(connection)
    except CommandError as error:
        engine.dispose()
        raise StoreUnusable(
            "These games were kept by a newer version of the companion: install that one, or choose another folder "
            "with --data."
        ) from error
    except StoreUnusable:
        engine.dispose()
        raise
    return engine


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes: it is on the disk when the block is left, or nothing of it is.

    Raises:
        StoreFull: there is no room.
        StoreUnusable: the database does not work. Broken constraints (IntegrityError) come through as they are.
    """
    with translated(), engine.connect().execution_options(companion_writes=True) as connection, connection.begin():
        yield connection


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads.

    Raises:
        StoreUnusable: the database does not work.
    """
    with translated(), engine.connect() as connection, connection.begin():
        yield connection


@contextmanager
def translated() -> Iterator[None]:
    """The world's failures in words for people; broken constraints (IntegrityError) come through as they are."""
    try:
        yield
    except IntegrityError:
        raise
    except DBAPIError as error:
        if _is_full(error.orig):
            raise StoreFull from error
        raise StoreUnusable(
            f"The database does not answer ({error.orig}), so nothing was saved. Everything confirmed before is safe. "
            "Check that it runs and that the data folder can be written, then do it again."
        ) from error


def _is_full(error: BaseException | None) -> bool:
    full = str(error).startswith("database or disk is full")
    return full or getattr(error, "sqlstate", None) == "53100" or getattr(error, "errno", None) == errno.ENOSPC


def _engine(url: str) -> Engine:
    try:
        parsed = _with_driver(make_url(url))
        engine = create_engine(parsed, pool_pre_ping=parsed.get_backend_name() != "sqlite")
    except (ArgumentError, NoSuchModuleError) as error:
        raise StoreUnusable(
            "The address of the database is none: write it as in postgresql://user@host/name."
        ) from error
    except ModuleNotFoundError as error:
        raise StoreUnusable(
            f"The driver {error.name} is not installed: pip install 'mexican-train-companion[postgres]'."
        ) from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _with_driver(url: URL) -> URL:
    """PostgreSQL means psycopg 3 here, whatever SQLAlchemy would take."""
    return url.set(drivername="postgresql+psycopg") if url.drivername in ("postgresql", "postgres") else url


def _set_up_sqlite(connection: Any, _record: object) -> None:
    """Each commit is synced to the disk (FULL); readers and a writer do not wait for each other (WAL)."""
    connection.isolation_level = None  # transactions are begun by `_begin_sqlite`, not by the driver
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={BUSY_S * 1000}"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    """A writer takes its lock at once: one that reads first and then finds it taken could only give up."""
    writes = connection.get_execution_options().get("companion_writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _bring_up_to_date(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
