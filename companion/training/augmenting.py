"""What light, colours, hands and things on top do to crops, for networks that must not mind: on batches, while they train."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import functional as F


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
