"""Render the sample pictures that the project shows itself on: `python -m companion.training.samples --out datasets/samples`.

The same made tiles and the same photographing as in training, but from seeds of their own, larger and in friendly light.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from companion.training.arrangements import Placed, Table
from companion.training.camera import random_camera
from companion.training.faces import random_style
from companion.training.photograph import light, sensor
from companion.training.scenes import Plan, TrueTile, draw_plan
from companion.training.surfaces import Floats, wood

HAND = ((12, 5), (9, 4), (7, 7), (0, 0), (11, 3), (6, 2), (10, 8), (1, 0))
"""The tiles of the sample hand: 85 pips."""


def _oak(rng: np.random.Generator, size_wh: tuple[int, int]) -> Floats:
    """A brown table that fills the picture."""
    texture = wood(rng, 768).astype(np.float32)
    goal = np.array([70, 105, 150], np.float32)
    texture *= goal / texture.mean((0, 1))
    return np.asarray(cv2.resize(texture, size_wh, interpolation=cv2.INTER_CUBIC), np.float32)


def hand_photo(seed: int, size_wh: tuple[int, int] = (1600, 1200)) -> tuple[NDArray[np.uint8], tuple[TrueTile, ...]]:
    """A hand of eight tiles of a white double-12 set on a wooden table, seen from a little aside."""
    rng = np.random.default_rng([seed, 77])
    scheme = np.array(
        [[60, 60, 200], [60, 150, 60], [190, 90, 40], [40, 130, 220], [150, 60, 140], [120, 120, 20]], np.float32
    )
    style = replace(
        random_style(rng, highest=12),
        ground_bgr=np.array([232, 238, 240], np.float32),
        grain="none",
        numerals=False,
        wear=0.0,
        frame_bgr=None,
        side_bgr=np.array([205, 212, 216], np.float32),
        base_bgr=np.array([205, 212, 216], np.float32),
        ink_bgr=tuple(scheme[v % 6] * (0.75 + 0.02 * v) for v in range(19)),
        layout=(0,) * 19,
        spread=0.6,
        pip_radius=0.085,
        pip_look="hollow",
        bar="short",
        bar_bgr=np.array([40, 40, 40], np.float32),
        bar_width=0.035,
        spinner_bgr=np.array([80, 160, 200], np.float32),
        spinner_radius=0.05,
        thickness=0.32,
        length=2.0,
        corner=0.1,
        edge_shade=0.12,
    )
    tile_px = size_wh[0] / 11.5
    camera = random_camera(rng, size_wh=size_wh, tile_px=tile_px, from_above=True)
    table = Table(reach=12, length=style.length)
    hand = iter(HAND)
    while len(table.placed) < len(HAND):
        ends = next(hand)
        while not table.try_put(
            Placed(
                (float(rng.uniform(-4.2, 4.2)), float(rng.uniform(-2.6, 2.6)), float(rng.uniform(0, 2 * np.pi))), ends
            ),
            0.12,
        ):
            pass
    plan = Plan(size_wh, tile_px, style, camera, table, 0, False, False)
    image, tiles = draw_plan(rng, plan, _oak(rng, size_wh))
    return sensor(rng, light(rng, image, tile_px)), tiles


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path("datasets/samples"), show_default=True)
@click.option("--seed", default=4, show_default=True)
def main(out: Path, seed: int) -> None:
    """Render the sample hand and its truth."""
    out.mkdir(parents=True, exist_ok=True)
    image, tiles = hand_photo(seed)
    cv2.imwrite(str(out / "hand.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 90])
    truth = {
        "photo": "hand.jpg",
        "size": [image.shape[1], image.shape[0]],
        "set": 12,
        "source": "made",
        "tiles": [{"ends": list(t.ends or ()), "quad": t.quad_px.round(2).tolist()} for t in tiles],
    }
    (out / "hand.json").write_text(json.dumps(truth, indent=1) + "\n")
    click.echo(f"{len(tiles)} tiles, {sum(sum(t.ends or ()) for t in tiles)} pips")


if __name__ == "__main__":
    main()
