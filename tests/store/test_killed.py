"""Killed in the middle of writing, fifty times: what was confirmed is there, and the database is sound."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sqlalchemy import text

from companion.rules.presets import standard_book
from companion.session.desk import stream_of
from companion.session.events import Command, ScoreGiven
from companion.store import open_store
from companion.store.database import reading

KILLS = 50
LONGEST_S = 0.01
"""Up to this long after something was confirmed the writer is killed; a write takes a few milliseconds."""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the writer is killed by a signal and made by a fork")


def test_fifty_kills_lose_nothing_that_was_confirmed(tmp_path: Path) -> None:
    chance = random.Random(5)
    scores: list[str] = []
    pictures: list[str] = []
    program = [sys.executable, str(Path(__file__).with_name("writer.py")), str(tmp_path)]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as writer:
        assert writer.stdin is not None
        for _ in range(KILLS):
            writer.stdin.write("go\n")
            writer.stdin.flush()
            told = _run_until_killed(writer, chance)
            scores += [word for kind, word in told if kind == "score"]
            pictures += [word for kind, word in told if kind == "picture"]
            _check(tmp_path, scores, pictures)
        writer.stdin.close()
    assert len(scores) > KILLS
    assert len(pictures) > KILLS


def _run_until_killed(writer: subprocess.Popen[str], chance: random.Random) -> list[tuple[str, str]]:
    """Start a writer, kill it some time after it has confirmed something; what it confirmed."""
    assert writer.stdout is not None
    told: list[tuple[str, str]] = []
    pid = 0
    kill_after = chance.randint(1, 6)
    for line in writer.stdout:
        kind, _, word = line.strip().partition(" ")
        if kind == "pid":
            pid = int(word)
        elif kind == "dead":
            return told
        else:
            told.append((kind, word))
        if pid and len(told) == kill_after:
            time.sleep(chance.uniform(0, LONGEST_S))
            os.kill(pid, signal.SIGKILL)
            kill_after = -1
    raise AssertionError("the writer ended by itself")


def _check(data_dir: Path, scores: list[str], pictures: list[str]) -> None:
    store = open_store(data_dir, base=standard_book()["base"].rules)
    try:
        with reading(store.engine) as connection:
            assert connection.execute(text("PRAGMA integrity_check")).scalar() == "ok"
        entries = store.journal.read(stream_of(Command("start")))
        assert [entry.sequence for entry in entries] == list(range(1, len(entries) + 1))
        kept = [entry.command for entry in entries if isinstance(entry.event, ScoreGiven)]
        assert [command for command in kept if command in set(scores)] == scores
        for picture in pictures[-20:]:
            assert hashlib.sha256(store.pictures.get(picture)).hexdigest() == picture
        for path in (data_dir / "pictures").rglob("*"):
            if path.is_file() and path.suffix != ".part":
                assert path.stat().st_size > 0
    finally:
        store.close()
