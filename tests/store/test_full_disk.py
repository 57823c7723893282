"""A full disk: a clear error, nothing confirmed is lost, and it goes on once there is room."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import text

from companion.rules.presets import standard_book
from companion.session.answers import Done
from companion.session.events import Command
from companion.session.in_memory import StandingClock
from companion.session.session import Session
from companion.store import Store, open_store
from companion.store.bell import ThreadBell
from companion.store.database import reading
from companion.store.errors import StoreFull

BOOK = standard_book()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte."""
    if os.name != "posix" or os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], capture_output=True, text=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip(f"a small disk cannot be mounted here: {mounted.stderr.strip()}")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def test_a_full_disk_loses_nothing_that_was_confirmed(small_disk: Path) -> None:
    store = open_store(small_disk / "data", base=BOOK["base"].rules)
    session = Session(
        journal=store.journal, pictures=store.pictures, clock=StandingClock(), bell=ThreadBell(), book=BOOK
    )
    started = session.games.start(Command("start"), players=["Ann", "Ben"])
    assert isinstance(started, Done)
    game = started.game.id
    confirmed: list[int] = []
    pictures: list[str] = []
    with pytest.raises(StoreFull, match="Everything confirmed before is safe"):
        for number in count(1):
            pictures.append(store.pictures.put(f"{number}".encode() * 8000))
    with pytest.raises(StoreFull, match="disk is full"):
        for number in count(1):
            done = session.hands.enter(Command(f"c{number}"), game, player="Ann", points=number, replace=True)
            assert isinstance(done, Done)
            confirmed.append(number)
    assert _scores(session, game) == confirmed
    assert all(store.pictures.get(picture) for picture in pictures)
    assert not list(small_disk.rglob("*.part"))
    assert _sound(store)
    store.close()

    for picture in pictures[-15:]:  # some room
        (small_disk / "data" / "pictures" / picture[:2] / picture).unlink()
    again = open_store(small_disk / "data", base=BOOK["base"].rules)
    session = Session(
        journal=again.journal, pictures=again.pictures, clock=StandingClock(), bell=ThreadBell(), book=BOOK
    )
    assert _scores(session, game) == confirmed
    assert isinstance(session.hands.enter(Command("after"), game, player="Ann", points=0, replace=True), Done)
    assert _scores(session, game) == [*confirmed, 0]
    assert _sound(again)
    again.close()


def _scores(session: Session, game_id: str) -> list[int]:
    game = session.games.get(game_id)
    assert game is not None
    score = game.round(1).scores.get("Ann")
    return [] if score is None else [line.points for line in score.history if line.points is not None]


def _sound(store: Store) -> bool:
    with reading(store.engine) as connection:
        return connection.execute(text("PRAGMA integrity_check")).scalar() == "ok"
