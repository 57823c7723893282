import numpy as np
import pytest

from companion.vision.choosing import FEW, choose_apart, covered_share, misfits, of_like_size, plane_of_most
from companion.vision.rectify import move


def upright(x: float, y: float = 0.0, size: float = 1.0) -> np.ndarray:
    return np.array([[0, 0], [10, 0], [10, 20], [0, 20]], np.float64) * size + (x, y)


def test_a_box_across_two_neighbours_loses_even_when_it_looks_best() -> None:
    quads = [upright(0, 0), upright(0, 20), upright(0, 10)]
    assert choose_apart(quads, [0.8, 0.8, 0.99], 0.3) == [0, 1]


def test_of_two_in_one_place_the_better_stays() -> None:
    assert choose_apart([upright(0), upright(1)], [0.7, 0.9], 0.3) == [1]


def test_a_small_box_inside_a_tile_goes() -> None:
    assert choose_apart([upright(0), upright(2, 2, size=0.5)], [0.9, 0.8], 0.3) == [0]


def test_tiles_that_overlap_a_little_both_stay() -> None:
    assert choose_apart([upright(0), upright(8, 2)], [0.9, 0.6], 0.3) == [0, 1]


def test_long_rows_with_boxes_across_every_joint() -> None:
    quads, beliefs = [], []
    for k in range(30):
        quads += [upright(0, 20 * k), upright(0, 20 * k + 10)]
        beliefs += [0.95, 0.6]
    assert len(quads) > FEW
    assert choose_apart(quads, beliefs, 0.3) == list(range(0, 60, 2))


def test_tiles_side_by_side_outweigh_two_that_lie_across_them() -> None:
    """Of a hand of four the two in the middle could be two lying across both, and look more like those."""
    lying = [np.array([[10, y + 10], [10, y], [30, y], [30, y + 10]], np.float64) for y in (0, 10)]
    quads = [*(upright(10 * k) for k in range(4)), *lying]
    beliefs = [0.9, 0.6, 0.85, 0.9, 0.9, 0.9]
    assert choose_apart(quads, beliefs, 0.3) == [0, 3, 4, 5]
    assert choose_apart(quads, beliefs, 0.3, [(0, 1), (1, 2), (2, 3), (4, 5)]) == [0, 1, 2, 3]


def test_what_lies_together_does_not_save_what_overlaps() -> None:
    quads = [upright(0), upright(1), upright(11)]
    assert choose_apart(quads, [0.9, 0.6, 0.9], 0.3, [(0, 1), (1, 2)]) == [0, 2]


def test_nothing_gives_nothing() -> None:
    assert choose_apart([], [], 0.3) == []


def test_covered_share_is_of_the_smaller() -> None:
    assert covered_share(upright(0), upright(0, 10)) == pytest.approx(0.5)
    assert covered_share(upright(0), upright(2, 2, size=0.5)) == pytest.approx(1)
    assert covered_share(upright(0), upright(40)) == 0


def test_fragments_inside_a_tile_do_not_outweigh_it() -> None:
    fragments = [upright(2.2 * (k % 4), 5 * (k // 4), size=0.2) for k in range(8)]
    assert choose_apart([upright(0), *fragments], [0.9] + [0.7] * 8, 0.3) == [0]


def test_a_doubtful_speck_is_no_tile_beside_large_ones_and_a_sure_small_one_is() -> None:
    quads = [upright(0), upright(20), upright(40, size=0.3), upright(60, size=0.3)]
    assert of_like_size(quads, [0.9, 0.95, 0.7, 0.99], sure=0.985, ratio=2.0) == [0, 1, 3]


def test_tiles_nearer_and_farther_are_all_kept() -> None:
    quads = [upright(30 * k, size=1 + 0.1 * k) for k in range(8)]
    assert of_like_size(quads, [0.8] * 8, sure=0.985, ratio=2.0) == list(range(8))
    assert of_like_size([], [], sure=0.985, ratio=2.0) == []


CAMERA = np.array([[30, 6, 200], [2, 22, 150], [0.002, 0.02, 1]])
"""A table seen at a slant: tiles of the plane (1 x 2) to pixels."""
PLANE_TILES = [
    np.array([[0, 0], [1, 0], [1, 2], [0, 2]], np.float64) @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    + (x, y)
    for a, x, y in ((0.0, 0, 0), (0.5, 4, 1), (1.6, 8, 3), (2.2, 3, 7), (0.1, 9, 8), (3.0, 6, 5))
]


def test_tiles_of_one_table_fit_and_what_has_another_size_does_not() -> None:
    seen = [move(CAMERA, tile) for tile in PLANE_TILES]
    larger = move(CAMERA, (PLANE_TILES[2] - PLANE_TILES[2].mean(0)) * 1.6 + (5, 2))
    square = move(CAMERA, np.array([[2, 2], [3, 2], [3, 3], [2, 3]], np.float64))
    off = misfits([*seen, larger, square], plane_of_most(seen))
    assert off[: len(seen)].max() < 0.02
    assert off[-2:].min() > 0.25


def test_a_quad_that_fits_the_picture_but_not_the_slant_stands_out() -> None:
    """As wide and long as a tile where it lies, but at the far end of the table, where tiles look smaller."""
    seen = [move(CAMERA, tile) for tile in PLANE_TILES]
    near, far = seen[0], seen[4].mean(0)
    assert misfits([near - near.mean(0) + far], plane_of_most(seen))[0] > 0.2


def test_with_few_sure_tiles_nothing_stands_out() -> None:
    seen = [move(CAMERA, tile) for tile in PLANE_TILES]
    assert misfits([seen[0] * 3], plane_of_most(seen[:3])).tolist() == [0.0]


def test_squares_of_a_checked_cloth_that_look_like_tiles_do_not_bend_the_plane() -> None:
    """Two in seven are half as large again, and all the same way: the tiles still fit, the squares do not."""
    seen = [move(CAMERA, tile) for tile in PLANE_TILES]
    checks = [move(CAMERA, (tile - tile.mean(0)) * 1.9 + tile.mean(0) + 2) for tile in PLANE_TILES[1:3]]
    off = misfits([*seen, *checks], plane_of_most([*seen, *checks]))
    assert off[: len(seen)].max() < 0.03
    assert off[len(seen) :].min() > 0.4
