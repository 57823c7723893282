"""Train one of the small networks: `python -m companion.training.train_readers values --scenes data/scenes`.

Learns from made scenes and, with `--shared`, from labelled pictures (`--leave-out OWNER` keeps an owner's away). A checkpoint
every `--keep` steps; `--resume` goes on from it. Prints what it measures on held-back scenes.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from companion.training import marker_crops, tile_crops
from companion.training.augmenting import cover, recolour, shade, shake
from companion.training.examples import Example, held_back, read_folder, read_shared, without
from companion.training.nets import CoarseNet, CornerNet, MarkerNet, PipNet, ValueNet
from companion.vision.corners import ABOUT_THERE, JUST_THERE
from companion.vision.train_ends import SIDE_PX

HELD_BACK = 150
"""The last scenes, or a tenth of few, are not trained on: they measure."""


def _tensor(crops: list[Any]) -> Tensor:
    return torch.from_numpy(np.stack(crops)).float().div_(255)


def corner_batch(samples: list[tile_crops.CornerSample]) -> dict[str, Tensor]:
    """Inputs and targets of the corner network."""
    return {
        "crops": _tensor([s.crop for s in samples]).permute(0, 3, 1, 2),
        "moves": torch.from_numpy(np.stack([s.moves for s in samples])),
        "crosswise": torch.tensor([float(s.crosswise) for s in samples]),
        "is_tile": torch.tensor([float(s.is_tile) for s in samples]),
        "just_there": torch.tensor([float(s.just_there) for s in samples]),
    }


def _as_cameras_see(crops: Tensor) -> Tensor:
    """Crops around rough quads in other colours, some in shadow, some blurred by a shaking hand: by a quarter of a tile at most."""
    return shake(recolour(shade(crops, 0.25)), 0.25, crops.shape[3] * 0.15, mended=0.6)


def corner_loss(net: nn.Module, batch: dict[str, Tensor], train: bool) -> tuple[Tensor, dict[str, float]]:
    """L1 on the corners' moves, cross entropy on crosswise."""
    out = net(_as_cameras_see(batch["crops"]) if train else batch["crops"])
    off = (out[:, :8] - batch["moves"]).abs()
    loss = off.mean() * 10 + F.binary_cross_entropy_with_logits(out[:, 8], batch["crosswise"])
    out = out.detach()
    corner = (out[:, :8] - batch["moves"]).view(-1, 4, 2).norm(dim=2)
    right = ((out[:, 8] > 0) == (batch["crosswise"] > 0.5)).float().mean()
    return loss, {"corner": float(corner.mean()), "corner_median": float(corner.median()), "crosswise": float(right)}


def coarse_loss(net: nn.Module, batch: dict[str, Tensor], train: bool) -> tuple[Tensor, dict[str, float]]:
    """The same where there is a tile; cross entropies on whether there is, and whether it lies just there."""
    out = net(_as_cameras_see(batch["crops"]) if train else batch["crops"])
    tile = batch["is_tile"]
    off = (out[:, :8] - batch["moves"]).abs().mean(1)
    crosswise = F.binary_cross_entropy_with_logits(out[:, 8], batch["crosswise"], reduction="none")
    loss = ((off * 10 + crosswise) * tile).sum() / tile.sum().clamp(min=1)
    loss = loss + F.binary_cross_entropy_with_logits(out[:, ABOUT_THERE], tile)
    just_there = batch["just_there"]
    known = just_there >= 0
    told = F.binary_cross_entropy_with_logits(out[known, JUST_THERE], just_there[known], reduction="sum")
    loss = loss + told / known.sum().clamp(min=1)
    out = out.detach()
    seen = tile > 0.5
    corner = (out[seen, :8] - batch["moves"][seen]).view(-1, 4, 2).norm(dim=2)
    hopeless = out[:, ABOUT_THERE] < -3
    return loss, {
        "corner": float(corner.mean()),
        "corner_median": float(corner.median()),
        "tiles_kept": 1 - float(hopeless[seen].float().mean()),
        "others_left": float(hopeless[~seen].float().mean()),
        "just_there": float(((out[:, JUST_THERE] > 0) == (just_there > 0.5))[known].float().mean()),
    }


