"""What a rendered scene shows, drawn from its seed before Blender hears of it: picture, set, tiles, things, light, finish."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from companion.training.arrangements import Pose, Table
from companion.training.camera import Array, Camera, random_camera
from companion.training.faces import SetStyle, random_style
from companion.training.surfaces import random_colour
from companion.training.table_plans import Round, is_clear, rounds_table

SIZES = ((960, 720), (960, 720), (720, 960), (1024, 768), (880, 660), (800, 800), (960, 540), (560, 960))
LAMPS = ("window", "room", "pendant", "spots", "sun", "flash")
TOPS = ("wood", "stone", "felt", "cloth", "oilcloth", "gloss", "plain", "printed")


@dataclass(frozen=True)
class Finish:
    """How a set's tiles were made: roughness and clear coat 0..1, depth of pips (0: printed) and width of the rim in widths."""

    roughness: float
    coat: float
    pip_depth: float
    bevel: float


@dataclass(frozen=True)
class Thing:
    """Something on the table: `kind` of `blender_things.MAKERS`, its pose, the height it stands at, its rough radius."""

    kind: str
    pose: Pose
    height: float
    radius: float
    train: int | None = None
    """Whose marker it is: an index of the round's trains."""


@dataclass(frozen=True)
class RoundPlan:
    """One scene to be rendered; `lamp` of `LAMPS`, `top` of `TOPS`, `glare_at` is what a lamp is mirrored on, if any."""

    size_wh: tuple[int, int]
    tile_px: float
    style: SetStyle
    finish: Finish
    camera: Camera
    round: Round
    things: tuple[Thing, ...]
    standing: tuple[Pose, ...]
    lamp: str
    glare_at: Array | None
    top: str
    table_radius: float
    """Where the table ends; 0: beyond the picture."""
    round_table: bool
    arm: tuple[Array, Array] | None
    """From elbow to fingertips over the table, (3,) each."""


def on_table(camera: Camera, pixels: Array, height: float = 0.0) -> Array:
    """Points (n, 2) at a height above the table that pixels (n, 2) show."""
    seen = np.column_stack([pixels, np.ones(len(pixels))]) @ np.linalg.inv(camera.plane(height)).T
    return np.asarray(seen[:, :2] / seen[:, 2:3])


def rendered_style(rng: Generator) -> SetStyle:
    """A random set as scenes of rounds show it: shades that light makes are left to the light."""
    style = random_style(rng, highest=int(rng.choice([9, 12, 15, 18], p=[0.25, 0.45, 0.18, 0.12])))
    ground = style.ground_bgr
    if ground.mean() > 150 and rng.random() < 0.12:  # pastel bodies
        pastel = random_colour(rng, saturation=(20, 85), value=(190, 250))
        if all(float(np.abs(ink - pastel).max()) > 60 for ink in style.ink_bgr):
            side = pastel * np.float32(rng.uniform(0.8, 1.0))
            style = replace(style, ground_bgr=pastel, side_bgr=side, base_bgr=side)
    return replace(
        style,
        thickness=float(rng.uniform(0.25, 0.45)),
        pip_look="ring" if rng.random() < 0.06 else "flat",
        bar="line" if style.bar == "groove" else style.bar,
        edge_shade=float(rng.uniform(0, 0.06)),
        corner=min(style.corner, 0.16),
    )


def _camera(rng: Generator, size_wh: tuple[int, int], tile_px: float) -> Camera:
    """The project's camera, most often within 45 degrees of straight above."""
    from_above = bool(rng.random() < 0.45)
    while True:
        camera = random_camera(rng, size_wh=size_wh, tile_px=tile_px, from_above=from_above)
        if camera.place[2] > np.sin(np.pi / 4) * np.linalg.norm(camera.place) or rng.random() < 0.12:
            return camera


def _edges(rng: Generator, camera: Camera, size_wh: tuple[int, int]) -> tuple[tuple[float, float, float], ...]:
    """Places near two borders of the picture, the nearest one first, with the border's direction on the table."""
    width, height = size_wh
    found = []
    inset = float(rng.uniform(0.08, 0.2))
    others = [((0.5, inset), (1, 0)), ((inset, 0.5), (0, 1)), ((1 - inset, 0.5), (0, 1))]
    for (x, y), (dx, dy) in [((0.5, 1 - inset), (1, 0)), others[int(rng.integers(3))]]:
        middle = np.array([x * width, y * height]) + rng.normal(0, 0.08) * np.array([dx * width, dy * height])
        a, b = on_table(camera, np.stack([middle, middle + 20 * np.array([dx, dy])]))
        found.append((float(a[0]), float(a[1]), float(np.arctan2(*(b - a)[::-1]) + rng.normal(0, 0.05))))
    return tuple(found)


