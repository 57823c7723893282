"""Markers at the ends of trains: where they are looked for, and that the network that ships finds what lies there."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.sightings import Detection, PipReading, Quad
from companion.table.layout import Layout, lay_out
from companion.table.plane import fit_plane
from companion.table.seen import SeenTable
from companion.training.faces import draw_face, random_style
from companion.vision.markers import find_markers
from companion.vision.models import Network, load_network
from companion.vision.rectify import Pyramid
from companion.vision.train_ends import OTHER, SIDE_PX, THIS, UNIT_PX, end_crops, flat_quads, from_crop, to_crop

WIDTH_PX = 44
TRAIN = ((12, 12), (12, 3), (3, 5), (5, 8))
PLACES = ((260, 300, 90), (350, 300, 0), (444, 300, 0), (538, 300, 0))
"""Middle and degrees; at 0 a tile's first half is on the left."""


@pytest.fixture(scope="module")
def network() -> Network:
    return load_network(Path(__file__).parents[2] / "models", "markers")


def quad_of(x: float, y: float, degrees: float) -> NDArray[np.float64]:
    way = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    side = np.array([-way[1], way[0]])
    corners = [(-1, 0.5), (-1, -0.5), (1, -0.5), (1, 0.5)]
    return np.array([(x, y) + WIDTH_PX * (u * way + v * side) for u, v in corners])


def as_quad(quad: NDArray[np.float64]) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return a, b, c, d


def surely(value: int) -> PipReading:
    chances = np.full(19, 0.01 / 18)
    chances[value] = 0.99
    return PipReading(tuple(chances.tolist()))


def seen() -> SeenTable:
    tiles = [
        Detection(as_quad(quad_of(*place)), (surely(a), surely(b)), 0.99)
        for place, (a, b) in zip(PLACES, TRAIN, strict=True)
    ]
    return SeenTable(tuple(tiles))


def picture(seed: int = 0) -> NDArray[np.uint8]:
    """The train on a green cloth."""
    rng = np.random.default_rng(seed)
    image = np.full((600, 800, 3), (70, 110, 60), np.float32) + rng.normal(0, 4, (600, 800, 1)).astype(np.float32)
    style = random_style(np.random.default_rng(4), highest=12)
    for place, ends in zip(PLACES, TRAIN, strict=True):
        face, alpha, _ = draw_face(rng, style, ends, 64)
        height, width = alpha.shape
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        warp = cv2.getPerspectiveTransform(corners, quad_of(*place).astype(np.float32))
        cover = cv2.warpPerspective(alpha, warp, (800, 600))[..., None]
        image += cover * (cv2.warpPerspective(face, warp, (800, 600)) - image)
    return np.clip(image, 0, 255).astype(np.uint8)


def laid() -> Layout:
    layout = lay_out(seen(), highest=12)
    assert [train.tiles for train in layout.trains] == [(1, 2, 3)]
    return layout


def test_a_crop_shows_the_tile_upright_in_its_middle() -> None:
    image = np.zeros((600, 800, 3), np.uint8)
    quads = [quad_of(*place) for place in PLACES]
    plane = fit_plane([as_quad(quad) for quad in quads])
    flat = flat_quads(plane, quads)
    assert flat == pytest.approx(np.array(quads), abs=0.5)
    crop = end_crops(Pyramid(image), flat, [3])[0]
    assert crop.shape == (SIDE_PX, SIDE_PX, 4)
    mask = crop[..., 3]
    rows, columns = np.nonzero(mask == THIS)
    assert (columns.max() - columns.min(), rows.max() - rows.min()) == pytest.approx((UNIT_PX, 2 * UNIT_PX), abs=2)
    assert (mask == OTHER).sum() > UNIT_PX**2  # the tile before it
    place = np.array([[600.0, 310.0]])
    assert from_crop(flat[3], to_crop(flat[3], place)) == pytest.approx(place)


@pytest.mark.parametrize("place", [(538, 300), (610, 300), (540, 350)])
def test_a_chip_on_or_beside_the_last_tile_is_found(network: Network, place: tuple[int, int]) -> None:
    image = picture()
    shadow = image.copy()
    cv2.circle(shadow, (place[0] + 3, place[1] + 4), 17, (30, 45, 25), -1)
    image = cv2.addWeighted(cv2.GaussianBlur(shadow, (0, 0), 2), 0.8, image, 0.2, 0)
    cv2.circle(image, place, 16, (40, 30, 190), -1, cv2.LINE_AA)
    cv2.circle(image, place, 10, (200, 200, 210), 2, cv2.LINE_AA)
    (marker,) = find_markers(network, np.asarray(image, np.uint8), seen(), laid())
    assert np.hypot(marker.place_px[0] - place[0], marker.place_px[1] - place[1]) < WIDTH_PX / 2
    assert laid().marked_by([marker]).trains[0].marker


def test_where_nothing_stands_nothing_is_found(network: Network) -> None:
    for seed in range(3):
        assert find_markers(network, picture(seed), seen(), laid()) == ()


def test_without_trains_nobody_looks(network: Network) -> None:
    alone = SeenTable(seen().tiles[:1])
    assert find_markers(network, picture(), alone, lay_out(alone, highest=12)) == ()
