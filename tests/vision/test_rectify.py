import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision import rectify
from companion.vision.rectify import Pyramid


def slanted_picture(scale: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """A tile with a red end a and a blue end b, seen at a slant."""
    face = np.zeros((200, 100, 3), np.uint8)
    face[:100], face[100:] = (0, 0, 255), (255, 0, 0)
    quad = np.array([[120, 60], [190, 80], [230, 260], [110, 250]], np.float64) * scale
    source = np.float32([[0, 0], [100, 0], [100, 200], [0, 200]])
    size = (int(320 * scale), int(320 * scale))
    return cv2.warpPerspective(face, cv2.getPerspectiveTransform(source, quad.astype(np.float32)), size), quad


@pytest.mark.parametrize("scale", [1.0, 3.0, 8.0])
def test_halves_come_out_whole_with_their_outer_edge_up(scale: float) -> None:
    image, quad = slanted_picture(scale)
    a, b = rectify.half_crops(Pyramid(image), [quad])
    inner = slice(rectify.MARGIN_PX + 3, rectify.HALF_SIDE_PX - rectify.MARGIN_PX - 3)
    assert a[inner, inner].reshape(-1, 3).mean(0) == pytest.approx([0, 0, 255], abs=6)
    assert b[inner, inner].reshape(-1, 3).mean(0) == pytest.approx([255, 0, 0], abs=6)


def test_tile_crop_has_end_a_on_top() -> None:
    image, quad = slanted_picture()
    crop = Pyramid(image).cut([quad], rectify.TILE_CUT)[0]
    assert crop.shape == (136, 72, 3)
    assert crop[20, 36, 2] > 200 and crop[116, 36, 0] > 200


@given(st.lists(st.floats(-0.12, 0.12), min_size=8, max_size=8))
def test_rough_units_lead_there_and_back(moves: list[float]) -> None:
    _, quad = slanted_picture()
    units = np.array([[0, 0], [1, 0], [1, 2], [0, 2]]) + np.array(moves).reshape(4, 2)
    assert rectify.to_rough(quad, rectify.from_rough(quad[None], units[None])[0]) == pytest.approx(units, abs=1e-3)


@given(st.floats(5, 80), st.floats(5, 80), st.floats(-7, 7))
def test_rectangles_run_clockwise_from_a_short_side(width: float, height: float, angle: float) -> None:
    corners = rectify.rectangle_corners(100, 100, width, height, angle)
    edges = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(edges, axis=1)
    assert lengths[0] <= lengths[1] + 1e-6
    nexts = np.roll(edges, -1, axis=0)
    assert (edges[:, 0] * nexts[:, 1] - edges[:, 1] * nexts[:, 0] > 0).all()
    assert corners.mean(0) == pytest.approx([100, 100])


def test_large_tiles_do_not_alias() -> None:
    """A fine chequer far larger than the crop must come out grey, not as a moire."""
    image = np.zeros((1600, 1600, 3), np.uint8)
    image[::2, ::2] = image[1::2, 1::2] = 255
    quad = np.array([[0, 0], [799, 0], [799, 1599], [0, 1599]], np.float64)
    crop = Pyramid(image).cut([quad], rectify.TILE_CUT)[0]
    assert crop[10:-10, 10:-10].std() < 12


@pytest.mark.parametrize("scale", [1.0, 3.0, 8.0])
def test_colours_of_points_are_those_of_the_crop(scale: float) -> None:
    image, quad = slanted_picture(scale)
    points = np.array([[0.2, 0.2], [0.8, 0.7], [0.5, 1.3], [0.9, 1.9]])
    (colours,) = Pyramid(image).at(quad[None], points, 24.0)
    assert colours[:2].tolist() == [[0, 0, 255]] * 2
    assert colours[2:].tolist() == [[255, 0, 0]] * 2


def test_points_outside_a_picture_have_the_colour_of_its_edge() -> None:
    image, quad = slanted_picture()
    image[:, :8] = (9, 9, 9)
    (colours,) = Pyramid(image).at((quad - (250, 0))[None], np.array([[0.5, 1.0]]), 24.0)
    assert colours.tolist() == [[9, 9, 9]]


def test_a_quad_that_has_collapsed_has_some_colour_too() -> None:
    image, _ = slanted_picture()
    assert Pyramid(image).at(np.full((1, 4, 2), 7.0), np.array([[0.5, 1.0]]), 24.0).shape == (1, 1, 3)
