"""How bright and how sharp a picture is, to tell somebody why no tile could be read in it.

Nobody's photo is refused by these figures: the reader asks for them only when it found nothing. They are taken from a
copy of 480 px, where the noise of a dim photo is averaged away and a tile's edge is one step.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.opening import Picture

_LONG_SIDE_PX = 480
_BLACK, _WHITE = 0.01, 0.99
"""Shares of pixels below the dark and the bright end; a lamp in the corner does not make a photo bright."""
_SHARPEST = 0.995
"""Share of pixels below the steepest edges: in a photo of a few tiles, edges are one pixel in a hundred."""


@dataclass(frozen=True, slots=True)
class QualityLimits:
    """Where dark and blurred begin. Tuned on photos that can be read and on darkened and blurred copies of them."""

    least_bright_end: float = 45.0
    """Grey level (0..255) of the bright end. The dimmest of 78 real photos has 123. A tenth of their light leaves 12 to 26:
    then pips drown in noise."""

    least_sharpness: float = 0.075
    """The softest of 78 real photos has 0.096. Blurred by 0.8 % of the long side they have 0.04 to 0.09: there the pips of
    small tiles begin to join."""


@dataclass(frozen=True, slots=True)
class PictureQuality:
    """Measures of one picture, and what follows from them."""

    bright_end: float
    """Grey level that one pixel in a hundred exceeds (0..255): in a photo of tiles, their white."""
    contrast: float
    """Grey levels between the dark and the bright end (0..255)."""
    sharpness: float
    """Steepest edges as a share of the contrast a pixel of the reduced copy, in the direction where they are least
    steep: 0 for fog or a shaken hand, about 0.3 for a crisp photo."""
    limits: QualityLimits = field(default_factory=QualityLimits)

    @property
    def too_dark(self) -> bool:
        """So little light that the whites of tiles are dark grey."""
        return self.bright_end < self.limits.least_bright_end

    @property
    def blurred(self) -> bool:
        """So blurred or shaken that pips run together."""
        return self.sharpness < self.limits.least_sharpness


def picture_quality(image_bgr: Picture, *, limits: QualityLimits | None = None) -> PictureQuality:
    """Measure a picture of any size, height x width x 3 (uint8)."""
    grey = _reduced_grey(image_bgr)
    levels = np.cumsum(np.bincount(grey.ravel(), minlength=256)) / grey.size
    dark_end, bright_end = (float(np.searchsorted(levels, share)) for share in (_BLACK, _WHITE))
    contrast = bright_end - dark_end
    return PictureQuality(
        bright_end=bright_end,
        contrast=contrast,
        sharpness=_steepness(grey) / (contrast + 1),
        limits=limits or QualityLimits(),
    )


def _reduced_grey(image_bgr: Picture) -> Picture:
    """Two steps: a coarse one that reads only the pixels it needs, and one that averages away their noise."""
    high, wide = image_bgr.shape[:2]
    share = _LONG_SIDE_PX / max(high, wide)
    if share < 0.5:
        size = (max(1, round(wide * share * 2)), max(1, round(high * share * 2)))
        image_bgr = np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    if share < 1:
        size = (max(1, round(wide * share)), max(1, round(high * share)))
        image_bgr = np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)


def _steepness(grey: Picture) -> float:
    """Grey levels a pixel across the steepest edges, in the least steep of four directions.

    A shaken photo keeps the edges that run along the shake; only the others tell of it.
    """
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 0.7)
    across = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8)
    diagonals = (cv2.addWeighted(across, 0.7071, down, sign * 0.7071, 0) for sign in (1, -1))
    return min(_high_end(np.asarray(slope)) for slope in (across, down, *diagonals))


def _high_end(slope: NDArray[np.generic]) -> float:
    steep = np.abs(slope).ravel()
    at = min(int(_SHARPEST * steep.size), steep.size - 1)
    return float(np.partition(steep, at)[at])
