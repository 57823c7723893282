#!/usr/bin/env python3
"""Lay out labelled tables from their true tiles, worsened at will, and write predictions to be measured.

    evaluate_layout.py TRUTH_DIR OUTPUT.jsonl [--corner-noise 0.15] [--lose 0.05] [--misread 0.1] [--sure-misread 0.01]
                       [--invent 1] [--markers] [--seed 0]

The truth's schema is that of the labelled pictures that the tests use. So the layout is measured by itself, without any
reader of photos: what it makes of perfect tiles, and of what a poor reader would give it.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.sightings import HIGHEST_PIPS, Detection, PipReading
from companion.table.layout import Layout, lay_out
from companion.table.record import layout_record
from companion.table.seen import MarkerSighting, SeenTable
from companion.vision.markers import find_markers
from companion.vision.models import load_network
from companion.vision.opening import open_picture
from companion.wiring import Workshop

CLEAR = 0.97
"""Probability that a good reading gives to its value."""


@dataclass(frozen=True, slots=True)
class Worsening:
    """How the truth is worsened: shares of tiles and halves, corner noise in tile widths, invented tiles a picture."""

    corner_noise: float
    lose: float
    misread: float
    sure_misread: float
    invent: int
    markers: bool


def reading(value: int, highest: int, worse: Worsening, rng: np.random.Generator) -> PipReading:
    """What a reader would say about a half: mostly right, sometimes torn between two values, sometimes sure and wrong."""
    share = np.full(HIGHEST_PIPS + 1, 0.0)
    share[: highest + 1] = (1 - CLEAR) / highest
    share[value] = CLEAR
    wrong = int(rng.choice([v for v in range(highest + 1) if v != value]))
    draw = rng.random()
    if draw < worse.sure_misread:
        share[value], share[wrong] = share[wrong], share[value]
    elif draw < worse.sure_misread + worse.misread:
        taken = rng.uniform(0.3, 0.7)
        share[value], share[wrong] = CLEAR * (1 - taken), CLEAR * taken
    return PipReading(tuple(float(x) for x in share / share.sum()))


def worsened(truth: dict, worse: Worsening, rng: np.random.Generator) -> SeenTable:
    """The tiles of a truth file as a reader might see them."""
    highest = truth["set"]
    seen = []
    for tile in truth["tiles"]:
        if rng.random() < worse.lose:
            continue
        quad = np.array(tile["quad"])
        width = np.linalg.norm(quad[1] - quad[0])
        quad = quad + rng.uniform(-1, 1, (4, 2)) * worse.corner_noise * width
        halves = tuple(reading(value, highest, worse, rng) for value in tile["ends"])
        seen.append(Detection(tuple(map(tuple, quad.tolist())), halves, 0.95))
    for _ in range(worse.invent):
        if not seen:
            break
        quad = np.array(seen[int(rng.integers(len(seen)))].quad_px)
        turn = rng.uniform(0, 2 * np.pi)
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        place = rng.uniform([0, 0], truth["size"])
        quad = (quad - quad.mean(0)) @ spin.T + place
        halves = tuple(reading(int(rng.integers(highest + 1)), highest, worse, rng) for _ in range(2))
        seen.append(Detection(tuple(map(tuple, quad.tolist())), halves, 0.6))
    down = tuple(tuple(map(tuple, quad)) for quad in truth.get("face_down_quads", ()) if quad)
    markers = ()
    if worse.markers:
        markers = tuple(MarkerSighting(_middle(marker), 0.9) for marker in truth.get("markers", ()))
    return SeenTable(tuple(seen), down, markers)


def _middle(marker: dict) -> tuple[float, float]:
    place = np.array(marker.get("centre") or marker.get("at") or marker.get("box")).reshape(-1, 2).mean(0)
    return float(place[0]), float(place[1])


def record(truth: dict, seen: SeenTable, layout: Layout) -> dict[str, object]:
    """The prediction of one picture."""
    tiles = [
        {"ends": list(ends), "quad": [list(point) for point in tile.quad_px], "confidence": tile.score}
        for ends, tile in zip(layout.ends, seen.tiles, strict=True)
    ]
    return {"photo": truth["photo"], "size": truth["size"], "tiles": tiles, **layout_record(layout)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truth", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--corner-noise", type=float, default=0.0)
    parser.add_argument("--lose", type=float, default=0.0)
    parser.add_argument("--misread", type=float, default=0.0)
    parser.add_argument("--sure-misread", type=float, default=0.0)
    parser.add_argument("--invent", type=int, default=0)
    parser.add_argument("--markers", action="store_true", help="also give the true markers")
    parser.add_argument("--pictures", type=Path, help="folder of the pictures: find the markers in them")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    worse = Worsening(args.corner_noise, args.lose, args.misread, args.sure_misread, args.invent, args.markers)
    rng = np.random.default_rng(args.seed)
    network = load_network(Workshop.from_environment().models_dir(), "markers") if args.pictures else None
    lines, slowest, total = [], 0.0, 0.0
    for path in sorted(args.truth.glob("*.json")):
        truth = json.loads(path.read_text())
        if "photo" not in truth or "size" not in truth:
            continue
        seen = worsened(truth, worse, rng)
        begun = time.perf_counter()
        layout = lay_out(seen, highest=truth["set"])
        spent = time.perf_counter() - begun
        if network is not None:
            layout = layout.marked_by(
                find_markers(network, open_picture(str(args.pictures / truth["photo"])), seen, layout)
            )
        slowest, total = max(slowest, spent), total + spent
        lines.append(json.dumps(record(truth, seen, layout)))
    args.output.write_text("\n".join(lines) + "\n")
    print(
        f"{len(lines)} pictures, {1000 * total / max(len(lines), 1):.1f} ms each, the slowest {1000 * slowest:.1f} ms"
    )


if __name__ == "__main__":
    main()
