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
from companion.training.examples import Example, held_back, read_folder, read_shared, without
from companion.training.nets import CoarseNet, CornerNet, MarkerNet, PipNet, ValueNet
from companion.vision.train_ends import SIDE_PX

HELD_BACK = 150
"""The last scenes, or a tenth of few, are not trained on: they measure."""


def recolour(batch: Tensor) -> Tensor:
    """Other colours, tones and contrasts of crops (n, 3, h, w) in 0..1: colour must not be a cue."""
    n = batch.shape[0]
    draw = torch.rand(n, 6)
    order = torch.stack([torch.randperm(3) for _ in range(n)])
    mixed = batch[torch.arange(n)[:, None], order]
    batch = torch.where((draw[:, 0] < 0.4).view(n, 1, 1, 1), mixed, batch)
    gains = torch.exp(torch.randn(n, 3, 1, 1) * 0.15)
    batch = batch * gains
    grey = batch.mean(1, keepdim=True).expand_as(batch)
    share = (torch.rand(n) * (draw[:, 1] < 0.3)).view(n, 1, 1, 1)
    batch = batch + (grey - batch) * share
    batch = torch.where((draw[:, 2] < 0.08).view(n, 1, 1, 1), 1 - batch, batch)
    gamma = torch.exp(torch.randn(n) * 0.25).view(n, 1, 1, 1)
    batch = batch.clamp(1e-4, 1) ** gamma
    batch = batch * torch.exp(torch.randn(n) * 0.15).view(n, 1, 1, 1)
    noise = torch.randn_like(batch) * (draw[:, 3] * 0.04 * (draw[:, 4] < 0.4)).view(n, 1, 1, 1)
    return (batch + noise).clamp(0, 1)


def shade(batch: Tensor, share: float) -> Tensor:
    """Crops (n, c, h, w) of which a share lie partly in a shadow with an edge: a half plane, a band, or what is left of it."""
    n, _, height, width = batch.shape
    draw = torch.rand(n, 8)
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, height), torch.linspace(-1, 1, width), indexing="ij")
    angle = (draw[:, 0] * 2 * math.pi).view(n, 1, 1)
    along = xx * angle.cos() + yy * angle.sin() - (draw[:, 1] * 2 - 1).view(n, 1, 1)
    soft = (10 ** (-2 + 1.4 * draw[:, 2])).view(n, 1, 1)
    wide = (0.1 + 1.2 * draw[:, 3]).view(n, 1, 1)
    dark = torch.sigmoid(along / soft)
    dark = torch.where((draw[:, 4] < 0.5).view(n, 1, 1), dark * torch.sigmoid((wide - along) / soft), dark)
    dark = torch.where((draw[:, 5] < 0.3).view(n, 1, 1), 1 - dark, dark)
    depth = ((0.2 + 0.6 * draw[:, 6]) * (draw[:, 7] < share)).view(n, 1, 1)
    return batch * (1 - depth * dark)[:, None]


def cover(batch: Tensor, share: float) -> Tensor:
    """Crops (n, c, h, w) of which a share are partly hidden, as by a figure, a coin or a finger: ellipses of one plain colour.

    Of what they hide nothing can be known: what is left must do, and must not look like surely another value.
    """
    n, _, height, width = batch.shape
    draw = torch.rand(n, 10)
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, height), torch.linspace(-1, 1, width), indexing="ij")
    angle = (draw[:, 0] * math.pi).view(n, 1, 1)
    # its middle lies near the edge of the crop rather than in its middle: most of what shows stays
    away, side = (0.5 + 0.8 * draw[:, 1]).view(n, 1, 1), (draw[:, 2] * 2 * math.pi).view(n, 1, 1)
    x, y = xx - away * side.cos(), yy - away * side.sin()
    long, wide = (0.3 + 0.6 * draw[:, 3]).view(n, 1, 1), (0.2 + 0.4 * draw[:, 4]).view(n, 1, 1)
    along, across = x * angle.cos() + y * angle.sin(), y * angle.cos() - x * angle.sin()
    hidden = torch.sigmoid((1 - torch.sqrt((along / long) ** 2 + (across / wide) ** 2 + 1e-6)) * 12)
    hidden = hidden * (draw[:, 5] < share).view(n, 1, 1)
    colour = draw[:, 6:9].view(n, 3, 1, 1) * (0.7 + 0.15 * (1 - yy) * draw[:, 9].view(n, 1, 1)).unsqueeze(1)
    return batch + (colour - batch) * hidden[:, None]


