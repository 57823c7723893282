"""Shapes and the lens of a rendered scene, in plain numbers: whatever needs no Blender.

Lengths are tile widths, as everywhere on a made table. A `Shape` lists corners (n, 3), faces as tuples of corner numbers
(counter-clockwise from outside) and a part number for each face: which of its materials that face wears.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.training.camera import Array, Camera

TOP, UPPER, LOWER = 0, 1, 2
"""Parts of a tile: its face with the rim, the upper half of its walls, the lower one with the bottom."""


@dataclass(frozen=True)
class Shape:
    """Corners (n, 3), faces and their parts."""

    points: Array
    faces: tuple[tuple[int, ...], ...]
    parts: tuple[int, ...]

    def moved(self, move: Sequence[float] | Array, turn_rad: float = 0.0) -> Shape:
        """Turned about the upright axis, then shifted by (3,)."""
        c, s = np.cos(turn_rad), np.sin(turn_rad)
        turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        return Shape(self.points @ turn.T + np.asarray(move, np.float64), self.faces, self.parts)

    def tipped(self) -> Shape:
        """Laid on its side: what pointed up points along x."""
        return Shape(self.points[:, [2, 0, 1]], self.faces, self.parts)


def joined(shapes: Sequence[Shape], parts: Sequence[int] | None = None) -> Shape:
    """One shape of many; `parts` gives each of them a part number, else they keep their own."""
    points, faces, numbers, first = [], [], [], 0
    for k, shape in enumerate(shapes):
        points.append(shape.points)
        faces += [tuple(i + first for i in face) for face in shape.faces]
        numbers += list(shape.parts) if parts is None else [parts[k]] * len(shape.faces)
        first += len(shape.points)
    return Shape(np.concatenate(points), tuple(faces), tuple(numbers))


@dataclass(frozen=True)
class Lens:
    """A pinhole camera in Blender's terms.

    `pose` (4, 4) moves camera space (x right, y up, looking along -z) into the table's; `focal` is in sensor widths, the shifts
    in picture widths.
    """

    pose: Array
    focal: float
    shift_x: float
    shift_y: float

    def project(self, points: Array, size_wh: tuple[int, int]) -> Array:
        """Points (n, 3) to pixels (n, 2) as Blender would draw them; the middle of the first pixel is (0, 0)."""
        width, height = size_wh
        seen = (points - self.pose[:3, 3]) @ self.pose[:3, :3]
        flat = seen[:, :2] / -seen[:, 2:3]
        x = width / 2 + (self.focal * flat[:, 0] - self.shift_x) * width
        y = height / 2 - (self.focal * flat[:, 1] - self.shift_y) * width
        return np.column_stack([x, y]) - 0.5


def lens_of(camera: Camera, size_wh: tuple[int, int]) -> Lens:
    """Blender's camera that sees what `camera` sees.

    The matrix is K [R | -R place] with square pixels, so its last row looks ahead and the principal point and the focal length
    come out of products of its rows.
    """
    width, height = size_wh
    rows = camera.matrix[:, :3]
    rows = rows / np.linalg.norm(rows[2])
    forward = rows[2]
    centre_x, centre_y = float(rows[0] @ forward), float(rows[1] @ forward)
    right, down = rows[0] - centre_x * forward, rows[1] - centre_y * forward
    focal = float(np.linalg.norm(right))
    pose = np.eye(4)
    pose[:3, 0], pose[:3, 1], pose[:3, 2] = right / focal, -down / np.linalg.norm(down), -forward
    pose[:3, 3] = camera.place
    # Blender counts from a pixel's corner, `Camera` from its middle: half a pixel
    return Lens(pose, focal / width, 0.5 - (centre_x + 0.5) / width, (centre_y + 0.5) / width - height / width / 2)


def rounded_rectangle(length: float, width: float, corner: float, inset: float = 0.0, steps: int = 5) -> Array:
    """Outline (4 * steps, 2), counter-clockwise, of a rectangle about the origin with round corners."""
    half = np.array([length / 2, width / 2]) - inset
    radius = min(max(corner - inset, 0.004), float(half.min()) * 0.98)
    points = []
    for k, signs in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        for a in np.linspace(k * np.pi / 2, (k + 1) * np.pi / 2, steps):
            points.append(np.array(signs) * (half - radius) + radius * np.array([np.cos(a), np.sin(a)]))
    return np.array(points)


def stacked(rings: Sequence[Array], parts: Sequence[int], *, closed: bool = True) -> Shape:
    """Rings (m, 3) of equal size, from the bottom up, joined by walls; `parts[k]` is the wall's above ring k.

    Where `closed`, the bottom wears the first part and the top the last.
    """
    size = len(rings[0])
    faces: list[tuple[int, ...]] = []
    numbers: list[int] = []
    for k in range(len(rings) - 1):
        for i in range(size):
            j = (i + 1) % size
            faces.append((k * size + i, k * size + j, (k + 1) * size + j, (k + 1) * size + i))
            numbers.append(parts[k])
    if closed:
        last = (len(rings) - 1) * size
        faces += [tuple(range(size))[::-1], tuple(range(last, last + size))]
        numbers += [parts[0], parts[-1]]
    return Shape(np.concatenate(rings), tuple(faces), tuple(numbers))


def tile_shape(length: float, thickness: float, corner: float, bevel: float) -> Shape:
    """A tile lying about the origin, its end a towards -x, its bottom at 0: round upright edges, a quarter-round rim."""
    bevel = min(bevel, thickness * 0.4)
    profile = [(bevel * 0.7, 0.0), (0.0, bevel * 0.7), (0.0, thickness / 2), (0.0, thickness - bevel)]
    profile += [(bevel * (1 - np.cos(a)), thickness - bevel * (1 - np.sin(a))) for a in np.pi / 2 * np.arange(1, 5) / 4]
    rings = []
    for inset, height in profile:
        outline = rounded_rectangle(length, 1.0, corner, inset)
        rings.append(np.column_stack([outline, np.full(len(outline), height)]))
    return stacked(rings, [LOWER, LOWER, UPPER, TOP, TOP, TOP, TOP])


def face_uv(points: Array, length: float) -> Array:
    """Where points (n, 3) of a tile lie on its face's texture: (n, 2), u to the right and v up, both 0..1.

    The texture's top left is the corner that `scenes` calls the first: end a, left of who looks from end b to it.
    """
    return np.column_stack([points[:, 1] + 0.5, 0.5 - points[:, 0] / length])


def turned_profile(profile: Sequence[tuple[float, float]], sides: int = 28) -> Shape:
    """A lathe's work: (radius, height) pairs from the bottom up (and, for a hollow, down again inside), part 0."""
    angles = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    rings = [np.column_stack([circle * max(r, 1e-3), np.full(sides, h)]) for r, h in profile]
    return stacked(rings, [0] * len(rings))