MARKER_KINDS = {"train": 0.5, "coin": 0.2, "chip": 0.2, "pawn": 0.1}
FAMILY_KINDS = {"train": 0.24, "coin": 0.16, "chip": 0.16, "pawn": 0.1, "sweet": 0.12, "cube": 0.12, "cone": 0.1}
"""Kinds of markers and how often they are used; families use what they have."""
RADII = {"train": (0.45, 0.95), "pawn": (0.35, 0.35), "sweet": (0.22, 0.5), "cube": (0.2, 0.45), "cone": (0.25, 0.5)}


def _markers(rng: Generator, laid: Round, style: SetStyle, *, many: bool) -> list[Thing]:
    """A figure, a coin or a chip on or beside the last tile of some trains; of most, and not all alike, where there are `many`."""
    kinds = FAMILY_KINDS if many else MARKER_KINDS
    if not many and rng.random() < 0.3:
        return []
    kind = str(rng.choice(list(kinds), p=list(kinds.values())))
    alike = not many or rng.random() < 0.4
    found = []
    for k, (x, y, heading) in enumerate(laid.tail_poses):
        if rng.random() < (0.25 if many else 0.4):
            continue
        if not alike:
            kind = str(rng.choice(list(kinds), p=list(kinds.values())))
        least, most = RADII.get(kind, (0.3, 0.62))
        radius = float(rng.uniform(least, most)) if most > least else least
        at, height = np.array([x, y]), style.thickness
        if rng.random() < 0.5:
            side = heading + float(rng.choice([0.0, np.pi / 2, -np.pi / 2]))
            beside = at + (0.6 + style.length / 2 * abs(np.cos(side - heading)) + radius) * np.array(
                [np.cos(side), np.sin(side)]
            )
            if not is_clear(laid.table, beside, radius * 0.8):
                continue
            at, height = beside, 0.0
        else:
            at = at + rng.normal(0, 0.25, 2)
        angle = heading + rng.normal(0, 0.4) + np.pi * rng.integers(2)
        found.append(Thing(kind, (float(at[0]), float(at[1]), float(angle)), height, radius, k))
    return found


CLUTTER = (
    ("glass", 1.2, 1.6),
    ("can", 1.2, 1.4),
    ("mug", 1.5, 1.9),
    ("bowl", 2.0, 3.6),
    ("pencil", 3.0, 3.6),
    ("phone", 2.8, 3.3),
    ("pad", 2.5, 4.5),
    ("coin", 0.4, 0.6),
    ("chip", 0.6, 0.85),
    ("box", 0.8, 3.0),
)
"""Kind, and the range of its radius in tile widths (a tile is about an inch wide)."""


def _clutter(
    rng: Generator, laid: Round, camera: Camera, size_wh: tuple[int, int], *, most: int, radius_of_table: float
) -> list[Thing]:
    """Things beside the tiles, anywhere on the table that the picture shows or a little beyond."""
    found: list[Thing] = []
    for _ in range(most * 6):
        if len(found) >= most:
            break
        kind, least, largest = CLUTTER[int(rng.integers(len(CLUTTER)))]
        radius = float(rng.uniform(least, largest))
        at = on_table(camera, rng.uniform(-0.08, 1.08, (1, 2)) * size_wh)[0]
        tall = kind in ("glass", "can", "mug", "bowl")
        if not is_clear(laid.table, at, radius + 0.05) or np.linalg.norm(at) + radius > radius_of_table:
            continue
        # what is tall stands outside: in the middle it would be in the players' way
        if tall and np.linalg.norm(at) < 0.4 * min(size_wh) / size_wh[0] * 20:
            continue
        if all(np.hypot(t.pose[0] - at[0], t.pose[1] - at[1]) > t.radius + radius for t in found):
            found.append(Thing(kind, (float(at[0]), float(at[1]), float(rng.uniform(0, 2 * np.pi))), 0.0, radius))
    return found


