"""Train a fast detector to see what a slower one sees: `python -m companion.training.imitate TEACHER.pt FAST.pt --data DIR ...`.

The fast one is the same network with ReLU for its activations, which in 8 bits cost nothing. It starts from the teacher's weights,
and learns the teacher's answers in every cell of its grids, weak ones included (the reader takes these as hints), and what its neck
hands to the head. No labels are needed, so pictures may be turned, scaled, recoloured at will. A checkpoint every `--keep` steps;
`--resume` goes on from it.
"""

from __future__ import annotations

import copy
import math
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from companion.training.augmenting import recolour, shake
from companion.training.train_detector import MODEL, quiet_ultralytics
from companion.training.train_readers import follow, go_on, keep_state, share_of_rate
from companion.vision.boxes import STEPS

LEAST_SEEN = 0.02
"""Where the teacher sees a tile with less than this, where its box would lie is not asked."""
AHEAD = 3
"""Batches that wait to be learned from."""

Answers = tuple[Tensor, Tensor, Tensor, list[Tensor]]


def fast_detector() -> nn.Module:
    """The network of `detector.yaml`, but with ReLU, and weights drawn at random."""
    import yaml  # type: ignore[import-untyped]
    from ultralytics.nn.modules import Conv
    from ultralytics.nn.tasks import OBBModel

    usual = Conv.default_act
    try:
        made: nn.Module = OBBModel(
            {**yaml.safe_load(MODEL.read_text()), "scale": "n", "activation": "nn.ReLU()"}, verbose=False
        )
    finally:
        Conv.default_act = usual  # which building the network has changed for all that are built later
    return made


def answers(model: nn.Module, batch: Tensor) -> Answers:
    """What a detector answers in every cell, raw: sides (b, 64, n), scores (b, 2, n), angles (b, 1, n); and its neck's maps."""
    layers: Any = model.model
    kept: list[Any] = []
    seen: Any = batch
    for layer in layers[:-1]:
        if layer.f != -1:
            seen = kept[layer.f] if isinstance(layer.f, int) else [seen if j == -1 else kept[j] for j in layer.f]
        seen = layer(seen)
        kept.append(seen)
    head = layers[-1]
    maps = [kept[j] for j in head.f]
    sides, scores, angles = (
        torch.cat([branch[k](map_).flatten(2) for k, map_ in enumerate(maps)], 2)
        for branch in (head.cv2, head.cv3, head.cv4)
    )
    return sides, scores, angles, maps


def imitation_loss(mine: Answers, theirs: Answers, neck: float) -> tuple[Tensor, dict[str, float]]:
    """How far the student's answers are from the teacher's; `neck` weighs the maps."""
    sides, scores, angles, maps = mine
    their_sides, their_scores, their_angles, their_maps = theirs
    shown = their_scores.sigmoid()
    seen = shown.amax(1)
    all_seen = seen.sum().clamp(min=1)
    # what the teacher itself is unsure of cannot be learned away
    least = F.binary_cross_entropy(shown, shown, reduction="sum")
    told = (F.binary_cross_entropy_with_logits(scores, shown, reduction="sum") - least) / all_seen
    where = seen > LEAST_SEEN
    weight = seen[where].sqrt()
    total = weight.sum().clamp(min=1)

    def steps(raw: Tensor) -> Tensor:
        return raw.transpose(1, 2)[where].view(-1, 4, STEPS)

    log_mine, log_theirs = steps(sides).log_softmax(-1), steps(their_sides).log_softmax(-1)
    reach = torch.arange(STEPS, dtype=sides.dtype)
    far_mine, far_theirs = (log_mine.exp() * reach).sum(-1), (log_theirs.exp() * reach).sum(-1)
    size = far_theirs.mean(1, keepdim=True).clamp(min=0.5)
    off = ((far_mine - far_theirs).abs() / size).mean(1)
    parts = (log_theirs.exp() * (log_theirs - log_mine)).sum(-1).mean(1)
    turn = ((angles.sigmoid() - their_angles.sigmoid()).abs() * math.pi)[:, 0][where]
    box = ((parts + 2 * off + 2 * turn) * weight).sum() / total
    alike = torch.stack(
        [((a - b.relu()) ** 2).mean() / b.relu().var().clamp(min=1e-6) for a, b in zip(maps, their_maps, strict=True)]
    ).mean()
    figures = {"scores": float(told.detach()), "box": float(box.detach()), "off": float((off * weight).sum().detach() / total),
               "turn": float((turn * weight).sum().detach() / total), "neck": float(alike.detach())}  # fmt: skip
    return 2 * told + box + neck * alike, figures


def _seen_otherwise(image: np.ndarray, rng: np.random.Generator, side: int) -> np.ndarray:
    """A square view of a picture (h, w, 3) uint8: scaled, shifted, flipped."""
    scale = side / max(image.shape[:2]) * float(np.exp(rng.uniform(-0.3, 0.35)))
    if rng.random() < 0.5:
        image = np.ascontiguousarray(image.transpose(1, 0, 2))
    flips = rng.choice([1, -1], 2)
    size = np.array(image.shape[1::-1]) * scale
    matrix = np.diag([scale * flips[0], scale * flips[1]]).astype(np.float64)
    middle = np.array(image.shape[1::-1]) / 2
    room = np.abs(size - side) / 2
    shift = side / 2 + rng.uniform(-room, room) - matrix @ middle
    flags = cv2.INTER_AREA if scale < 0.5 else cv2.INTER_LINEAR
    warped: np.ndarray = cv2.warpAffine(
        image, np.column_stack([matrix, shift]), (side, side), flags=flags, borderValue=(114, 114, 114)
    )
    return warped


