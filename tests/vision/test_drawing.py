"""What is drawn on a photo: where, in which colour, and that it can be read."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from companion.sightings import Doubt, DoubtKind, PhotoReading, Quad, ReadTile
from companion.vision.drawing import DrawingStyle, annotate, band_lines, chip_radius, short_side
from companion.vision.opening import Picture

STYLE = DrawingStyle()


def quad_at(x: float, y: float, wide: float = 200, high: float = 100) -> Quad:
    return ((x, y + high), (x, y), (x + wide, y), (x + wide, y + high))


def reading(*tiles: ReadTile, doubtful: tuple[int, ...] = (), face_down: int = 0, size: tuple[int, int] = (800, 600)):  # type: ignore[no-untyped-def]
    doubts = tuple(Doubt(index, (DoubtKind.VALUE,), "look") for index in doubtful)
    return PhotoReading(size, 12, tiles, face_down, doubts)


def near(picture: Picture, colour: tuple[int, int, int], within: int = 40) -> np.ndarray:
    """Where the picture has this colour."""
    return np.asarray(np.abs(picture.astype(int) - colour).max(axis=2) <= within)


def grey(high: int = 600, wide: int = 800) -> Picture:
    return np.full((high, wide, 3), 110, np.uint8)


def test_the_photo_is_left_alone_and_a_band_is_added_below() -> None:
    photo = grey()
    drawn = annotate(photo, reading(ReadTile((9, 4), quad_at(100, 100), 0.99)), score=13)
    assert (photo == 110).all()
    assert drawn.shape[1] == 800
    assert 640 < drawn.shape[0] < 720
    assert drawn.dtype == np.uint8
    assert (drawn[350:600] == 110).all()  # far from the tile nothing changes


def test_a_sure_tile_has_a_closed_outline_and_two_chips_with_room_for_its_pips() -> None:
    drawn = annotate(grey(), reading(ReadTile((9, 4), quad_at(100, 100), 0.99)), score=13)
    outline = near(drawn[:600], STYLE.sure_bgr)
    for x in range(105, 296):
        assert outline[97:104, x].any()
        assert outline[197:204, x].any()
    for y in range(105, 196):
        assert outline[y, 97:104].any()
        assert outline[y, 297:304].any()
    chips = near(drawn[:600], STYLE.ink_bgr)[115:186, 115:286]
    halves = chips[:, :85], chips[:, 85:]
    assert all(0.1 < half.mean() < 0.5 for half in halves)
    assert not near(drawn, STYLE.doubt_bgr).any()
    assert (drawn[140:160, 190:210] == 110).all()  # the bar between the halves stays free


def test_a_doubtful_tile_is_dashed_amber_and_carries_a_mark() -> None:
    drawn = annotate(grey(), reading(ReadTile((9, 4), quad_at(100, 100), 0.6), doubtful=(0,)), score=13)
    amber = near(drawn[:600], STYLE.doubt_bgr)
    along = [bool(amber[97:104, x].any()) for x in range(105, 296)]
    changes = sum(first != second for first, second in pairwise(along))
    assert changes >= 6
    assert amber[135:165, 185:215].any()
    assert not near(drawn[:600], STYLE.sure_bgr).any()
    assert near(drawn[600:], STYLE.doubt_bgr).any()  # the band tells of it as well


def test_numerals_stand_upright_however_the_tile_lies() -> None:
    # half a to the left, and the same tile turned by 180 degrees with its ends exchanged: the same picture
    chips = slice(110, 191), slice(110, 291)
    lying = annotate(grey(), reading(ReadTile((7, 4), quad_at(100, 100), 0.99)), score=11)[chips]
    x, y, wide, high = 100, 100, 200, 100
    turned: Quad = ((x + wide, y), (x + wide, y + high), (x, y + high), (x, y))
    assert np.array_equal(lying, annotate(grey(), reading(ReadTile((4, 7), turned, 0.99)), score=11)[chips])


def test_half_a_is_written_at_the_edge_between_corners_0_and_1() -> None:
    one = annotate(grey(), reading(ReadTile((11, 1), quad_at(100, 100), 0.99)), score=12)[:600]
    other = annotate(grey(), reading(ReadTile((1, 1), quad_at(100, 100), 0.99)), score=12)[:600]
    changed = np.argwhere((one != other).any(axis=2))
    assert len(changed)
    assert changed[:, 1].max() < 200


@pytest.mark.parametrize("value", range(19))
def test_every_value_fits_its_chip_and_none_looks_like_another(value: int) -> None:
    drawn = annotate(grey(), reading(ReadTile((value, 0), quad_at(100, 100), 0.99)), score=value)[110:190, 90:180]
    white = near(drawn, STYLE.paper_bgr, 60)
    assert white.sum() > 60
    others = (other for other in range(19) if other != value)
    for other in others:
        again = annotate(grey(), reading(ReadTile((other, 0), quad_at(100, 100), 0.99)), score=value)[110:190, 90:180]
        assert (again != drawn).any(axis=2).sum() > 20


def test_chips_are_readable_on_a_phone_and_never_reach_over_the_neighbour() -> None:
    for short in (20, 60, 150, 900):
        for long_px in (640, 4000, 8000):
            radius = chip_radius(short, long_px, STYLE)
            assert radius <= max(6.0, 0.44 * short)
            assert radius >= min(0.44 * short, 0.012 * long_px)
    assert short_side(quad_at(0, 0, 200, 100)) == 100


@pytest.mark.parametrize(("high", "wide"), [(240, 320), (320, 240), (1500, 2000), (3000, 1000)])
def test_any_size_of_photo(high: int, wide: int) -> None:
    side = wide / 8
    tile = ReadTile((12, 5), quad_at(wide / 4, high / 3, side * 2, side), 0.9)
    drawn = annotate(grey(high, wide), reading(tile, size=(wide, high), doubtful=(0,), face_down=4), score=1234)
    assert drawn.shape[1] == wide
    assert high < drawn.shape[0] < high * 1.3
    band = near(drawn[high:], STYLE.paper_bgr, 60)
    assert band.any()
    assert not band[:, -2:].any()  # no word is cut at the right


def test_tiles_that_leave_the_picture_and_tiles_that_are_no_rectangles() -> None:
    outside = ReadTile((6, 6), quad_at(-150, -60), 0.9)
    far = ReadTile((6, 6), quad_at(5000, 5000), 0.9)
    point = ReadTile((0, 0), ((50, 50),) * 4, 0.1)
    drawn = annotate(grey(), reading(outside, far, point, doubtful=(0, 2)), score=24)
    assert drawn.shape[1] == 800


def test_the_band_speaks_of_tiles_face_down_and_doubts() -> None:
    nine_four, double_six = ReadTile((4, 9), quad_at(0, 0), 0.6), ReadTile((6, 6), quad_at(300, 0), 0.99)
    assert band_lines(reading(double_six)) == [("1 tile", False)]
    assert band_lines(reading(nine_four, double_six, doubtful=(0,), face_down=2)) == [
        ("2 tiles, 2 face down", False),
        ("? look at 9-4", True),
    ]
    many = reading(*[nine_four] * 6, doubtful=tuple(range(6)))
    assert band_lines(many)[1] == ("? look at 9-4, 9-4, 9-4, 9-4 and 2 more", True)
    assert annotate(grey(), reading(), score=0).shape[1] == 800
