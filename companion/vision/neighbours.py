"""Where trains lie in a picture, neighbours help to read what is open: tiles that are joined show one value.

A hand knows no trains, and there tiles that touch say nothing. So neighbours are asked only where an engine lies with trains all
round it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.table.deciding import Join, groups_of
from companion.table.layout import LayoutParameters, lay_out
from companion.table.seen import SeenTable, seen_table
from companion.vision.decode import Decoded
from companion.vision.seen import SeenTile

Array = NDArray[np.float64]

_NEVER = 1e-4
"""Mixed into every reading, so that one wrong half does not forbid what all others show."""


@dataclass(frozen=True, slots=True)
class NeighbourParameters:
    """When a picture shows trains."""

    least_trains: int = 3
    """So many begin at the engine: two tiles may meet a double in any chain."""
    sure: float = 0.97
    """Where every tile is read with more confidence, nobody needs to be asked."""
    doubtful: float = 0.6
    """Probability of any value, for all that its neighbours show: tiles of one set, in one light, are misread alike."""
    layout: LayoutParameters = field(default_factory=LayoutParameters)


def settled_by_neighbours(
    tiles: Sequence[SeenTile], backs: Sequence[Array], logs: Array, decoded: Sequence[Decoded], *,
    size_wh: tuple[int, int], highest: int, parameters: NeighbourParameters | None = None,
) -> list[Decoded]:  # fmt: skip
    """The decoded tiles, with values that the trains they lie in settled.

    Neighbours that agree make a reading surer, but never beyond what `doubtful` leaves: readings err alike.

    Args:
        tiles: what was seen.
        backs: quads (4, 2) of face-down tiles.
        logs: (n, 2, 19) log probabilities of the halves within the set.
        decoded: what was decided without neighbours.
        size_wh: of the picture.
        highest: N of the double-N set.
        parameters: when a picture shows trains.
    """
    p = parameters or NeighbourParameters()
    if len(tiles) <= p.least_trains or min(tile.confidence for tile in decoded) > p.sure:
        return list(decoded)
    table = open_table(tiles, backs, logs, [tile.ends for tile in decoded], size_wh)
    layout = lay_out(table, highest=highest, parameters=p.layout)
    at_engine = sum(layout.engine in (join.tile, join.other) for join in layout.joins)
    if layout.engine is None or at_engine < p.least_trains:
        return list(decoded)
    counts = Counter(tuple(sorted(ends)) for ends in layout.ends)
    surer = _with_neighbours(np.exp(logs), layout.joins, p.doubtful)
    return [
        _with_ends(tile, ends, halves, twice=counts[tuple(sorted(ends))] > 1)
        for tile, ends, halves in zip(decoded, layout.ends, surer, strict=True)
    ]


def _with_neighbours(values: Array, joins: Sequence[Join], doubtful: float) -> Array:
    """Probabilities (n, 2, 19) of halves, each multiplied by what the others that are joined to it say together."""
    joined = values.copy()
    for group in groups_of(joins):
        logs = np.log(np.stack([values[half] for half in group]) + _NEVER)
        for k, half in enumerate(group):
            others = np.delete(logs, k, axis=0).sum(0)
            said = np.exp(others - others.max())
            joined[half] *= said / said.sum() + doubtful
    return np.asarray(joined / joined.sum(-1, keepdims=True))


def _with_ends(tile: Decoded, ends: tuple[int, int], halves: Array, *, twice: bool) -> Decoded:
    """The tile with the ends that its neighbours settled; what else it was taken for is then its first alternative."""
    confidence = float(halves[0, ends[0]] * halves[1, ends[1]])
    others = tile.alternatives if ends == tile.ends else ((tile.ends, tile.confidence), *tile.alternatives)
    return Decoded(ends, confidence, tuple(row for row in others if row[0] != ends), twice)


def open_table(
    tiles: Sequence[SeenTile], backs: Sequence[Array], logs: Array, ends: Sequence[tuple[int, int]],
    size_wh: tuple[int, int],
) -> SeenTable:  # fmt: skip
    """What was seen, with open values; where the picture as a whole decided for another value, that one comes first."""
    values = np.exp(logs)
    for index, pair in enumerate(ends):
        for half, value in enumerate(pair):
            best = int(values[index, half].argmax())
            values[index, half, [best, value]] = values[index, half, [value, best]]
    quads = np.array([tile.quad for tile in tiles]).reshape(-1, 4, 2)
    scores = np.array([tile.belief for tile in tiles])
    face_down = np.array(backs).reshape(-1, 4, 2)
    return seen_table(quads, values, scores, face_down_px=face_down, size_wh=size_wh)
