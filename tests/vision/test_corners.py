import numpy as np
import pytest

from companion.vision.corners import NOT_YET, largest_move, lie_just_there, refine, refine_coarsely
from companion.vision.rectify import Pyramid

QUAD = np.array([[100, 100], [150, 100], [150, 200], [100, 200]], np.float64)


class Says:
    """A corner network with one answer."""

    def __init__(self, row: list[float], shape: tuple[int, ...] = (144, 80, 3)) -> None:
        self.row, self.shape = row, shape

    def read_crops(self, crops: np.ndarray) -> list[np.ndarray]:
        assert crops.shape[1:] == self.shape
        return [np.tile(np.array(self.row, np.float32), (len(crops), 1))]


def once(row: list[float]) -> np.ndarray:
    return refine(Says(row), Pyramid(np.zeros((300, 300, 3), np.uint8)), [QUAD], rounds=1)[0]


def test_moves_are_in_tile_widths() -> None:
    moved = once([0.1, 0.2, 0, 0, 0, 0, 0, 0, -5])
    assert moved == pytest.approx(QUAD + np.array([[5, 10], [0, 0], [0, 0], [0, 0]]), abs=1e-3)


def test_a_crosswise_tile_gets_its_short_side_first() -> None:
    assert once([0.0] * 8 + [5.0]) == pytest.approx(np.roll(QUAD, -1, axis=0), abs=1e-3)


@pytest.mark.parametrize("row", [[2, 2, -2, 2, 0, 0, 0, 0, 0], [float("nan")] * 9, [1, 0, -1, 0, 0, 0, 0, 0, 0]])
def test_an_answer_that_is_no_convex_quad_is_not_followed(row: list[float]) -> None:
    assert once(row) == pytest.approx(QUAD)


def test_no_tiles_no_work() -> None:
    assert refine(Says([0.0] * 9), Pyramid(np.zeros((300, 300, 3), np.uint8)), []) == []


class Tells:
    """A coarse network that is asked twice: the tile's logits of each place, and no moves."""

    def __init__(self, *logits: list[float]) -> None:
        self.logits = list(logits)
        self.asked: list[int] = []

    def read_crops(self, crops: np.ndarray) -> list[np.ndarray]:
        assert crops.shape[1:] == (72, 40, 3)
        self.asked.append(len(crops))
        out = np.zeros((len(crops), 10), np.float32)
        out[:, 9] = self.logits.pop(0)
        return [out]


def test_the_coarse_network_moves_corners_in_tile_widths_too() -> None:
    says = Says([0.1, 0.2, 0, 0, 0, 0, 0, 0, -5, 3], (72, 40, 3))
    (moved,), left = refine_coarsely(says, Pyramid(np.zeros((300, 300, 3), np.uint8)), [QUAD], hopeless=-1.0)
    assert moved == pytest.approx(QUAD + np.array([[5, 10], [0, 0], [0, 0], [0, 0]]), abs=1e-3)
    assert left == [0]


def test_places_without_a_tile_are_given_up_at_the_last_round_and_the_hopeless_before() -> None:
    tells = Tells([2.0, -1.5, -1.0 - NOT_YET - 0.1, 0.0], [3.0, -0.5, -1.5])
    quads = [QUAD + 10 * k for k in range(4)]
    picture = Pyramid(np.zeros((300, 300, 3), np.uint8))
    moved, left = refine_coarsely(tells, picture, quads, hopeless=-1.0, rounds=2)
    assert tells.asked == [4, 3]
    assert left == [0, 1]
    assert np.allclose(moved, quads[:2])


def test_the_last_of_the_coarse_network_s_numbers_says_whether_a_tile_lies_just_there() -> None:
    picture = Pyramid(np.zeros((300, 300, 3), np.uint8))
    says = Says([0.0] * 10 + [1.5], (72, 40, 3))
    assert lie_just_there(says, picture, [QUAD, QUAD + 9]).tolist() == [1.5, 1.5]
    assert lie_just_there(says, picture, []).tolist() == []


def test_where_no_place_is_left_nothing_is_asked() -> None:
    tells = Tells([-9.0])
    picture = Pyramid(np.zeros((300, 300, 3), np.uint8))
    assert refine_coarsely(tells, picture, [QUAD], hopeless=-1.0, rounds=2) == ([], [])
    assert refine_coarsely(tells, picture, [], hopeless=-1.0) == ([], [])
    assert tells.asked == [1]


def test_how_far_corners_moved_is_told_by_the_one_that_moved_most_wherever_the_first_one_is() -> None:
    moved = QUAD + np.array([[0, 0], [3, 4], [0, 0], [0, 1]])
    assert largest_move(QUAD, moved) == pytest.approx(0.1, abs=0.005)
    assert largest_move(QUAD, np.roll(moved, -1, axis=0)) == pytest.approx(5 / 101.5, abs=0.03)
    assert largest_move(QUAD, QUAD) == 0
