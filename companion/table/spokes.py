"""An engine that is hard to read is known by the trains that start at it.

A tile that is no double is joined to two others at most. Where three and more ends point at one tile, and what they show is one
value, that tile is the double of this value, unless it is surely something else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from companion.table.contacts import ContactParameters, hub_contacts
from companion.table.evidence import EvidenceParameters, log_odds_of_same
from companion.table.seen import Array, PlacedTiles


@dataclass(frozen=True, slots=True)
class SpokeParameters:
    """When the trains around a tile say what it is; scores in logs of odds."""

    least_double: float = 0.02
    """A tile that is less probably a double is none, whatever points at it."""
    least_value: float = 0.005
    """Nor is it the double of a value that its own readings allow less than this."""
    least: float = 1.0
    """An end that points at it less convincingly does not count."""
    others: int = 2
    """So many ends may meet any tile: only the weaker ones beyond these speak for a double."""
    cost: float = 3.0
    """For there being an engine at all."""
    highest: float = 1.5
    """Gain for the highest double of the set: the first round's engine, and hubs are seldom under other doubles."""
    most: float = 0.98
    """What the trains say is never believed more than this."""


def with_engine_by_its_trains(
    tiles: PlacedTiles, *, highest: int, contacts: ContactParameters, evidence: EvidenceParameters,
    parameters: SpokeParameters | None = None,
) -> PlacedTiles:  # fmt: skip
    """The same tiles; the readings of the one at which most trains start, if its own leave it open, say what they say."""
    p = parameters or SpokeParameters()
    candidates = tiles.double >= p.least_double
    if len(tiles) <= p.others + 1 or not candidates.any():
        return tiles
    pointing = hub_contacts(replace(tiles, double=candidates.astype(np.float64)), contacts)
    shown = tiles.values[pointing.tile, pointing.half]
    scores = pointing.score[:, None] + log_odds_of_same(shown, highest, evidence)
    prior = p.highest * (np.arange(scores.shape[1]) == highest) - p.cost
    support = {int(k): _support(scores[pointing.other == k], p) + prior for k in np.unique(pointing.other)}
    both = {k: tiles.values[k, 0] * tiles.values[k, 1] for k in support}
    odds = {
        k: np.where(both[k] >= p.least_value, score + np.log(both[k]), -np.inf) - np.log(1 - both[k].sum() + 1e-6)
        for k, score in support.items()
    }
    if not odds:
        return tiles
    engine = max(odds, key=lambda k: float(odds[k].max()))
    best = float(odds[engine].max())
    if support[engine].max() <= 0 or best <= 0:
        return tiles
    believed = min(p.most, 1 / (1 + np.exp(-best)))
    shares = np.exp(odds[engine] - best)
    shares /= shares.sum()
    values = tiles.values.copy()
    values[engine] = believed * shares + (1 - believed) * values[engine]
    return replace(tiles, values=values, double=(values[:, 0] * values[:, 1]).sum(1))


def _support(scores: Array, p: SpokeParameters) -> Array:
    """How much the ends that point at a tile, each with its score for every value (m, 19), speak for its double (19,)."""
    weakest_first = np.sort(np.maximum(scores - p.least, 0), axis=0)
    return np.asarray(weakest_first[: max(0, len(scores) - p.others)].sum(0))
