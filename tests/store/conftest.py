"""Databases to test on: SQLite in a folder, and PostgreSQL where `COMPANION_TEST_POSTGRES` names a server."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from companion.rules.presets import standard_book
from companion.session.in_memory import MemoryJournal
from companion.session.ports import Journal
from companion.store import Store, open_store

POSTGRES = os.environ.get("COMPANION_TEST_POSTGRES")
"""The URL of a PostgreSQL server on which databases may be made and dropped; `scripts/with_postgres` starts one."""


@contextmanager
def fresh_database(kind: str) -> Iterator[str | None]:
    """The URL of an empty database that is gone afterwards; None for the data folder's own."""
    if kind == "sqlite":
        yield None
        return
    if not POSTGRES:
        pytest.skip("COMPANION_TEST_POSTGRES names no server: run scripts/with_postgres scripts/check")
    name = f"companion_test_{uuid4().hex}"
    server = create_engine(make_url(POSTGRES).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    try:
        yield make_url(POSTGRES).set(database=name).render_as_string(hide_password=False)
    finally:
        with server.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        server.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """Each test runs on every kind of database."""
    with fresh_database(request.param) as url:
        yield url


@pytest.fixture
def open_again(tmp_path: Path, database_url: str | None) -> Iterator[Callable[[], Store]]:
    """Opens the same data as often as it is called, as a program does that is started again."""
    opened: list[Store] = []

    def open_one() -> Store:
        base = standard_book()["base"].rules
        opened.append(open_store(tmp_path / "data", base=base, database_url=database_url))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    """Every journal that there is."""
    if request.param == "memory":
        yield MemoryJournal()
        return
    with fresh_database(request.param) as url:
        store = open_store(tmp_path / "data", base=standard_book()["base"].rules, database_url=url)
        yield store.journal
        store.close()
