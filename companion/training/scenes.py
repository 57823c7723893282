"""Made scenes: a table with tiles on it, photographed. One seed, one scene, with exact truth.

2.5-D compositing: tiles are boxes with rounded outlines, their faces textures, projected by a pinhole camera; side walls,
shadows and reflections follow from the same projection.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.training import arrangements, things
from companion.training.arrangements import Placed, Table
from companion.training.camera import Array, Camera, random_camera
from companion.training.faces import SetStyle, draw_back, draw_face, random_style
from companion.training.photograph import Image, photograph
from companion.training.surfaces import Floats, random_colour, surface
from companion.vision.rectify import signed_area


@dataclass(frozen=True)
class TrueTile:
    """Truth of one tile: `quad_px` (4, 2) clockwise with end a first, `ends` None for a back, pips in tile widths."""

    ends: tuple[int, int] | None
    quad_px: Array
    visible: float
    pips: Array
    length: float
    numerals: bool


@dataclass(frozen=True)
class Scene:
    """A picture, uint8 BGR, and what lies in it."""

    image_bgr: Image
    tiles: tuple[TrueTile, ...]
    highest: int


@dataclass
class _Canvas:
    image: Floats
    ids: NDArray[np.int32]
    camera: Camera
    rng: Generator


def _rounded(pose: arrangements.Pose, style: SetStyle, height: float) -> Array:
    """Outline of a tile with rounded corners at a height above the table, (20, 3)."""
    x, y, angle = pose
    r = style.corner
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    points = []
    for sx, sy, start in ((1, 1, 0.0), (-1, 1, np.pi / 2), (-1, -1, np.pi), (1, -1, 3 * np.pi / 2)):
        for a in np.linspace(start, start + np.pi / 2, 5):
            points.append((sx * (style.length / 2 - r) + r * np.cos(a), sy * (0.5 - r) + r * np.sin(a)))
    flat = np.array(points) @ turn.T + (x, y)
    return np.column_stack([flat, np.full(len(flat), height)])


def _hull(points: Array) -> NDArray[np.int32]:
    """Convex outline of pixels, in fixed point with 4 fractional bits."""
    return np.asarray(cv2.convexHull((points * 16).astype(np.int32)).reshape(-1, 2), np.int32)


def _fill(image: Floats, hull: NDArray[np.int32], colour: Floats) -> None:
    cv2.fillConvexPoly(image, hull, colour.tolist(), cv2.LINE_AA, 4)


def _paste(
    canvas: _Canvas, texture: Floats, cover: Floats, corners_px: Array, opacity: float = 1.0
) -> NDArray[np.bool_] | None:
    """Warp a texture onto four corners (its own from the top left, clockwise)."""
    height, width = canvas.image.shape[:2]
    low = np.maximum(np.floor(corners_px.min(0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(corners_px.max(0)).astype(int) + 2, (width, height))
    if (high <= low).any():
        return None
    th, tw = texture.shape[:2]
    source = np.array([[0, 0], [tw, 0], [tw, th], [0, th]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, (corners_px - low).astype(np.float32))
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    alpha = cv2.warpPerspective(cover, matrix, size, flags=cv2.INTER_LINEAR) * opacity
    warped = cv2.warpPerspective(texture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    part = canvas.image[low[1] : high[1], low[0] : high[0]]
    part += alpha[..., None] * (warped - part)
    return np.asarray(alpha > 0.5)


def _ground(rng: Generator, canvas: _Canvas, tile_px: float) -> None:
    """The table top in perspective, and what lies beyond its edge."""
    height, width = canvas.image.shape[:2]
    for beyond in (True, False):
        if beyond and rng.random() < 0.55:
            continue
        texture = surface(rng).astype(np.float32)
        side = texture.shape[0]
        span = max(4.0, side / tile_px * rng.uniform(0.5, 2.5))
        to_table = np.array([[span / side, 0, -span / 2], [0, span / side, -span / 2], [0, 0, 1]])
        warped = cv2.warpPerspective(
            texture,
            canvas.camera.plane(0) @ to_table,
            (width, height),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_WRAP,
        )
        if beyond:
            canvas.image[:] = warped * rng.uniform(0.3, 1)
            continue
        mask = np.ones((height, width), np.float32)
        if canvas.image.any():
            reach = max(width, height) / tile_px * rng.uniform(0.35, 0.7)
            a = rng.uniform(0, np.pi)
            square = (
                np.array([[np.cos(a + k), np.sin(a + k), 0.0] for k in (0.7, 2.2, 3.9, 5.4)]) * (reach, reach, 0) * 1.3
            )
            mask[:] = 0
            if rng.random() < 0.3:
                t = np.linspace(0, 2 * np.pi, 60)
                square = np.column_stack([np.cos(t), np.sin(t), 0 * t]) * reach
            cv2.fillPoly(mask, [canvas.camera.project(square).astype(np.int32)], 1.0, cv2.LINE_AA)
        canvas.image[:] = canvas.image * (1 - mask[..., None]) + warped * mask[..., None]


def _lay_things(rng: Generator, canvas: _Canvas, count: int, area: float) -> None:
    for _ in range(count):
        maker, least, most = things.THINGS[int(rng.integers(len(things.THINGS)))]
        texture, cover = maker(rng)
        tall = rng.uniform(least, most)
        wide = tall * texture.shape[1] / texture.shape[0]
        x, y = rng.uniform(-area, area, 2)
        _lay_patch(rng, canvas, (texture, cover), (float(x), float(y), float(rng.uniform(0, 2 * np.pi))), (wide, tall))


def _lay_patch(
    rng: Generator, canvas: _Canvas, patch: things.Patch, pose: arrangements.Pose, size: tuple[float, float]
) -> None:
    x, y, angle = pose
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size) / 2 @ turn.T + (x, y)
    flat = np.column_stack([corners, np.zeros(4)])
    shadow = np.zeros_like(patch[0])
    raised = rng.uniform(0.03, 0.4) * np.array([np.cos(2.0), np.sin(2.0), 0])
    _paste(canvas, shadow, cv2.GaussianBlur(patch[1], (0, 0), 3), canvas.camera.project(flat + raised), 0.4)
    _paste(canvas, patch[0], patch[1], canvas.camera.project(flat + (0, 0, 0.05)))


def _shadows(rng: Generator, canvas: _Canvas, placed: list[Placed], style: SetStyle, tile_px: float) -> None:
    """Soft contact shade around every tile and a cast shadow to one side."""
    height, width = canvas.image.shape[:2]
    cast = np.zeros((height, width), np.float32)
    contact = np.zeros((height, width), np.float32)
    a, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0, 1.6) * style.thickness
    shift = np.array([np.cos(a) * reach, np.sin(a) * reach, 0])
    for tile in placed:
        base = _rounded(tile.pose, style, 0.0)
        cv2.fillConvexPoly(contact, _hull(canvas.camera.project(base)), 1.0, cv2.LINE_AA, 4)
        both = np.concatenate([base, base + shift])
        cv2.fillConvexPoly(cast, _hull(canvas.camera.project(both)), 1.0, cv2.LINE_AA, 4)
    soft = max(0.6, tile_px * rng.uniform(0.01, 0.25))
    shade = 1 - rng.uniform(0.1, 0.75) * cv2.GaussianBlur(cast, (0, 0), soft)
    shade *= 1 - rng.uniform(0.1, 0.6) * cv2.GaussianBlur(contact, (0, 0), max(0.6, tile_px * 0.06))
    canvas.image *= shade[..., None]


def _draw_tile(
    canvas: _Canvas, tile: Placed, style: SetStyle, index: int, reflect: float, walls: tuple[float, float]
) -> TrueTile:
    """Draw one tile: reflection, walls, face; its truth has `visible` still open."""
    rng, camera = canvas.rng, canvas.camera
    low = tile.level * style.thickness
    top, base = _rounded(tile.pose, style, low + style.thickness), _rounded(tile.pose, style, low)
    if reflect > 0 and tile.level == 0:
        mirrored = canvas.image.copy()
        _fill(
            mirrored,
            _hull(camera.project(np.concatenate([base, base - (0, 0, style.thickness)]))),
            style.side_bgr * 0.7,
        )
        canvas.image += (mirrored - canvas.image) * reflect
    middle = base + (0, 0, style.thickness * 0.5)
    tone = rng.uniform(0.9, 1.05)
    body = _hull(camera.project(np.concatenate([base, top])))
    _fill(canvas.image, body, style.base_bgr * tone * walls[0])
    _fill(canvas.image, _hull(camera.project(np.concatenate([middle, top]))), style.side_bgr * tone * walls[1])
    x, y, angle = tile.pose
    along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    signs = ((-1, -1), (-1, 1), (1, 1), (1, -1))
    corners = np.array([np.array([x, y]) + s * along * style.length / 2 + t * across * 0.5 for s, t in signs])
    quad = camera.project(np.column_stack([corners, np.full(4, low + style.thickness)]))
    if signed_area(quad) < 0:
        quad = quad[[1, 0, 3, 2]]
    width = max(np.linalg.norm(quad[0] - quad[1]), np.linalg.norm(quad[1] - quad[2]) / style.length)
    unit = int(np.clip(width * 1.4, 24, 300))
    if tile.ends is None:
        face, alpha = draw_back(rng, style, unit)
        pips = np.zeros((0, 2))
    else:
        face, alpha, pips = draw_face(rng, style, tile.ends, unit)
    _paste(canvas, face, alpha, quad)
    cv2.fillConvexPoly(canvas.ids, body, -index, cv2.LINE_8, 4)
    cv2.fillConvexPoly(canvas.ids, (quad * 16).astype(np.int32), index, cv2.LINE_8, 4)
    return TrueTile(tile.ends, quad, 1.0, pips, style.length, style.numerals)


def _arrange(rng: Generator, style: SetStyle, reach: float, count: int) -> Table:
    """A table with up to `count` tiles laid in one or several ways."""
    table = Table(reach=min(40.0, reach * 2 + 6), length=style.length)
    face_down = rng.choice([0.0, 0.05, 0.25, 1.0], p=[0.55, 0.2, 0.2, 0.05])

    def deal() -> tuple[int, int] | None:
        if rng.random() < face_down:
            return None
        a, b = rng.integers(0, style.highest + 1, 2)
        return int(a), int(b)

    ways = (arrangements.strewn, arrangements.rows, arrangements.train, arrangements.pile)
    weights = np.array([0.18, 0.32, 0.44, 0.06])
    while count > 0:
        way = ways[int(rng.choice(4, p=weights))]
        part = min(count, int(rng.integers(1, 16)))
        way(rng, table, deal, part, reach * 0.8)
        count -= part
    return table


@dataclass(frozen=True)
class Plan:
    """What a scene shall show before it is drawn: the picture's size, the set, the camera, what lies where."""

    size_wh: tuple[int, int]
    tile_px: float
    style: SetStyle
    camera: Camera
    table: Table
    things: int
    hub: bool
    hand: bool


