"""A program to be killed: confirms scores and photos one after another and says so only when they are kept.

Reads lines from standard input; each starts a writer (a fork of this process, so that fifty starts take no minute), which
goes on until it is killed. Prints ``pid N``, then ``score N`` or ``picture SHA256`` for each that was confirmed, then ``dead``.
"""

from __future__ import annotations

import os
import sys
from itertools import count
from pathlib import Path

from companion.rules.presets import standard_book
from companion.session.answers import Done
from companion.session.events import Command
from companion.session.session import Session
from companion.store import open_store
from companion.store.bell import ThreadBell
from companion.store.clock import SystemClock

BOOK = standard_book()
PLAYERS = ("Ann", "Ben")


def tell(text: str) -> None:
    os.write(1, f"{text}\n".encode())


def write(data_dir: Path, run: int) -> None:
    """Confirm until killed."""
    store = open_store(data_dir, base=BOOK["base"].rules)
    session = Session(journal=store.journal, pictures=store.pictures, clock=SystemClock(), bell=ThreadBell(), book=BOOK)
    started = session.games.start(Command("start"), players=PLAYERS)
    assert isinstance(started, Done)
    for number in count(run * 100_000):
        tell(f"picture {store.pictures.put(f'photo {number}'.encode() * 20_000)}")
        points = number % 9000
        wish = Command(f"{number}")
        assert isinstance(session.hands.enter(wish, started.game.id, player="Ann", points=points, replace=True), Done)
        tell(f"score {number}")


def main() -> None:
    for run, _ in enumerate(sys.stdin, start=1):
        child = os.fork()
        if child == 0:
            write(Path(sys.argv[1]), run)
        tell(f"pid {child}")
        os.waitpid(child, 0)
        tell("dead")


if __name__ == "__main__":
    main()
