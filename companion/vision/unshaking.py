"""A picture taken by a hand that shook: how it moved, and the picture sharpened again.

While the shutter is open a shaking hand draws every point of the picture into the same short line. In the picture's spectrum
that leaves dark bands, as far apart as the line is short and across its direction: so length and direction can be read off,
whatever the picture shows. A Wiener filter then takes the line out of the picture, as far as its noise lets it.

Several lines explain a spectrum about as well as each other; which of them is right the readers say: with the wrong one the
pips do not come out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import scipy.fft
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Array = NDArray[np.float64]

WINDOW_PX = 128
"""Of the squares whose spectra are averaged."""
_LENGTHS_PX = np.arange(2.5, 24.1, 0.5)
_ANGLES_DEG = np.arange(0.0, 180.0, 4.0)
_APART_PX, _APART_DEG = 2.0, 12.0
"""Lines that are nearer to each other are one guess."""
_EDGE_PX = 32
"""What is added around a picture, mirrored, so that one edge does not run into the other."""


@dataclass(frozen=True, slots=True)
class Shake:
    """A line along which a picture is blurred: its length in pixels, and its direction in radians (x right, y down)."""

    length_px: float
    angle_rad: float

    def scaled(self, factor: float) -> Shake:
        """The same in a picture that is `factor` times as large, or as a line that is so much longer."""
        return Shake(self.length_px * factor, self.angle_rad)


def likely_shakes(grey: Image, most: int) -> list[Shake]:
    """The lines that explain the spectrum of a picture (H, W) best, the best first; none where it is smaller than a window.

    Lines between 2.5 and 24 px are told apart. A picture that nobody shook has likely lines, too.
    """
    if min(grey.shape) < WINDOW_PX:
        return []
    guesses, spectra, bands = _guesses()
    seen = bands.off_rings(_log_spectrum(grey))
    fits = spectra @ (seen / max(1e-9, float(np.linalg.norm(seen))))
    found: list[Shake] = []
    for k in np.argsort(-fits):
        if all(_far_apart(guesses[k], other) for other in found):
            found.append(guesses[k])
        if len(found) >= most:
            break
    return found


def unshaken(image_bgr: Image, shake: Shake, noise: float) -> Image:
    """The picture (H, W, 3) sharpened; `noise` is what the filter takes for the noise's share of the signal (0.003 to 0.03)."""
    edge = _EDGE_PX
    high, wide = image_bgr.shape[:2]
    full = (scipy.fft.next_fast_len(high + 2 * edge, real=True), scipy.fft.next_fast_len(wide + 2 * edge, real=True))
    below, beside = full[0] - high - edge, full[1] - wide - edge
    framed = cv2.copyMakeBorder(image_bgr, edge, below, edge, beside, cv2.BORDER_REFLECT_101)
    gain = _wiener(shake, full, noise)
    sharp = np.empty((high, wide, 3), np.uint8)
    for channel in range(3):
        spectrum = scipy.fft.rfft2(framed[..., channel].astype(np.float32)) * gain
        plain = scipy.fft.irfft2(spectrum, s=full, overwrite_x=True)
        sharp[..., channel] = np.clip(plain[edge : edge + high, edge : edge + wide] + 0.5, 0, 255)
    return sharp


def _wiener(shake: Shake, size: tuple[int, int], noise: float) -> NDArray[np.complex64]:
    """The filter's gain at each frequency of `rfft2`. Pictures have less signal the finer the detail, noise has not."""
    line = _line(shake)
    reach = len(line) // 2
    placed = np.zeros(size, np.float32)
    placed[: len(line), : len(line)] = line
    response = scipy.fft.rfft2(np.roll(placed, (-reach, -reach), (0, 1)))
    fy, fx = np.fft.fftfreq(size[0])[:, None], np.fft.rfftfreq(size[1])[None]
    floor = noise * ((fx**2 + fy**2) / 0.01 + 0.1)
    return np.asarray(np.conj(response) / (np.abs(response) ** 2 + floor), np.complex64)