MEND_PAD = 24
"""Pixels around a crop, repeated from its edge, so that mending does not wrap around."""


def shake(batch: Tensor, share: float, most_px: float, *, mended: float) -> Tensor:
    """Crops (n, c, h, w) of which a share were taken by a hand that shook: blurred along a line of up to `most_px` pixels.

    Of these a share `mended` were sharpened afterwards, as `companion.vision.unshaking` does it: with noise, and not quite by
    the line that blurred them.
    """
    picked = torch.nonzero(torch.rand(batch.shape[0]) < share)[:, 0]
    if not len(picked):
        return batch
    angle, half = torch.rand(len(picked)) * math.pi, torch.rand(len(picked)) * most_px / 2
    reach = int(most_px) // 2
    kernels = _lines(angle, half, reach)
    channels = batch.shape[1]
    moved = F.pad(batch[picked], (reach,) * 4, mode="replicate").flatten(0, 1)[None]
    weight = kernels.repeat_interleave(channels, 0)[:, None]
    blurred = F.conv2d(moved, weight, groups=len(weight))[0].view(len(picked), channels, *batch.shape[2:])
    again = torch.nonzero((torch.rand(len(picked)) < mended) & (half > 1))[:, 0]
    if len(again):
        draw = torch.randn(2, len(again))
        guess = _lines(angle[again] + draw[0] * 0.06, half[again] * torch.exp(draw[1] * 0.08), reach + 2)
        noisy = blurred[again] + torch.randn_like(blurred[again]) * torch.rand(len(again), 1, 1, 1) * 0.02
        blurred[again] = _mended(noisy, guess, 10 ** (-2.5 + torch.rand(len(again), 1, 1, 1)))
    batch = batch.clone()
    batch[picked] = blurred
    return batch


def _lines(angle: Tensor, half: Tensor, reach: int) -> Tensor:
    """Kernels (n, k, k), k = 2 reach + 1, of lines through the middle: angles (n,) in radians, half lengths (n,) in pixels."""
    steps = torch.arange(-reach, reach + 1, dtype=torch.float32)
    yy, xx = torch.meshgrid(steps, steps, indexing="ij")
    angle, half = angle.view(-1, 1, 1), half.view(-1, 1, 1)
    along, across = xx * angle.cos() + yy * angle.sin(), yy * angle.cos() - xx * angle.sin()
    kernels = (1 - across.abs()).clamp(0, 1) * (half + 0.5 - along.abs()).clamp(0, 1)
    return kernels / kernels.sum((1, 2), keepdim=True)


def _mended(blurred: Tensor, kernels: Tensor, noise: Tensor) -> Tensor:
    """Crops (n, c, h, w) sharpened by kernels (n, k, k), given the noise (n, 1, 1, 1) as a share of the signal's power."""
    wide = F.pad(blurred, (MEND_PAD,) * 4, mode="replicate")
    size, reach = wide.shape[-2:], kernels.shape[-1] // 2
    placed = torch.zeros(len(kernels), *size)
    placed[:, : kernels.shape[1], : kernels.shape[2]] = kernels
    response = torch.fft.rfft2(placed.roll((-reach, -reach), (1, 2)))[:, None]
    fy, fx = torch.fft.fftfreq(size[0])[:, None], torch.fft.rfftfreq(size[1])[None]
    floor = noise * ((fx**2 + fy**2) / 0.01 + 0.1)
    filtered = torch.fft.rfft2(wide) * response.conj() / (response.abs() ** 2 + floor)
    sharp = torch.fft.irfft2(filtered, s=size)
    return sharp[..., MEND_PAD:-MEND_PAD, MEND_PAD:-MEND_PAD].clamp(0, 1)


def _tensor(crops: list[Any]) -> Tensor:
    return torch.from_numpy(np.stack(crops)).float().div_(255)


def corner_batch(samples: list[tile_crops.CornerSample]) -> dict[str, Tensor]:
    """Inputs and targets of the corner network."""
    return {
        "crops": _tensor([s.crop for s in samples]).permute(0, 3, 1, 2),
        "moves": torch.from_numpy(np.stack([s.moves for s in samples])),
        "crosswise": torch.tensor([float(s.crosswise) for s in samples]),
        "is_tile": torch.tensor([float(s.is_tile) for s in samples]),
    }


