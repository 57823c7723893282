"""A pinhole camera over a made table.

Table coordinates are tile widths: x and y on the table, z up. Pictures have x right and y down. The camera looks at the
table's origin from `elevation_rad` above the table's plane.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """Projection matrix (3, 4) and the camera's place (3,) in tile widths."""

    matrix: Array
    place: Array

    def project(self, points: Array) -> Array:
        """Points (n, 3) in tile widths to pixels (n, 2)."""
        seen = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        return np.asarray(seen[:, :2] / seen[:, 2:3])

    def plane(self, height: float) -> Array:
        """Homography (3, 3) from the plane z = height to pixels."""
        m = self.matrix
        return np.stack([m[:, 0], m[:, 1], m[:, 2] * height + m[:, 3]], axis=1)


def random_camera(rng: Generator, *, size_wh: tuple[int, int], tile_px: float, from_above: bool = False) -> Camera:
    """A hand-held camera: from well above or as a player sits, down to 30 degrees, any roll.

    A tile at the middle is `tile_px` wide. `from_above` leaves out how players sit.
    """
    draw = rng.random() * (0.3 if from_above else 1.0)
    if draw < 0.3:
        elevation = np.pi / 2 - abs(rng.normal(0, 0.18))
    else:  # who sits at the table looks down at 35 to 60 degrees: a third of all pictures are taken so
        elevation = rng.uniform(0.55, np.pi / 2) if draw < 0.65 else rng.uniform(0.52, 1.05)
    elevation = max(0.52, elevation)
    azimuth, roll = rng.uniform(0, 2 * np.pi), rng.normal(0, 0.1)
    width, height = size_wh
    focal = max(width, height) / 2 / np.tan(rng.uniform(0.35, 0.62))
    distance = focal / tile_px
    place = distance * np.array(
        [np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)]
    )
    forward = -place / distance
    up = np.array([-np.sin(elevation) * np.cos(azimuth), -np.sin(elevation) * np.sin(azimuth), np.cos(elevation)])
    right = np.cross(forward, up)
    right, up = np.cos(roll) * right + np.sin(roll) * up, np.cos(roll) * up - np.sin(roll) * right
    rotation = np.stack([right, -up, forward])
    centre = (width * rng.uniform(0.42, 0.58), height * rng.uniform(0.42, 0.58))
    intrinsics = np.array([[focal, 0, centre[0]], [0, focal, centre[1]], [0, 0, 1]])
    return Camera(intrinsics @ np.column_stack([rotation, -rotation @ place]), place)
