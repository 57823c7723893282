"""The detector's raw outputs for given boxes: what `companion.vision.boxes` undoes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.vision.boxes import STEPS, STRIDES, grid_cells

NEVER = -40.0


def raw_outputs(rows: Sequence[Sequence[float]], height: int, width: int) -> list[NDArray[np.float32]]:
    """Sides (1, 64, n), scores (1, 2, n) and angles (1, 1, n) for rows of x, y, width, height, two scores, angle."""
    cells = grid_cells(height, width)
    sides = np.full((4, STEPS, len(cells)), NEVER)
    sides[:, 0] = 0.0
    scores, angles = np.zeros((2, len(cells))), np.zeros(len(cells))
    for x, y, across, down, *told, angle in rows:
        stride = next(s for s in STRIDES if max(across, down) / 2 < (STEPS - 3) * s)
        near = np.where(cells[:, 2] == stride, np.hypot(cells[:, 0] - x, cells[:, 1] - y), np.inf)
        cell = int(near.argmin())
        off = complex(x - cells[cell, 0], y - cells[cell, 1]) * np.exp(-1j * angle) / stride
        for side, far in enumerate(
            (
                across / 2 / stride - off.real,
                down / 2 / stride - off.imag,
                across / 2 / stride + off.real,
                down / 2 / stride + off.imag,
            )
        ):
            sides[side, :, cell] = NEVER
            step = int(far)
            sides[side, step, cell] = np.log(max(1e-12, 1 - (far - step)))
            sides[side, step + 1, cell] = np.log(max(1e-12, far - step))
        scores[:, cell] = told
        share = angle / np.pi + 0.25
        angles[cell] = np.log(share / (1 - share))
    return [
        np.asarray(part, np.float32) for part in (sides.reshape(1, 4 * STEPS, -1), scores[None], angles[None, None])
    ]