def value_batch(samples: list[tile_crops.ValueSample]) -> dict[str, Tensor]:
    """Inputs and targets of the value network."""
    halves = np.concatenate([s.halves for s in samples])
    return {
        "halves": torch.from_numpy(halves).float().div_(255).permute(0, 3, 1, 2),
        "values": torch.tensor([v for s in samples for v in s.values]),
        "kinds": torch.tensor([s.kind for s in samples]),
    }


def value_loss(net: nn.Module, batch: dict[str, Tensor], train: bool) -> tuple[Tensor, dict[str, float]]:
    """Cross entropies of values (where there are any) and kinds."""
    halves = batch["halves"]
    if train:
        halves = shake(recolour(shade(cover(halves, 0.12), 0.25)), 0.3, 13.0, mended=0.6)
    values, kinds = net(halves)
    known = batch["values"] >= 0
    loss = F.cross_entropy(values, batch["values"], ignore_index=-1, label_smoothing=0.02 if train else 0.0)
    loss = loss + 0.5 * F.cross_entropy(kinds, batch["kinds"], label_smoothing=0.02 if train else 0.0)
    values, kinds = values.detach(), kinds.detach()
    right = (values.argmax(1) == batch["values"])[known].float().mean()
    return loss, {"halves": float(right), "kinds": float((kinds.argmax(1) == batch["kinds"]).float().mean())}


def pip_batch(samples: list[tile_crops.PipSample]) -> dict[str, Tensor]:
    """Inputs and target maps of the pip network: a peak of 1 at every pip, and halves with print filled."""
    maps = np.zeros((len(samples), 2, 68, 36), np.float32)
    yy, xx = np.mgrid[0:68, 0:36].astype(np.float32)
    for k, sample in enumerate(samples):
        for x, y in sample.pips:
            peak = np.exp(-((xx - (x - 0.5) / 2) ** 2 + (yy - (y - 0.5) / 2) ** 2) / (2 * 0.9**2))
            maps[k, 0] = np.maximum(maps[k, 0], peak)
        if sample.printed[0]:
            maps[k, 1, :34] = 1
        if sample.printed[1]:
            maps[k, 1, 34:] = 1
    return {"grey": _tensor([s.grey for s in samples]).unsqueeze(1), "maps": torch.from_numpy(maps)}


def points_loss(out: Tensor, goal: Tensor, *, peak: float, known: Tensor | float = 1.0) -> Tensor:
    """Focal loss of logits (n, h, w) on maps with a peak of 1 at every point (Law and Deng 2018, CornerNet, equation 1).

    A cell whose goal is above `peak` is a point; beside points a wrong one costs less, and where nothing is `known` nothing.
    """
    p = torch.sigmoid(out)
    is_point = (goal > peak).float()
    hit = -is_point * (1 - p) ** 2 * F.logsigmoid(out)
    miss = -(1 - is_point) * known * (1 - goal) ** 4 * p**2 * F.logsigmoid(-out)
    return (hit + miss).sum() / is_point.sum().clamp(min=1)


def pip_loss(net: nn.Module, batch: dict[str, Tensor], train: bool) -> tuple[Tensor, dict[str, float]]:
    """The loss of points on the pip map, plain on print."""
    grey = batch["grey"]
    if train:
        grey = recolour(shade(grey, 0.25).expand(-1, 3, -1, -1))[:, :1]
    out, goal = net(grey), batch["maps"]
    loss = points_loss(out[:, 0], goal[:, 0], peak=0.85)
    loss = loss + F.binary_cross_entropy_with_logits(out[:, 1], goal[:, 1])
    out = out.detach()
    p = torch.sigmoid(out[:, 0])
    top = (p == F.max_pool2d(p[:, None], 3, 1, 1)[:, 0]) & (p > 0.4)
    clean = goal[:, 1].amax((1, 2)) == 0
    goal_top = (goal[:, 0] == F.max_pool2d(goal[:, :1], 3, 1, 1)[:, 0]) & (goal[:, 0] > 0.6)
    same = (top[:, :34].sum((1, 2)) == goal_top[:, :34].sum((1, 2)))[clean].float().mean()
    printed = ((out[:, 1].mean((1, 2)) > 0) == (goal[:, 1].mean((1, 2)) > 0.5)).float().mean()
    return loss, {"half_counts": float(same), "printed": float(printed)}


