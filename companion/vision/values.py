"""The first reader: a small CNN over each half, and over both for what kind of thing it is; perhaps tuned to one set of tiles."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.vision.models import Network
from companion.vision.rectify import MARGIN_PX, Pyramid, half_crops, stack

Array = NDArray[np.float64]

BATCH = 32
"""Tiles in one run: bounds memory on a table of 100."""
FEATURES = 2
"""The network's third output, what its last layer sees (2n, 160); weights made before it was added lack it."""


@dataclass(frozen=True, slots=True)
class ValueReading:
    """Logs of probabilities: `values` (2, 19) for halves a and b; `kind` (3,): face up, face down, no tile.

    `burnt` (2,) is the share of each half in which the picture is as bright as it can be.
    """

    values: Array
    kind: Array
    burnt: Array = field(default_factory=lambda: np.zeros(2))


@dataclass(frozen=True, slots=True)
class SetHead:
    """What was learned of one family's set (`companion.vision.adapt`): a correction of the values' logits.

    `weights` (features, 19) and `bias` (19,) are added to what the network says; zeros change nothing.
    """

    weights: Array
    bias: Array

    def tuned(self, logits: Array, features: Array) -> Array:
        """Logits (n, 19) for this set, from the network's logits (n, 19) and features (n, features)."""
        return np.asarray(logits + features @ self.weights + self.bias)


def log_softmax(logits: Array) -> Array:
    """Along the last axis."""
    shifted = logits - logits.max(-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(-1, keepdims=True)))


BURNT = 250
"""A pixel whose three channels are this bright shows light and nothing else."""


def _burnt_share(crop: NDArray[np.uint8]) -> float:
    face = crop[2 * MARGIN_PX : -2 * MARGIN_PX, 2 * MARGIN_PX : -2 * MARGIN_PX]
    return float((face.min(-1) >= BURNT).mean())


def read_values(
    network: Network, picture: Pyramid, quads: list[Array], head: SetHead | None = None
) -> list[ValueReading]:
    """Read tiles whose quads are right; with a head, as one of its set."""
    readings: list[ValueReading] = []
    for start in range(0, len(quads), BATCH):
        crops = [crop for quad in quads[start : start + BATCH] for crop in half_crops(picture, quad)]
        outputs = [out.astype(np.float64) for out in network.run(stack(crops))]
        logits = outputs[0] if head is None else head.tuned(outputs[0], outputs[FEATURES])
        values, kinds = log_softmax(logits), log_softmax(outputs[1])
        burnt = np.array([_burnt_share(crop) for crop in crops]).reshape(-1, 2)
        readings += [ValueReading(values[2 * k : 2 * k + 2], kinds[k], burnt[k]) for k in range(len(kinds))]
    return readings
