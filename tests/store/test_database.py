"""Opening: pragmas, migrations, a newer program's data, what is no database."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from companion.rules.presets import standard_book
from companion.session.in_memory import StandingClock
from companion.session.session import Session
from companion.store import Store, open_store
from companion.store.bell import ThreadBell
from companion.store.database import open_database, reading, writing
from companion.store.errors import StoreUnusable
from companion.store.schema import METADATA
from tests.session.evening import Evening, done

BOOK = standard_book()


def test_sqlite_syncs_every_commit_and_keeps_foreign_keys(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'games.sqlite3'}")
    with reading(engine) as connection:
        found = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in PRAGMAS}
    engine.dispose()
    assert found == PRAGMAS


PRAGMAS = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 10_000}


def test_the_migrations_make_the_tables_of_the_schema(open_again: Callable[[], Store]) -> None:
    with reading(open_again().engine) as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []


def test_programs_that_start_at_once_make_the_tables_once(tmp_path: Path, database_url: str | None) -> None:
    failed: list[BaseException] = []

    def start() -> None:
        try:
            open_store(tmp_path / "data", base=BOOK["base"].rules, database_url=database_url).close()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_data_of_a_newer_program_is_refused_and_left_alone(open_again: Callable[[], Store]) -> None:
    store = open_again()
    with writing(store.engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreUnusable, match="newer version"):
        open_again()
    with reading(store.engine) as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == "9999"


@pytest.mark.parametrize("url", ["nonsense", "oracle9://x", "postgresql://nobody@127.0.0.1:1/none"])
def test_what_is_no_database_is_said_in_words(tmp_path: Path, url: str) -> None:
    with pytest.raises(StoreUnusable):
        open_store(tmp_path, base=BOOK["base"].rules, database_url=url)


def test_a_file_that_is_no_database_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "games.sqlite3").write_bytes(b"this is a shopping list, not a database" * 99)
    with pytest.raises(StoreUnusable, match="not a database"):
        open_store(tmp_path, base=BOOK["base"].rules)
    assert (tmp_path / "games.sqlite3").read_bytes().startswith(b"this is a shopping list")


def test_a_folder_that_cannot_be_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreUnusable, match="cannot be written"):
        open_store(tmp_path / "file" / "data", base=BOOK["base"].rules)


def test_the_data_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    open_store(tmp_path / "data", base=BOOK["base"].rules).close()
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0


def test_an_evening_is_the_same_after_the_program_was_started_again(open_again: Callable[[], Store]) -> None:
    def session() -> Session:
        store = open_again()
        return Session(
            journal=store.journal, pictures=store.pictures, clock=StandingClock(), bell=ThreadBell(), book=BOOK
        )

    evening = Evening(names=("Ann", "Aunt May", "Cy"), session=session())
    done(evening.tell("Ann 12-5", pictures=["before"]))
    hand = done(evening.photo("Aunt May", "6-5 9-4", doubt=1)).sequence
    done(evening.session.hands.confirm(evening.wish("Cy"), evening.id, hand))
    done(evening.play_round({"Cy": 7}, out="Ann"))
    again = session()
    assert again.games.get(evening.id) == evening.game
    assert again.rounds.sheet(evening.id) == evening.session.rounds.sheet(evening.id)
    assert again.table.plays(evening.id, round_number=1) == evening.session.table.plays(evening.id, round_number=1)
    assert again.pictures.get(evening.game.hand(hand).photos[0].picture)  # type: ignore[union-attr]
    assert [game.id for game in again.games.list()] == [evening.id]
