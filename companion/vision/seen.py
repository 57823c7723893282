"""What was measured of a tile before the picture was decoded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.pips import PipCount
from companion.vision.values import ValueReading

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SeenTile:
    """All that was measured of one tile before the picture was decoded; kept for evaluation and calibration."""

    quad: Array
    score: float
    kind: Array
    belief: float
    values: ValueReading
    pips: tuple[PipCount, PipCount]
    inks: Array | None = None
    """The colours of both halves (2, 4), from `companion.vision.inks`, where they were asked for."""
