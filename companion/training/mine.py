"""Find what a detector takes for tiles and is none: `python -m companion.training.mine data/scenes data/tileless`.

Writes the quads into the truth of made scenes as `decoys`, from which the value network learns what is no tile. With `--vain` what
the whole reader looks at in vain, as `vain`, from which the coarse network learns what to give up.
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
from companion.vision.reader import PhotoReader
from companion.vision.rectify import Pyramid, width_of

NEAR = 0.45
"""A quad that shares more than this with a tile (intersection over union) is that tile, badly placed; across two tiles it
shares a third of each."""

LEAST_PX = 8.0
"""Narrower quads show nothing to learn from."""


def decoys_of(reader: PhotoReader, example: Example, parameters: LocateParameters) -> list[Array]:
    """Quads (4, 2) that were found where no tile lies, in no order."""
    picture = Pyramid(example.image())
    boxes = locate(reader.detector, picture, parameters)
    found = refine(reader.corners, picture, [box.quad for box in boxes], rounds=2)
    return [q for q in found if _is_none(q, example)]


def vain_of(reader: PhotoReader, example: Example) -> list[Array]:
    """Quads (4, 2) that the reader looks at though no tile lies there, in no order."""
    return [q for q in reader.seen_in_vain(example.image()) if _is_none(q, example)]


def _is_none(quad: Array, example: Example) -> bool:
    true = [t.quad_px for t in example.tiles] + list(example.backs_px)
    return width_of(quad) > LEAST_PX and all(intersection_over_union(quad, t) < NEAR for t in true)


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--models", type=click.Path(path_type=Path), default=Path("models"), show_default=True)
@click.option("--least-score", default=0.06, show_default=True)
@click.option("--most", default=25, show_default=True, help="quads of one picture")
@click.option("--vain", is_flag=True, help="what the whole reader looks at in vain, for the coarse network")
@click.option("--pictures", default=0, help="so many pictures at most (0: all)")
def main(folders: tuple[Path, ...], models: Path, least_score: float, most: int, vain: bool, pictures: int) -> None:
    """Mine FOLDERS, each with truth/ and pictures/; what was mined already is left alone."""
    cv2.setNumThreads(1)
    reader = PhotoReader.load(models)
    # no closer look: it costs most and adds the same kinds
    parameters = LocateParameters(weak_score=least_score, small_tile=0.0, overlap=0.7)
    key = "vain" if vain else "decoys"
    rng = np.random.default_rng(0)
    paths = [path for folder in folders for path in sorted((folder / "truth").glob("*.json"))]
    random.Random(0).shuffle(paths)  # stopped half way, it has seen some of every folder
    paths = paths[: pictures or None]
    total = 0
    with click.progressbar(paths, label="mined") as bar:
        for path in bar:
            record = json.loads(path.read_text())
            if key not in record:
                example = read_example(path, path.parent.parent / "pictures")
                found = vain_of(reader, example) if vain else decoys_of(reader, example, parameters)
                record[key] = [np.round(found[k], 2).tolist() for k in rng.permutation(len(found))[:most]]
                path.write_text(json.dumps(record))
            total += len(record[key])
    click.echo(f"{total} quads on {len(paths)} pictures")


if __name__ == "__main__":
    main()
