"""How a round of Mexican Train lies on a table: an engine, trains outward, a boneyard, hands, a grid.

Tiles are dealt from one set, so that none lies there twice, and never overlap. Lengths are tile widths.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.training.arrangements import Placed, Pose, Table
from companion.training.faces import SetStyle

Array = NDArray[np.float64]
Ends = tuple[int, int]


@dataclass
class Round:
    """What `rounds_table` laid, beyond the tiles: where trains end, and the hub under the engine."""

    table: Table
    engine: int | None = None
    """Index of the engine in `table.placed`; None where no round is being played."""
    trains: list[list[int]] = field(default_factory=list)
    """Indices of each train's tiles, outward; each tile's first end lies inward."""
    tail_poses: list[Pose] = field(default_factory=list)
    """The last tile of each train, with the way that the train goes on as the angle."""
    engine_pose: Pose = (0.0, 0.0, 0.0)
    hub_radius: float = 0.0
    """0 without a hub."""
    slot_angles: tuple[float, ...] = ()


@dataclass
class _Box:
    """The tiles of a set that do not lie on the table yet."""

    tiles: list[Ends]

    def take(self, rng: Generator, value: int | None = None, *, double: bool | None = None) -> Ends | None:
        """A tile with that value as its first end (any tile without one), or None where none is left."""
        fits = [t for t in self.tiles if (value is None or value in t) and (double is None or (t[0] == t[1]) is double)]
        if not fits:
            return None
        a, b = fits[int(rng.integers(len(fits)))]
        self.tiles.remove((a, b))
        if value is None:
            return (a, b) if rng.random() < 0.5 else (b, a)
        return (a, b) if a == value else (b, a)

    def back(self, ends: Ends) -> None:
        self.tiles.append((min(ends), max(ends)))


def apart(one: Array, other: Array, gap: float = 0.0) -> bool:
    """Whether two convex quads (4, 2) lie more than `gap` from each other along a side of either (separating axes)."""
    for a, b in ((one, other), (other, one)):
        sides = np.roll(a, -1, axis=0) - a
        out = np.column_stack([sides[:, 1], -sides[:, 0]]) / np.linalg.norm(sides, axis=1, keepdims=True)
        own, others = a @ out.T, b @ out.T
        if (others.min(0) > own.max(0) + gap).any() or (others.max(0) < own.min(0) - gap).any():
            return True
    return False


def has_room(table: Table, pose: Pose, gap: float = 0.0) -> bool:
    """Whether a tile fits there at least `gap` from all others, exactly (the table's own raster allows a small overlap)."""
    outline = table.outline(pose)
    if np.abs(outline).max() > table.reach - 0.5:
        return False
    far = table.length + 1 + gap
    return all(
        abs(p.pose[0] - pose[0]) > far or abs(p.pose[1] - pose[1]) > far or apart(outline, table.outline(p.pose), gap)
        for p in table.placed
    )


def is_clear(table: Table, at: Array, radius: float) -> bool:
    """Whether a disc lies beside all tiles."""
    for placed in table.placed:
        x, y, angle = placed.pose
        dx, dy = at[0] - x, at[1] - y
        u = abs(dx * np.cos(angle) + dy * np.sin(angle)) - table.length / 2
        v = abs(dy * np.cos(angle) - dx * np.sin(angle)) - 0.5
        if np.hypot(max(u, 0.0), max(v, 0.0)) < radius:
            return False
    return True


@dataclass
class _Train:
    """A train as it grows: the middle of its open edge, its heading, its open value, how it is laid."""

    at: Array
    heading: float
    value: int
    curve: float
    gap: float
    sloppy: float
    turn_again: int = 0
    """The side to which the next bend must go: the second half of a U-turn."""


def _way(angle: float) -> Array:
    return np.array([np.cos(angle), np.sin(angle)])


def _lay(rng: Generator, table: Table, train: _Train, ends: Ends, bend: int) -> Pose | None:
    """Lay a train's next tile, after a bend of 90 degrees to the left (1) or right (-1); None where it finds no room."""
    crosswise = ends[0] == ends[1] and bend == 0 and rng.random() < 0.88
    old, heading = _way(train.heading), train.heading + bend * np.pi / 2
    ahead = _way(heading)
    start = train.at
    if bend:  # the new tile's first half lies past the open edge, or (a corner outward) beside it
        start = start + old * (0.5 + train.gap) - ahead * (0.5 if rng.random() < 0.7 else -0.0)
    extent = 1.0 if crosswise else table.length
    for tries in range(5):
        gap = train.gap * (0 if bend else 1) + 0.03 * tries
        centre = start + ahead * (extent / 2 + gap) + _way(heading + np.pi / 2) * rng.normal(0, train.sloppy)
        angle = heading + (np.pi / 2 * rng.choice([-1, 1]) if crosswise else 0) + rng.normal(0, train.sloppy)
        pose = (float(centre[0]), float(centre[1]), float(angle))
        if has_room(table, pose, 0.01):
            table.put(Placed(pose, ends))
            train.at = centre + ahead * extent / 2
            train.heading, train.value = heading + train.curve, ends[1]
            return float(centre[0]), float(centre[1]), heading
    return None


def _grow(rng: Generator, table: Table, train: _Train, box: _Box, count: int, reach: float) -> Pose | None:
    """Lay up to `count` tiles of one train; gives the last one's place with the train's heading."""
    bendy = float(rng.choice([0.0, 0.06, 0.2], p=[0.4, 0.35, 0.25]))
    tail: Pose | None = None
    for _ in range(count):
        odd = rng.random() < 0.04  # a tile that does not fit, as beginners lay them
        ends = box.take(rng, None if odd else train.value)
        if ends is None:
            break
        leaving = float(np.linalg.norm(train.at + _way(train.heading) * table.length)) > reach
        bend = train.turn_again
        train.turn_again = 0
        if tail is not None and not bend and (leaving or rng.random() < bendy):
            bend = int(rng.choice([-1, 1]))
            if leaving or rng.random() < 0.5:
                train.turn_again = bend
        pose = _lay(rng, table, train, ends, bend) or _lay(rng, table, train, ends, -bend if bend else 0)
        if pose is None:
            side = int(rng.choice([-1, 1]))
            pose = _lay(rng, table, train, ends, side) or _lay(rng, table, train, ends, -side)
        if pose is None:
            box.back(ends)
            break
        tail = pose
    return tail


def _trains(rng: Generator, laid: Round, box: _Box, middle: Array, reach: float, count: int) -> None:
    """An engine at `middle` with 2 to 8 trains around it, about `count` tiles in all."""
    table = laid.table
    engine = box.take(rng, double=True) or (0, 0)
    base = float(rng.uniform(0, 2 * np.pi))
    for _ in range(20):  # hands lie there already
        if has_room(table, (float(middle[0]), float(middle[1]), base), 0.1):
            break
        middle = middle + rng.normal(0, 1.0, 2)
    else:
        box.back(engine)
        return
    laid.engine_pose = (float(middle[0]), float(middle[1]), base)
    laid.engine = len(table.placed)
    table.put(Placed(laid.engine_pose, engine))
    most = int(np.clip(reach / 1.6, 3, 8))
    trains = int(rng.integers(2, most + 1))
    slots = max(trains, int(rng.integers(4, 9)))
    start = max(table.length / 2 + 0.1, slots * 1.35 / (2 * np.pi))
    if rng.random() < 0.6:
        laid.hub_radius = start - float(rng.uniform(0.02, 0.15)) + float(rng.choice([0.0, 0.3, 0.8], p=[0.6, 0.2, 0.2]))
        laid.slot_angles = tuple(base + 2 * np.pi * k / slots for k in range(slots))
    else:
        start += float(rng.choice([0.05, 0.6]))
    sloppy = float(rng.choice([0.006, 0.02, 0.045]))
    curved = rng.random() < 0.3
    share = max(1, count // trains)
    for k in rng.permutation(slots)[:trains]:
        heading = base + 2 * np.pi * float(k) / slots + rng.normal(0, sloppy)
        gap = float(rng.choice([0.012, 0.03, 0.08, 0.25], p=[0.4, 0.35, 0.18, 0.07]))
        curve = float(rng.normal(0, 0.1)) if curved else 0.0
        train = _Train(middle + _way(heading) * start, float(heading), engine[0], curve, gap, sloppy)
        first = len(table.placed)
        tail = _grow(rng, table, train, box, int(rng.integers(1, 2 * share + 1)), reach)
        if tail is not None:
            laid.trains.append(list(range(first, len(table.placed))))
            laid.tail_poses.append(tail)


def _boneyard(rng: Generator, table: Table, at: Array, count: int) -> None:
    """Face-down tiles: strewn, or in rows."""
    if rng.random() < 0.55:
        spread = np.sqrt(count) * float(rng.uniform(0.8, 1.3)) + 0.5
        gap = float(rng.choice([0.0, 0.05, 0.3]))
        for _ in range(count * 5):
            x, y = at + rng.normal(0, spread * 0.6, 2)
            pose = (float(x), float(y), float(rng.uniform(0, 2 * np.pi)))
            if count > 0 and has_room(table, pose, gap):
                table.put(Placed(pose, None))
                count -= 1
        return
    lay_rows(rng, table, [None] * count, at, float(rng.uniform(0, 2 * np.pi)), int(rng.integers(3, 9)))


def lay_rows(
    rng: Generator, table: Table, tiles: list[Ends | None], at: Array, angle_rad: float, across: int, *, level: int = 0
) -> None:
    """Tiles side by side in rows of `across`, about `at`; the rows run along `angle_rad`. What finds no room is left out."""
    sloppy = float(rng.choice([0.0, 0.01, 0.035]))
    # what is laid carelessly is not laid close, else tiles would run into each other
    least = 0.015 + 2.5 * sloppy
    gap_x, gap_y = (least + float(g) for g in rng.choice([0.0, 0.03, 0.1, 0.3], 2, p=[0.4, 0.3, 0.2, 0.1]))
    upright = rng.random() < 0.8
    step_x, step_y = (1 + gap_x, table.length + gap_y) if upright else (table.length + gap_x, 1 + gap_y)
    rows = -(-len(tiles) // across)
    along, aside = _way(angle_rad), _way(angle_rad + np.pi / 2)
    for k, ends in enumerate(tiles):
        x, y = (k % across - (min(across, len(tiles)) - 1) / 2) * step_x, (k // across - (rows - 1) / 2) * step_y
        centre = at + along * x + aside * y + np.clip(rng.normal(0, sloppy, 2), -0.06, 0.06)
        turn = angle_rad + (np.pi / 2 if upright else 0) + np.pi * rng.integers(2) + rng.normal(0, sloppy * 0.6)
        pose = (float(centre[0]), float(centre[1]), float(turn))
        if has_room(table, pose, 0.005):
            table.put(Placed(pose, ends, level))


def rounds_table(
    rng: Generator,
    table: Table,
    style: SetStyle,
    *,
    reach: float,
    count: int,
    edges: tuple[tuple[float, float, float], ...] = (),
) -> Round:
    """Lay a round: about `count` tiles, most within `reach` of the table's origin.

    `edges` are places before players, (x, y, direction of the table's edge there in radians), where hands may lie.
    """
    laid = Round(table)
    box = _Box([(a, b) for a in range(style.highest + 1) for b in range(a, style.highest + 1)])
    kind = str(rng.choice(["round", "part", "grid", "hands"], p=[0.64, 0.22, 0.1, 0.04]))
    for x, y, edge in edges[: int(rng.choice([0, 1, 2], p=[0.4, 0.45, 0.15])) if kind != "hands" else 2]:
        hand = [box.take(rng) for _ in range(int(rng.integers(3, 16)))]
        tiles: list[Ends | None] = [t for t in hand if t is not None]
        lay_rows(rng, table, tiles, np.array([x, y]), edge, max(3, -(-len(tiles) // int(rng.integers(1, 3)))))
    if kind in ("round", "part"):
        off = reach * (rng.uniform(0.5, 1.0) if kind == "part" else rng.uniform(0, 0.25))
        middle = off * _way(float(rng.uniform(0, 2 * np.pi)))
        _trains(rng, laid, box, middle, reach * (1.3 if kind == "part" else 1.0), max(3, count - len(table.placed)))
    elif kind == "grid":
        many = int(np.clip(count * 0.7, 4, 60))
        grid = [None if rng.random() < 0.06 else box.take(rng) for _ in range(many)]
        lay_rows(rng, table, grid, rng.uniform(-0.2, 0.2, 2) * reach, float(rng.uniform(0, 6.3)), int(many**0.5 * 1.4))
    if rng.random() < 0.5:
        at = rng.uniform(0.45, 0.95) * reach * _way(float(rng.uniform(0, 2 * np.pi)))
        _boneyard(rng, table, at, int(rng.integers(4, 31)))
    while len(table.placed) < 8:  # few scenes: some tiles here and there
        x, y = rng.uniform(-0.9, 0.9, 2) * reach
        pose = (float(x), float(y), float(rng.uniform(0, 2 * np.pi)))
        if has_room(table, pose, 0.05):
            table.put(Placed(pose, box.take(rng)))
    return laid
