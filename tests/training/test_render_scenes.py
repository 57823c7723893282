import json
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.training.arrangements import Placed, Table
from companion.training.blender_geometry import (
    Shape,
    cylinder,
    face_uv,
    lens_of,
    rounded_rectangle,
    slab,
    tile_shape,
    tube,
    turned_profile,
)
from companion.training.camera import random_camera
from companion.training.examples import read_folder
from companion.training.faces import draw_face, random_style
from companion.training.render_scenes import main, record
from companion.training.rendered_truth import expose, pip_heights, top_grid, top_quad, visible_share
from companion.training.scene_plans import RoundPlan, Thing, on_table, round_plan
from companion.training.scenes import Scene, TrueTile
from companion.training.table_plans import Round, apart, rounds_table

needs_blender = pytest.mark.skipif(find_spec("bpy") is None, reason="Blender as a module (bpy) is not installed")


@pytest.mark.parametrize("size_wh", [(960, 720), (720, 960), (800, 800)])
def test_blenders_lens_sees_what_the_camera_sees(size_wh: tuple[int, int]) -> None:
    for seed in range(30):
        rng = np.random.default_rng(seed)
        camera = random_camera(rng, size_wh=size_wh, tile_px=30)
        points = rng.uniform(-8, 8, (40, 3)) * (1, 1, 0.06)
        seen = lens_of(camera, size_wh).project(points, size_wh)
        assert np.abs(seen - camera.project(points)).max() < 1e-6


def _volume(shape: Shape) -> float:
    """Positive where a shape is closed and its faces are counter-clockwise from outside."""
    total = 0.0
    for face in shape.faces:
        corners = shape.points[list(face)]
        total += sum(corners[0] @ np.cross(corners[i], corners[i + 1]) / 6 for i in range(1, len(corners) - 1))
    return float(total)


@pytest.mark.parametrize(
    ("shape", "least", "most"),
    [
        (tile_shape(2.0, 0.4, 0.1, 0.05), 0.75, 0.8),
        (cylinder(1.0, 1.0, 0.05), 2.9, np.pi),
        (slab(2.0, 1.0, 0.5), 0.9, 1.0),
        (slab(2.0, 1.0, 0.5).tipped(), 0.9, 1.0),
        (slab(2.0, 1.0, 0.5).moved((3, -2, 1), 0.7), 0.9, 1.0),
        (turned_profile([(0.5, 0), (1, 0), (1, 2), (0.8, 2), (0.8, 0.2), (0.01, 0.2)]), 2.0, 3.5),
        (tube(np.array([[0, 0, 1.0], [2, 0, 1], [4, 1, 1]]), [0.5, 0.5, 0.5]), 3.0, 4.5),
    ],
)
def test_shapes_are_closed_and_face_outward(shape: Shape, least: float, most: float) -> None:
    edges: dict[tuple[int, int], int] = {}
    for face in shape.faces:
        for a, b in zip(face, (*face[1:], face[0]), strict=True):
            edges[a, b] = edges.get((a, b), 0) + 1
    assert all(count == 1 and (b, a) in edges for (a, b), count in edges.items())
    assert len(shape.parts) == len(shape.faces)
    assert least < _volume(shape) < most


def test_a_tile_is_as_large_as_its_style_says() -> None:
    points = tile_shape(2.04, 0.33, 0.12, 0.05).points
    assert points.min(0) == pytest.approx([-1.02, -0.5, 0])
    assert points.max(0) == pytest.approx([1.02, 0.5, 0.33])
    assert len(rounded_rectangle(2, 1, 0.1)) == 20


