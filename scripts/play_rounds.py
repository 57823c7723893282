#!/usr/bin/env python3
"""Play random whole rounds over all presets, 2 to 14 players and the sets that can be dealt; random switches on demand.

Every round is played to its end by random legal moves. After each: the tiles are the set, every hand has the size that the
state says, the audit finds nothing, and the replay of the deeds gives the same state.

    python scripts/play_rounds.py --rounds 10000 [--seed 1] [--switches]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from random import Random

from companion.dominoes import SET_SIZES
from companion.rules.audit import audit
from companion.rules.engines import round_count
from companion.rules.errors import HouseRulesError
from companion.rules.presets import standard_book
from companion.rules.selfplay import DeadEnd, NobodyOpens, Table, deal, play_round, random_rules, tiles_in_play, whole
from companion.rules.transition import replay

NAMES = ("Ann", "Ben", "Cy", "Dee", "Eva", "Fox", "Gus", "Hal", "Ida", "Jon", "Kim", "Lea", "Max", "Noa")


def random_table(rng: Random, *, switches: bool) -> tuple[str, Table]:
    """A dealt round: a preset, a set, a number of players that they allow, a round of the game."""
    presets = list(standard_book())
    while True:
        preset = rng.choice(presets)
        rules = preset.for_set(rng.choice(SET_SIZES))
        if switches:
            rules = random_rules(rng, rules)
        players = NAMES[: rng.randint(2, 14)]
        try:
            size = rules.tiles_each(len(players))
            # Two rounds of three are dealt short, so that many different ends are played in little time.
            tiles = rng.randint(2, size) if rng.random() < 2 / 3 else size
            return preset.name, deal(rules, players, rng.randint(1, round_count(rules)), rng, tiles_each=tiles)
        except HouseRulesError:
            continue


def check(table: Table) -> list[str]:
    """What is wrong with a round that has been played."""
    state = table.state
    wrong = []
    if sorted(tiles_in_play(state, table.boneyard)) != sorted(state.rules.tile_set):
        wrong.append("tiles were lost or doubled")
    if state.boneyard != len(table.boneyard) or not all(map(whole, state.hands)):
        wrong.append("a count is wrong")
    if replay(table.opening, table.moves) != state:
        wrong.append("the replay differs")
    wrong += [str(finding) for finding in audit(state) if finding.anomaly.is_fault]
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--minutes", type=float, help="stop after so long, with what has been played")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--switches", action="store_true", help="throw every switch by dice")
    args = parser.parse_args()
    started = time.perf_counter()
    ends: Counter[str] = Counter()
    seats: Counter[int] = Counter()
    deeds = takebacks = redeals = bad = 0
    done = 0
    for number in range(args.rounds):
        if args.minutes and time.perf_counter() - started > 60 * args.minutes:
            break
        done += 1
        rng = Random(f"{args.seed}-{number}")
        name, table = random_table(rng, switches=args.switches)
        try:
            while True:
                try:
                    play_round(table, rng)
                    break
                except NobodyOpens:
                    redeals += 1
                    name, table = random_table(rng, switches=args.switches)
            wrong = check(table)
        except DeadEnd as error:
            wrong = [str(error)]
        except Exception as error:
            wrong = [repr(error)]
        if wrong:
            bad += 1
            print(f"round {number} ({name}, {len(table.state.players)} players): {'; '.join(wrong)}", file=sys.stderr)
            continue
        ends["out" if table.state.out else "blocked"] += 1
        seats[len(table.state.players)] += 1
        if (number + 1) % 500 == 0:
            print(f"{number + 1} rounds, {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
        deeds += len(table.moves)
        takebacks += table.takebacks
    seconds = time.perf_counter() - started
    players = f"{min(seats)} to {max(seats)}" if seats else "no"
    print(f"{done - bad} of {done} rounds played to the end, {players} players, {deeds} deeds, {seconds:.0f} s")
    print(
        f"{ends['out']} out, {ends['blocked']} blocked, {takebacks} doubles taken back from first chains, {redeals} new deals"
    )
    return 1 if bad or not done else 0


if __name__ == "__main__":
    sys.exit(main())
