"""Make scenes: `python -m companion.training.make_scenes --out data/scenes --count 4000`.

Picture k is the scene of seed `--first + k`, whatever was made before: stop it and start it again, it goes on.
"""

from __future__ import annotations

import json
import multiprocessing
from functools import partial
from pathlib import Path
from typing import Any

import click
import cv2

from companion.training.scenes import Scene, make_scene, tileless_scene


def record(scene: Scene, name: str) -> dict[str, Any]:
    """The truth of a made picture: the schema of the photos' labels, with pips and visible shares."""
    height, width = scene.image_bgr.shape[:2]
    tiles = [
        {
            "ends": list(t.ends),
            "quad": t.quad_px.round(2).tolist(),
            "visible": round(t.visible, 3),
            "pips": t.pips.round(4).tolist(),
            "length": round(t.length, 4),
            "numerals": t.numerals,
        }
        for t in scene.tiles
        if t.ends is not None
    ]
    backs = [t.quad_px.round(2).tolist() for t in scene.tiles if t.ends is None and t.visible > 0.5]
    return {
        "photo": name,
        "size": [width, height],
        "set": scene.highest,
        "source": "made",
        "tiles": tiles,
        "face_down_quads": backs,
    }


def _make(seed: int, out: Path, tileless: bool, numerals: bool) -> int:
    cv2.setNumThreads(1)
    name = f"made_{seed:06d}"
    target = out / "truth" / f"{name}.json"
    if not target.exists():
        scene = Scene(tileless_scene(seed), (), 12) if tileless else make_scene(seed, numerals=numerals)
        cv2.imwrite(str(out / "pictures" / f"{name}.jpg"), scene.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 94])
        target.write_text(json.dumps(record(scene, f"{name}.jpg")))
    return seed


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path("data/scenes"), show_default=True)
@click.option("--count", default=4000, show_default=True)
@click.option("--first", default=0, show_default=True, help="seed of the first scene")
@click.option(
    "--tileless", is_flag=True, help="tables with things but no tile (seeds from 1000 on: below is for measuring)"
)
@click.option(
    "--numerals", is_flag=True, help="sets with numerals only (fonts come with matplotlib, of the [train] extra)"
)
@click.option("--workers", default=2, show_default=True)
def main(out: Path, count: int, first: int, tileless: bool, numerals: bool, workers: int) -> None:
    """Render labelled scenes."""
    first += 1000 if tileless else 0
    for part in ("pictures", "truth"):
        (out / part).mkdir(parents=True, exist_ok=True)
    # not forked: a copy of a process whose OpenCV has threads may wait for them for ever
    with (
        multiprocessing.get_context("spawn").Pool(workers) as pool,
        click.progressbar(length=count, label="scenes") as bar,
    ):
        for _ in pool.imap_unordered(
            partial(_make, out=out, tileless=tileless, numerals=numerals), range(first, first + count), chunksize=8
        ):
            bar.update(1)


if __name__ == "__main__":
    main()
