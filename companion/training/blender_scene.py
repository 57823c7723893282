"""Scenes of rounds rendered by Blender: real tiles of plastic or wood, real light, exact truth. Needs `bpy` (PyPI).

One seed, one scene: Blender keeps its state for the whole process, so that every picture starts from an empty file.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import cv2
import mathutils
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.training.arrangements import Placed
from companion.training.blender_geometry import Shape, face_uv, lens_of, tile_shape
from companion.training.blender_parts import Material, add_mesh, linear, picture
from companion.training.blender_room import INCH_M, add_lamps, add_room, add_table
from companion.training.blender_things import add_things
from companion.training.camera import Array
from companion.training.faces import draw_back, draw_face
from companion.training.photograph import lens, sensor, tone
from companion.training.rendered_truth import expose, pip_heights, top_grid, top_quad, visible_share
from companion.training.scene_plans import RoundPlan
from companion.training.scenes import Scene, TrueTile
from companion.training.surfaces import Floats

GUTTER_PX = 4
"""Around each face in the atlas, so that neighbours do not bleed into it."""
LEAST_VISIBLE = 0.05
"""As in `scenes.draw_plan`: what is hidden more than this is no part of the truth."""


@dataclass(frozen=True)
class Quality:
    """How long Cycles may work: paths a pixel at most, the noise at which a pixel is done, processor threads."""

    samples: int = 8
    noise: float = 0.05
    threads: int = 2


def _reset(plan: RoundPlan, seed: int, quality: Quality) -> Any:
    """An empty file with the render's settings."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.resolution_x, scene.render.resolution_y = plan.size_wh
    scene.render.resolution_percentage = 100
    scene.render.threads_mode, scene.render.threads = "FIXED", quality.threads
    scene.render.use_persistent_data = False
    scene.view_settings.view_transform = "Raw"  # light as it is; `expose` makes a picture of it
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_depth = "16"
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.seed = seed % (1 << 31)
    cycles.samples = quality.samples
    cycles.use_adaptive_sampling = True
    cycles.adaptive_threshold, cycles.adaptive_min_samples = quality.noise, max(1, quality.samples // 3)
    cycles.use_denoising = quality.samples > 1
    cycles.denoiser = "OPENIMAGEDENOISE"
    cycles.denoising_input_passes = "RGB_ALBEDO_NORMAL"
    cycles.denoising_prefilter = "FAST"
    cycles.use_light_tree = False  # few lamps: to choose among them costs more than it saves
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 6, 2, 3
    cycles.transmission_bounces, cycles.transparent_max_bounces = 6, 4
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 8.0
    return scene


def _add_camera(rng: Generator, scene: Any, plan: RoundPlan) -> None:
    """The plan's camera, with a phone's small aperture, focussed near the table's middle."""
    seen = lens_of(plan.camera, plan.size_wh)
    data = bpy.data.cameras.new("camera")
    data.sensor_fit, data.sensor_width = "HORIZONTAL", 36.0
    data.lens = seen.focal * 36.0
    data.shift_x, data.shift_y = seen.shift_x, seen.shift_y
    data.clip_start, data.clip_end = 0.05, 2000.0
    # an opening of 1 to 3 mm; a tile is an inch wide
    opening = float(rng.uniform(0.0005, 0.0016)) / INCH_M * float(rng.choice([0.3, 1.0, 2.0], p=[0.3, 0.55, 0.15]))
    data.dof.use_dof = True
    data.dof.focus_distance = float(np.linalg.norm(plan.camera.place)) * float(np.exp(rng.normal(0, 0.06)))
    data.dof.aperture_fstop = data.lens / 1000 / (2 * opening)
    made = bpy.data.objects.new("camera", data)
    made.matrix_world = mathutils.Matrix(seen.pose.tolist())
    scene.collection.objects.link(made)
    scene.camera = made


@dataclass
class _Atlas:
    """All faces of a scene on one image, in cells of (height, width) pixels each."""

    colours: Floats
    heights: Floats
    cell: tuple[int, int]
    across: int

    def uv(self, index: int, own: Array) -> Array:
        """The atlas's UVs of a face's own, (n, 2)."""
        rows, columns = self.colours.shape[:2]
        row, column = divmod(index, self.across)
        high, wide = self.cell
        x = column * (wide + 2 * GUTTER_PX) + GUTTER_PX + own[:, 0] * wide
        y = row * (high + 2 * GUTTER_PX) + GUTTER_PX + (1 - own[:, 1]) * high
        return np.column_stack([x / columns, 1 - y / rows])

    def put(self, index: int, colour: Floats, height: Floats) -> None:
        """Lay a face into its cell, its border repeated into the gutter."""
        row, column = divmod(index, self.across)
        high, wide = self.cell[0] + 2 * GUTTER_PX, self.cell[1] + 2 * GUTTER_PX
        rows, columns = slice(row * high, (row + 1) * high), slice(column * wide, (column + 1) * wide)
        border = (GUTTER_PX,) * 4
        self.colours[rows, columns] = cv2.copyMakeBorder(colour, *border, cv2.BORDER_REPLICATE)
        self.heights[rows, columns] = cv2.copyMakeBorder(height, *border, cv2.BORDER_REPLICATE)


def _atlas(rng: Generator, plan: RoundPlan, placed: list[Placed]) -> tuple[_Atlas, list[Array]]:
    """Draw every tile's face or back; gives each one's pips too, (n, 2) in tile widths."""
    style = plan.style
    unit = int(np.clip(plan.tile_px * 1.9, 48, 144))
    cell = (round(unit * style.length), unit)
    across = int(np.ceil(np.sqrt(2 * len(placed))))
    down = -(-len(placed) // across)
    shape = (down * (cell[0] + 2 * GUTTER_PX), across * (cell[1] + 2 * GUTTER_PX))
    atlas = _Atlas(np.zeros((*shape, 3), np.float32), np.ones(shape, np.float32), cell, across)
    pips = []
    for k, tile in enumerate(placed):
        if tile.ends is None:
            face, _ = draw_back(rng, style, unit)
            centres = np.zeros((0, 2))
        else:
            face, _, centres = draw_face(rng, style, tile.ends, unit)
        atlas.put(k, face, pip_heights(style, tile.ends, centres, unit))
        pips.append(centres)
    return atlas, pips


def _tile_materials(rng: Generator, plan: RoundPlan, atlas: _Atlas) -> tuple[Material, Material, Material]:
    """Faces (all of them), the walls' upper half of a face-up tile, the lower one."""
    finish, style = plan.finish, plan.style
    inputs = {
        "Roughness": finish.roughness,
        "Coat_Weight": finish.coat,
        "Coat_Roughness": float(rng.uniform(0.02, 0.15)),
        "IOR": float(rng.uniform(1.42, 1.58)),
    }
    faces = Material("faces", **inputs)
    faces.paint(picture("faces", atlas.colours))
    if finish.pip_depth > 0:
        faces.emboss(picture("pips", atlas.heights, data=True), finish.pip_depth)
    side = Material("side", Base_Color=linear(style.side_bgr), **inputs)
    base = Material("base", Base_Color=linear(style.base_bgr), **inputs)
    return faces, side, base


def _add_tiles(rng: Generator, plan: RoundPlan) -> tuple[list[Any], list[Array]]:
    """All tiles of the table as objects, with each one's pips; standing tiles too, which are no part of the truth."""
    style, placed = plan.style, plan.round.table.placed
    atlas, pips = _atlas(rng, plan, placed)
    faces, side, base = _tile_materials(rng, plan, atlas)
    shape = tile_shape(style.length, style.thickness, style.corner, plan.finish.bevel)
    own = face_uv(shape.points, style.length)
    made = []
    for k, tile in enumerate(placed):
        x, y, angle = tile.pose
        layers = [faces, side, base] if tile.ends is not None else [faces, base, side]
        lifted = (x, y, tile.level * style.thickness)
        made.append(add_mesh(f"tile{k}", shape.moved(lifted, angle), layers, uv=atlas.uv(k, own)))
    back = Material("back", Base_Color=linear(style.back_bgr), Roughness=plan.finish.roughness)
    for x, y, angle in plan.standing:
        upright = Shape(shape.points[:, [0, 2, 1]] + (0, 0, 0.5), shape.faces, shape.parts)
        add_mesh("standing", _facing(upright, plan, (x, y), angle), [side, side, back])
    return made, pips


def _facing(upright: Shape, plan: RoundPlan, at: tuple[float, float], angle_rad: float) -> Shape:
    """A standing tile whose face looks away from the camera."""
    for turn in (angle_rad, angle_rad + np.pi):
        ahead = np.array([-np.sin(turn), np.cos(turn)])
        if ahead @ (np.array(at) - plan.camera.place[:2]) > 0:
            break
    return Shape(upright.points, tuple(f[::-1] for f in upright.faces), upright.parts).moved((*at, 0.0), turn)


def _truth(plan: RoundPlan, tiles: list[Any], pips: list[Array]) -> tuple[TrueTile, ...]:
    """Quads by projection, `visible` by rays from the camera to points all over each face."""
    scene = bpy.context.scene
    graph = bpy.context.evaluated_depsgraph_get()
    eye = plan.camera.place
    found = []
    for placed, made, centres in zip(plan.round.table.placed, tiles, pips, strict=True):
        points = top_grid(placed, plan.style)
        seen = np.zeros(len(points), np.bool_)
        for k, point in enumerate(points):
            way = point - eye
            far = float(np.linalg.norm(way))
            hit, place, _, _, what, _ = scene.ray_cast(graph, tuple(eye), tuple(way / far), distance=far + 1)
            # its own face at that very place, not a wall of it
            seen[k] = bool(hit and what.name == made.name and np.linalg.norm(np.array(place) - point) < 0.12)
        visible = visible_share(plan.camera.project(points), seen, plan.size_wh)
        if visible > LEAST_VISIBLE:
            quad = top_quad(plan.camera, placed, plan.style)
            found.append(TrueTile(placed.ends, quad, visible, centres, plan.style.length, plan.style.numerals))
    return tuple(found)


def _render(scene: Any) -> NDArray[np.float32]:
    """The light that reaches the picture: linear BGR float32 (h, w, 3)."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "light.exr"
        scene.render.filepath = str(path)
        with _Quiet():
            bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(str(path))
        width, height = image.size
        pixels = np.empty(width * height * image.channels, np.float32)
        image.pixels.foreach_get(pixels)
        bpy.data.images.remove(image)
    return np.ascontiguousarray(pixels.reshape(height, width, -1)[::-1, :, 2::-1])


class _Quiet:
    """Cycles tells of every step on the process's own standard output; not while this lasts."""

    def __enter__(self) -> None:
        self._kept = os.dup(1)
        self._nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(self._nowhere, 1)

    def __exit__(self, *_: object) -> None:
        os.dup2(self._kept, 1)
        os.close(self._kept)
        os.close(self._nowhere)


def render_plan(plan: RoundPlan, seed: int, quality: Quality | None = None) -> tuple[Floats, tuple[TrueTile, ...]]:
    """Render a plan: linear light, BGR float32 (h, w, 3), and the truth."""
    rng = np.random.default_rng([seed, 6, 20261130])
    scene = _reset(plan, seed, quality or Quality())
    add_room(rng)
    add_table(rng, plan)
    tiles, pips = _add_tiles(rng, plan)
    add_things(rng, plan)
    add_lamps(rng, plan)
    _add_camera(rng, scene, plan)
    bpy.context.view_layer.update()
    truth = _truth(plan, tiles, pips)
    light = _render(scene)
    bpy.ops.wm.read_factory_settings(use_empty=True)  # frees meshes and images
    return light, truth


def rendered_scene(seed: int, plan: RoundPlan, *, quality: Quality | None = None) -> Scene:
    """The rendered scene of a seed and its plan, as a phone would have taken it."""
    light, truth = render_plan(plan, seed, quality)
    rng = np.random.default_rng([seed, 8, 20261130])
    image = expose(rng, light)
    if rng.random() < 0.35:
        image = tone(rng, image, float(rng.uniform(0.2, 0.6)))
    if rng.random() < 0.3:
        image = lens(rng, image, plan.tile_px)
    picture_bgr = sensor(rng, image) if rng.random() < 0.6 else np.clip(image + 0.5, 0, 255).astype(np.uint8)
    return Scene(picture_bgr, truth, plan.style.highest)
