"""The table top, the floor beyond it, the lamps and the room that is mirrored in what is glossy. Needs `bpy`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import bpy
import cv2
import mathutils
import numpy as np
from numpy.random import Generator

from companion.training import surfaces
from companion.training.blender_geometry import Shape, rounded_rectangle, stacked
from companion.training.blender_parts import Material, add_mesh, picture
from companion.training.camera import Array
from companion.training.scene_plans import RoundPlan
from companion.training.surfaces import Floats, random_colour

INCH_M = 0.0254
"""A tile is about an inch wide: lengths in Blender's units are tile widths."""
TEXTURE_PX = 768


@dataclass(frozen=True)
class Top:
    """A table top: its texture, its shader's inputs, how far it rises where the texture is bright (tile widths)."""

    image: Floats | surfaces.Image
    inputs: dict[str, float]
    rise: float = 0.0


def _wood_top(rng: Generator) -> Top:
    image = np.asarray(surfaces.wood(rng, TEXTURE_PX), np.float32)
    # `surfaces.wood` is seen from afar; near by, pores and fine lines run along the grain
    lines = surfaces.noise(rng, TEXTURE_PX, (rng.uniform(200, 500), rng.uniform(4, 30)))
    pores = np.minimum(surfaces.noise(rng, TEXTURE_PX, (TEXTURE_PX / 2, rng.uniform(20, 60))) + 0.4, 0)
    image *= 1 + (rng.uniform(0.02, 0.15) * lines + rng.uniform(0, 0.4) * pores)[..., None]
    finish = rng.random()  # oiled, satin, lacquered
    rough = rng.uniform(0.45, 0.8) if finish < 0.35 else rng.uniform(0.2, 0.45) if finish < 0.75 else 0.35
    coat = 0.0 if finish < 0.75 else rng.uniform(0.5, 1.0)
    return Top(image, {"Roughness": rough, "Coat_Weight": coat, "Coat_Roughness": rng.uniform(0.02, 0.15)}, 0.01)


def _felt_top(rng: Generator) -> Top:
    colour = random_colour(rng, saturation=(40, 230), value=(30, 190))
    grain = cv2.GaussianBlur(rng.standard_normal((TEXTURE_PX, TEXTURE_PX), np.float32), (0, 0), 0.9)
    image = colour * (1 + rng.uniform(0.05, 0.25) * grain[..., None])
    return Top(image, {"Roughness": 1.0, "Sheen_Weight": rng.uniform(0, 0.6)}, 0.03)


def _oilcloth_top(rng: Generator) -> Top:
    inputs = {"Roughness": rng.uniform(0.12, 0.4), "Coat_Weight": rng.uniform(0, 0.6)}
    return Top(surfaces.motifs(rng, TEXTURE_PX), inputs)


def _gloss_top(rng: Generator) -> Top:
    """Glass over something dark, black lacquer: it mirrors tiles."""
    image = np.zeros((TEXTURE_PX, TEXTURE_PX, 3), np.float32) + random_colour(rng, value=(3, 60))
    return Top(image, {"Roughness": rng.uniform(0.0, 0.12), "Coat_Weight": rng.uniform(0, 1)})


_TOP_MAKERS: dict[str, Callable[[Generator], Top]] = {
    "wood": _wood_top,
    "stone": lambda rng: Top(surfaces.marble(rng, TEXTURE_PX), {"Roughness": rng.uniform(0.06, 0.4)}),
    "felt": _felt_top,
    "cloth": lambda rng: Top(surfaces.cloth(rng, TEXTURE_PX), {"Roughness": rng.uniform(0.75, 1.0)}, 0.03),
    "oilcloth": _oilcloth_top,
    "gloss": _gloss_top,
    "plain": lambda rng: Top(surfaces.plain(rng, TEXTURE_PX), {"Roughness": rng.uniform(0.15, 0.8)}),
    "printed": lambda rng: Top(surfaces.printed(rng, TEXTURE_PX), {"Roughness": rng.uniform(0.3, 0.9)}),
}


def _flat(outline: Array, heights: tuple[float, float]) -> Shape:
    """A board of an outline (n, 2) between two heights, with a small round rim."""
    low, high = heights
    rings = [np.column_stack([outline * k, np.full(len(outline), h)]) for k, h in ((0.985, low), (1.0, low + 0.15))]
    rings += [np.column_stack([outline * k, np.full(len(outline), h)]) for k, h in ((1.0, high - 0.1), (0.997, high))]
    return stacked(rings, [0, 0, 0])


