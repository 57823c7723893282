"""Learning a family's set: a small correction of the value network's last layer, fitted to labelled halves of that set.

The correction is linear in what the last layer sees and is held near zero, so that few examples change little (multinomial
logistic regression about the network's own logits). Whether it helps is measured on halves that were held back from it, and
it is used only if it does. Numpy and scipy; no network is trained.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits

from companion.vision.values import SetHead, log_softmax

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

VALUES = 19


@dataclass(frozen=True, slots=True)
class AdaptParameters:
    """How strongly is learned, and when it counts as better."""

    hold: float = 0.01
    """How strongly the correction is held at zero. A weaker hold learns more and does more harm to what the examples do not
    show (`benchmarks/learning.md`)."""
    steps: int = 200
    """At most; on real photos some ten are taken."""
    least_halves: int = 2
    """Of every value of the set: one to learn from and one to be held back."""
    folds: int = 3
    sure: float = 2.0
    """Standard errors by which the surprise on held-back halves must fall."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the value network says to views of labelled halves.

    Attributes:
        logits: (n, 19).
        features: (n, f) what its last layer sees.
        values: (n,) what the half shows.
        half: (n,) which half it is a view of.
    """

    logits: Array
    features: Array
    values: Ints
    half: Ints

    def where(self, chosen: NDArray[np.bool_]) -> Seen:
        """Some of the views."""
        return Seen(self.logits[chosen], self.features[chosen], self.values[chosen], self.half[chosen])


@dataclass(frozen=True, slots=True)
class Comparison:
    """Held-back halves read without and with what was learned.

    Attributes:
        halves: how many there are.
        views: how many views of them were read.
        wrong: views read wrong, without and with.
        surprise: mean -log probability of the true value, without and with.
        better: whether it is better beyond chance and nothing got worse.
    """

    halves: int
    views: int
    wrong: tuple[int, int]
    surprise: tuple[float, float]
    better: bool


def missing_values(values: Ints, highest: int, parameters: AdaptParameters | None = None) -> tuple[int, ...]:
    """The values of a double-`highest` set of which too few halves (`values`, one entry a half) are shown."""
    least = (parameters or AdaptParameters()).least_halves
    counts = np.bincount(values, minlength=VALUES)
    return tuple(value for value in range(highest + 1) if counts[value] < least)


def fit_head(seen: Seen, parameters: AdaptParameters | None = None) -> SetHead:
    """The correction that explains the views best while it stays small.

    Values that no view shows keep their logits, and the corrections of the others add up to nothing, so that a value is not
    made unlikely only because nobody has shown it.
    """
    p = parameters or AdaptParameters()
    scale = float(np.sqrt((seen.features**2).mean())) or 1.0
    inputs = np.hstack([seen.features / scale, np.ones((len(seen.values), 1))])
    shown = np.unique(seen.values)
    truth = np.zeros_like(seen.logits)
    truth[np.arange(len(truth)), seen.values] = 1.0

    def correction(flat: Array) -> Array:
        chosen = flat.reshape(inputs.shape[1], len(shown))
        whole = np.zeros((inputs.shape[1], VALUES))
        whole[:, shown] = chosen - chosen.mean(1, keepdims=True)
        return whole

    def cost(flat: Array) -> tuple[float, Array]:
        logs = log_softmax(seen.logits + inputs @ correction(flat))
        slope = (inputs.T @ (np.exp(logs) - truth) / len(truth))[:, shown]
        slope -= slope.mean(1, keepdims=True)
        value = float(-(logs * truth).sum() / len(truth) + p.hold * (flat**2).sum())
        return value, np.asarray(slope.ravel() + 2 * p.hold * flat)

    start = np.zeros(inputs.shape[1] * len(shown))
    with threadpool_limits(1):  # for matrices this small, threads that wait for each other cost seven times as much
        found = minimize(cost, start, jac=True, method="L-BFGS-B", options={"maxiter": p.steps})
    whole = correction(found.x)
    return SetHead(whole[:-1] / scale, whole[-1])


def compare(
    seen: Seen,
    parameters: AdaptParameters | None = None,
    *,
    after_fold: Callable[[int], None] = lambda fold: None,
) -> Comparison:
    """Read every half by a correction that was learned from others only; `after_fold` is told how many parts are done."""
    p = parameters or AdaptParameters()
    fold_of = folds(seen, p.folds)
    tuned = seen.logits.copy()
    for fold in range(p.folds):
        back = fold_of[seen.half] == fold
        if back.any() and not back.all():
            head = fit_head(seen.where(~back), p)
            tuned[back] = head.tuned(seen.logits[back], seen.features[back])
        after_fold(fold + 1)
    return _comparison(seen, tuned, p)


def folds(seen: Seen, count: int) -> Ints:
    """The part in which each half is held back, so that the halves of a value are spread over all parts."""
    values = np.full(int(seen.half.max()) + 1 if len(seen.half) else 0, -1, np.int64)
    values[seen.half] = seen.values
    part = np.zeros(len(values), np.int64)
    for start, value in enumerate(np.unique(values[values >= 0])):
        mine = np.flatnonzero(values == value)
        part[mine] = (np.arange(len(mine)) + start) % count
    return part


def _comparison(seen: Seen, tuned: Array, p: AdaptParameters) -> Comparison:
    rows = np.arange(len(seen.values))
    plain = -log_softmax(seen.logits)[rows, seen.values]
    learned = -log_softmax(tuned)[rows, seen.values]
    wrong = tuple(int((logits.argmax(1) != seen.values).sum()) for logits in (seen.logits, tuned))
    halves, which = np.unique(seen.half, return_inverse=True)
    gain = np.bincount(which, plain - learned) / np.bincount(which)
    error = float(gain.std(ddof=1) / np.sqrt(len(gain))) if len(gain) > 1 else np.inf
    better = bool(gain.mean() > p.sure * error and wrong[1] <= wrong[0])
    return Comparison(
        len(halves), len(rows), (wrong[0], wrong[1]), (float(plain.mean()), float(learned.mean())), better
    )
