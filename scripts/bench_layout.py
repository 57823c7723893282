#!/usr/bin/env python3
"""How long a layout of a 60-tile table takes on one core.

    bench_layout.py [--tables 5] [--repeat 30] [--most-ms 30]

The tables are rounds drawn by the tests' own generator, with noise of 10 % of a tile. The time is the processor's, the best
of the repeats for each table (other work on the machine makes some longer, none shorter); the slowest table counts.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # one core: set before numpy is imported
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "table"))

from drawn import draw_round, look

from companion.table.layout import lay_out

TILES = 60


def tables(count: int) -> list:
    """Seen tables of exactly 60 tiles."""
    found, seed = [], 0
    while len(found) < count:
        rng = np.random.default_rng(seed)
        seed += 1
        drawn = draw_round(rng, most=400)
        if len(drawn.tiles) < TILES:
            continue
        del drawn.tiles[TILES:]  # those laid last: every train keeps its beginning
        seen, _ = look(drawn, rng, noise=0.1)
        found.append((seen, drawn.highest))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--repeat", type=int, default=30)
    parser.add_argument("--most-ms", type=float, default=30.0)
    args = parser.parse_args()
    worst = 0.0
    for number, (seen, highest) in enumerate(tables(args.tables)):
        spent = []
        for _ in range(args.repeat):
            begun = time.process_time()
            lay_out(seen, highest=highest)
            spent.append(1000 * (time.process_time() - begun))
        worst = max(worst, min(spent))
        print(f"table {number}: {len(seen.tiles)} tiles, best {min(spent):.1f} ms, median {np.median(spent):.1f} ms")
    print(f"slowest table: {worst:.1f} ms (bound {args.most_ms:.0f} ms)")
    return 0 if worst <= args.most_ms else 1


if __name__ == "__main__":
    sys.exit(main())