def _line(shake: Shake) -> NDArray[np.float32]:
    """The line as a kernel (k, k), k odd, that sums to 1: many points of it, each spread over the four pixels around it."""
    reach = int(np.ceil(shake.length_px / 2)) + 1
    along = (np.arange(400) + 0.5) / 400 - 0.5
    x = reach + along * shake.length_px * np.cos(shake.angle_rad)
    y = reach + along * shake.length_px * np.sin(shake.angle_rad)
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    right, low = x - left, y - top
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1))
    for down, across, share in (
        (0, 0, (1 - low) * (1 - right)),
        (0, 1, (1 - low) * right),
        (1, 0, low * (1 - right)),
        (1, 1, low * right),
    ):
        np.add.at(kernel, (np.minimum(top + down, 2 * reach), np.minimum(left + across, 2 * reach)), share)
    return np.asarray(kernel / kernel.sum(), np.float32)


@dataclass(frozen=True, slots=True)
class _Bands:
    """The frequencies of a window that are looked at.

    One half plane (the other mirrors it), neither the coarsest nor the finest, and not the axes, on which the picture's own frame
    and the blocks of JPEG lie.
    """

    used: NDArray[np.bool_]
    fx: Array
    fy: Array
    ring: NDArray[np.int64]

    def off_rings(self, values: Array) -> Array:
        """Values without the mean of their ring and of all: how sharp the picture is in every direction does not count."""
        count = np.maximum(1, np.bincount(self.ring))
        off = values - (np.bincount(self.ring, values) / count)[self.ring]
        return np.asarray(off - off.mean())


@cache
def _bands() -> _Bands:
    steps = (np.arange(WINDOW_PX) - WINDOW_PX // 2) / WINDOW_PX
    fy, fx = np.meshgrid(steps, steps, indexing="ij")
    radius = np.hypot(fx, fy)
    used = (radius > 0.03) & (radius < 0.42) & (fx > 1.5 / WINDOW_PX) & (np.abs(fy) > 1.5 / WINDOW_PX)
    return _Bands(used, fx[used], fy[used], (radius * WINDOW_PX).astype(np.int64)[used])


@cache
def _guesses() -> tuple[list[Shake], NDArray[np.float32], _Bands]:
    """All lines that are told apart, and what each does to a spectrum: (n, frequencies), of length 1."""
    bands = _bands()
    guesses = [Shake(float(length), float(np.deg2rad(angle))) for length in _LENGTHS_PX for angle in _ANGLES_DEG]
    rows = []
    for guess in guesses:
        along = np.cos(guess.angle_rad) * bands.fx + np.sin(guess.angle_rad) * bands.fy
        row = bands.off_rings(np.log(np.sinc(guess.length_px * along) ** 2 + 0.03))  # noise fills the bands a little
        rows.append(row / np.linalg.norm(row))
    return guesses, np.array(rows, np.float32), bands  # some nine million numbers, kept


def _log_spectrum(grey: Image) -> Array:
    """Logs of the mean power of the windows that show most, at the frequencies that are looked at."""
    fall_off = np.outer(np.hanning(WINDOW_PX), np.hanning(WINDOW_PX)).astype(np.float32)
    size = (WINDOW_PX, WINDOW_PX)
    step = WINDOW_PX // 2
    views = np.lib.stride_tricks.sliding_window_view(grey, size)[::step, ::step].reshape(-1, *size).astype(np.float32)
    views = (views - views.mean((1, 2), keepdims=True)) * fall_off
    shown = views.var((1, 2))
    total = np.zeros((WINDOW_PX, WINDOW_PX // 2 + 1))
    for view in views[shown >= np.median(shown)]:
        power = np.abs(scipy.fft.rfft2(view)) ** 2
        total += power / max(1e-9, float(power.mean()))
    whole = np.zeros((WINDOW_PX, WINDOW_PX))
    whole[:, WINDOW_PX // 2 :] = np.fft.fftshift(total, axes=0)[:, : WINDOW_PX // 2]
    return np.log(whole[_bands().used] + 1e-9)


def _far_apart(a: Shake, b: Shake) -> bool:
    turned = abs(np.rad2deg(a.angle_rad - b.angle_rad))
    return abs(a.length_px - b.length_px) >= _APART_PX or min(turned, 180 - turned) >= _APART_DEG