def _picture(path: Path) -> np.ndarray:
    image = cv2.imread(str(path))
    assert image is not None, path
    return image


def batches(folders: tuple[Path, ...], side: int, size: int, seed: int) -> Iterator[Tensor]:
    """Inputs (size, 3, side, side), RGB in 0..1, for ever; every picture once before any comes again."""
    files = [p for folder in folders for p in sorted((folder / "images").glob("*.jpg"))]
    if not files:
        raise click.ClickException("No pictures: --data names folders that detector_data wrote.")
    rng = np.random.default_rng(seed)
    size = min(size, len(files))

    def views(chosen: list[int], own: int) -> Tensor:
        draws = np.random.default_rng([seed, own])
        rows = [_seen_otherwise(_picture(files[k]), draws, side)[..., ::-1] for k in chosen]
        return torch.from_numpy(np.stack(rows).transpose(0, 3, 1, 2).copy()).float() / 255

    ahead: deque[Future[Tensor]] = deque()
    with ThreadPoolExecutor(1) as pool:  # pictures are read while the network learns from those before
        for own in count():
            order = rng.permutation(len(files)).tolist()
            for start in range(0, len(files) - size + 1, size):
                ahead.append(pool.submit(views, order[start : start + size], own * len(files) + start))
                if len(ahead) > AHEAD:
                    yield ahead.popleft().result()


def as_cameras_see(batch: Tensor) -> Tensor:
    """The same with other colours in half of them, and some shaken."""
    batch = torch.where((torch.rand(len(batch)) < 0.5).view(-1, 1, 1, 1), recolour(batch), batch)
    return shake(batch, 0.15, 9.0, mended=0.3)


@click.command()
@click.argument("teacher", type=click.Path(path_type=Path, exists=True))
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--data", "folders", type=click.Path(path_type=Path, exists=True), multiple=True, required=True)
@click.option("--start", type=click.Path(path_type=Path, exists=True), help="student to start from (else the teacher)")
@click.option("--steps", default=3000, show_default=True)
@click.option("--batch", default=16, show_default=True)
@click.option("--side", default=416, show_default=True)
@click.option("--rate", default=1e-3, show_default=True)
@click.option("--neck", default=1.0, show_default=True, help="weight of the neck's maps")
@click.option(
    "--short", is_flag=True, help="count in bfloat16 where that is safe: a quarter faster, if the processor has it"
)
@click.option("--keep", default=250, show_default=True)
@click.option("--threads", default=2, show_default=True)
@click.option("--seed", default=0, show_default=True)
@click.option("--resume", is_flag=True)
def main(
    teacher: Path,
    target: Path,
    folders: tuple[Path, ...],
    start: Path | None,
    steps: int,
    batch: int,
    side: int,
    rate: float,
    neck: float,
    short: bool,
    keep: int,
    threads: int,
    seed: int,
    resume: bool,
) -> None:
    """Write TARGET, a detector that sees what TEACHER sees."""
    target.parent.mkdir(parents=True, exist_ok=True)
    yolo = quiet_ultralytics(target.parent / "settings", threads)
    torch.manual_seed(seed)
    cv2.setNumThreads(1)
    known = yolo(str(teacher)).model.float().eval().to(memory_format=torch.channels_last)
    student = fast_detector().to(memory_format=torch.channels_last)
    student.load_state_dict((yolo(str(start)).model.float() if start else known).state_dict(), strict=True)
    for weight in student.parameters():
        weight.requires_grad_(True)
    average = copy.deepcopy(student)
    optimizer = torch.optim.AdamW(student.parameters(), lr=rate, weight_decay=1e-3)
    first = 0
    state = target.with_suffix(".state")
    if resume and state.exists():
        first = go_on(state, student, average, optimizer)
    begun = time.monotonic()
    recent: dict[str, float] = {}
    student.train()
    for step, plain in enumerate(batches(folders, side, batch, seed + first), start=first):
        if step >= steps:
            break
        inputs = as_cameras_see(plain).contiguous(memory_format=torch.channels_last)
        with torch.no_grad():
            theirs = answers(known, inputs)
        for group in optimizer.param_groups:
            group["lr"] = rate * share_of_rate(step, steps, warmup=100)
        with torch.autocast("cpu", torch.bfloat16, enabled=short):
            *mine, maps = answers(student, inputs)
        sides, scores, angles = (raw.float() for raw in mine)
        loss, figures = imitation_loss((sides, scores, angles, [map_.float() for map_ in maps]), theirs, neck)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(student.parameters(), 10.0)
        optimizer.step()
        follow(average, student, min(0.998, (step + 1) / (step + 20)))
        recent = {k: recent.get(k, v) * 0.98 + v * 0.02 for k, v in figures.items()}
        if (step + 1) % 50 == 0:
            shown = " ".join(f"{k}={v:.4f}" for k, v in recent.items())
            click.echo(f"step {step + 1} {time.monotonic() - begun:.0f} s {shown}")
        if (step + 1) % keep == 0 or step + 1 == steps:
            keep_state(state, student, average, optimizer, step + 1)
            finished = copy.deepcopy(average).eval()  # what `export` takes
            torch.save({"model": finished, "ema": None, "train_args": {"task": "obb"}, "epoch": -1}, target)


if __name__ == "__main__":
    main()
