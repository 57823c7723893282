"""Find what a detector takes for tiles and is none: `python -m companion.training.mine data/scenes data/tileless`.

Writes the quads into the truth of made scenes as `decoys`, from which the value network learns what is no tile.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import click
import cv2
import numpy as np

from companion.training.examples import Array, Example, read_example
from companion.vision.corners import refine
from companion.vision.locate import LocateParameters, intersection_over_union, locate
from companion.vision.models import Network, load_network
from companion.vision.rectify import Pyramid, width_of

NEAR = 0.45
"""A quad that shares more than this with a tile (intersection over union) is that tile, badly placed; across two tiles it
shares a third of each."""

LEAST_PX = 8.0
"""Narrower quads show nothing to learn from."""


def decoys_of(detector: Network, corners: Network, example: Example, parameters: LocateParameters) -> list[Array]:
    """Quads (4, 2) that were found where no tile lies, in no order."""
    picture = Pyramid(example.image())
    found = refine(corners, picture, [box.quad for box in locate(detector, picture, parameters)], rounds=2)
    true = [t.quad_px for t in example.tiles] + list(example.backs_px)
    return [q for q in found if width_of(q) > LEAST_PX and all(intersection_over_union(q, t) < NEAR for t in true)]


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--models", type=click.Path(path_type=Path), default=Path("models"), show_default=True)
@click.option("--least-score", default=0.06, show_default=True)
@click.option("--most", default=25, show_default=True, help="decoys of one picture")
def main(folders: tuple[Path, ...], models: Path, least_score: float, most: int) -> None:
    """Mine FOLDERS, each with truth/ and pictures/; what has decoys already is left alone."""
    cv2.setNumThreads(1)
    detector, corners = load_network(models, "detector"), load_network(models, "corners")
    # no closer look: it costs most and adds the same kinds
    parameters = LocateParameters(weak_score=least_score, small_tile=0.0, closer_side=640, overlap=0.7)
    rng = np.random.default_rng(0)
    paths = [path for folder in folders for path in sorted((folder / "truth").glob("*.json"))]
    random.Random(0).shuffle(paths)  # stopped half way, it has seen some of every folder
    total = 0
    with click.progressbar(paths, label="mined") as bar:
        for path in bar:
            record = json.loads(path.read_text())
            if "decoys" not in record:
                example = read_example(path, path.parent.parent / "pictures")
                decoys = decoys_of(detector, corners, example, parameters)
                record["decoys"] = [np.round(decoys[k], 2).tolist() for k in rng.permutation(len(decoys))[:most]]
                path.write_text(json.dumps(record))
            total += len(record["decoys"])
    click.echo(f"{total} decoys on {len(paths)} pictures")


if __name__ == "__main__":
    main()
