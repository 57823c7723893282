"""Fit how much each reader counts, and check that confidence means something, on owners left out of training.

`python -m companion.training.calibrate --shared DIR --fold MODELS:PART:OWNER ...` reads each owner's photos with weights
that never saw them, then tries weights of the two readers for the least surprise (mean -log probability of the true
value of a half).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from companion.training.evaluate import all_seen, pair_up
from companion.training.examples import read_shared
from companion.vision.decode import DecodeParameters, combine
from companion.vision.reader import PhotoReader
from companion.vision.seen import SeenTile

Array = NDArray[np.float64]
CNN_WEIGHTS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.15, 1.3, 1.5)
PIPS_WEIGHTS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8)


def matched(models: Path, shared: Path, part: str, owner: str) -> list[tuple[SeenTile, tuple[int, int]]]:
    """Seen tiles that lie on a true one, with the true values at the seen tile's ends a and b."""
    examples = [e for e in read_shared(shared, [part]) if e.owner.startswith(owner)]
    found: list[tuple[SeenTile, tuple[int, int]]] = []
    for example, seen, _ in all_seen(PhotoReader.load(models), examples):
        for i, j in pair_up([t.quad_px for t in example.tiles], [s.quad for s in seen]):
            true = example.tiles[i]
            straight = np.linalg.norm(seen[j].quad - true.quad_px, axis=1).sum()
            turned = np.linalg.norm(seen[j].quad - np.roll(true.quad_px, 2, axis=0), axis=1).sum()
            a, b = true.ends
            found.append((seen[j], (a, b) if straight <= turned else (b, a)))
    return found


def halves_of(tiles: list[tuple[SeenTile, tuple[int, int]]]) -> tuple[Array, Array, NDArray[np.int64]]:
    """CNN logs (2n, 19), pip counter's logs (2n, 19), true values (2n,)."""
    cnn = np.concatenate([s.values.values for s, _ in tiles])
    pips = np.concatenate([[c.values for c in s.pips] for s, _ in tiles])
    return cnn, pips, np.array([v for _, ends in tiles for v in ends], np.int64)


def surprise(cnn: Array, pips: Array, true: NDArray[np.int64], parameters: DecodeParameters) -> tuple[float, float]:
    """Mean -log probability of the true value, and the share of halves read right."""
    logs = combine(cnn, pips, parameters)
    return float(-logs[np.arange(len(true)), true].mean()), float((logs.argmax(1) == true).mean())


def reliability(logs: Array, true: NDArray[np.int64]) -> list[tuple[float, float, int]]:
    """Rows of (mean confidence, share right, how many) for halves sorted into bins of confidence."""
    best, right = np.exp(logs.max(1)), logs.argmax(1) == true
    edges = (0.0, 0.5, 0.7, 0.85, 0.93, 0.97, 0.99, 0.999, 1.01)
    rows = []
    for low, high in pairwise(edges):
        chosen = (best >= low) & (best < high)
        if chosen.any():
            rows.append((float(best[chosen].mean()), float(right[chosen].mean()), int(chosen.sum())))
    return rows


@click.command()
@click.option("--shared", type=click.Path(path_type=Path), required=True)
@click.option("--fold", "folds", multiple=True, required=True, help="MODELS:PART:OWNER; may be repeated")
def main(shared: Path, folds: tuple[str, ...]) -> None:
    """Try weights, print the best and the reliability they give."""
    tiles: list[tuple[SeenTile, tuple[int, int]]] = []
    for fold in folds:
        models, part, owner = fold.split(":")
        tiles += matched(Path(models), shared, part, owner)
        click.echo(f"{owner}: {len(tiles)} tiles so far")
    cnn, pips, true = halves_of(tiles)
    base = DecodeParameters()
    click.echo(
        f"CNN alone right {float((cnn.argmax(1) == true).mean()):.4f}, pips alone {float((pips.argmax(1) == true).mean()):.4f}"
    )
    rows = []
    for a in CNN_WEIGHTS:
        for b in PIPS_WEIGHTS:
            rows.append((*surprise(cnn, pips, true, replace(base, cnn_weight=a, pips_weight=b)), a, b))
    for nll, right, a, b in sorted(rows)[:8]:
        click.echo(f"cnn {a} pips {b}: surprise {nll:.4f} right {right:.4f}")
    _, _, a, b = min(rows)
    for shown in (base, replace(base, cnn_weight=a, pips_weight=b)):
        click.echo(f"reliability at cnn {shown.cnn_weight} pips {shown.pips_weight}: confidence, right, halves")
        for confidence, right, count in reliability(combine(cnn, pips, shown), true):
            click.echo(f"  {confidence:.3f} {right:.3f} {count}")


if __name__ == "__main__":
    main()
