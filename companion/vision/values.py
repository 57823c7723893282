"""The first reader: a small CNN over each half, and over both for what kind of thing it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.models import Network
from companion.vision.rectify import Pyramid, half_crops, stack

Array = NDArray[np.float64]

BATCH = 32
"""Tiles in one run: bounds memory on a table of 100."""


@dataclass(frozen=True, slots=True)
class ValueReading:
    """Logs of probabilities: `values` (2, 19) for halves a and b; `kind` (3,): face up, face down, no tile."""

    values: Array
    kind: Array


def log_softmax(logits: Array) -> Array:
    """Along the last axis."""
    shifted = logits - logits.max(-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(-1, keepdims=True)))


def read_values(network: Network, picture: Pyramid, quads: list[Array]) -> list[ValueReading]:
    """Read tiles whose quads are right."""
    readings: list[ValueReading] = []
    for start in range(0, len(quads), BATCH):
        crops = [crop for quad in quads[start : start + BATCH] for crop in half_crops(picture, quad)]
        values, kinds = (log_softmax(out.astype(np.float64)) for out in network.run(stack(crops)))
        readings += [ValueReading(values[2 * k : 2 * k + 2], kinds[k]) for k in range(len(kinds))]
    return readings