def marker_batch(samples: list[marker_crops.MarkerSample]) -> dict[str, Tensor]:
    """Inputs, target maps (n, 28, 28) with a peak of 1 at every marker, and weights that are 0 where nobody knows."""
    side = SIDE_PX // 4
    maps, known = np.zeros((2, len(samples), side, side), np.float32)
    known += 1
    yy, xx = np.mgrid[0:side, 0:side].astype(np.float32) * 4 + 1.5
    for k, sample in enumerate(samples):
        for x, y, radius in sample.unknown:
            known[k][(xx - x) ** 2 + (yy - y) ** 2 < radius**2] = 0
        for x, y in sample.markers:
            peak = np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / (2 * 5.0**2))
            maps[k] = np.maximum(maps[k], peak / peak.max())
            known[k][peak > 0.1] = 1
    crops = _tensor([sample.crop for sample in samples]).permute(0, 3, 1, 2)
    return {"crops": crops, "maps": torch.from_numpy(maps), "known": torch.from_numpy(known)}


def marker_loss(net: nn.Module, batch: dict[str, Tensor], train: bool) -> tuple[Tensor, dict[str, float]]:
    """The loss of points on the map."""
    crops = batch["crops"]
    if train:
        colours = recolour(shade(crops[:, :3], 0.25))
        crops = torch.cat([colours, crops[:, 3:]], 1)
    out, goal, known = net(crops)[:, 0], batch["maps"], batch["known"]
    loss = points_loss(out, goal, peak=0.99, known=known)
    most, has = (torch.sigmoid(out.detach()) * known).amax((1, 2)), goal.amax((1, 2)) > 0.9
    found, said = (most > 0.5) & has, most > 0.5
    return loss, {
        "recall": float(found.sum() / has.sum().clamp(min=1)),
        "precision": float(found.sum() / said.sum().clamp(min=1)),
    }


NETWORKS: dict[str, tuple[Any, Any, Any, Any]] = {
    "corners": (CornerNet, tile_crops.corner_samples, corner_batch, corner_loss),
    "coarse": (CoarseNet, tile_crops.coarse_samples, corner_batch, coarse_loss),
    "values": (ValueNet, tile_crops.value_samples, value_batch, value_loss),
    "pips": (PipNet, tile_crops.pip_samples, pip_batch, pip_loss),
    "markers": (MarkerNet, marker_crops.marker_samples, marker_batch, marker_loss),
}


def _batches(examples: list[Example], cut: Any, make: Any, size: int, seed: int) -> Iterator[dict[str, Tensor]]:
    samples = tile_crops.shuffled(examples, cut, np.random.default_rng(seed))
    while True:
        yield make([next(samples) for _ in range(size)])


@torch.no_grad()
def evaluate(net: nn.Module, batches: list[dict[str, Tensor]], loss: Any) -> dict[str, float]:
    """Mean figures over batches."""
    net.eval()
    rows = [loss(net, batch, False)[1] for batch in batches]
    net.train()
    return {k: float(np.nanmean([row[k] for row in rows])) for k in rows[0]}


@torch.no_grad()
def follow(average: nn.Module, net: nn.Module, decay: float) -> None:
    """Move the running average of weights a little towards the network."""
    for kept, now in zip(average.state_dict().values(), net.state_dict().values(), strict=True):
        if kept.dtype.is_floating_point:
            kept.lerp_(now, 1 - decay)
        else:
            kept.copy_(now)


def share_of_rate(step: int, steps: int, *, warmup: int) -> float:
    """What share of the highest rate a step learns with: rising at first, then falling along a cosine to a fiftieth."""
    return min(1.0, (step + 1) / warmup) * (0.02 + 0.49 * (1 + math.cos(math.pi * step / steps)))


def keep_state(path: Path, net: nn.Module, average: nn.Module, optimizer: torch.optim.Optimizer, step: int) -> None:
    """Write a checkpoint from which `go_on` goes on; one that was there before stays whole until this one is."""
    state = {
        "net": net.state_dict(),
        "average": average.state_dict(),
        "optimizer": optimizer.state_dict(),
        "step": step,
    }
    torch.save(state, path.with_suffix(".new"))
    path.with_suffix(".new").replace(path)


