#!/usr/bin/env python3
"""Does learning a set help? From some photos of an owner, tested on that owner's other photos.

python scripts/evaluate_learning.py SHARED_DIR [--models models] [--orders 5] [--hold 0.01] [--hide 3]

Tiles are cut out at their true places, so that only the reading of values is measured: both readers together, as `companion
score` combines them. For each owner photos are taken in a random order (seeded) until every value that the owner's photos
show was seen twice; what is left is read without and with what was learned. With `--hide` so many values are kept out of what is
learned from and only they are tested: the harm to what nobody showed. Prints Markdown for `benchmarks/learning.md`.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.training.examples import Example, read_shared
from companion.vision.adapt import AdaptParameters, Seen, compare, fit_head, missing_values
from companion.vision.adapt_set import look
from companion.vision.adapt_views import views_of
from companion.vision.decode import DecodeParameters, combine
from companion.vision.models import Network, load_network
from companion.vision.pips import read_pips
from companion.vision.rectify import Pyramid
from companion.vision.values import log_softmax

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
PARTS = ("hands", "chains", "board")
LEAST_LEFT = 10
"""Halves that must be left to test on."""
LEAST_SHOWN = 4
"""A value of which all photos together show fewer halves (a stray tile of another set) is not waited for."""


@dataclass(frozen=True)
class OwnersHalves:
    """All views of an owner's halves, what both readers say, and in which photo each half is."""

    seen: Seen
    pips: Array
    photo: Ints
    as_is: NDArray[np.bool_]


def read_owner(examples: list[Example], values: Network, pips: Network) -> OwnersHalves:
    """Read every view once."""
    rng = np.random.default_rng(7)
    parts: list[tuple[Array, Array, Ints, Ints, Array, Ints, NDArray[np.bool_]]] = []
    half = 0
    for number, example in enumerate(examples):
        picture = Pyramid(example.image())
        tiles = [tile for tile in example.tiles if tile.visible > 0.9]
        views = views_of([(picture, [(tile.quad_px, tile.ends) for tile in tiles])], rng)
        if not len(views.crops):
            continue
        logits, features = look(values, views)
        counts = [c.values for pair in read_pips(pips, picture, [tile.quad_px for tile in tiles]) for c in pair]
        photo = np.full(len(views.values), number)
        parts.append(
            (logits, features, views.values, views.half + half, np.array(counts)[views.half], photo, views.as_is)
        )
        half += len(counts)
    logits, features, shown, halves, counted, photos, as_is = (
        np.concatenate(column) for column in zip(*parts, strict=True)
    )
    return OwnersHalves(Seen(logits, features, shown, halves), counted, photos, as_is)


def split(owner: OwnersHalves, rng: np.random.Generator) -> tuple[NDArray[np.bool_], int] | None:
    """Which views to learn from: photos in a random order until every value was seen twice; and how many photos."""
    once = owner.as_is
    counts = np.bincount(owner.seen.values[once], minlength=19)
    shown = np.flatnonzero(counts >= LEAST_SHOWN)
    taken: list[int] = []
    for photo in rng.permutation(np.unique(owner.photo)):
        taken.append(int(photo))
        chosen = np.isin(owner.photo, taken)
        lacking = set(missing_values(owner.seen.values[chosen & once], int(shown.max()))) & set(shown.tolist())
        if not lacking:
            left = int((~chosen & once).sum())
            return (chosen, len(taken)) if left >= LEAST_LEFT else None
    return None


def outcome(
    owner: OwnersHalves, chosen: NDArray[np.bool_], hidden: NDArray[np.bool_], parameters: AdaptParameters
) -> tuple[bool, Array]:
    """Whether it would be used, and of the other photos (wrong, wrong, surprise, surprise, halves) as they are, then as views.

    `hidden` views are not learned from; if there are any, only they are tested.
    """
    learn = owner.seen.where(chosen & ~hidden)
    _, dense = np.unique(learn.half, return_inverse=True)
    learn = Seen(learn.logits, learn.features, learn.values, dense)
    used = compare(learn, parameters).better
    tuned = fit_head(learn, parameters).tuned(owner.seen.logits, owner.seen.features)
    rows: list[float] = []
    for among in (owner.as_is, ~owner.as_is):
        test = among & ~chosen & (hidden if hidden.any() else True)
        true = owner.seen.values[test]
        for wanted in ("wrong", "surprise"):
            for logits in (owner.seen.logits, tuned):
                logs = combine(log_softmax(logits[test]), owner.pips[test], DecodeParameters())
                wrong = float((logs.argmax(1) != true).sum())
                rows.append(wrong if wanted == "wrong" else float(-logs[np.arange(len(true)), true].mean()))
        rows.append(float(test.sum()))
    return used, np.array(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--orders", type=int, default=5, help="random orders of each owner's photos")
    parser.add_argument("--part", choices=PARTS, action="append", help="only these photos")
    parser.add_argument("--hold", type=float, default=AdaptParameters().hold, help="how strongly it is held at zero")
    parser.add_argument(
        "--hide", type=int, default=0, help="values to keep out of what is learned from, and to test alone"
    )
    args = parser.parse_args()
    parameters = AdaptParameters(hold=args.hold)
    networks = [load_network(args.models, name) for name in ("values", "pips")]
    print(
        "| owner | photos learned from | used | halves tested | wrong | surprise | views: wrong of | views: surprise |"
        "\n|---|---|---|---|---|---|---|---|"
    )
    for part in args.part or PARTS:
        by_owner: dict[str, list[Example]] = defaultdict(list)
        for example in read_shared(args.shared, [part]):
            by_owner[example.owner].append(example)
        for name, examples in by_owner.items():
            owner = read_owner(examples, *networks)
            row = table_row(owner, len(examples), parameters, orders=args.orders, hide=args.hide)
            print(f"| {name} ({part}) {row}", flush=True)


def table_row(owner: OwnersHalves, photos: int, parameters: AdaptParameters, *, orders: int, hide: int) -> str:
    """What the table says of an owner, after the name: means over the orders of the photos."""
    rng = np.random.default_rng(11)
    splits = [found for found in (split(owner, rng) for _ in range(orders)) if found is not None]
    if not splits:
        return "| too few photos | | | | | | |"
    found = []
    for chosen, _ in splits:
        hidden = np.isin(owner.seen.values, rng.choice(np.unique(owner.seen.values), hide, replace=False))
        found.append(outcome(owner, chosen, hidden, parameters))
    r = np.mean([rows for _, rows in found], axis=0)
    return (
        f"| {np.mean([count for _, count in splits]):.1f} of {photos} | {sum(used for used, _ in found)} of {len(found)} "
        f"| {r[4]:.0f} | {r[0]:.1f} -> {r[1]:.1f} | {r[2]:.4f} -> {r[3]:.4f} "
        f"| {r[5]:.1f} -> {r[6]:.1f} of {r[9]:.0f} | {r[7]:.4f} -> {r[8]:.4f} |"
    )


if __name__ == "__main__":
    main()
