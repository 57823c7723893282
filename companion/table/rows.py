"""Hands that lie face up in rows: their tiles stand side by side, and what touches there is not a train."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.table.contacts import ContactKind, Contacts
from companion.table.seen import Array, PlacedTiles


@dataclass(frozen=True, slots=True)
class RowParameters:
    """What a row looks like; lengths in tile widths, angles in radians."""

    parallel: float = 0.2
    """Neighbours in a row are parallel to within 11 degrees."""
    shift: float = 0.35
    """They are level with each other to within a sixth of their length."""
    reach: float = 1.45
    """Their middles are one width apart, and as much as people leave between them."""
    cost: float = 1.0
    """Logs of odds against a join, for each of its two tiles that stands in a row: trains may run side by side too."""
    columns: int = 3
    """Tiles that hang together in rows, as many as this or fewer, are a hand laid in several rows."""


def neighbours_in_row(tiles: PlacedTiles, parameters: RowParameters | None = None) -> Array:
    """How many tiles (n,) stand side by side with each tile: 0, 1 or 2."""
    p = parameters or RowParameters()
    apart = (tiles.centre[None] - tiles.centre[:, None]) * tiles.heading.conj()[:, None]
    turn = np.abs((tiles.heading[None] * tiles.heading.conj()[:, None]).imag)
    level = (turn < p.parallel) & (np.abs(apart.real) < p.shift) & (np.abs(apart.imag) < p.reach)
    np.fill_diagonal(level, False)
    return np.asarray(level.sum(1), dtype=np.float64)


def row_costs(tiles: PlacedTiles, contacts: Contacts, parameters: RowParameters | None = None) -> Array:
    """What to take off each contact's score (m,): joins of tiles that stand in rows are unlikely."""
    p = parameters or RowParameters()
    rows = neighbours_in_row(tiles, p) > 0
    both = rows[contacts.tile].astype(float) + rows[contacts.other]
    return np.asarray(np.where(contacts.kind == ContactKind.HUB, 0.0, p.cost * both))
