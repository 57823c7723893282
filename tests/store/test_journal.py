"""What every journal promises: in memory, in SQLite, in PostgreSQL."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest

from companion.session.events import Command, Event, GameEnded, RoundEnded, ScoreGiven, Source
from companion.session.in_memory import NOON
from companion.session.ports import Journal, StaleVersion
from companion.store import Store


def put(journal: Journal, stream: str, *events: Event, expected: int, command: str = "", at: datetime = NOON) -> None:
    wish = Command(command or f"{stream} {expected}", "Ben", Source.CAMERA)
    journal.append(stream, events, command=wish, expected=expected, at=at)


def test_what_was_written_reads_back_in_order(journal: Journal) -> None:
    wish = Command("a", "Ben", Source.CAMERA)
    written = journal.append("game", (RoundEnded(1), GameEnded()), command=wish, expected=0, at=NOON)
    assert [entry.sequence for entry in written] == [1, 2]
    assert [(e.by, e.source, e.command, e.at) for e in written] == [("Ben", Source.CAMERA, "a", NOON)] * 2
    assert journal.read("game") == written
    assert journal.read("game", after=1) == written[1:]
    assert journal.read("game", after=2) == ()
    assert journal.read("other") == ()
    assert journal.written_by("game", "a") == written
    assert journal.written_by("game", "b") == ()
    assert journal.written_by("other", "a") == ()


def test_who_read_an_older_version_is_told(journal: Journal) -> None:
    put(journal, "game", RoundEnded(1), expected=0)
    for expected in (0, 2):
        with pytest.raises(StaleVersion) as stale:
            put(journal, "game", GameEnded(), expected=expected, command="late")
        assert stale.value.version == 1
    assert len(journal.read("game")) == 1


def test_a_command_is_written_once_to_a_stream(journal: Journal) -> None:
    put(journal, "game", RoundEnded(1), expected=0, command="a")
    with pytest.raises(StaleVersion):
        put(journal, "game", RoundEnded(2), expected=1, command="a")
    put(journal, "other", RoundEnded(1), expected=0, command="a")
    assert [entry.event for entry in journal.read("game")] == [RoundEnded(1)]


def test_streams_come_with_the_last_written_first(journal: Journal) -> None:
    assert journal.streams() == ()
    put(journal, "a", RoundEnded(1), expected=0)
    put(journal, "b", RoundEnded(1), expected=0)
    assert journal.streams() == ("b", "a")
    put(journal, "a", RoundEnded(2), expected=1)
    assert journal.streams() == ("a", "b")


def test_a_clock_that_jumps_back_does_not_reorder(journal: Journal) -> None:
    put(journal, "game", RoundEnded(1), expected=0)
    put(journal, "game", RoundEnded(2), expected=1, at=NOON - timedelta(days=400))
    put(journal, "game", RoundEnded(3), expected=2, at=NOON + timedelta(days=400))
    assert [entry.event for entry in journal.read("game")] == [RoundEnded(1), RoundEnded(2), RoundEnded(3)]
    put(journal, "other", RoundEnded(1), expected=0, at=NOON - timedelta(days=999))
    assert journal.streams() == ("other", "game")


def test_times_come_back_in_utc_to_the_microsecond(journal: Journal) -> None:
    at = datetime(2026, 7, 1, 23, 59, 59, 123456, tzinfo=timezone(timedelta(hours=2)))
    put(journal, "game", GameEnded(), expected=0, at=at)
    (entry,) = journal.read("game")
    assert entry.at == at
    assert journal.read("game")[0].at.utcoffset() in (timedelta(0), timedelta(hours=2))


def test_writers_at_once_lose_nothing_and_leave_no_gap(journal: Journal) -> None:
    def write(writer: int) -> None:
        for number in range(20):
            while True:
                try:
                    put(
                        journal,
                        "game",
                        ScoreGiven(1, "Ann", points=writer * 100 + number),
                        expected=len(journal.read("game")),
                        command=f"{writer} {number}",
                    )
                except StaleVersion:
                    continue
                break

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    entries = journal.read("game")
    assert [entry.sequence for entry in entries] == list(range(1, 81))
    points = [entry.event.points for entry in entries if isinstance(entry.event, ScoreGiven)]
    assert sorted(p for p in points if p is not None) == [w * 100 + n for w in range(4) for n in range(20)]
    for writer in range(4):
        mine = [p for p in points if p is not None and p // 100 == writer]
        assert mine == sorted(mine)  # nobody's own writes are reordered


def test_what_one_program_wrote_another_reads(open_again: Callable[[], Store]) -> None:
    put(open_again().journal, "game", GameEnded(), expected=0)
    again = open_again().journal
    assert [entry.event for entry in again.read("game")] == [GameEnded()]
    assert again.read("game")[0].at == NOON.astimezone(UTC)
