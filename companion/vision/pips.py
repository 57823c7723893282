"""The second reader: find single pips, then ask which known layout their places fit.

It knows nothing of colours or of whole patterns; it counts. It abstains where it sees print (numerals) instead of pips.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sightings import HIGHEST_PIPS
from companion.vision.layouts import layouts_of
from companion.vision.models import Network
from companion.vision.rectify import MARGIN_PX, TILE_CUT, UNIT_PX, Pyramid

Array = NDArray[np.float64]

BATCH = 32
HOPELESS = 9.2
"""Logs: a number of pips that is so much less likely than the best value is not fitted to layouts."""
LEAST_PEAK = 0.08
"""A weaker peak is no candidate."""

_NINE = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True)
class PipCount:
    """Of one half: log probability of each value (19,); pips (n, 3) as x, y in [0, 1] and strength; whether it is printed."""

    values: Array
    pips: Array
    printed: bool


def read_pips(network: Network, picture: Pyramid, quads: list[Array]) -> list[tuple[PipCount, PipCount]]:
    """Count the pips of both halves of every tile."""
    counts: list[tuple[PipCount, PipCount]] = []
    for start in range(0, len(quads), BATCH):
        crops = picture.cut(quads[start : start + BATCH], TILE_CUT)
        greys = [cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY) for crop in crops]
        batch = np.stack(greys)[:, None].astype(np.float32) * np.float32(1 / 255)
        maps = 1 / (1 + np.exp(-network.run(batch)[0].astype(np.float64)))
        counts += [_both(m) for m in maps]
    return counts


def _both(maps: Array) -> tuple[PipCount, PipCount]:
    pips, printed = maps
    middle = pips.shape[0] // 2
    a = count_half(peaks_of(pips, 0, middle), printed=bool(printed[:middle].mean() > 0.5))
    flipped = pips[::-1, ::-1]
    b = count_half(peaks_of(flipped, 0, middle), printed=bool(printed[middle:].mean() > 0.5))
    return a, b


def peaks_of(heat: Array, top: int, bottom: int) -> Array:
    """Peaks of rows top..bottom of a map at half the crop's size, (n, 3): x, y in tile widths (0..1), strength."""
    around = cv2.dilate(heat, _NINE)
    ys, xs = np.nonzero((heat >= around) & (heat > LEAST_PEAK))
    inside = (ys >= top) & (ys < bottom)
    ys, xs = ys[inside], xs[inside]
    x = (2 * xs + 0.5 - MARGIN_PX) / UNIT_PX
    y = (2 * ys + 0.5 - MARGIN_PX) / UNIT_PX
    return np.column_stack([x, y, heat[ys, xs]])


def count_half(peaks: Array, *, printed: bool) -> PipCount:
    """Which values the peaks speak for: how many there are, and how well their places fit a layout of that many."""
    if printed:
        return nothing_counted(peaks)
    chances = _count_chances(peaks[:, 2])
    logs = np.log(chances + 1e-6)
    strong = peaks[np.argsort(-peaks[:, 2])]
    best = float(logs[0])
    for value in np.argsort(-logs, kind="stable").tolist():
        if logs[value] < best - HOPELESS:
            break
        if value:
            logs[value] += _fit(strong[:value, :2], value)
        best = max(best, float(logs[value]))
    logs -= logs.max()
    return PipCount(logs - np.log(np.exp(logs).sum()), peaks, False)


def nothing_counted(peaks: Array) -> PipCount:
    """The word of a counter that abstains: what is printed there is no pips."""
    return PipCount(np.full(HIGHEST_PIPS + 1, -np.log(HIGHEST_PIPS + 1)), peaks, True)


def _count_chances(strengths: Array) -> Array:
    """Distribution of the number of true pips when each peak is one with its own probability, (19,)."""
    chances = np.zeros(HIGHEST_PIPS + 2)
    chances[0] = 1.0
    for p in strengths:
        sure = float(np.clip((p - 0.5) * 2.2 + 0.5, 0.01, 0.99))
        chances[1:] = chances[1:] * (1 - sure) + chances[:-1] * sure
        chances[0] *= 1 - sure
    return chances[:-1]


@cache
def _centred_layouts(value: int) -> tuple[Array, Array]:
    """All layouts of a value about their middles (n, value, 2), and how far each reaches in x and y (n, 2)."""
    layouts = np.stack(layouts_of(value))
    centred = layouts - layouts.mean(1, keepdims=True)
    return centred, np.abs(centred).max(1)


def _fit(points: Array, value: int) -> float:
    """Log of how well points (n, 2) lie on the best layout of that value: 0 for a perfect fit, at least -5.5."""
    if len(points) < value:
        return -2.0
    if value == 1:
        return -min(4.0, 30 * float(((points[0] - 0.5) ** 2).sum()))
    centred = points - points.mean(0)
    mine = np.abs(centred).max(0)
    goals, reach = _centred_layouts(value)
    # every layout is stretched to the points' extent; along an axis on which it has none, by the other axis' scale
    scales = np.where(reach > 0, np.maximum(mine, 0.05) / np.maximum(reach, 1e-6), 0)
    scales = np.where(reach > 0, scales, scales.max(1, keepdims=True))
    gaps = np.linalg.norm((centred / scales[:, None])[:, :, None] - goals[:, None], axis=3)
    hit = np.zeros(gaps.shape[::2], bool)
    hit[np.arange(len(goals))[:, None], gaps.argmin(2)] = True
    costs = 6 * (gaps.min(2) ** 2).mean(1) + 1.0 * (value - hit.sum(1))
    return -min(4.0, float(costs.min())) - (1.5 if mine.max() < 0.1 else 0.0)
