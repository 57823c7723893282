#!/usr/bin/env python3
"""How long the game's memory takes: confirm a score, look at the sheet, start again with many games.

python scripts/bench_store.py [--data DIR] [--database-url URL] [--games 20]

Fills a data folder (a temporary one unless it is named; it should lie on the disk that matters) with whole games of 13
rounds, 6 players and 60 plays a round, then times what people wait for. Prints Markdown for `benchmarks/store.md`.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from companion.rules.moves import Play, parse_move
from companion.rules.presets import standard_book
from companion.rules.referee import legal_moves
from companion.session.answers import Done
from companion.session.events import Command
from companion.session.session import Session
from companion.store import open_store
from companion.store.bell import ThreadBell
from companion.store.clock import SystemClock

PLAYERS = ("Ann", "Ben", "Cy", "Dee", "Eli", "Flo")
PLAYS = 60
_ids = count(1)


def wish() -> Command:
    return Command(f"bench {next(_ids)}")


def open_session(data: Path, url: str | None) -> Session:
    book = standard_book()
    store = open_store(data, base=book["base"].rules, database_url=url)
    return Session(journal=store.journal, pictures=store.pictures, clock=SystemClock(), bell=ThreadBell(), book=book)


def play_game(session: Session, chance: random.Random) -> str:
    """A whole game; its id."""
    started = session.games.start(wish(), players=PLAYERS, preset="casual")
    assert isinstance(started, Done)
    game = started.game.id
    for _ in range(started.game.round_count):
        for move in deeds(session, game, chance):
            session.table.tell(wish(), game, parse_move(move), anyway=True)
        for player in PLAYERS[1:]:
            session.hands.enter(wish(), game, player=player, points=chance.randrange(80))
        session.rounds.end(wish(), game, out=PLAYERS[:1])
    return game


def deeds(session: Session, game: str, chance: random.Random) -> Iterator[str]:
    """Deeds of a round, legal as far as hands are not known."""
    for number in range(PLAYS):
        state = session.table.state(game)
        assert state is not None
        player = PLAYERS[number % len(PLAYERS)] if state.turn.seat is None else state.players[state.turn.seat]
        play = next((move for move in legal_moves(state).in_turn() if isinstance(move, Play)), None)
        yield str(play) if play is not None and chance.random() < 0.7 else f"{player} pass"


def timed(what: str, times: int, action: Callable[[], object]) -> str:
    """One line of the table: median and worst in milliseconds, and the median of the processor's time."""
    took, worked = [], []
    for _ in range(times):
        begun, cpu = time.perf_counter(), time.process_time()
        action()
        worked.append((time.process_time() - cpu) * 1000)
        took.append((time.perf_counter() - begun) * 1000)
    return f"| {what} | {statistics.median(took):.1f} | {max(took):.1f} | {statistics.median(worked):.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="where to write; a temporary folder unless named")
    parser.add_argument("--database-url", help="another database, as in postgresql://user@host/name")
    parser.add_argument("--games", type=int, default=20)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = args.data or Path(folder)
        session = open_session(data, args.database_url)
        chance = random.Random(1)
        games = [play_game(session, chance) for _ in range(args.games)]
        game = games[-1]
        print("| what | median ms | worst ms | of it processor, median ms |\n|---|---|---|---|")
        print(timed("confirm a score", 100, lambda: correct(session, game, chance)))
        print(timed("keep a photo of 2 MB", 20, lambda: session.pictures.put(chance.randbytes(2_000_000))))
        print(timed("look at the sheet", 200, lambda: session.rounds.sheet(game)))
        print(timed("look at the table, 60 plays", 50, lambda: session.table.state(game, round_number=5)))
        print(timed("list of plays with their rulings", 20, lambda: session.table.plays(game, round_number=5)))
        print(timed(f"list {args.games} games", 20, session.games.list))
        again = open_session(data, args.database_url)
        print(timed(f"first list of {args.games} games after a start", 1, again.games.list))
        entries = len(session.games.journal(game))
        print(f"\nA game has some {entries} entries; {args.games} of them were in the database.")


def correct(session: Session, game: str, chance: random.Random) -> None:
    session.hands.enter(wish(), game, player="Ben", points=chance.randrange(80), round_number=3, replace=True)


if __name__ == "__main__":
    main()