def go_on(path: Path, net: nn.Module, average: nn.Module, optimizer: torch.optim.Optimizer) -> int:
    """Fill all three from a checkpoint; returns its step."""
    saved = torch.load(path, weights_only=True)
    net.load_state_dict(saved["net"])
    average.load_state_dict(saved["average"])
    optimizer.load_state_dict(saved["optimizer"])
    return int(saved["step"])


@click.command()
@click.argument("network", type=click.Choice(sorted(NETWORKS)))
@click.option("--scenes", type=click.Path(path_type=Path), required=True)
@click.option("--rendered", type=click.Path(path_type=Path), help="folder of rendered scenes")
@click.option("--shared", type=click.Path(path_type=Path))
@click.option("--part", "parts", multiple=True)
@click.option(
    "--times",
    default=1,
    show_default=True,
    help="how often labelled and rendered pictures come round for each time that the scenes do",
)
@click.option("--leave-out", multiple=True)
@click.option("--skip-from", default="", help="leave out pictures of this one's series that sort from it on")
@click.option("--name", default="", help="of the checkpoint (default: the network's)")
@click.option("--start", type=click.Path(path_type=Path), help="checkpoint to start from")
@click.option("--runs", type=click.Path(path_type=Path), default=Path("runs/readers"), show_default=True)
@click.option("--steps", default=6000, show_default=True)
@click.option("--batch", default=64, show_default=True)
@click.option("--rate", default=2e-3, show_default=True)
@click.option("--keep", default=500, show_default=True)
@click.option("--threads", default=1, show_default=True)
@click.option("--seed", default=0, show_default=True)
@click.option("--resume", is_flag=True)
def main(
    network: str,
    scenes: Path,
    rendered: Path | None,
    shared: Path | None,
    parts: tuple[str, ...],
    times: int,
    leave_out: tuple[str, ...],
    skip_from: str,
    name: str,
    start: Path | None,
    runs: Path,
    steps: int,
    batch: int,
    rate: float,
    keep: int,
    threads: int,
    seed: int,
    resume: bool,
) -> None:
    """Train a small network."""
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    made, cut, make, loss = NETWORKS[network]
    found = read_folder(scenes / "truth", scenes / "pictures")
    last = min(HELD_BACK, -(-len(found) // 10))
    train, held = found[:-last], found[-last:]
    if rendered:
        train = train + read_folder(rendered / "truth", rendered / "pictures") * times
    if shared:
        train = train + list(held_back(without(read_shared(shared, parts), leave_out), skip_from)) * times
    net = made().to(memory_format=torch.channels_last)  # a quarter faster on two cores
    average = copy.deepcopy(net)
    runs.mkdir(parents=True, exist_ok=True)
    path = runs / f"{name or network}.pt"
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.02)
    first = 0
    if resume and path.exists():
        first = go_on(path, net, average, optimizer)
    elif start:
        known, mine = torch.load(start, weights_only=True)["average"], net.state_dict()
        mine.update({k: v for k, v in known.items() if k in mine and v.shape == mine[k].shape})  # what fits
        net.load_state_dict(mine)
        average.load_state_dict(net.state_dict())
    click.echo(
        f"{network}: {sum(p.numel() for p in net.parameters()):,} parameters, {len(train)} pictures, from step {first} to {steps}"
    )
    check = _batches(held, cut, make, 64, 12345)
    checks = [next(check) for _ in range(20)]
    begun = time.monotonic()
    for step, sample in enumerate(_batches(train, cut, make, batch, seed + first), start=first):
        if step >= steps:
            break
        for group in optimizer.param_groups:
            group["lr"] = rate * share_of_rate(step, steps, warmup=200)
        value, _ = loss(net, sample, True)
        optimizer.zero_grad(set_to_none=True)
        value.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        follow(average, net, min(0.998, (step + 1) / (step + 20)))
        if (step + 1) % keep == 0 or step + 1 == steps:
            keep_state(path, net, average, optimizer, step + 1)
            held_figures = evaluate(average, checks, loss)
            shown = " ".join(f"{k}={v:.4f}" for k, v in held_figures.items())
            click.echo(f"step {step + 1} {time.monotonic() - begun:.0f} s loss {float(value):.3f} held back: {shown}")


if __name__ == "__main__":
    main()