def corner_loss(net: nn.Module, batch: dict[str, Tensor], train: bool) -> tuple[Tensor, dict[str, float]]:
    """L1 on the corners' moves, cross entropy on crosswise."""
    out = net(recolour(shade(batch["crops"], 0.25)) if train else batch["crops"])
    off = (out[:, :8] - batch["moves"]).abs()
    loss = off.mean() * 10 + F.binary_cross_entropy_with_logits(out[:, 8], batch["crosswise"])
    out = out.detach()
    corner = (out[:, :8] - batch["moves"]).view(-1, 4, 2).norm(dim=2)
    right = ((out[:, 8] > 0) == (batch["crosswise"] > 0.5)).float().mean()
    return loss, {"corner": float(corner.mean()), "corner_median": float(corner.median()), "crosswise": float(right)}


def coarse_loss(net: nn.Module, batch: dict[str, Tensor], train: bool) -> tuple[Tensor, dict[str, float]]:
    """The same where there is a tile; cross entropy on whether there is."""
    out = net(recolour(shade(batch["crops"], 0.25)) if train else batch["crops"])
    tile = batch["is_tile"]
    off = (out[:, :8] - batch["moves"]).abs().mean(1)
    crosswise = F.binary_cross_entropy_with_logits(out[:, 8], batch["crosswise"], reduction="none")
    loss = ((off * 10 + crosswise) * tile).sum() / tile.sum().clamp(min=1)
    loss = loss + F.binary_cross_entropy_with_logits(out[:, 9], tile)
    out = out.detach()
    seen = tile > 0.5
    corner = (out[seen, :8] - batch["moves"][seen]).view(-1, 4, 2).norm(dim=2)
    hopeless = out[:, 9] < -3
    return loss, {
        "corner": float(corner.mean()),
        "corner_median": float(corner.median()),
        "tiles_kept": 1 - float(hopeless[seen].float().mean()),
        "others_left": float(hopeless[~seen].float().mean()),
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


def pip_loss(net: nn.Module, batch: dict[str, Tensor], train: bool) -> tuple[Tensor, dict[str, float]]:
    """Focal loss on the pip map (as for centre points), plain on print."""
    grey = batch["grey"]
    if train:
        grey = recolour(shade(grey, 0.25).expand(-1, 3, -1, -1))[:, :1]
    out, goal = net(grey), batch["maps"]
    p = torch.sigmoid(out[:, 0])
    peak = (goal[:, 0] > 0.85).float()
    hit = -peak * (1 - p) ** 2 * F.logsigmoid(out[:, 0])
    miss = -(1 - peak) * (1 - goal[:, 0]) ** 4 * p**2 * F.logsigmoid(-out[:, 0])
    loss = (hit + miss).sum() / peak.sum().clamp(min=1) + F.binary_cross_entropy_with_logits(out[:, 1], goal[:, 1])
    p, out = p.detach(), out.detach()
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
    """Focal loss on the map, as for centre points."""
    crops = batch["crops"]
    if train:
        colours = recolour(shade(crops[:, :3], 0.25))
        crops = torch.cat([colours, crops[:, 3:]], 1)
    out, goal, known = net(crops)[:, 0], batch["maps"], batch["known"]
    p = torch.sigmoid(out)
    peak = (goal > 0.99).float()
    hit = -peak * (1 - p) ** 2 * F.logsigmoid(out)
    miss = -(1 - peak) * known * (1 - goal) ** 4 * p**2 * F.logsigmoid(-out)
    loss = (hit + miss).sum() / peak.sum().clamp(min=1)
    most, has = (p.detach() * known).amax((1, 2)), goal.amax((1, 2)) > 0.9
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
        saved = torch.load(path, weights_only=True)
        net.load_state_dict(saved["net"])
        average.load_state_dict(saved["average"])
        optimizer.load_state_dict(saved["optimizer"])
        first = int(saved["step"])
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
            group["lr"] = rate * min(1.0, (step + 1) / 200) * (0.02 + 0.49 * (1 + math.cos(math.pi * step / steps)))
        value, _ = loss(net, sample, True)
        optimizer.zero_grad(set_to_none=True)
        value.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        follow(average, net, min(0.998, (step + 1) / (step + 20)))
        if (step + 1) % keep == 0 or step + 1 == steps:
            state = {
                "net": net.state_dict(),
                "average": average.state_dict(),
                "optimizer": optimizer.state_dict(),
                "step": step + 1,
            }
            torch.save(state, path.with_suffix(".new"))
            path.with_suffix(".new").replace(path)
            held_figures = evaluate(average, checks, loss)
            shown = " ".join(f"{k}={v:.4f}" for k, v in held_figures.items())
            click.echo(f"step {step + 1} {time.monotonic() - begun:.0f} s loss {float(value):.3f} held back: {shown}")


if __name__ == "__main__":
    main()