def _turned(points: Array, span: float, turn_rad: float, shift: Array) -> Array:
    c, s = np.cos(turn_rad), np.sin(turn_rad)
    return np.asarray(points[:, :2] @ np.array([[c, -s], [s, c]]) / span + shift)


def add_table(rng: Generator, plan: RoundPlan) -> None:
    """The table with its top at height 0, and a floor where the table ends."""
    top = _TOP_MAKERS[plan.top](rng)
    material = Material("top", **top.inputs)
    material.paint(picture("top", top.image))
    if top.rise:
        grey = np.asarray(top.image, np.float32).mean(2) / 255
        material.emboss(picture("top_rise", grey, data=True), top.rise * float(rng.uniform(0.2, 1)))
    elif plan.top in ("stone", "oilcloth", "plain") and rng.random() < 0.3:
        rough = float(rng.uniform(0.05, 0.3))
        material.smudge(rough, rough + float(rng.uniform(0.05, 0.3)), float(rng.uniform(0.2, 2)))
    radius = plan.table_radius or 150.0
    if plan.table_radius and plan.round_table:
        angles = np.linspace(0, 2 * np.pi, 120, endpoint=False)
        outline = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    else:
        wide = radius * float(rng.uniform(2.0, 3.0))  # all that lies on the table is within its radius
        outline = rounded_rectangle(2 * radius + 2, wide + 2, float(rng.uniform(0.1, 3)))
        turn = rng.uniform(0, 2 * np.pi)
        outline = outline @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    board = _flat(outline, (-1.0, 0.0))
    span = TEXTURE_PX / plan.tile_px * float(rng.uniform(0.7, 2.2))
    turn, shift = float(rng.uniform(0, 2 * np.pi)), rng.uniform(0, 1, 2)
    add_mesh("table", board, [material], uv=_turned(board.points, span, turn, shift))
    if plan.table_radius:
        floor = Material("floor", Roughness=float(rng.uniform(0.3, 1)))
        maker = (surfaces.carpet, surfaces.wood, surfaces.plain, surfaces.marble)[int(rng.integers(4))]
        floor.paint(picture("floor", maker(rng, 512)))
        square = 400 * np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) - (0, 0, 29.0)
        shape = Shape(square, ((0, 1, 2, 3),), (0,))
        add_mesh("floor", shape, [floor], uv=_turned(square, float(rng.uniform(15, 50)), 0.0, np.zeros(2)))


def add_room(rng: Generator) -> None:
    """Dim light from all around: blurred walls with brighter patches, for glossy things to mirror."""
    height, width = 64, 128
    walls = random_colour(rng, saturation=(0, 60), value=(60, 230))
    room = np.empty((height, width, 3), np.float32)
    room[:] = walls * np.linspace(1.25, 0.35, height, dtype=np.float32)[:, None, None]
    for _ in range(int(rng.integers(3, 12))):
        x, y = int(rng.integers(0, width)), int(rng.integers(0, height))
        w, h = int(rng.integers(4, 24)), int(rng.integers(4, 20))
        room[y : y + h, x : x + w] = random_colour(rng, saturation=(0, 150), value=(10, 255))
    soft = cv2.GaussianBlur(room, (0, 0), float(rng.uniform(0.6, 3)))
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    nodes = world.node_tree.nodes
    sky = nodes.new("ShaderNodeTexEnvironment")
    sky.image = picture("room", soft)
    behind = next(n for n in nodes if n.bl_idname == "ShaderNodeBackground")
    world.node_tree.links.new(sky.outputs["Color"], behind.inputs["Color"])
    behind.inputs["Strength"].default_value = float(10 ** rng.uniform(-1.3, -0.4))


def _lamp(
    kind: str, place: Array, *, at: Array, power: float, kelvin: float, size: tuple[float, float] = (1.0, 1.0)
) -> Any:
    """A lamp at a place (3,) that shines at another; `size` is an area's sides or a bulb's radius, not seen itself."""
    made = bpy.data.lights.new("lamp", kind)
    made.energy = power
    made.use_temperature = True
    made.temperature = kelvin
    if kind == "AREA":
        made.shape = "RECTANGLE"
        made.size, made.size_y = size
    elif kind in ("POINT", "SPOT"):
        made.shadow_soft_size = size[0]
    lamp = bpy.data.objects.new("lamp", made)
    lamp.location = place
    lamp.rotation_euler = mathutils.Vector(tuple(at - place)).to_track_quat("-Z", "Y").to_euler()
    lamp.visible_camera = False
    bpy.context.scene.collection.objects.link(lamp)
    return made