def _plan(rng: Generator, least_px: float, most_px: float) -> Plan:
    width, height = (int(v) for v in rng.choice([480, 560, 640, 720, 800], 2))
    tile_px = float(np.exp(rng.uniform(np.log(least_px), np.log(most_px))))
    style = random_style(rng)
    camera = random_camera(rng, size_wh=(width, height), tile_px=tile_px)
    reach = max(width, height) / tile_px / 2
    room = width * height / (2 * tile_px * tile_px)
    empty = rng.random() < 0.06
    count = 0 if empty else int(np.clip(room * rng.uniform(0.1, 0.8), 1, 70))
    table = _arrange(rng, style, reach, count)
    clutter = int(rng.integers(1, 9)) if empty or rng.random() < 0.4 else 0
    return Plan(
        (width, height), tile_px, style, camera, table, clutter, bool(rng.random() < 0.15), bool(rng.random() < 0.12)
    )


def draw_plan(rng: Generator, plan: Plan, image: Floats | None = None) -> tuple[Floats, tuple[TrueTile, ...]]:
    """Draw a plan in even light: the picture, float32 BGR, and the truth; `image` is the table if it shall not be random."""
    width, height = plan.size_wh
    canvas = _Canvas(np.zeros((height, width, 3), np.float32), np.zeros((height, width), np.int32), plan.camera, rng)
    if image is None:
        _ground(rng, canvas, plan.tile_px)
    else:
        canvas.image[:] = image
    if plan.hub:
        _lay_patch(rng, canvas, things.hub(rng), (0.0, 0.0, 0.0), (7.0, 7.0))
    if plan.things:
        _lay_things(rng, canvas, plan.things, max(width, height) / plan.tile_px / 2)
    _shadows(rng, canvas, plan.table.placed, plan.style, plan.tile_px)
    reflect = float(rng.uniform(0.1, 0.5)) if rng.random() < 0.15 else 0.0
    walls = (float(rng.uniform(0.45, 0.95)), float(rng.uniform(0.7, 1.08)))
    eye = plan.camera.place
    # the farther first, so that nearer tiles stand in front of them
    order = sorted(plan.table.placed, key=lambda t: (t.level, -float(np.hypot(t.pose[0] - eye[0], t.pose[1] - eye[1]))))
    truths = [_draw_tile(canvas, tile, plan.style, k + 1, reflect, walls) for k, tile in enumerate(order)]
    if plan.hand:
        canvas.ids[things.fingers(rng, canvas.image) > 0.5] = 0
    seen = np.bincount(np.maximum(canvas.ids, 0).ravel(), minlength=len(truths) + 1)
    tiles = []
    for k, truth in enumerate(truths):
        visible = float(seen[k + 1]) / max(1.0, abs(signed_area(truth.quad_px)))
        if visible > 0.05:
            tiles.append(replace(truth, visible=min(1.0, visible)))
    return canvas.image, tuple(tiles)


