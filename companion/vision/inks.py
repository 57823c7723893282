"""The colours in which a picture's tiles print their values, learned from the halves that are read surely, settle the others.

Sets differ in their colours, and so no network may go by them; but within one picture all tens of a set are alike. Of a half that
is blurred, washed out or half covered, the colour is often all that is left.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.rectify import Image

Array = NDArray[np.float64]

_LOGS = np.log(np.arange(256, dtype=np.float32) + 12)
"""Light falls on ink and ground alike: in logs it cancels out. The 12 keeps the noise of dark places small."""
_INSIDE = slice(7, -7)
"""The part of a half crop that no margin, rim or bar reaches."""
_WEAK = 0.02
"""A spread of colours (in logs) that noise alone has."""
_STRENGTH = 0.1
"""How much the contrast counts, beside the colour's direction: blur makes it smaller, and leaves the direction."""


@dataclass(frozen=True, slots=True)
class InkParameters:
    """How colours are learned and what they may say."""

    sure: float = 0.9
    """Probability of a value from which a half tells what its ink looks like,"""
    sure_again: float = 0.6
    """and once colours have been heard."""
    least: int = 6
    """Fewer such halves tell nothing."""
    settled: float = 0.98
    """What is read so surely is not asked again."""
    odd: float = 0.1
    """Share of halves whose colour says nothing: something lies on them, or a lamp shines there."""
    most: float = 5.0
    """What a colour can say for a value, in logs of odds."""
    faint: float = 0.5
    """How long a half's direction is where its colour says nothing,"""
    clear: float = 0.85
    """and where it counts in full."""
    floor: float = 0.05
    """Colours of one value differ by this at least: light is not white everywhere."""
    doubt: float = 6.0
    """So many halves of `spread` are supposed to have been seen of each set, before any is."""
    spread: float = 0.3
    """How much the colours of one value then differ, as a share of how much all do."""
    rounds: int = 3


def inks_of(halves: Image) -> Array:
    """What colours differ in half crops (n, 48, 48, 3): direction from ground to ink in logs of BGR, and the contrast: (n, 4).

    The direction is that along which pixels spread most, so that it matters neither how much of the half is ink nor how blurred
    it is. It is short where there is hardly any ink.
    """
    if not len(halves):
        return np.zeros((0, 4))
    tall = cv2.LUT(halves.reshape(-1, *halves.shape[2:]), _LOGS)
    pixels = cv2.blur(tall, (3, 3)).reshape(halves.shape)[:, _INSIDE, _INSIDE].reshape(len(halves), -1, 3)
    off = pixels - pixels.mean(1, keepdims=True)
    widths, ways = np.linalg.eigh((off.transpose(0, 2, 1) @ off).astype(np.float64) / off.shape[1])
    way, width = ways[:, :, 2], widths[:, 2]
    # ink is what there is less of, and in one picture always darker than the ground, or always lighter
    along = (off @ way[:, :, None].astype(np.float32))[..., 0]
    skew = (along * along * along).mean(1) / (width**1.5 + 1e-9)
    light = way.sum(1)
    common = np.sign((np.sign(skew) * light * np.sqrt(width))[np.abs(skew) > 0.5].sum())
    sign = np.where(np.abs(light) > 0.5, np.sign(light) * common, np.sign(skew))
    clear = np.sqrt(np.maximum(width - widths[:, 1], 0) / (width + _WEAK**2))
    contrast = np.log(np.sqrt(np.maximum(width, 0)) + 0.01)
    return np.column_stack([way * (sign * clear)[:, None], _STRENGTH * contrast])


def told_by_inks(inks: Array, logs: Array, parameters: InkParameters | None = None) -> Array:
    """What the colours say for each value of each half: logs of odds (n, 19), 0 where they say nothing.

    Args:
        inks: of all halves of a picture (n, 4), from `inks_of`.
        logs: what was read of them, log probabilities (n, 19).
        parameters: thresholds.
    """
    p = parameters or InkParameters()
    told = np.zeros_like(logs)
    read = np.exp(logs - logs.max(1, keepdims=True))
    read /= read.sum(1, keepdims=True)
    open_halves = read.max(1) < p.settled
    if not open_halves.any():
        return told
    # a half without any colour is blank, or light has washed its ink out: that is for the readers to say
    shown = np.clip((np.linalg.norm(inks[:, :3], axis=1) - p.faint) / (p.clear - p.faint), 0.0, 1.0)
    shares, least = read, p.sure
    for _ in range(p.rounds):
        weights = np.where(shares > least, shares, 0.0)
        if (weights.sum(1) > 0).sum() < p.least:
            return told
        told = (open_halves * shown)[:, None] * _likelier(inks, weights, p)
        shares = read * np.exp(told)
        shares /= shares.sum(1, keepdims=True)
        least = p.sure_again
    return told


def _likelier(inks: Array, weights: Array, p: InkParameters) -> Array:
    """How much likelier each half's colour is among those of each value (n, 19) than among all; its own word does not count."""
    known = weights.sum(1) > 0
    many = weights.sum(0)
    sums = weights.T @ inks
    means = sums / np.maximum(many, 1e-9)[:, None]
    often = many >= 2
    least = np.eye(inks.shape[1]) * p.floor**2
    all_spread = np.cov(inks[known].T) + least
    own = p.doubt * p.spread * all_spread
    for value in np.flatnonzero(often).tolist():
        off = inks - means[value]
        own += (off * weights[:, value : value + 1]).T @ off * many[value] / (many[value] - 1)
    own = own / (many[often].sum() + p.doubt) + least
    apart = _logs_of(inks - inks[known].mean(0), all_spread)
    told = np.zeros(weights.shape)
    for value in np.flatnonzero(many > 0).tolist():
        others = many[value] - weights[:, value]
        told_here = others > 0.5
        mean = (sums[value] - weights[:, value : value + 1] * inks) / np.maximum(others, 1e-9)[:, None]
        # a mean of few is itself unsure
        wider = 1 + 1 / np.maximum(others, 0.5)
        ratio = np.minimum(_logs_of(inks - mean, own, wider) - apart, p.most)
        told[told_here, value] = np.log((1 - p.odd) * np.exp(ratio) + p.odd)[told_here]
    # most blanks have no ink: what looks like one and has some is more likely all misread in one way
    told[:, 0] = np.minimum(told[:, 0], 0.0)
    return told


def _logs_of(off: Array, spread: Array, wider: Array | float = 1.0) -> Array:
    """Logs of normal densities at offsets (n, d), but for a constant; `wider` times the spread."""
    squares = np.einsum("ni,ij,nj->n", off, np.linalg.inv(spread), off) / wider
    return np.asarray(-0.5 * squares - 0.5 * (np.linalg.slogdet(spread)[1] + off.shape[1] * np.log(wider)))
