"""Large photos are opened small where that is enough, and whole where it is not."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from companion.sightings import PhotoReading, Quad, ReadTile
from companion.vision.opening import Picture, open_picture, open_reduced
from companion.vision.photos import ENOUGH_TILE_PX, read_photo

LARGE_WH = (4000, 3000)
ORIENTATION = 0x0112


def jpeg(size_wh: tuple[int, int], *, orientation: int = 1) -> bytes:
    """Dark left, light right."""
    pixels = np.zeros((size_wh[1], size_wh[0], 3), np.uint8)
    pixels[:, size_wh[0] // 2 :] = 220
    out = io.BytesIO()
    tags = Image.Exif()
    tags[ORIENTATION] = orientation
    Image.fromarray(pixels).save(out, "JPEG", exif=tags.tobytes())
    return out.getvalue()


class OneTile:
    """Sees one upright tile in the middle of any picture, its width a fixed share of the picture's."""

    def __init__(self, share: float) -> None:
        self.share = share
        self.sizes: list[tuple[int, int]] = []

    def read(self, image_bgr: Picture, *, set_highest: int | None) -> PhotoReading:
        high, wide = image_bgr.shape[:2]
        self.sizes.append((wide, high))
        x, y, w = wide / 2 - 0.5, high / 2 - 0.5, wide * self.share
        quad: Quad = ((x - w / 2, y - w), (x + w / 2, y - w), (x + w / 2, y + w), (x - w / 2, y + w))
        return PhotoReading((wide, high), set_highest or 12, (ReadTile((1, 2), quad, 0.9),), 0, ())


def test_a_large_jpeg_is_opened_at_half_its_sides() -> None:
    opened = open_reduced(jpeg(LARGE_WH), enough_pixels=2_900_000)
    assert opened.picture.shape == (1500, 2000, 3)
    assert opened.photo_size_wh == LARGE_WH
    assert opened.reduced
    assert opened.picture[700, 500].max() < 10
    assert opened.picture[700, 1500].min() > 210


@pytest.mark.parametrize(
    ("orientation", "photo_wh"), [(1, LARGE_WH), (3, LARGE_WH), (6, LARGE_WH[::-1]), (8, LARGE_WH[::-1])]
)
def test_the_photos_size_is_that_of_the_upright_photo(orientation: int, photo_wh: tuple[int, int]) -> None:
    data = jpeg(LARGE_WH, orientation=orientation)
    opened = open_reduced(data, enough_pixels=2_900_000)
    assert opened.photo_size_wh == photo_wh
    assert opened.picture.shape[:2] == (photo_wh[1] // 2, photo_wh[0] // 2)
    whole = open_picture(data)
    assert abs(opened.picture.astype(int) - whole[::2, ::2]).mean() < 2


def test_a_small_photo_and_another_format_stay_whole() -> None:
    assert not open_reduced(jpeg((1600, 1200)), enough_pixels=2_900_000).reduced
    out = io.BytesIO()
    Image.new("RGB", LARGE_WH).save(out, "PNG")
    assert not open_reduced(out.getvalue(), enough_pixels=2_900_000).reduced


def test_the_reading_is_told_in_pixels_of_the_photo() -> None:
    reader = OneTile(0.1)
    read = read_photo(reader, jpeg(LARGE_WH), set_highest=9)
    assert reader.sizes == [(2000, 1500)]
    assert read.reading.size_wh == LARGE_WH
    assert read.reading.set_highest == 9
    assert np.allclose(np.mean(read.reading.tiles[0].quad_px, 0), (1999.5, 1499.5))
    assert np.isclose(np.ptp(read.reading.tiles[0].quad_px, 0)[0], 400)
    assert read.on_picture.size_wh == (2000, 1500)
    assert read.picture.shape[:2] == (1500, 2000)


def test_small_tiles_are_read_on_the_whole_photo() -> None:
    reader = OneTile(0.9 * ENOUGH_TILE_PX / 2000)
    read = read_photo(reader, jpeg(LARGE_WH))
    assert reader.sizes == [(2000, 1500), LARGE_WH]
    assert read.reading is read.on_picture
    assert read.picture.shape[:2] == LARGE_WH[::-1]