def make_scene(seed: int, *, least_px: float = 13.0, most_px: float = 190.0, numerals: bool = False) -> Scene:
    """The scene of a seed: tiles of about `least_px` to `most_px` across their short side, a picture of 480 to 800 px.

    One set in ten shows numerals; with `numerals` each does.
    """
    rng = np.random.default_rng([seed, 20261130])
    plan = _plan(rng, least_px, most_px)
    if numerals:
        plan = replace(plan, style=replace(plan.style, numerals=True))
    image, tiles = draw_plan(rng, plan)
    return Scene(photograph(rng, image, plan.tile_px), tiles, plan.style.highest)


def tileless_scene(seed: int) -> Image:
    """A picture of a table with up to twelve things and no tile, uint8 BGR; no seed of these is one of `make_scene`'s."""
    rng = np.random.default_rng([seed, 7, 20261130])
    plan = _plan(rng, 25.0, 120.0)
    table = Table(reach=6.0, length=plan.style.length)
    hub, count = bool(rng.random() < 0.2), int(rng.integers(0, 13))
    image, _ = draw_plan(rng, replace(plan, table=table, things=count, hub=hub, hand=bool(rng.random() < 0.2)))
    return photograph(rng, image, plan.tile_px)


def blank_colour(rng: Generator) -> Floats:
    """What lies outside a picture when it is turned: one colour, BGR float32."""
    return random_colour(rng) if rng.random() < 0.5 else np.full(3, rng.uniform(0, 255), np.float32)
