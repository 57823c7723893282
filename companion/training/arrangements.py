"""How tiles lie on a made table: strewn, in rows and grids, in trains, in piles.

A pose is (x, y, angle) in tile widths and radians: the tile's centre, and the direction from its end a to its end b.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Pose = tuple[float, float, float]


@dataclass
class Placed:
    """One tile of an arrangement; `ends` is None for a face-down one."""

    pose: Pose
    ends: tuple[int, int] | None
    level: int = 0


@dataclass
class Table:
    """A growing arrangement that knows which places are taken (a raster of `scale` pixels a tile width)."""

    reach: float
    length: float
    scale: float = 12.0
    placed: list[Placed] = field(default_factory=list)

    def __post_init__(self) -> None:
        side = int(2 * self.reach * self.scale)
        self._taken = np.zeros((side, side), np.uint8)

    def outline(self, pose: Pose, grow: float = 0.0) -> NDArray[np.float64]:
        """Corners of the tile on the table, (4, 2): two of end a, then two of end b, in turn."""
        x, y, angle = pose
        along = np.array([np.cos(angle), np.sin(angle)]) * (self.length / 2 + grow)
        across = np.array([-np.sin(angle), np.cos(angle)]) * (0.5 + grow)
        centre = np.array([x, y])
        return np.stack(
            [centre - along - across, centre - along + across, centre + along + across, centre + along - across]
        )

    def is_free(self, pose: Pose, grow: float = -0.06) -> bool:
        """Whether a tile fits there without lying on another."""
        points = ((self.outline(pose, grow) + self.reach) * self.scale).astype(np.int32)
        if points.min() < 1 or points.max() >= self._taken.shape[0] - 1:
            return False
        x, y = points.min(0)
        w, h = points.max(0) - (x, y) + 1
        mask = np.zeros((h, w), np.uint8)
        cv2.fillConvexPoly(mask, points - (x, y), 1)
        return not bool((self._taken[y : y + h, x : x + w] & mask).any())

    def put(self, placed: Placed) -> None:
        """Lay a tile, whatever is there."""
        points = ((self.outline(placed.pose) + self.reach) * self.scale).astype(np.int32)
        cv2.fillConvexPoly(self._taken, points, 1)
        self.placed.append(placed)

    def try_put(self, placed: Placed, grow: float = -0.06) -> bool:
        """Lay a tile where there is room."""
        if not self.is_free(placed.pose, grow):
            return False
        self.put(placed)
        return True


Deal = Callable[[], tuple[int, int] | None]
"""Gives the next tile's values, or None for a face-down one."""


def strewn(rng: Generator, table: Table, deal: Deal, count: int, area: float) -> None:
    """Tiles here and there, most at odd angles, some nearly touching."""
    grow = float(rng.choice([-0.05, 0.02, 0.15, 0.4]))
    aligned = rng.random() < 0.2
    for _ in range(count * 6):
        if count <= 0:
            return
        angle = rng.normal(0, 0.08) + rng.integers(4) * np.pi / 2 if aligned else rng.uniform(0, 2 * np.pi)
        pose = (float(rng.uniform(-area, area)), float(rng.uniform(-area, area)), float(angle))
        if table.try_put(Placed(pose, deal()), grow):
            count -= 1


def rows(rng: Generator, table: Table, deal: Deal, count: int, area: float) -> None:
    """A hand laid in rows: side by side, end to end, or spaced."""
    across = int(rng.integers(2, 9))
    gap_x, gap_y = rng.choice([0.0, 0.02, 0.05, 0.3], 2)
    tilt = rng.uniform(0, 2 * np.pi)
    upright = rng.random() < 0.75
    step_x, step_y = (1 + gap_x, table.length + gap_y) if upright else (table.length + gap_x, 1 + gap_y)
    turn = np.array([[np.cos(tilt), -np.sin(tilt)], [np.sin(tilt), np.cos(tilt)]])
    start = rng.uniform(-area / 2, area / 2, 2)
    sloppy = rng.uniform(0, 0.05)
    for k in range(count):
        offset = np.array([(k % across) * step_x, (k // across) * step_y]) + rng.normal(0, sloppy, 2)
        x, y = turn @ (offset - (across * step_x / 2, 0)) + start
        angle = tilt + (np.pi / 2 if upright else 0) + rng.integers(2) * np.pi + rng.normal(0, sloppy)
        table.try_put(Placed((float(x), float(y), float(angle)), deal()), -0.08)


def train(rng: Generator, table: Table, deal: Deal, count: int, area: float) -> None:
    """A chain outward from somewhere, with bends, curves and crosswise doubles; neighbours often match."""
    heading = rng.uniform(0, 2 * np.pi)
    at = rng.uniform(-area * 0.7, area * 0.7, 2)
    curve = rng.normal(0, 0.12) if rng.random() < 0.4 else 0.0
    gap = float(rng.choice([0.0, 0.03, 0.1, 0.3]))
    value: int | None = None
    for _ in range(count):
        dealt = deal()
        if dealt is None:
            continue
        a, b = dealt
        if value is not None and rng.random() < 0.85:
            a = value
        crosswise = rng.random() < 0.15
        if crosswise:
            b = a
        extent = 1.0 if crosswise else table.length
        for _attempt in range(6):
            ahead = np.array([np.cos(heading), np.sin(heading)])
            centre = at + ahead * extent / 2 + rng.normal(0, 0.03, 2)
            angle = heading + (np.pi / 2 if crosswise else 0) + rng.normal(0, 0.03)
            if table.try_put(Placed((float(centre[0]), float(centre[1]), float(angle)), (a, b)), -0.12):
                at = at + ahead * (extent + gap)
                value = b
                break
            bend = rng.choice([-1, 1]) * np.pi / 2
            at = at + np.array([np.cos(heading + bend), np.sin(heading + bend)]) * 0.5 - ahead * 0.5 * rng.integers(2)
            heading += bend
        else:
            return
        heading += curve + (rng.choice([-1, 1]) * np.pi / 2 if rng.random() < 0.06 else 0)


def pile(rng: Generator, table: Table, deal: Deal, count: int, area: float) -> None:
    """A heap: tiles overlap a little, later ones lie on earlier ones."""
    centre = rng.uniform(-area / 2, area / 2, 2)
    spread = 0.7 * np.sqrt(count) + 0.5
    for k in range(count):
        x, y = centre + rng.normal(0, spread, 2)
        pose = (float(x), float(y), float(rng.uniform(0, 2 * np.pi)))
        if table.is_free(pose, -0.28):
            table.put(Placed(pose, deal(), level=0 if table.is_free(pose) else 1 + k % 2))
