"""Render scenes of rounds: `python -m companion.training.render_scenes --out data/rendered --count 300`.

Picture k is the scene of seed `--first + k`, whatever was rendered before: stop it and start it again, it goes on. The folder is
that of `make_scenes`. Blender renders (`bpy`, which PyPI has for one version of Python each): 10 to 15 seconds a picture.
"""

from __future__ import annotations

import json
import multiprocessing
import os
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
import cv2

from companion.training import make_scenes
from companion.training.round_truth import round_truth
from companion.training.scene_plans import RoundPlan, round_plan
from companion.training.scenes import Scene

FRESH_AFTER = 40
"""Pictures after which a worker makes room for a new process: what Blender does not give back is then gone too."""


def record(scene: Scene, name: str, plan: RoundPlan) -> dict[str, Any]:
    """The truth of a rendered picture: as `make_scenes` writes it, and what the trains are."""
    made = make_scenes.record(scene, name)
    return {**made, "source": "rendered", **round_truth(plan, made["tiles"])}


def _render(seed: int, out: Path, samples: int, threads: int, many_markers: bool) -> int:
    from companion.training.blender_scene import Quality, rendered_scene

    cv2.setNumThreads(1)
    name = f"rendered_{seed:06d}"
    target = out / "truth" / f"{name}.json"
    if not target.exists():
        plan = round_plan(seed, many_markers=many_markers)
        scene = rendered_scene(seed, plan, quality=Quality(samples=samples, threads=threads))
        cv2.imwrite(str(out / "pictures" / f"{name}.jpg"), scene.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 94])
        # the truth comes whole and last: a picture without one is rendered again
        half = target.with_suffix(".part")
        half.write_text(json.dumps(record(scene, f"{name}.jpg", plan)))
        half.replace(target)
    return seed


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path("data/rendered"), show_default=True)
@click.option("--count", default=300, show_default=True)
@click.option("--first", default=0, show_default=True, help="seed of the first scene")
@click.option("--samples", default=8, show_default=True, help="paths that Cycles follows for each pixel, at most")
@click.option("--many-markers", is_flag=True, help="most trains have a marker, of any kind")
@click.option("--workers", default=1, show_default=True, help="processes; each keeps all processors busy already")
def main(out: Path, count: int, first: int, samples: int, many_markers: bool, workers: int) -> None:
    """Render labelled scenes of rounds with Blender."""
    if find_spec("bpy") is None:
        raise click.ClickException("Blender is missing: pip install bpy")
    for part in ("pictures", "truth"):
        (out / part).mkdir(parents=True, exist_ok=True)
    threads = max(1, (os.cpu_count() or 2) // workers)
    # Blender and its threads do not survive a fork
    fresh = multiprocessing.get_context("spawn")
    job = partial(_render, out=out, samples=samples, threads=threads, many_markers=many_markers)
    bar = click.progressbar(length=count, label="scenes")
    with fresh.Pool(workers, maxtasksperchild=FRESH_AFTER) as pool, bar:
        for _ in pool.imap_unordered(job, range(first, first + count)):
            bar.update(1)


if __name__ == "__main__":
    main()
