"""Write what the detector learns from: `python -m companion.training.detector_data --out data/views ...`.

Squares with YOLO-OBB labels: class 0 a face-up tile, class 1 a face-down one. Made scenes give one view each, labelled
and rendered pictures `--views` each, turned and slanted at random. `--leave-out OWNER` (may be repeated) keeps an owner's
pictures away.
"""

from __future__ import annotations

import multiprocessing
from functools import partial
from pathlib import Path

import click
import cv2
import numpy as np

from companion.training.examples import Array, Example, held_back, read_folder, read_shared, without
from companion.training.views import View, random_view, scene_view


def label_lines(view: View) -> str:
    """YOLO-OBB text: class and four corners, as shares of the side."""
    side = view.image_bgr.shape[0]
    rows: list[tuple[int, Array]] = [(0, q) for q in view.tiles_px] + [(1, q) for q in view.backs_px]
    return "".join(f"{c} " + " ".join(f"{v / side:.5f}" for v in quad.ravel()) + "\n" for c, quad in rows)


def _write(job: tuple[int, Example, int, bool], out: Path, seed: int, least_px: float, most_px: float) -> None:
    cv2.setNumThreads(1)
    index, example, views, made = job
    image = example.image()
    for k in range(views):
        name = f"{example.picture.stem}_{k:03d}"
        target = out / "labels" / f"{name}.txt"
        if target.exists():
            continue
        rng = np.random.default_rng([seed, index, k])
        cut = scene_view if made else random_view
        view = cut(rng, example, image, least_px=least_px, most_px=most_px)
        cv2.imwrite(str(out / "images" / f"{name}.jpg"), view.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 92])
        target.write_text(label_lines(view))


@click.command()
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--scenes", type=click.Path(path_type=Path), help="folder of made scenes")
@click.option("--most-scenes", default=100_000, show_default=True)
@click.option(
    "--rendered", type=click.Path(path_type=Path), help="folder of rendered scenes: few, so `--views` of each"
)
@click.option("--shared", type=click.Path(path_type=Path), help="folder with photos/, tables/, sequences/")
@click.option("--part", "parts", multiple=True, help="hands, chains, board, tables, seq_NAME; may be repeated")
@click.option("--views", default=10, show_default=True, help="views of each labelled picture")
@click.option("--leave-out", multiple=True, help="an owner; may be repeated")
@click.option("--only", multiple=True, help="an owner: no other's pictures; may be repeated")
@click.option(
    "--skip-from",
    default="",
    help="leave out pictures of this one's series that sort from it on (held back for testing)",
)
@click.option("--least-px", default=13.0, show_default=True, help="width of the smallest tiles")
@click.option("--most-px", default=95.0, show_default=True, help="and of the largest")
@click.option("--seed", default=0, show_default=True)
@click.option("--workers", default=2, show_default=True)
def main(
    out: Path,
    scenes: Path | None,
    most_scenes: int,
    rendered: Path | None,
    shared: Path | None,
    parts: tuple[str, ...],
    views: int,
    leave_out: tuple[str, ...],
    only: tuple[str, ...],
    skip_from: str,
    least_px: float,
    most_px: float,
    seed: int,
    workers: int,
) -> None:
    """Write pictures and labels for the detector."""
    for part in ("images", "labels"):
        (out / part).mkdir(parents=True, exist_ok=True)
    jobs: list[tuple[int, Example, int, bool]] = []
    if scenes:
        found = read_folder(scenes / "truth", scenes / "pictures")[:most_scenes]
        jobs += [(k, e, 1, True) for k, e in enumerate(found)]
    if rendered:
        found = read_folder(rendered / "truth", rendered / "pictures")
        jobs += [(k, e, views, False) for k, e in enumerate(found)]
    if shared:
        real = without(read_shared(shared, parts), leave_out)
        wanted = [e for e in real if not only or any(e.owner.startswith(o) for o in only)]
        jobs += [(k, e, views, False) for k, e in enumerate(held_back(wanted, skip_from))]
    # not forked: a copy of a process whose OpenCV has threads may wait for them for ever
    with (
        multiprocessing.get_context("spawn").Pool(workers) as pool,
        click.progressbar(length=len(jobs), label="views") as bar,
    ):
        for _ in pool.imap_unordered(
            partial(_write, out=out, seed=seed, least_px=least_px, most_px=most_px), jobs, chunksize=4
        ):
            bar.update(1)


if __name__ == "__main__":
    main()
