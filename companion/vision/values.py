"""The first reader: a small CNN over each half, and over both for what kind of thing it is; perhaps tuned to one set of tiles."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.vision.models import Network
from companion.vision.rectify import MARGIN_PX, Pyramid, half_crops

Array = NDArray[np.float64]

BATCH = 32
"""Tiles in one run: bounds memory on a table of 100."""
FEATURES = 2
"""The network's third output, what its last layer sees (2n, 160); weights made before it was added lack it."""


@dataclass(frozen=True, slots=True)
class ValueReading:
    """Logs of probabilities: `values` (2, 19) for halves a and b; `kind` (3,): face up, face down, no tile.

    `burnt` (2,) is the share of each half in which the picture is nearly as bright as it can be, `darkest` (2,) the brightness
    (0..255, of the darkest channel) of its darkest places: its pips, where it has any.
    """

    values: Array
    kind: Array
    burnt: Array = field(default_factory=lambda: np.zeros(2))
    darkest: Array = field(default_factory=lambda: np.zeros(2))

    @property
    def least_sure(self) -> float:
        """Probability of the likeliest value of the half that is read less surely."""
        return float(np.exp(self.values.max(1)).min())


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


BESIDE = ((0.04, 0.0), (-0.04, 0.0), (0.0, 0.03), (0.0, -0.03))
"""Moves along a tile (in halves of its length) and across it (in widths): corners are found no better than that."""


def beside(quad: Array) -> Array:
    """A tile's quad (4, 2) as it might lie as well: (4, 4, 2)."""
    along, across = (quad[2] + quad[3] - quad[0] - quad[1]) / 4, (quad[1] + quad[2] - quad[0] - quad[3]) / 2
    return np.stack([quad + u * along + v * across for u, v in BESIDE])


def log_softmax(logits: Array) -> Array:
    """Along the last axis."""
    shifted = logits - logits.max(-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(-1, keepdims=True)))


BURNT = 240
"""A pixel whose three channels are this bright shows light and little else."""
DARKEST = 0.04
"""Share of a half that is darker than its `darkest`: a pip covers as much."""


def _brightness(crops: NDArray[np.uint8]) -> tuple[Array, Array]:
    """Of half crops (n, h, w, 3): how much of each is burnt (n,), and how dark its darkest places are (n,)."""
    blue, green, red = np.moveaxis(crops[:, 2 * MARGIN_PX : -2 * MARGIN_PX, 2 * MARGIN_PX : -2 * MARGIN_PX], -1, 0)
    faces = np.minimum(np.minimum(blue, green), red).reshape(
        len(crops), -1
    )  # three times as quick as the least along an axis
    at = int(DARKEST * faces.shape[1])
    return (faces >= BURNT).mean(1), np.partition(faces, at, axis=1)[:, at].astype(np.float64)


def read_values(
    network: Network, picture: Pyramid, quads: list[Array], head: SetHead | None = None
) -> list[ValueReading]:
    """Read tiles whose quads are right; with a head, as one of its set."""
    readings: list[ValueReading] = []
    for start in range(0, len(quads), BATCH):
        crops = half_crops(picture, quads[start : start + BATCH])
        outputs = [out.astype(np.float64) for out in network.read_crops(crops)]
        logits = outputs[0] if head is None else head.tuned(outputs[0], outputs[FEATURES])
        values, kinds = log_softmax(logits), log_softmax(outputs[1])
        burnt, darkest = _brightness(crops)
        pairs = [slice(2 * k, 2 * k + 2) for k in range(len(kinds))]
        readings += [
            ValueReading(values[both], kind, burnt[both], darkest[both])
            for both, kind in zip(pairs, kinds, strict=True)
        ]
    return readings
