import numpy as np
import pytest

from companion.vision.corners import refine
from companion.vision.rectify import Pyramid

QUAD = np.array([[100, 100], [150, 100], [150, 200], [100, 200]], np.float64)


class Says:
    """A corner network with one answer."""

    def __init__(self, row: list[float]) -> None:
        self.row = row

    def run(self, batch: np.ndarray) -> list[np.ndarray]:
        assert batch.shape[1:] == (3, 144, 80)
        return [np.tile(np.array(self.row, np.float32), (len(batch), 1))]


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
