#!/usr/bin/env python3
"""Time the referee: a whole game by random legal play, one late ruling, and the longest train of twenty tiles.

python scripts/bench_referee.py [--games 5] [--hands 40]

Games are timed by the clock on the wall and by the processor time, which another program that runs beside it disturbs less.
"""

from __future__ import annotations

import argparse
import statistics
import time
from random import Random

from companion.dominoes import SET_SIZES, Tile, TileSet
from companion.rules.house_rules import HouseRules
from companion.rules.moves import Draw, Move, Pass, Play
from companion.rules.presets import standard_book
from companion.rules.referee import rule_on, what_may
from companion.rules.selfplay import deal, play_round
from companion.rules.state import RoundState
from companion.rules.trains import TrainRef
from companion.rules.transition import replay
from companion.scoring.solver import longest_train

FOUR = ("Ann", "Ben", "Cy", "Dee")
EIGHT = (*FOUR, "Eva", "Fox", "Gus", "Hal")


def game_seconds(rules: HouseRules, seed: int) -> tuple[float, float, int]:
    """How long thirteen rounds take (by the clock, by the processor), and how many deeds they have."""
    rng = Random(seed)
    started, worked = time.perf_counter(), time.process_time()
    deeds = 0
    for number in range(1, 14):
        deeds += len(play_round(deal(rules, FOUR, number, rng), rng).moves)
    return time.perf_counter() - started, time.process_time() - worked, deeds


def twenty_tiles(rng: Random, highest: int) -> list[Tile]:
    """A hand of twenty: as dealt; with more doubles; without any; or of few values, so that all hangs together."""
    tiles = list(TileSet(highest).tiles)
    rng.shuffle(tiles)
    kind = rng.choice(("dealt", "doubles", "plain", "few values"))
    if kind == "doubles":
        tiles.sort(key=lambda tile: not tile.is_double)
        doubles = rng.randint(2, min(10, highest + 1))
        return tiles[:doubles] + [tile for tile in tiles if not tile.is_double][: 20 - doubles]
    if kind == "plain":
        return [tile for tile in tiles if not tile.is_double][:20]
    if kind == "few values":
        values = set(rng.sample(range(highest + 1), rng.randint(6, min(9, highest + 1))))
        tiles.sort(key=lambda tile: not values.issuperset(tile.ends))
    return tiles[:20]


def train_seconds(highest: int, toes: int, hands: int) -> list[float]:
    """The processor time of the longest train of so many hands of twenty tiles, by pips and by tiles in turn."""
    times = []
    for number in range(hands):
        rng = Random(f"{highest}-{toes}-{number}")
        hand = twenty_tiles(rng, highest)
        start = rng.choice(rng.choice(hand).ends)
        worked = time.process_time()
        assert longest_train(hand, start, toes=toes, aim="tiles" if number % 2 else "pips").exact
        times.append(time.process_time() - worked)
    return times


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
    parser.add_argument("--hands", type=int, default=40)
    args = parser.parse_args()
    book = standard_book()
    for name in ("tournament", "spruce", "chicken-foot"):
        figures = [game_seconds(book[name].rules, seed) for seed in range(args.games)]
        seconds = [figure[0] for figure in figures]
        worked = statistics.median(figure[1] for figure in figures)
        deeds = statistics.mean(figure[2] for figure in figures)
        print(
            f"game of 13 rounds, 4 players, {name}: median {statistics.median(seconds):.2f} s, "
            f"slowest {max(seconds):.2f} s, median of the processor {worked:.2f} s, {deeds:.0f} deeds"
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
    for toes in (0, 2, 3):
        for highest in SET_SIZES:
            times = [1000 * seconds for seconds in train_seconds(highest, toes, args.hands)]
            print(
                f"longest train of 20 tiles, double-{highest}, {toes} toes: median {statistics.median(times):.0f} ms, "
                f"slowest of {args.hands} {max(times):.0f} ms"
            )


if __name__ == "__main__":
    main()
