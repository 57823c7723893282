"""What a rendered scene's truth and picture are made of, in plain arrays: quads, points on faces, heights of pips, exposure."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.training.arrangements import Placed
from companion.training.camera import Array, Camera
from companion.training.faces import SetStyle
from companion.training.surfaces import Floats
from companion.vision.rectify import signed_area


def _top_point(placed: Placed, style: SetStyle, along: float | Array, across: float | Array) -> Array:
    """Points of a tile's top, (n, 3), from places along and across it in tile widths about its middle."""
    x, y, angle = placed.pose
    along, across = np.broadcast_arrays(np.atleast_1d(along), np.atleast_1d(across))
    height = (placed.level + 1) * style.thickness
    return np.column_stack(
        [
            x + along * np.cos(angle) - across * np.sin(angle),
            y + along * np.sin(angle) + across * np.cos(angle),
            np.full(along.shape, height),
        ]
    )


def top_quad(camera: Camera, placed: Placed, style: SetStyle) -> Array:
    """A tile's quad, (4, 2) pixels clockwise from end a: the corners of its top as if they were sharp."""
    half = style.length / 2
    corners = _top_point(placed, style, np.array([-half, -half, half, half]), np.array([-0.5, 0.5, 0.5, -0.5]))
    quad = camera.project(corners)
    return quad if signed_area(quad) > 0 else quad[[1, 0, 3, 2]]


def top_grid(placed: Placed, style: SetStyle, count: tuple[int, int] = (18, 9)) -> Array:
    """Points all over a tile's top, (18 * 9, 3), a little inside its round rim."""
    u, v = ((np.arange(n) + 0.5) / n - 0.5 for n in count)
    along, across = np.meshgrid(u * style.length * 0.96, v * 0.92, indexing="ij")
    return _top_point(placed, style, along.ravel(), across.ravel())


def visible_share(points_px: Array, seen: NDArray[np.bool_], size_wh: tuple[int, int]) -> float:
    """Share of points (n, 2) that are seen and lie in the picture."""
    inside = ((points_px > -0.5) & (points_px < np.array(size_wh) - 0.5)).all(axis=1)
    return float((inside & seen).mean())


def pip_heights(style: SetStyle, ends: tuple[int, int] | None, centres: Array, unit_px: int) -> Floats:
    """How high a face is, float32 (height, unit): 1 its surface, 0 the bottom of a pip's round cup."""
    height = round(unit_px * style.length)
    rise = np.ones((height, unit_px), np.float32)
    if ends is None:
        return rise
    for half, value in enumerate(ends):
        own = centres[: ends[0]] if half == 0 else centres[ends[0] :]
        if not len(own):
            continue
        gaps = np.linalg.norm(own[:, None] - own[None], axis=2) + 9 * np.eye(len(own))
        # the radius with which `draw_face` paints them
        radius = min(style.pip_radius * (1.15 if value < 10 else 1.0), 0.42 * min(1.0, float(gaps.min()))) * unit_px
        for x, y in own * unit_px:
            rows = slice(max(0, int(y - radius) - 1), int(y + radius) + 2)
            columns = slice(max(0, int(x - radius) - 1), int(x + radius) + 2)
            part = rise[rows, columns]
            yy, xx = np.mgrid[0 : part.shape[0], 0 : part.shape[1]]
            far = np.hypot(xx + columns.start + 0.5 - x, yy + rows.start + 0.5 - y) / max(radius, 1.0)
            np.minimum(part, np.clip(far * far, 0, 1).astype(np.float32), out=part)
    return rise


def expose(rng: Generator, light: Floats) -> Floats:
    """A phone's picture of linear light, BGR float32 (h, w, 3): white balance, exposure, a soft shoulder; 0..255 out."""
    light = np.maximum(np.nan_to_num(light), 0)
    # most of a lamp's colour is taken out, as phones do
    small = np.minimum(light[::4, ::4].reshape(-1, 3), np.percentile(light, 98))
    grey = small.mean(0) + 1e-6
    light = light * ((grey.mean() / grey) ** rng.uniform(0.35, 0.85)).astype(np.float32)
    bright = light[::4, ::4] @ np.array([0.07, 0.72, 0.21], np.float32)
    mean = float(np.minimum(bright, np.percentile(bright, 97)).mean()) + 1e-6
    high = float(np.percentile(bright, 97.5)) + 1e-6
    # the mean to middle grey, but not so that white tiles burn out, which happens to one picture in ten
    most = float(rng.uniform(1.0, 1.6) if rng.random() < 0.1 else rng.uniform(0.45, 1.0))
    # (nor may a white bowl put everything else in the dark)
    gain = max(min(float(rng.uniform(0.17, 0.38)) / mean, most / high), 0.07 / mean)
    light = light * np.float32(gain)
    knee = float(rng.uniform(0.55, 0.9))
    over = np.maximum(light - knee, 0) / (1 - knee)
    light = np.minimum(light, knee) + (1 - knee) * np.tanh(over).astype(np.float32)
    curve = np.where(light <= 0.0031308, light * 12.92, 1.055 * np.maximum(light, 1e-6) ** (1 / 2.4) - 0.055)
    return np.asarray(curve * 255, np.float32)