def cylinder(radius: float, height: float, rim: float = 0.0, sides: int = 28) -> Shape:
    """Upright, its bottom at 0, both rims slanted by `rim`."""
    rim = min(rim, height * 0.4, radius * 0.5)
    if rim <= 0:
        return turned_profile([(radius, 0), (radius, height)], sides)
    return turned_profile([(radius - rim, 0), (radius, rim), (radius, height - rim), (radius - rim, height)], sides)


def slab(long: float, wide: float, high: float, corner: float = 0.05, rim: float = 0.03) -> Shape:
    """A box lying about the origin, its bottom at 0, with round edges; its top wears part 1, the rest part 0."""
    rim = min(rim, high * 0.4, wide * 0.2)
    rings = []
    for inset, height in ((rim, 0.0), (0.0, rim), (0.0, high - rim), (rim, high)):
        outline = rounded_rectangle(long, wide, corner, inset)
        rings.append(np.column_stack([outline, np.full(len(outline), height)]))
    shape = stacked(rings, [0, 0, 0])
    return Shape(shape.points, shape.faces, (*shape.parts[:-1], 1))


def tube(path: Array, radii: Sequence[float], sides: int = 20) -> Shape:
    """A skin around a path (n, 3) with a radius at each point, closed by round ends; part 0."""
    rings = []
    ahead = np.gradient(path, axis=0)
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    angles = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    places = [(path[0] - ahead[0] * radii[0] * 0.7, ahead[0], radii[0] * 0.5)]
    places += list(zip(path, ahead, radii, strict=True))
    places.append((path[-1] + ahead[-1] * radii[-1] * 0.7, ahead[-1], radii[-1] * 0.5))
    for point, way, radius in places:
        aside = np.cross(way, (0.0, 0.0, 1.0))
        aside = aside / max(1e-6, float(np.linalg.norm(aside)))
        over = np.cross(aside, way)
        rings.append(point + radius * (np.cos(angles)[:, None] * over + np.sin(angles)[:, None] * aside))
    return stacked(rings, [0] * len(rings))