def _standing(rng: Generator, laid: Round, camera: Camera, size_wh: tuple[int, int]) -> tuple[Pose, ...]:
    """A player's tiles on their long edges at the far side; the pose's angle runs along the row."""
    width, height = size_wh
    y = float(rng.uniform(0.04, 0.16)) * height
    a, b = on_table(camera, np.array([[width * rng.uniform(0.2, 0.6), y], [width * 0.9, y]]))
    angle = float(np.arctan2(*(b - a)[::-1]) + rng.normal(0, 0.1))
    along = np.array([np.cos(angle), np.sin(angle)])
    poses = []
    at = a
    for _ in range(int(rng.integers(3, 9))):
        at = at + along * (laid.table.length + float(rng.uniform(0.05, 0.25)))
        if is_clear(laid.table, at, laid.table.length / 2 + 0.1):
            poses.append((float(at[0]), float(at[1]), angle + float(rng.normal(0, 0.03))))
    return tuple(poses)


def _arm(rng: Generator, camera: Camera, size_wh: tuple[int, int]) -> tuple[Array, Array]:
    """A forearm that reaches in from a border, its hand a little above the tiles."""
    corner = rng.uniform(0, 2 * np.pi)
    outside = (np.array([np.cos(corner), np.sin(corner)]) * 0.75 + 0.5) * size_wh
    inside = np.array([0.5, 0.5]) * size_wh + (outside - np.array(size_wh) / 2) * rng.uniform(0.25, 0.7)
    low, high = on_table(camera, np.stack([outside, inside]))
    return np.array([*low, rng.uniform(2.0, 4.0)]), np.array([*high, rng.uniform(1.2, 2.0)])


def round_plan(seed: int, *, size_wh: tuple[int, int] | None = None, many_markers: bool = False) -> RoundPlan:
    """The plan of a seed; `size_wh` instead of a random phone's format (the rest of the plan then fits that).

    With `many_markers` most trains have one, of any kind.
    """
    rng = np.random.default_rng([seed, 5, 20261130])
    size = SIZES[int(rng.integers(len(SIZES)))] if size_wh is None else size_wh
    scale = max(size) / 960
    tile_px = scale * float(np.clip(np.exp(rng.normal(np.log(33), 0.33)), 14, 70))
    style = rendered_style(rng)
    camera = _camera(rng, size, tile_px)
    reach = float(np.clip(0.42 * np.sqrt(size[0] * size[1]) / tile_px, 5.0, 16.0))
    room = size[0] * size[1] / (2 * tile_px * tile_px)
    count = int(np.clip(room * rng.uniform(0.08, 0.4), 8, 70))
    table = Table(reach=reach * 2.5 + 8, length=style.length)
    laid = rounds_table(rng, table, style, reach=reach, count=count, edges=_edges(rng, camera, size))
    farthest = max(float(np.hypot(p.pose[0], p.pose[1])) for p in table.placed) + style.length / 2
    ends = rng.random() < 0.35
    table_radius = farthest + float(rng.uniform(0.6, 5.0)) if ends else 0.0
    things = _markers(rng, laid, style, many=many_markers)
    most = int(rng.choice([0, 2, 5, 9], p=[0.3, 0.3, 0.3, 0.1]))
    things += _clutter(rng, laid, camera, size, most=most, radius_of_table=table_radius or np.inf)
    standing = _standing(rng, laid, camera, size) if rng.random() < 0.22 else ()
    glossy = rng.random() < 0.6
    finish = Finish(
        roughness=float(rng.uniform(0.05, 0.28) if glossy else rng.uniform(0.25, 0.55)),
        coat=float(rng.uniform(0.2, 1.0)) if rng.random() < 0.45 else 0.0,
        pip_depth=float(rng.uniform(0.015, 0.05)) if rng.random() < 0.67 and not style.numerals else 0.0,
        bevel=float(rng.uniform(0.015, 0.075)),
    )
    glare = None
    if rng.random() < 0.2 and table.placed:
        target = table.placed[int(rng.integers(len(table.placed)))].pose
        glare = np.array([target[0], target[1], style.thickness]) + (*rng.normal(0, 0.7, 2), 0.0)
        finish = replace(finish, roughness=float(rng.uniform(0.05, 0.3)))
    return RoundPlan(
        size,
        tile_px,
        style,
        finish,
        camera,
        laid,
        tuple(things),
        tuple(p for p in standing if not ends or np.hypot(p[0], p[1]) + style.length < table_radius),
        str(rng.choice(LAMPS, p=[0.3, 0.25, 0.16, 0.1, 0.09, 0.1])),
        glare,
        str(rng.choice(TOPS, p=[0.34, 0.12, 0.1, 0.12, 0.11, 0.1, 0.09, 0.02])),
        table_radius,
        bool(rng.random() < 0.5),
        _arm(rng, camera, size) if rng.random() < 0.1 else None,
    )