def _around(rng: Generator, distance: float, height: float) -> Array:
    a = rng.uniform(0, 2 * np.pi)
    return np.array([distance * np.cos(a), distance * np.sin(a), height])


def add_lamps(rng: Generator, plan: RoundPlan) -> None:
    """The scene's lamps.

    Powers make about the same light on the table's middle whatever the kind: exposure is set on the finished picture, so only
    their relation to the room's light counts.
    """
    middle = np.zeros(3)
    kelvin = float(rng.uniform(2700, 7500))
    if plan.lamp == "window":
        place = _around(rng, rng.uniform(45, 110), rng.uniform(15, 60))
        size = (float(rng.uniform(25, 60)), float(rng.uniform(30, 60)))
        kelvin = float(rng.uniform(4800, 7500))
        power = 60 * float(place @ place) * float(rng.uniform(0.6, 2))
        _lamp("AREA", place, at=middle, power=power, kelvin=kelvin, size=size)
    elif plan.lamp == "room":
        for _ in range(int(rng.integers(2, 5))):
            place = _around(rng, rng.uniform(5, 90), rng.uniform(45, 75))
            side = float(rng.uniform(4, 30))
            below = place * (1, 1, 0) * 0.6
            power = 30 * float(place @ place)
            _lamp("AREA", place, at=below, power=power, kelvin=kelvin * rng.uniform(0.9, 1.1), size=(side, side))
    elif plan.lamp == "pendant":
        place = _around(rng, rng.uniform(0, 9), rng.uniform(24, 42))
        size = (float(rng.uniform(0.8, 6)), 0.0)
        _lamp("POINT", place, at=middle, power=60 * float(place @ place), kelvin=kelvin, size=size)
    elif plan.lamp == "spots":
        tiles = plan.round.table.placed
        for _ in range(int(rng.integers(1, 5))):
            place = _around(rng, rng.uniform(0, 40), rng.uniform(50, 75))
            x, y, _ = tiles[int(rng.integers(len(tiles)))].pose
            spot = _lamp("SPOT", place, at=np.array([x, y, 0.0]), power=60 * float(place @ place), kelvin=kelvin)
            spot.spot_size, spot.spot_blend = float(rng.uniform(0.4, 1.3)), float(rng.uniform(0.2, 1))
        # spots alone would leave tiles in the dark
        place = _around(rng, 30, 70)
        _lamp("AREA", place, at=middle, power=12 * float(place @ place), kelvin=kelvin, size=(30, 30))
    elif plan.lamp == "sun":
        place = _around(rng, 50, rng.uniform(20, 90))
        kelvin = float(rng.uniform(4500, 6000))
        sun = _lamp("SUN", place, at=middle, power=float(rng.uniform(3, 8)), kelvin=kelvin)
        sun.angle = float(rng.uniform(0.005, 0.03))
    else:  # the phone's own flash, beside its lens
        beside = plan.camera.place + (0.3, 0.2, 0.1)
        _lamp("POINT", beside, at=middle, power=60 * float(beside @ beside), kelvin=5800, size=(0.12, 0))
        kelvin = 5800
    if plan.glare_at is not None:
        _glare(rng, plan.camera.place, plan.glare_at, kelvin)


def _glare(rng: Generator, eye: Array, at: Array, kelvin: float) -> None:
    """A lamp or window where a level mirror at a place would show it to the camera."""
    way = (eye - at) * (-1, -1, 1)
    way /= np.linalg.norm(way)
    far = float(rng.uniform(25, 80))
    wide, high = far * float(rng.uniform(0.05, 0.3)), far * float(rng.uniform(0.05, 0.3))
    # radiance counts for what is mirrored: power over the lamp's area
    power = wide * high * 10 ** float(rng.uniform(1.2, 2.3))
    _lamp("AREA", at + way * far, at=at, power=power, kelvin=kelvin * float(rng.uniform(0.9, 1.2)), size=(wide, high))
