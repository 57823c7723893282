#!/usr/bin/env python3
"""The watch alone: follow a labelled sequence through its true tiles, worsened at will, and write what `companion watch` would.

scripts/evaluate_watch.py SEQUENCE.json TRUTH_DIR out.jsonl [--corner-noise 0.05] [--lost 0.1] [--misread 0.1] [--sway 0.0]
measure_plays.py SEQUENCE.json DIR --predictions out.jsonl
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from companion.rules.presets import standard_book
from companion.sightings import HIGHEST_PIPS, Detection, PipReading
from companion.table.seen import as_quad
from companion.table.sighting import TableSighting, TileSighting
from companion.table.watch_events import as_record
from companion.table.watching import TableWatch


def main() -> None:
    options = _options()
    sequence = json.loads(options.sequence.read_text())
    rng = np.random.default_rng(options.seed)
    watch = TableWatch(standard_book().rules("base"), tuple(options.players), set_highest=sequence["set"])
    with options.out.open("w") as out:
        for frame, name in enumerate(sequence["frames"]):
            truth = json.loads((options.truth / Path(name).with_suffix(".json").name).read_text())
            for event in watch.observe(_sighting(truth, frame, rng, options)):
                print(json.dumps(as_record(event)), file=out)
        for event in watch.finish():
            print(json.dumps(as_record(event)), file=out)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sequence", type=Path)
    parser.add_argument("truth", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--corner-noise", type=float, default=0.05, help="in tile widths")
    parser.add_argument("--lost", type=float, default=0.0, help="share of tiles that are not seen, anew in every frame")
    parser.add_argument("--misread", type=float, default=0.0, help="share of halves torn between two values")
    parser.add_argument(
        "--sway", type=float, default=0.0, help="how far a hand-held camera moves a frame, in tile widths"
    )
    parser.add_argument("--players", nargs="*", default=[])
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def _sighting(truth: dict, frame: int, rng: np.random.Generator, options: argparse.Namespace) -> TableSighting:
    """A frame's true tiles; those under an arm or more than half hidden are not seen, nor those that are lost by chance."""
    tiles = []
    hidden = [tile for tile in truth.get("tiles_ignored", []) if tile["visible"] >= 0.4 and tile["in_frame"]]
    wide = float(np.median([_width(tile["quad"]) for tile in truth["tiles"]] or [40.0]))
    sway, turn = rng.normal(0, options.sway * wide, 2), rng.normal(0, options.sway * 0.05)
    for tile in [*truth["tiles"], *hidden]:
        if rng.random() < options.lost:
            continue
        quad = np.array(tile["quad"])
        quad = quad + rng.uniform(-1, 1, (4, 2)) * options.corner_noise * _width(quad)
        quad = quad @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + sway
        readings = tuple(_reading(value, truth["set"], rng, options.misread) for value in tile["ends"])
        tiles.append(TileSighting(Detection(as_quad(quad.tolist()), readings, 0.93), frame))
    return TableSighting(
        frame, float(frame), tuple(truth["size"]), tuple(tiles), passing=bool(truth["meta"].get("arm"))
    )


def _width(quad: list | np.ndarray) -> float:
    corners = np.array(quad)
    return float(np.linalg.norm(corners[0] - corners[1]))


def _reading(value: int, highest: int, rng: np.random.Generator, misread: float) -> PipReading:
    shares = np.full(HIGHEST_PIPS + 1, 0.02 / HIGHEST_PIPS)
    shares[value] = 0.98
    if rng.random() < misread:
        other = int(np.clip(value + rng.choice([-1, 1]), 0, highest))
        share = rng.uniform(0.3, 0.7)
        shares[value], shares[other] = 0.98 * share, 0.98 * (1 - share)
    return PipReading(tuple((shares / shares.sum()).tolist()))


if __name__ == "__main__":
    main()