def test_a_faces_corners_are_the_quads_corners() -> None:
    """The texture's corners from its top left, clockwise, are those of the quad, in turn."""
    rng = np.random.default_rng(1)
    style, camera = random_style(rng), random_camera(rng, size_wh=(640, 480), tile_px=40)
    placed = Placed((0.3, -0.7, 1.1), (3, 4))
    half = style.length / 2
    corners = np.array([[-half, -0.5, 0], [-half, 0.5, 0], [half, 0.5, 0], [half, -0.5, 0]])
    assert face_uv(corners, style.length) == pytest.approx(np.array([[0, 1], [1, 1], [1, 0], [0, 0]]))
    lying = Shape(corners, (), ()).moved((0.3, -0.7, style.thickness), 1.1)
    assert top_quad(camera, placed, style) == pytest.approx(camera.project(lying.points))
    quad = top_quad(camera, placed, style)
    inside = [
        cv2.pointPolygonTest(quad.astype(np.float32), p.tolist(), False)
        for p in camera.project(top_grid(placed, style))
    ]
    assert min(inside) > 0 and len(inside) >= 8 * 16


@pytest.mark.parametrize("seed", [*range(12), 93, 123, 135, 183])
def test_plans_hold_one_set_of_tiles_that_do_not_overlap(seed: int) -> None:
    plan = round_plan(seed)
    table = plan.round.table
    assert 8 <= len(table.placed) <= 110
    dealt = [tuple(sorted(p.ends)) for p in table.placed if p.ends is not None]
    assert len(dealt) == len(set(dealt))
    assert all(b <= plan.style.highest for _, b in dealt)
    outlines = [table.outline(p.pose) for p in table.placed]
    for k, one in enumerate(outlines):
        assert all(apart(one, other) for other in outlines[:k])
    if plan.table_radius:
        assert max(float(np.hypot(*np.concatenate(outlines).T).max()), 0) < plan.table_radius + 1
        assert all(np.hypot(*t.pose[:2]) < plan.table_radius + 3 for t in plan.things)


def test_a_seed_is_a_plan() -> None:
    one, two = round_plan(7), round_plan(7)
    assert one.round.table.placed == two.round.table.placed
    assert one.things == two.things and one.camera.matrix == pytest.approx(two.camera.matrix)
    assert round_plan(8).round.table.placed != one.round.table.placed


def test_neighbours_in_trains_mostly_match() -> None:
    """Of face-up tiles that nearly touch end to end, most show the same value there."""
    match = other = 0
    for seed in range(25):
        rng = np.random.default_rng(seed)
        style = random_style(rng, highest=12)
        table = Table(reach=30, length=style.length)
        laid = rounds_table(rng, table, style, reach=12, count=40)
        assert isinstance(laid, Round)
        if not laid.tail_poses:
            continue
        ends = []
        for k, p in enumerate(table.placed):
            if p.ends is None or p.ends[0] == p.ends[1]:
                continue
            x, y, a = p.pose
            for sign, value in ((-1, p.ends[0]), (1, p.ends[1])):
                ends.append(
                    (k, x + sign * style.length / 2 * np.cos(a), y + sign * style.length / 2 * np.sin(a), value)
                )
        for i, (k, x, y, value) in enumerate(ends):
            for m, u, v, second in ends[:i]:
                if k != m and np.hypot(x - u, y - v) < 0.25:
                    match, other = match + (value == second), other + (value != second)
    assert match > 100
    assert match > 4 * other


def test_pixels_and_the_table_are_each_others_way_back() -> None:
    camera = random_camera(np.random.default_rng(2), size_wh=(640, 480), tile_px=40)
    flat = np.array([[1.0, 2.0], [-3.0, 0.5]])
    pixels = camera.project(np.column_stack([flat, np.full(2, 0.4)]))
    assert on_table(camera, pixels, 0.4) == pytest.approx(flat)


def test_pips_are_hollows_where_faces_show_them() -> None:
    rng = np.random.default_rng(0)
    style = replace(random_style(rng, highest=12), numerals=False, pip_look="flat")
    _, _, centres = draw_face(rng, style, (5, 12), 96)
    heights = pip_heights(style, (5, 12), centres, 96)
    assert heights.shape == (round(96 * style.length), 96)
    for x, y in centres * 96:
        assert heights[int(y), int(x)] < 0.1
    assert heights[0].min() == heights[-1].min() == 1
    assert (pip_heights(style, None, np.zeros((0, 2)), 96) == 1).all()


