import cv2
import numpy as np
import pytest

from companion.training.camera import random_camera
from companion.training.faces import draw_face, random_style
from companion.training.photograph import cast_shadows
from companion.training.samples import HAND, hand_photo
from companion.training.scenes import make_scene
from companion.training.views import random_view, scene_view


def test_a_seed_is_a_scene() -> None:
    one, two = make_scene(5), make_scene(5)
    assert (one.image_bgr == two.image_bgr).all()
    assert [t.ends for t in one.tiles] == [t.ends for t in two.tiles]
    assert make_scene(6).image_bgr.shape != one.image_bgr.shape or (make_scene(6).image_bgr != one.image_bgr).any()


@pytest.mark.parametrize("seed", range(8))
def test_truth_of_scenes_is_clockwise_and_within_the_set(seed: int) -> None:
    scene = make_scene(100 + seed)
    for tile in scene.tiles:
        x, y = tile.quad_px.T
        assert np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) > 0
        assert tile.ends is None or max(tile.ends) <= scene.highest
        assert 0 < tile.visible <= 1


def test_faces_have_as_many_pips_as_they_say() -> None:
    rng = np.random.default_rng(0)
    drawn = 0
    while drawn < 30:
        style = random_style(rng)
        a, b = (int(v) for v in rng.integers(0, style.highest + 1, 2))
        face, alpha, pips = draw_face(rng, style, (a, b), 64)
        assert face.shape[:2] == alpha.shape
        assert len(pips) == (0 if style.numerals else a + b)
        if len(pips):
            assert (pips[:, 0] > 0).all() and (pips[:, 0] < 1).all()
            assert (pips[:a, 1] < style.length / 2).all() and (pips[a:, 1] > style.length / 2).all()
        drawn += 1


def test_the_camera_sees_the_table_plane_as_its_homography_says() -> None:
    rng = np.random.default_rng(3)
    camera = random_camera(rng, size_wh=(640, 480), tile_px=40)
    flat = np.array([[0.0, 0, 0.3], [1, 2, 0.3], [-3, 1, 0.3]])
    through = np.column_stack([flat[:, :2], np.ones(3)]) @ camera.plane(0.3).T
    assert camera.project(flat) == pytest.approx(through[:, :2] / through[:, 2:])


def test_the_sample_hand_shows_all_its_tiles() -> None:
    image, tiles = hand_photo(4)
    height, width = image.shape[:2]
    assert sorted(t.ends for t in tiles) == sorted(HAND)
    for tile in tiles:
        assert tile.visible > 0.97
        assert (tile.quad_px > 0).all() and (tile.quad_px < (width, height)).all()


def test_views_keep_tiles_under_their_labels(tmp_path) -> None:
    """Seen from elsewhere, a tile's middle must still be where its label says: painted red, it is found there."""
    from companion.training.examples import Example, LabelledTile

    quad = np.array([[200, 100], [260, 100], [260, 220], [200, 220]], np.float64)
    image = np.full((400, 500, 3), 60, np.uint8)
    cv2.fillConvexPoly(image, quad.astype(np.int32), (0, 0, 255))
    path = tmp_path / "p.png"
    cv2.imwrite(str(path), image)
    example = Example(path, "made", 6, (LabelledTile((1, 2), quad),), (), ())
    rng = np.random.default_rng(1)
    seen = 0
    for make in (random_view, scene_view):
        for _ in range(12):
            view = make(rng, example, image)
            for found in view.tiles_px:
                x, y = (int(v) for v in found.mean(0))
                if 0 <= x < 416 and 0 <= y < 416:
                    blue, _, red = (int(v) for v in view.image_bgr[y, x])
                    seen += red > blue
    assert seen >= 10


@pytest.mark.parametrize("seed", range(6))
def test_shadows_only_darken_and_leave_some_light(seed: int) -> None:
    image = np.full((300, 400, 3), 200, np.float32)
    shaded = cast_shadows(np.random.default_rng(seed), image, 40.0)
    assert shaded.shape == image.shape
    assert shaded.max() <= 200.01
    assert 0.15 * 200 < shaded.min() < 0.8 * 200
