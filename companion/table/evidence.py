"""What the values say about a possible join: likelier with the same value on both sides, and how much."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.table.contacts import SIDE_PART, Contacts
from companion.table.seen import Array, PlacedTiles


@dataclass(frozen=True, slots=True)
class EvidenceParameters:
    """How much equal values count."""

    mismatch: float = 0.022
    """Share of joins whose halves do not show one value: wrong plays, and readings that are sure and wrong."""


def same_value(tiles: PlacedTiles, contacts: Contacts) -> Array:
    """Probability (m,) that both halves of each contact show one value."""
    mine = tiles.values[contacts.tile, contacts.half]
    return np.asarray((mine * _met_values(tiles, contacts)).sum(1))


def value_scores(
    tiles: PlacedTiles, contacts: Contacts, *, highest: int, parameters: EvidenceParameters | None = None
) -> Array:
    """Logs of odds (m,): values as they are if the two are joined, against two halves that have nothing to do with each other.

    In a double-12 set two strange halves agree once in 13 times, joined ones nearly always.
    """
    return log_odds_of_same(same_value(tiles, contacts), highest, parameters or EvidenceParameters())


def log_odds_of_same(same: Array, highest: int, p: EvidenceParameters) -> Array:
    """What it says for a join, in logs of odds, that two halves show one value with probability `same`."""
    count = highest + 1
    return np.asarray(np.log((1 - p.mismatch) * same * count + p.mismatch * (1 - same) * count / (count - 1)))


def _met_values(tiles: PlacedTiles, contacts: Contacts) -> Array:
    half = np.where(contacts.part == SIDE_PART, 0, contacts.part)
    met = tiles.values[contacts.other, half]
    whole = contacts.part == SIDE_PART
    met[whole] = tiles.common_value()[contacts.other[whole]]
    return np.asarray(met)