def test_visible_is_what_is_seen_within_the_picture() -> None:
    points = np.array([[10.0, 10], [20, 10], [-5, 10], [30, 10]])
    assert visible_share(points, np.array([True, False, True, True]), (100, 50)) == 0.5


@pytest.mark.parametrize("level", [1e-3, 1.0, 500.0])
def test_exposure_makes_a_picture_of_any_light(level: float) -> None:
    rng = np.random.default_rng(4)
    light = (level * rng.uniform(0.02, 1.0, (60, 80, 1)) * np.array([0.5, 0.8, 1.0])).astype(np.float32)
    image = expose(rng, light)
    assert image.shape == light.shape
    assert image.min() >= 0 and image.max() <= 255.01
    assert 70 < image.mean() < 200


def test_the_record_reads_back_as_an_example(tmp_path) -> None:
    quad = np.array([[10, 10], [30, 10], [30, 50], [10, 50]], np.float64)
    tiles = (
        TrueTile((3, 1), quad, 0.9, np.array([[0.5, 0.5]]), 2.02, False),
        TrueTile(None, quad + 40, 0.8, np.zeros((0, 2)), 2.02, False),
        TrueTile(None, quad + 60, 0.2, np.zeros((0, 2)), 2.02, False),
    )
    written = record(Scene(np.zeros((90, 120, 3), np.uint8), tiles, 9), "rendered_000001.jpg", round_plan(1))
    assert written["source"] == "rendered"
    (tmp_path / "rendered_000001.json").write_text(json.dumps(written))
    (example,) = read_folder(tmp_path, tmp_path)
    assert example.owner == "rendered" and example.highest == 9
    assert example.tiles[0].ends == (3, 1) and example.tiles[0].pips is not None
    assert len(example.backs_px) == 1


@pytest.mark.skipif(find_spec("bpy") is not None, reason="Blender as a module (bpy) is installed")
def test_the_command_says_what_is_missing(tmp_path) -> None:
    done = CliRunner().invoke(main, ["--out", str(tmp_path / "r"), "--count", "1"])
    assert done.exit_code == 1
    assert "bpy" in done.output


def _two_tiles(size_wh: tuple[int, int]) -> RoundPlan:
    """A white 0-9 and another beside it, on something dark, from above, in a window's light."""
    plan = round_plan(11, size_wh=size_wh)
    white, black = np.full(3, 235, np.float32), np.full(3, 10, np.float32)
    style = replace(
        random_style(np.random.default_rng(0), highest=9),
        ground_bgr=white,
        back_bgr=white,
        side_bgr=white,
        base_bgr=white,
        ink_bgr=(black,) * 19,
        grain="none",
        numerals=False,
        pip_look="flat",
        pip_radius=0.11,
        thickness=0.3,
        frame_bgr=None,
        spinner_bgr=None,
        wear=0.0,
    )
    table = Table(reach=12, length=style.length)
    table.put(Placed((-1.6, 0.4, 0.5), (0, 9)))
    table.put(Placed((1.8, -0.5, 2.0), (9, 0)))
    camera = random_camera(np.random.default_rng(1), size_wh=size_wh, tile_px=size_wh[0] / 8, from_above=True)
    return replace(
        plan, style=style, camera=camera, round=Round(table), things=(), standing=(), arm=None, lamp="window",
        top="gloss", glare_at=None, table_radius=0.0, tile_px=size_wh[0] / 8,
    )  # fmt: skip


