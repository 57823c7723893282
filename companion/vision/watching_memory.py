"""The last quiet frames, small and grey: since when does a tile lie as it does now?

A detector may find a tile late. The pixels know better: the tile lies there since the first frame in which its place looks as
it does now. Frames in which a hand covers the place say nothing.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.watching_change import Grey, Mask, warped

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MemoryParameters:
    """How far back, and what counts as the same."""

    frames: int = 64
    """Each takes 0.2 MB."""
    level: float = 26.0
    """Grey levels by which a pixel of one and the same tile may differ."""
    same: float = 0.42
    """Share of a tile's pixels that must be the same: under a marker 0.47 or more were, on a bare table (two rendered games)
    0.37 or less."""
    hidden: float = 0.25
    """Share of a tile's place that may be covered before a frame says nothing."""


@dataclass(slots=True)
class _Kept:
    """A quiet frame: `covers` where there were any; `to_now` takes its pixels to those of the newest frame."""

    frame: int
    grey: Grey
    covers: Mask | None
    to_now: Array


@dataclass
class FrameMemory:
    """Remembers quiet frames."""

    parameters: MemoryParameters = field(default_factory=MemoryParameters)
    _kept: deque[_Kept] = field(default_factory=deque)

    def add(self, frame: int, grey: Grey, covers: Mask, *, motion: Array | None) -> None:
        """Remember a frame; `motion` is how the camera moved since the last one."""
        if motion is not None:
            for kept in self._kept:
                kept.to_now = motion @ kept.to_now
        self._kept.append(_Kept(frame, grey, covers if covers.any() else None, np.eye(3)))
        while len(self._kept) > self.parameters.frames:
            self._kept.popleft()

    def clear(self) -> None:
        """Forget all: the pictures before have nothing to do with those to come."""
        self._kept.clear()

    def since(self, quad: Array) -> int | None:
        """The first frame, of the unbroken row up to now, in which a place (4, 2) in small pixels looks as it does now.

        None where there is no frame before to compare with.
        """
        newest = self._kept[-1]
        if len(self._kept) == 1:
            return None
        left, top, place = _window(quad, newest.grey.shape)
        if not place.any():
            return newest.frame
        rows, columns = slice(top, top + place.shape[0]), slice(left, left + place.shape[1])
        now = newest.grey[rows, columns].astype(np.float32)
        found = newest.frame
        for kept in list(self._kept)[-2::-1]:
            grey, covers = _as_now(kept)
            if covers is not None and covers[rows, columns][place].mean() > self.parameters.hidden:
                continue
            if not self._same(grey[rows, columns].astype(np.float32)[place], now[place]):
                break
            found = kept.frame
        return found

    def _same(self, before: NDArray[np.float32], now: NDArray[np.float32]) -> bool:
        apart = now - before
        shift = float(np.clip(np.median(apart), -self.parameters.level, self.parameters.level))
        return float((np.abs(apart - shift) < self.parameters.level).mean()) >= self.parameters.same


def _as_now(kept: _Kept) -> tuple[Grey, Mask | None]:
    """A kept frame and what was covered in it, as the newest frame's camera would have seen them."""
    if np.array_equal(kept.to_now, np.eye(3)):
        return kept.grey, kept.covers
    unseen = warped(np.full(kept.grey.shape, 255, np.uint8), kept.to_now) < 250
    if kept.covers is not None:
        unseen |= warped(kept.covers.astype(np.uint8) * 255, kept.to_now) > 127
    return warped(kept.grey, kept.to_now), unseen


def _window(quad: Array, shape: tuple[int, ...]) -> tuple[int, int, Mask]:
    """The part of a picture around a quad: left, top, and where the quad is inside it."""
    low = np.maximum(np.floor(quad.min(0)).astype(int), 0)
    high = np.minimum(np.ceil(quad.max(0)).astype(int) + 1, np.array(shape[1::-1]))
    wide, tall = np.maximum(high - low, 0)
    place = np.zeros((int(tall), int(wide)), np.uint8)
    if wide and tall:
        cv2.fillConvexPoly(place, np.round(quad - low).astype(np.int32), 1)
    return int(low[0]), int(low[1]), np.asarray(place > 0)
