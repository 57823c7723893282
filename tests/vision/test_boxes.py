"""Boxes out of the detector's raw outputs."""

from __future__ import annotations

import numpy as np
import pytest
from raw_boxes import raw_outputs

from companion.vision.boxes import grid_cells, oriented_boxes


def test_cells_lie_in_the_middle_of_their_squares_finest_grid_first() -> None:
    cells = grid_cells(64, 96)
    assert len(cells) == 8 * 12 + 4 * 6 + 2 * 3
    assert cells[0].tolist() == [4, 4, 8]
    assert cells[12].tolist() == [4, 12, 8]
    assert cells[-1].tolist() == [80, 48, 32]


@pytest.mark.parametrize("angle", [-0.7, 0.0, 0.4, 1.5, 2.3])
@pytest.mark.parametrize(("width", "height"), [(20.0, 40.0), (200.0, 90.0), (300.0, 620.0)])
def test_boxes_come_back(angle: float, width: float, height: float) -> None:
    sides, scores, angles = raw_outputs([[333.0, 301.0, width, height, 0.9, 0.1, angle]], 640, 640)
    (cell,) = np.flatnonzero(scores[0, 0] > 0.5)
    (box,) = oriented_boxes(sides[0][:, [cell]], angles[0, 0, [cell]], grid_cells(640, 640)[[cell]])
    assert box == pytest.approx([333.0, 301.0, width, height, angle], abs=1e-3)


def test_no_box_is_no_error() -> None:
    none = np.zeros((64, 0), np.float32)
    assert oriented_boxes(none, np.zeros(0, np.float32), np.zeros((0, 3))).shape == (0, 5)
