"""Rounds drawn in the plane: legal trains from random plays, laid with bends, curves and gaps, then seen by a camera.

Lengths in tile widths (a tile is 1 x 2); the plane is complex, x + iy with y downwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from companion.sightings import HIGHEST_PIPS, Detection, PipReading
from companion.table.seen import SeenTable

APART = 0.3
"""Tiles of different trains come as near as this."""


@dataclass
class DrawnTile:
    """`ends[0]` lies on the side of `heading` from `centre`."""

    ends: tuple[int, int]
    centre: complex
    heading: complex

    def corners(self) -> np.ndarray:
        side = 1j * self.heading
        return np.array(
            [self.centre + self.heading * u + side * v * 0.5 for u, v in ((1, -1), (1, 1), (-1, 1), (-1, -1))]
        )


@dataclass
class DrawnRound:
    highest: int
    tiles: list[DrawnTile] = field(default_factory=list)
    trains: list[list[int]] = field(default_factory=list)
    open_ends: list[int] = field(default_factory=list)
    mexican: list[bool] = field(default_factory=list)
    engine: int = 0


@dataclass
class _Tip:
    place: complex
    way: complex
    value: int
    last: int | None


def _boxes_apart(one: np.ndarray, two: np.ndarray, least: float) -> bool:
    """Whether two rectangles (4 corners) are at least this far apart along one of their axes."""
    for corners in (one, two):
        for k in (0, 1):
            axis = corners[k + 1] - corners[k]
            axis /= abs(axis)
            a, b = (one * axis.conjugate()).real, (two * axis.conjugate()).real
            if a.min() > b.max() + least or b.min() > a.max() + least:
                return True
    return False


def _fits(drawn: DrawnRound, tile: DrawnTile, near: int | None) -> bool:
    corners = tile.corners()
    return all(
        _boxes_apart(corners, other.corners(), -0.02 if k == near else APART)
        for k, other in enumerate(drawn.tiles)
        if abs(other.centre - tile.centre) < 3.5
    )


def _choices(
    drawn: DrawnRound, tip: _Tip, ends: tuple[int, int], rng: np.random.Generator
) -> list[tuple[DrawnTile, _Tip]]:
    """Ways to lay a tile at a tip, in random order of preference."""
    inner, outer = ends if ends[0] == tip.value else ends[::-1]
    gap = float(rng.uniform(0, 0.3) if rng.random() < 0.95 else rng.uniform(0.3, 0.6))
    ways = []
    if inner == outer:
        turn = 1j * np.exp(1j * np.radians(rng.normal(0, 3)))
        centre = tip.place + tip.way * (gap + 0.5) + tip.way * 1j * rng.uniform(-0.08, 0.08)
        crosswise = (
            DrawnTile((inner, outer), centre, tip.way * turn),
            _Tip(centre + tip.way * 0.5, tip.way, outer, None),
        )
        if rng.random() < 0.85:
            return [crosswise]
    bend = np.radians(rng.normal(0, 2.5) if rng.random() < 0.75 else rng.uniform(-18, 18))
    way = tip.way * np.exp(1j * bend)
    start = tip.place + tip.way * (gap + 0.5 * abs(np.sin(bend)))
    straight = (DrawnTile((inner, outer), start + way, -way), _Tip(start + 2 * way, way, outer, None))
    if tip.last is not None and drawn.tiles[tip.last].ends == (inner, inner):
        return [straight]  # nobody bends right behind a double
    for side in rng.permutation([1j, -1j]):
        across = tip.way * side * np.exp(1j * np.radians(rng.normal(0, 2.5)))
        first = tip.place + tip.way * (gap + 0.5)
        ways.append(
            (DrawnTile((inner, outer), first + across * 0.5, -across), _Tip(first + across * 1.5, across, outer, None))
        )
        if tip.last is not None and tip.last != drawn.engine:
            begin = tip.place - tip.way * 0.5 + across * (0.5 + gap)
            ways.append(
                (DrawnTile((inner, outer), begin + across, -across), _Tip(begin + 2 * across, across, outer, None))
            )
    if rng.random() < 0.82:
        return [straight, *ways]
    return [*ways, straight]


def _lay(drawn: DrawnRound, tip: _Tip, bag: list[tuple[int, int]], rng: np.random.Generator) -> _Tip | None:
    """Lay one matching tile at a tip; None when none fits or there is no room."""
    fitting = [k for k, ends in enumerate(bag) if tip.value in ends]
    if not fitting:
        return None
    pick = int(rng.choice(fitting))
    for tile, then in _choices(drawn, tip, bag[pick], rng):
        if abs(tile.centre) < 26 and _fits(drawn, tile, tip.last):
            turned = DrawnTile(tile.ends[::-1], tile.centre, -tile.heading)
            drawn.tiles.append(turned if rng.random() < 0.5 else tile)  # which half a reader calls a is chance
            bag.pop(pick)
            return _Tip(then.place, then.way, then.value, len(drawn.tiles) - 1)
    return None


def draw_round(rng: np.random.Generator, *, most: int = 45) -> DrawnRound:
    """A legal round: an engine with or without a station, trains of players, often a Mexican train."""
    highest = int(rng.choice([9, 12, 12, 12, 15, 18]))
    drawn = DrawnRound(highest)
    value = highest if rng.random() < 0.6 else int(rng.integers(highest + 1))
    bag = [(a, b) for a in range(highest + 1) for b in range(a + 1) if (a, b) != (value, value)]
    heading = np.exp(1j * rng.uniform(0, 2 * np.pi))
    drawn.tiles.append(DrawnTile((value, value), 0j, heading))
    if rng.random() < 0.2:
        starts = [(side, 0.5 + rng.uniform(0, 0.2)) for side in (heading * 1j, -heading * 1j)]
        starts += [(side, 1.0 + rng.uniform(0, 0.2)) for side in (heading, -heading)][: int(rng.integers(1, 3))]
    else:
        slots = int(rng.integers(4, 9))
        radius = max(1.35, 0.28 * slots)
        turn = rng.uniform(0, 2 * np.pi)
        used = rng.permutation(slots)[: int(rng.integers(3, slots + 1))]
        starts = [(np.exp(1j * (turn + 2 * np.pi * k / slots)), radius + rng.normal(0, 0.06)) for k in used]
    tips = [_Tip(way * far, way * np.exp(1j * np.radians(rng.normal(0, 2))), value, 0) for way, far in starts]
    mexican = [False] * len(tips)
    if rng.random() < 0.6:
        way, place = np.exp(1j * rng.uniform(0, 2 * np.pi, 2))
        tips.append(_Tip(place * rng.uniform(6, 9), way, value, None))
        mexican.append(True)
    trains: list[list[int]] = [[] for _ in tips]
    for _ in range(int(rng.integers(len(tips), most))):
        k = int(rng.integers(len(tips)))
        then = _lay(drawn, tips[k], bag, rng)
        if then is not None:
            tips[k] = then
            trains[k].append(len(drawn.tiles) - 1)
    for k, train in enumerate(trains):
        if train and not (mexican[k] and len(train) < 2):  # one tile alone may as well be loose
            drawn.trains.append(train)
            drawn.open_ends.append(tips[k].value)
            drawn.mexican.append(mexican[k])
    return drawn


def camera(rng: np.random.Generator, *, tilt_most: float = 45.0) -> np.ndarray:
    """A homography (3 x 3) from the plane to pixels: a phone over the table, from above or from the side."""
    tilt, roll, yaw = np.radians(rng.uniform(0, tilt_most)), rng.uniform(0, 2 * np.pi), rng.uniform(0, 2 * np.pi)
    focal, distance = 1400.0, rng.uniform(45, 80)

    def turn(angle: float) -> np.ndarray:
        return np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])

    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    pose = turn(roll) @ lean @ turn(yaw)
    outer = np.column_stack([pose[:, 0], pose[:, 1], [0, 0, distance]])
    return np.diag([focal, focal, 1.0]) @ outer + np.outer([800, 600, 0], outer[2])


def sure(value: int, clear: float = 0.98) -> PipReading:
    share = np.full(HIGHEST_PIPS + 1, (1 - clear) / HIGHEST_PIPS)
    share[value] = clear
    return PipReading(tuple(share.tolist()))


def look(
    drawn: DrawnRound,
    rng: np.random.Generator,
    *,
    noise: float = 0.0,
    lost: float = 0.0,
    view: np.ndarray | None = None,
) -> tuple[SeenTable, list[int]]:
    """The round through a camera; which drawn tile each detection is. Noise in widths of the tile as seen."""
    matrix = camera(rng) if view is None else view
    seen, which = [], []
    for index in rng.permutation(len(drawn.tiles)):
        if index != drawn.engine and rng.random() < lost:
            continue
        tile = drawn.tiles[index]
        corners = tile.corners()
        lifted = np.column_stack([corners.real, corners.imag, np.ones(4)]) @ matrix.T
        quad = lifted[:, :2] / lifted[:, 2:]
        width = (np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[3] - quad[2])) / 2
        quad = quad + rng.uniform(-noise, noise, (4, 2)) * width
        points = tuple((float(x), float(y)) for x, y in quad)
        seen.append(Detection(points, (sure(tile.ends[0]), sure(tile.ends[1])), 0.97))  # type: ignore[arg-type]
        which.append(int(index))
    return SeenTable(tuple(seen)), which
