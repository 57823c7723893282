#!/usr/bin/env python3
"""Time the referee: a whole four-player game by random legal play, and one ruling late in an eight-player round.

python scripts/bench_referee.py [--games 5]
"""

from __future__ import annotations

import argparse
import statistics
import time
from random import Random

from companion.rules.house_rules import HouseRules
from companion.rules.moves import Draw, Move, Pass, Play
from companion.rules.presets import standard_book
from companion.rules.referee import rule_on, what_may
from companion.rules.selfplay import deal, play_round
from companion.rules.state import RoundState
from companion.rules.trains import TrainRef
from companion.rules.transition import replay

FOUR = ("Ann", "Ben", "Cy", "Dee")
EIGHT = (*FOUR, "Eva", "Fox", "Gus", "Hal")


def game_seconds(rules: HouseRules, seed: int) -> tuple[float, int]:
    """How long thirteen rounds take, and how many deeds they have."""
    rng = Random(seed)
    started = time.perf_counter()
    deeds = 0
    for number in range(1, 14):
        deeds += len(play_round(deal(rules, FOUR, number, rng), rng).moves)
    return time.perf_counter() - started, deeds


def late_state(rules: HouseRules) -> RoundState:
    """An eight-player round shortly before its end."""
    rng = Random(8)
    table = play_round(deal(rules, EIGHT, 1, rng), rng)
    return replay(table.opening, table.moves[:-4])


def ruling_milliseconds(state: RoundState) -> list[float]:
    """The time of every ruling that can be asked of the player whose turn it is."""
    assert state.turn.seat is not None
    player = state.players[state.turn.seat]
    refs = [TrainRef(train.owner) for train in state.trains]
    held = sorted(state.hands[state.turn.seat].known)
    moves: list[Move] = [Play(player, tile, ref) for tile in held for ref in refs]
    moves += [Draw(player), Pass(player)]
    times = []
    for move in moves:
        started = time.perf_counter()
        rule_on(state, move)
        times.append(1000 * (time.perf_counter() - started))
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=5)
    args = parser.parse_args()
    book = standard_book()
    for name in ("tournament", "spruce", "chicken-foot"):
        figures = [game_seconds(book[name].rules, seed) for seed in range(args.games)]
        seconds = [figure[0] for figure in figures]
        deeds = statistics.mean(figure[1] for figure in figures)
        print(
            f"game of 13 rounds, 4 players, {name}: median {statistics.median(seconds):.2f} s, "
            f"slowest {max(seconds):.2f} s, {deeds:.0f} deeds"
        )
        late = late_state(book[name].rules)
        times = ruling_milliseconds(late)
        print(
            f"ruling late in an 8-player round, {name}: median {statistics.median(times):.3f} ms, "
            f"slowest {max(times):.3f} ms"
        )
        started = time.perf_counter()
        what_may(late, late.players[late.turn.seat or 0])
        print(f"  all plays of a hand: {1000 * (time.perf_counter() - started):.2f} ms")


if __name__ == "__main__":
    main()
