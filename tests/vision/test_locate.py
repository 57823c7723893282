from dataclasses import dataclass, field

import numpy as np
import pytest
from raw_boxes import raw_outputs

from companion.vision.locate import Located, LocateParameters, apart_first, intersection_over_union, locate, outside
from companion.vision.rectify import Pyramid

P = LocateParameters()


@dataclass
class FakeDetector:
    """Sees given tiles (x, y, width, height, angle, score, class in shares of the picture) wherever it is asked to look.

    It is told where the look lies by the picture itself: red grows from left to right, green from top to bottom.
    """

    tiles: list[tuple[float, float, float, float, float, float, int]]
    picture_wh: tuple[int, int]
    looks: list[tuple[int, int]] = field(default_factory=list)

    def read_picture(self, image_bgr: np.ndarray) -> list[np.ndarray]:
        h, w = image_bgr.shape[:2]
        self.looks.append((w, h))
        blue, green, red = np.moveaxis(image_bgr / 255, -1, 0)
        x0, y0 = red[0, 0], green[0, 0]
        # the last unpadded pixel: padding is 114 / 255 in all channels, blue is 0 in the picture
        inside = blue < 0.2
        cols, rows = int(inside[0].sum()), int(inside[:, 0].sum())
        x1, y1 = red[0, cols - 1], green[rows - 1, 0]
        out = []
        for x, y, tw, th, angle, score, kind in self.tiles:
            sx, sy = cols / max(1e-6, x1 - x0), rows / max(1e-6, y1 - y0)
            px, py = (x - x0) * sx, (y - y0) * sy
            row = [px, py, tw * sx, th * sy, 0.0, 0.0, angle]
            row[4 + kind] = score
            if 0 <= px < cols and 0 <= py < rows:
                out.append(row)
        return raw_outputs(out, h, w)


def graded(width: int, height: int) -> np.ndarray:
    image = np.zeros((height, width, 3), np.uint8)
    image[..., 2] = np.linspace(0, 255, width).astype(np.uint8)[None]
    image[..., 1] = np.linspace(0, 255, height).astype(np.uint8)[:, None]
    return image


def test_boxes_come_back_in_pixels_of_the_picture() -> None:
    detector = FakeDetector([(0.25, 0.5, 0.1, 0.2, 0.0, 0.9, 0), (0.75, 0.25, 0.1, 0.2, 0.0, 0.8, 1)], (2000, 2000))
    found = locate(detector, Pyramid(graded(2000, 2000)), P)
    assert [box.face_down for box in found] == [False, True]
    assert found[0].quad.mean(0) == pytest.approx([500, 1000], abs=15)
    assert found[0].width == pytest.approx(200, rel=0.05)
    assert [max(look) for look in detector.looks] == [640, 320]


def row_of(width: float, count: int) -> list[tuple[float, float, float, float, float, float, int]]:
    return [((k + 0.5) / count, 0.5, width, 2 * width, 0.0, 0.9, 0) for k in range(count)]


@pytest.mark.parametrize(("width", "looks"), [(0.02, [640, 1280]), (0.012, [640, 2016]), (0.08, [640, 320])])
def test_small_tiles_are_looked_at_closer(width: float, looks: list[int]) -> None:
    detector = FakeDetector(row_of(width, P.many), (2400, 1800))
    found = locate(detector, Pyramid(graded(2400, 1800)), P)
    assert [max(look) for look in detector.looks] == looks
    assert len(found) == P.many
    middles = sorted(box.quad.mean(0)[0] for box in found)
    assert middles == pytest.approx([200 * (k + 0.5) for k in range(P.many)], abs=25)


def test_few_small_boxes_may_be_parts_of_one_tile() -> None:
    detector = FakeDetector(row_of(0.02, 3), (2000, 2000))
    locate(detector, Pyramid(graded(2000, 2000)), P)
    assert [max(look) for look in detector.looks] == [640, 1280, 320]


def test_one_tile_that_fills_the_picture_is_one() -> None:
    detector = FakeDetector([(0.5, 0.5, 0.4, 0.8, 0.0, 0.9, 0)], (1600, 1600))
    assert len(locate(detector, Pyramid(graded(1600, 1600)), P)) == 1
    assert [max(look) for look in detector.looks] == [640, 320]


def test_an_empty_table_gives_nothing() -> None:
    assert locate(FakeDetector([], (900, 700)), Pyramid(graded(900, 700)), P) == []


def test_one_tile_seen_twice_is_one_and_neighbours_stay_two() -> None:
    tiles = [
        (0.30, 0.5, 0.1, 0.2, 0.0, 0.9, 0), (0.305, 0.505, 0.1, 0.2, 0.0, 0.7, 0), (0.40, 0.5, 0.1, 0.2, 0.0, 0.6, 0),
    ]  # fmt: skip
    found = locate(FakeDetector(tiles, (1000, 1000)), Pyramid(graded(1000, 1000)), P)
    assert [round(box.score, 1) for box in found] == [0.9, 0.6]


@pytest.mark.parametrize(("score", "kept"), [(P.weak_score - 0.01, 0), (P.weak_score + 0.01, 1)])
def test_weak_boxes_are_kept_as_places_to_look_at_the_weakest_are_not(score: float, kept: int) -> None:
    detector = FakeDetector([(0.5, 0.5, 0.1, 0.2, 0.0, score, 0)], (1000, 1000))
    assert len(locate(detector, Pyramid(graded(1000, 1000)), P)) == kept


def test_overlap_of_quads() -> None:
    square = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], np.float64)
    assert intersection_over_union(square, square) == pytest.approx(1)
    assert intersection_over_union(square, square + (5, 0)) == pytest.approx(1 / 3)
    assert intersection_over_union(square, square + (20, 0)) == 0


def boxes_at(*places: tuple[float, float]) -> list[Located]:
    """Boxes of 20 x 40, the first the best."""
    quad = np.array([[0, 0], [20, 0], [20, 40], [0, 40]], np.float64)
    return [Located(quad + place, 0.9 - 0.1 * k, False) for k, place in enumerate(places)]


def test_the_best_of_those_that_share_a_place_come_first() -> None:
    boxes = boxes_at((0, 0), (0, 15), (100, 0), (103, 3), (0, 41))
    first, others = apart_first(boxes, 0.3)
    assert first == [boxes[0], boxes[2], boxes[4]]
    assert others == [boxes[1], boxes[3]]
    assert apart_first([], 0.3) == ([], [])


def test_what_lies_outside_of_tiles_is_kept() -> None:
    boxes = boxes_at((0, 5), (0, 25), (100, 0))
    tile = boxes_at((0, 0))[0].quad
    assert outside(boxes, [tile], 0.3) == boxes[1:]
    assert outside(boxes, [], 0.3) == boxes