@needs_blender
def test_what_is_rendered_lies_where_the_truth_says() -> None:
    from companion.training.blender_scene import Quality, render_plan

    size = (160, 120)
    light, tiles = render_plan(_two_tiles(size), 1, Quality(samples=1, threads=1))
    assert light.shape == (120, 160, 3)
    assert [t.ends for t in tiles] == [(0, 9), (9, 0)]
    every = np.zeros(size[::-1], np.uint8)
    for tile in tiles:
        assert tile.visible > 0.97
        cv2.fillConvexPoly(every, tile.quad_px.round().astype(np.int32), 255)
    bright = np.asarray(light.mean(2))
    table = cv2.dilate(every, np.ones((25, 25), np.uint8)) - cv2.dilate(every, np.ones((13, 13), np.uint8))
    for tile in tiles:
        assert tile.ends is not None
        halves = []
        sides = (tile.quad_px[0] + tile.quad_px[3]) / 2, (tile.quad_px[1] + tile.quad_px[2]) / 2
        for ends in (tile.quad_px[:2], tile.quad_px[2:]):
            half = cv2.convexHull(np.stack([*ends, *sides]).astype(np.float32))[:, 0]
            mask = np.zeros(size[::-1], np.uint8)
            inner = half.mean(0) + (half - half.mean(0)) * 0.85
            cv2.fillConvexPoly(mask, inner.round().astype(np.int32), 255)
            halves.append(float(bright[mask > 0].mean()))
        blank, nine = halves if tile.ends[0] == 0 else halves[::-1]
        assert blank > 1.2 * nine
        assert nine > 1.5 * float(np.median(bright[table > 0]))


@needs_blender
def test_a_thing_on_a_tile_hides_a_part_of_it_and_a_border_cuts_it() -> None:
    from companion.training.blender_scene import Quality, render_plan

    plan = _two_tiles((120, 90))
    x, y, angle = plan.round.table.placed[0].pose
    coin = Thing("coin", (x, y, angle), plan.style.thickness, 0.5)
    away = plan.round.table.placed[1]
    border = on_table(plan.camera, np.array([[119.0, 45.0]]), plan.style.thickness)[0]
    away.pose = (float(border[0]), float(border[1]), away.pose[2])
    _, tiles = render_plan(replace(plan, things=(coin,)), 1, Quality(samples=1, threads=1))
    assert 0.45 < tiles[0].visible < 0.75  # a disc of half a width's radius covers 0.79 of 2
    assert 0.3 < tiles[1].visible < 0.7


@needs_blender
def test_a_seed_is_a_rendered_scene() -> None:
    from companion.training.blender_scene import Quality, rendered_scene

    quick = Quality(samples=1, threads=1)
    one, two = (rendered_scene(3, round_plan(3, size_wh=(96, 72)), quality=quick) for _ in range(2))
    assert (one.image_bgr == two.image_bgr).all()
    assert [t.ends for t in one.tiles] == [t.ends for t in two.tiles]
    assert all(np.array_equal(a.quad_px, b.quad_px) for a, b in zip(one.tiles, two.tiles, strict=True))


@needs_blender
@pytest.mark.slow
def test_the_command_goes_on_where_it_was_stopped(tmp_path) -> None:
    # in a process of its own: bpy, once imported, puts folders on the path that a worker must not see
    command = [sys.executable, "-m", "companion.training.render_scenes", "--out", str(tmp_path), "--samples", "1"]
    subprocess.run([*command, "--count", "1", "--first", "5"], check=True, capture_output=True)
    truth = tmp_path / "truth" / "rendered_000005.json"
    first = truth.stat().st_mtime_ns
    (example,) = read_folder(tmp_path / "truth", tmp_path / "pictures")
    height, width = example.image().shape[:2]
    assert example.tiles
    for tile in example.tiles:
        cut = (tile.quad_px < 0).any() or (tile.quad_px > (width, height)).any()
        assert 0.05 < tile.visible <= 1
        assert tile.visible < 1 or not cut or np.abs(tile.quad_px - np.clip(tile.quad_px, 0, (width, height))).max() < 6
    subprocess.run([*command, "--count", "2", "--first", "4"], check=True, capture_output=True)
    assert truth.stat().st_mtime_ns == first
    assert len(read_folder(tmp_path / "truth", tmp_path / "pictures")) == 2
