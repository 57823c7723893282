"""What has changed between a frame and the last quiet one: cheap, on small grey pictures, before any network runs.

Changed pixels are gathered into patches. A large patch that reaches in from the picture's edge is an arm, or something else
that lies over the table: what it covers is neither missed nor read. All other patches are worth a look. Where the camera has
moved a little, the last picture is first laid over the new one by its features.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ChangeParameters:
    """Grey levels are 0..255; lengths in pixels of the small picture unless they say otherwise."""

    wide: int = 480
    """Width of the small picture: a tile of 40 px in a picture of 1280 is 15 px wide there."""
    level: float = 24.0
    """A pixel that is this much lighter or darker has changed."""
    detail: float = 14.0
    """Or one whose difference to its surroundings has changed by this much: shadows leave that as it is."""
    noise: float = 5.0
    """Both are at least so many times the noise between two frames."""
    surroundings: int = 31
    """Side of the square that is a pixel's surroundings."""
    speck: int = 3
    """Patches narrower than this are noise or a step in the picture's compression."""
    bridge_tiles: float = 0.5
    """Patches this near to each other, in tile widths, are one."""
    arm_tiles: float = 2.5
    """An arm's patch is larger than so many tiles; a tile that touches the picture's edge is not."""
    another: float = 0.55
    """Share of changed pixels from which it is another picture altogether, or other light."""
    worth_aligning: float = 0.06
    """Share of changed pixels from which the camera may have moved."""
    features: int = 700
    agreeing: int = 24
    """Features that must agree on the camera's motion."""
    gain: float = 0.6
    """A motion is accepted when so much of the change, or less, is left."""


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """Differences between a frame and the last quiet one.

    Attributes:
        pixels: which pixels of the small picture have changed.
        motion: (3, 3) small picture to small picture where the camera moved, else None.
        everything: whether the two pictures have too little in common.
    """

    pixels: Mask
    motion: Array | None = None
    everything: bool = False

    @property
    def nothing(self) -> bool:
        """Whether the frame shows what the last one did."""
        return self.motion is None and not self.pixels.any()


def small_grey(picture_bgr: NDArray[np.uint8], parameters: ChangeParameters) -> Grey:
    """The picture (H, W, 3) in grey, `wide` pixels wide; noise averaged away."""
    high, wide = picture_bgr.shape[:2]
    size = (parameters.wide, max(8, round(parameters.wide * high / wide)))
    small = cv2.resize(picture_bgr, size, interpolation=cv2.INTER_AREA if wide > size[0] else cv2.INTER_LINEAR)
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (3, 3), 0), np.uint8)


def is_blank(grey: Grey) -> bool:
    """Whether nothing can be seen: a lens cap, a camera that has not woken up, a test card of one colour."""
    dark, bright = _level(grey, 0.01), _level(grey, 0.99)
    return bright < 30 or bright - dark < 12


def moving_share(before: Grey, now: Grey, parameters: ChangeParameters) -> float:
    """Share of the pixels that differ between two frames in a row by more than noise and compression do."""
    apart = np.asarray(cv2.absdiff(before, now), np.uint8)
    level = max(parameters.level * 0.75, parameters.noise * 1.5 * _level(apart, 0.5))
    return float((apart > level).mean())


def _level(grey: Grey, share: float) -> float:
    """The level below which a share of the pixels lies; by counting, many times faster than by sorting."""
    counts = np.cumsum(np.bincount(grey.ravel(), minlength=256))
    return float(np.searchsorted(counts, grey.size * share))


def changed_pixels(before: Grey, now: Grey, parameters: ChangeParameters) -> Mask:
    """Pixels that have changed by more than light and noise explain; both pictures (h, w)."""
    old, new = before.astype(np.float32), now.astype(np.float32)
    shift = _level(now, 0.5) - _level(before, 0.5)
    apart = np.abs(new - old - shift)
    noise = 1.5 * _level(np.minimum(apart, 255).astype(np.uint8), 0.5)
    side = (parameters.surroundings, parameters.surroundings)
    detail = np.abs((new - cv2.blur(new, side)) - (old - cv2.blur(old, side)))
    changed = (apart > max(parameters.level, parameters.noise * noise)) | (
        detail > max(parameters.detail, parameters.noise * noise)
    )
    kernel = np.ones((parameters.speck, parameters.speck), np.uint8)
    return np.asarray(cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_OPEN, kernel) > 0)


def find_change(before: Grey, now: Grey, parameters: ChangeParameters) -> Change:
    """Compare two small pictures of one size."""
    changed, motion = changed_pixels(before, now, parameters), None
    if changed.mean() > parameters.worth_aligning:
        found = camera_motion(before, now, parameters)
        if found is not None:
            seen = warped(np.full(before.shape, 255, np.uint8), found) > 250
            left = changed_pixels(warped(before, found), now, parameters) & seen
            if left.sum() < parameters.gain * changed[seen].sum():
                changed, motion = left, found
    return Change(changed, motion, bool(changed.mean() > parameters.another))


def sort_patches(changed: Mask, tile_px: float, parameters: ChangeParameters) -> tuple[Mask, Mask]:
    """Changed pixels as patches that may hold something new, and as covers that reach in from the edge.

    Args:
        changed: the pixels, without those that tiles explain.
        tile_px: a tile's width in pixels of the small picture.
        parameters: thresholds.
    """
    reach = 2 * max(1, round(parameters.bridge_tiles * tile_px)) + 1
    joined = cv2.dilate(changed.astype(np.uint8), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach)))
    count, names = cv2.connectedComponents(joined)
    rim = np.ones(changed.shape, bool)
    rim[2:-2, 2:-2] = False
    areas = np.bincount(names[changed], minlength=count)
    covers = np.zeros(changed.shape, bool)
    for name in set(np.unique(names[rim & changed]).tolist()) - {0}:
        if areas[name] > parameters.arm_tiles * 2 * tile_px**2:
            covers |= _filled(names == name)
    return np.asarray((joined > 0) & ~covers), covers


def _filled(mask: Mask) -> Mask:
    """A patch without its holes: the middle of a sleeve may look like the table."""
    outlines, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    filled = np.zeros(mask.shape, np.uint8)
    cv2.drawContours(filled, outlines, -1, 1, -1)
    return np.asarray(filled > 0)


def camera_motion(before: Grey, now: Grey, parameters: ChangeParameters) -> Array | None:
    """The homography (3, 3) that lays one small picture on another, or None where too few features agree."""
    finder = cv2.ORB.create(nfeatures=parameters.features)
    one, these = finder.detectAndCompute(before, None)
    two, those = finder.detectAndCompute(now, None)
    if these is None or those is None or min(len(one), len(two)) < parameters.agreeing:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(these, those)
    if len(pairs) < parameters.agreeing:
        return None
    source = np.array([one[pair.queryIdx].pt for pair in pairs])
    target = np.array([two[pair.trainIdx].pt for pair in pairs])
    matrix, agreeing = cv2.findHomography(source, target, cv2.RANSAC, 2.0)
    if matrix is None or agreeing is None or int(agreeing.sum()) < max(parameters.agreeing, 0.25 * len(pairs)):
        return None
    return np.asarray(matrix, np.float64)


def warped(grey: Grey, motion: Array) -> Grey:
    """A small picture moved as the camera moved; black where nothing was seen."""
    return np.asarray(cv2.warpPerspective(grey, motion, (grey.shape[1], grey.shape[0])), np.uint8)
