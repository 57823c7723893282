"""From probabilities of single halves to the tiles of a picture: which set, which tile each, what to doubt.

Two readers are combined by weighted logs (a product of experts); the set and "each tile once" are priors, not laws: strong
evidence wins, and the picture's doubts say so.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from companion.sightings import HIGHEST_PIPS
from companion.vision.inks import InkParameters

Array = NDArray[np.float64]

SETS = (6, 9, 12, 15, 18)


@dataclass(frozen=True, slots=True)
class DecodeParameters:
    """Weights of the evidence. Those of the readers are fitted on owners that were not trained on (`benchmarks/accuracy.md`)."""

    inks: InkParameters = field(default_factory=InkParameters)
    """What the colours of a picture's tiles may say."""
    cnn_weight: float = 0.75
    """How much the CNN's log probabilities count; below 1 because it is too sure of itself."""
    alone_weight: float = 1.2
    """How much they count where the pip counter abstains."""
    pips_weight: float = 0.6
    """How much the pip counter's count."""
    floor: float = 1e-4
    """No reader is trusted beyond this: mixed into each before the logs."""
    set_costs: tuple[float, ...] = (0.0, 1.5, 2.0, 4.5, 5.0)
    """Logs of evidence that each set of `SETS` needs over the smallest: large sets are rare, a 13 is easily misread."""
    outside: float = 1e-4
    """Probability of a value that the set has not (another set's tile on the table)."""
    twice: float = 4.0
    """Logs of evidence that a second copy of a tile needs."""
    numerals: float = 0.03
    """Share of the tables whose tiles show numerals instead of pips."""
    readers_apart: float = 0.25
    """Share of halves for which the pip counter is taken to say anything at all: glare, slant, small pips."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """One tile as decided: `ends`, its probability, and the others' (descending), most likely first."""

    ends: tuple[int, int]
    confidence: float
    alternatives: tuple[tuple[tuple[int, int], float], ...]
    duplicate: bool


def combine(cnn: Array, pips: Array, parameters: DecodeParameters) -> Array:
    """Log probabilities (..., 19) of both readers together."""
    flat = 1.0 / (HIGHEST_PIPS + 1)
    soft = [np.log((1 - parameters.floor) * np.exp(x) + parameters.floor * flat) for x in (cnn, pips)]
    abstains = np.ptp(pips, axis=-1, keepdims=True) < 1e-9
    cnn_weight = np.where(abstains, parameters.alone_weight, parameters.cnn_weight)
    logs = cnn_weight * soft[0] + parameters.pips_weight * soft[1]
    return np.asarray(
        logs - np.log(np.exp(logs - logs.max(-1, keepdims=True)).sum(-1, keepdims=True)) - logs.max(-1, keepdims=True)
    )


def show_numerals(cnn: Array, pips: Array, parameters: DecodeParameters) -> bool:
    """Whether a picture's tiles show numerals, by log probabilities (n, 19) of their halves.

    All tiles of a set are of one kind. Where there are pips the two readers agree on most halves; on numerals the counter mostly
    sees nothing, and what it says has nothing to do with what the CNN says: they agree as often as chance has it.
    """
    if not len(cnn):
        return False
    flat = 1.0 / (HIGHEST_PIPS + 1)
    counted = np.exp(pips)
    usual = (counted.sum(0) + 1.0) / (len(counted) + 1.0 / flat)
    chance = counted @ usual
    agree = (np.exp(cnn) * counted).sum(-1)
    apart = parameters.readers_apart
    evidence = float(np.log(((1 - apart) * agree + apart * chance) / chance).sum())
    return evidence < float(np.log(parameters.numerals / (1 - parameters.numerals)))


def choose_set(halves: Array, parameters: DecodeParameters) -> int:
    """The smallest set that explains what was read, `halves` (n, 19) log probabilities."""
    if not len(halves):
        return 12
    shares = np.exp(halves)
    fits = [
        float(np.log(shares[:, : n + 1].sum(1) + parameters.outside).sum()) - cost
        for n, cost in zip(SETS, parameters.set_costs, strict=True)
    ]
    return SETS[int(np.argmax(fits))]


def within_set(halves: Array, highest: int, parameters: DecodeParameters) -> Array:
    """The same with values beyond the set made unlikely."""
    prior = np.where(np.arange(HIGHEST_PIPS + 1) <= highest, 0.0, np.log(parameters.outside))
    logs = halves + prior
    top = logs.max(-1, keepdims=True)
    return np.asarray(logs - top - np.log(np.exp(logs - top).sum(-1, keepdims=True)))


def decode(halves: Array, highest: int, parameters: DecodeParameters) -> list[Decoded]:
    """Decide all tiles together; `halves` (n, 2, 19) log probabilities."""
    logs = within_set(halves, highest, parameters)
    count = len(logs)
    if not count:
        return []
    pairs = [_ranked(tile) for tile in logs]
    chosen = _assign(pairs, parameters)
    keys = [tuple(sorted(ends)) for ends in chosen]
    return [
        Decoded(
            ends=chosen[k],
            confidence=_share(pairs[k], chosen[k]),
            alternatives=tuple((ends, p) for ends, p in pairs[k] if ends != chosen[k])[:4],
            duplicate=keys.count(keys[k]) > 1,
        )
        for k in range(count)
    ]


Ranked = list[tuple[tuple[int, int], float]]


def _ranked(tile: Array, most: int = 24) -> Ranked:
    """Likeliest (a, b) of one tile with their probabilities."""
    joint = tile[0][:, None] + tile[1][None]
    flat = np.argsort(-joint.ravel())[:most]
    return [
        ((int(k) // (HIGHEST_PIPS + 1), int(k) % (HIGHEST_PIPS + 1)), float(np.exp(joint.ravel()[k]))) for k in flat
    ]


def _share(pairs: Ranked, ends: tuple[int, int]) -> float:
    return next((p for e, p in pairs if e == ends), 0.0)


def _assign(pairs: list[Ranked], parameters: DecodeParameters) -> list[tuple[int, int]]:
    """Each tile of the set at most once, unless a second copy is `twice` logs likelier than anything else."""
    kinds = sorted({tuple(sorted(ends)) for ranked in pairs for ends, _ in ranked})
    column = {kind: k for k, kind in enumerate(kinds)}
    count = len(pairs)
    far = 1e6
    cost = np.full((count, len(kinds) + count), far)
    for i, ranked in enumerate(pairs):
        for ends, p in reversed(ranked):  # the likelier order of ends is written last
            cost[i, column[tuple(sorted(ends))]] = -np.log(p + 1e-12)
        cost[i, len(kinds) + i] = -np.log(ranked[0][1] + 1e-12) + parameters.twice
    rows, columns = linear_sum_assignment(cost)
    chosen: list[tuple[int, int]] = [(0, 0)] * count
    for i, j in zip(rows, columns, strict=True):
        if j >= len(kinds):
            chosen[int(i)] = pairs[int(i)][0][0]
        else:
            chosen[int(i)] = next(ends for ends, _ in pairs[int(i)] if tuple(sorted(ends)) == kinds[int(j)])
    return chosen
