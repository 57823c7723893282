"""Choose the joins of a whole table at once: an integer program over every possible contact.

Maximise the sum of the chosen contacts' scores, so that

* each half is used once (a second use, a branch, costs), an end is met by one end;
* a double is used twice: on both long sides, or on both ends (more, the toes of a chicken foot, cost);
* at most one tile is the engine: only there tiles may join from afar, and there it may be many;
* no chain bites its own tail: a chosen ring is forbidden and the program solved again.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from companion.table.contacts import SIDE_PART, ContactKind, Contacts
from companion.table.seen import Array, PlacedTiles


@dataclass(frozen=True, slots=True)
class JoiningParameters:
    """Costs in logs of odds, as the contacts' scores are."""

    least: float = 1.0
    """A join that is less likely than this is not one: most pairs of tiles that come near each other are strangers."""
    branch_cost: float = 3.5
    """For a half that is used a second time; such branches are rare, and neighbours that touch are not."""
    toe_cost: float = 3.0
    """For each join of a double beyond two."""
    mixed_cost: float = 6.0
    """For a double that is met on a long side and on an end: its end more likely touches a strange train."""
    toes: int = 1
    """Tiles that may lie on one long side of a double: more than one where the rules want a chicken foot."""
    engine_cost: float = 3.0
    """For there being an engine: one tile that points at a double from afar is chance, three are not."""
    engine_known: float = 6.0
    """Gain for the engine that a person named; the same is lost for any other."""
    engine_highest: float = 1.5
    """Gain for the highest double of the set: the first round's engine, and hubs are seldom under other doubles."""
    certain_double: float = 0.5
    """Probability from which a tile is treated as a double when its uses are counted."""
    attach: float = 1.5
    """Gain for a join that gives a chain its beginning: a chain of its own that does not begin with the engine's value
    lacks tiles, or was laid on wrongly, which then is likelier than elsewhere."""
    rings: int = 25
    """Rings that are forbidden before the rest is taken as it is; tables need none or one."""


@dataclass(frozen=True, slots=True)
class Joining:
    """The chosen contacts (indices, ascending) and the tile that is joined as a hub, if any."""

    chosen: tuple[int, ...]
    hub: int | None


_WHOLE = 1e-6
"""A number this near to a whole one is whole: the solver's own tolerance."""

Row = tuple[list[int], list[float], float]
"""Columns, weights, and what their sum may be at most."""


class _Program:
    """Rows of an integer program: first the contacts, then hubs, then the extra uses."""

    def __init__(self, gains: list[float]) -> None:
        self.gains = gains
        self.highs = [1.0] * len(gains)
        self.rows: list[Row] = []

    def variable(self, gain: float, high: float = 1.0) -> int:
        self.gains.append(gain)
        self.highs.append(high)
        return len(self.gains) - 1

    def at_most(self, columns: list[int], most: float, *, weights: list[float] | None = None) -> None:
        self.rows.append((columns, weights or [1.0] * len(columns), most))

    def solve(self) -> NDArray[np.bool_]:
        """The best choice (a mask over all variables); what no row can hold back is decided beforehand."""
        gains = np.array(self.gains)
        binding = [row for row in self.rows if self._could_bind(row)]
        open_columns = np.unique(np.concatenate([row[0] for row in binding])) if binding else np.zeros(0, int)
        mask = gains > 0
        if len(open_columns):
            mask[open_columns] = self._solve(binding, open_columns)
        return np.asarray(mask)

    def _could_bind(self, row: Row) -> bool:
        columns, weights, most = row
        return sum(weight * self.highs[k] for k, weight in zip(columns, weights, strict=True) if weight > 0) > most

    def _solve(self, rows: list[Row], columns: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The program of some rows and columns.

        First without the demand for whole numbers: six times faster, and nearly always whole anyway. Where it is not, only
        the parts of the table that came out in fractions are solved again with the demand.
        """
        place = {int(column): k for k, column in enumerate(columns)}
        places = np.array([place[column] for row in rows for column in row[0]])
        weights = np.array([weight for row in rows for weight in row[1]])
        starts = np.cumsum([0, *(len(row[0]) for row in rows)])
        table = csr_array((weights, places, starts), shape=(len(rows), len(columns)))
        most = np.array([row[2] for row in rows])
        found = self._run(table, most, columns, whole=False)
        broken = np.abs(found - np.round(found)) > _WHOLE
        if broken.any():
            _, part = connected_components(table.T @ table, directed=False)
            again = np.isin(part, part[broken])
            touched = np.asarray(abs(table)[:, again].sum(axis=1)).ravel() > 0
            found[again] = self._run(table[touched][:, again], most[touched], columns[again], whole=True)
        return np.asarray(found > 0.5)

    def _run(self, table: csr_array, most: Array, columns: NDArray[np.int64], *, whole: bool) -> Array:
        found = milp(
            -np.array(self.gains)[columns],
            integrality=np.full(len(columns), int(whole)),
            bounds=Bounds(0, np.array(self.highs)[columns]),
            constraints=LinearConstraint(table, -np.inf, most),
        )
        if found.x is None:
            raise RuntimeError(f"the program of the joins was not solved: {found.message}")
        return np.array(found.x)


def choose_joins(
    tiles: PlacedTiles,
    contacts: Contacts,
    scores: Array,
    *,
    engine_values: Array,
    parameters: JoiningParameters | None = None,
) -> Joining:
    """The best set of joins.

    Args:
        tiles: the tiles in the plane.
        contacts: what may be joined, m of them.
        scores: (m,) geometry and values together, in logs of odds.
        engine_values: (n,) gain for each tile to be the engine, in logs of odds.
        parameters: costs.
    """
    p = parameters or JoiningParameters()
    good = _worth_weighing(contacts, scores - p.least, engine_values - p.engine_cost)
    if not len(good):
        return Joining((), None)
    program = _Program([float(score) for score in scores[good] - p.least])
    hubs = _add_hubs(program, contacts, good, engine_values - p.engine_cost)
    _add_uses(program, tiles, contacts, good, p)
    for _ in range(p.rings):
        mask = program.solve()
        chosen = np.flatnonzero(mask[: len(good)])
        rings = _rings([(int(contacts.tile[good[k]]), int(contacts.other[good[k]]), int(k)) for k in chosen])
        if not rings:
            break
        for ring in rings:
            program.at_most(ring, len(ring) - 1)
    hub = next((tile for tile, column in hubs.items() if mask[column]), None)
    return Joining(tuple(int(good[k]) for k in chosen), hub)


def _worth_weighing(contacts: Contacts, scores: Array, hub_gains: Array) -> NDArray[np.int64]:
    """Contacts that could be chosen: of several between the same two halves the best, and from afar only to likely engines."""
    best: dict[tuple[int, int, int, int], int] = {}
    hubs: dict[int, list[int]] = defaultdict(list)
    for k in np.flatnonzero(scores > 0)[np.argsort(-scores[scores > 0], kind="stable")]:
        index = int(k)
        if contacts.kind[index] == ContactKind.HUB:
            hubs[int(contacts.other[index])].append(index)
            continue
        one, two = (
            (int(contacts.tile[index]), int(contacts.half[index])),
            (int(contacts.other[index]), int(contacts.part[index])),
        )
        best.setdefault((*min(one, two), *max(one, two)), index)
    near: dict[tuple[int, int], float] = defaultdict(float)
    for (tile, _, other, _), index in best.items():
        near[tile, other] = near[other, tile] = max(near[tile, other], float(scores[index]))
    kept = list(best.values())
    for engine, afar in hubs.items():
        more = sum(max(0.0, float(scores[k]) - near[int(contacts.tile[k]), engine]) for k in afar)
        if more + hub_gains[engine] > 0:
            kept += afar
    return np.array(sorted(kept), dtype=np.int64)


def _add_hubs(program: _Program, contacts: Contacts, good: NDArray[np.int64], gains: Array) -> dict[int, int]:
    """A variable for each tile that may be the engine; joins from afar only there, ordinary ones only elsewhere."""
    afar: dict[int, list[int]] = defaultdict(list)
    near: dict[int, list[int]] = defaultdict(list)
    for k, index in enumerate(good):
        if contacts.kind[index] == ContactKind.HUB:
            afar[int(contacts.other[index])].append(k)
        else:
            near[int(contacts.other[index])].append(k)
            near[int(contacts.tile[index])].append(k)
    hubs = {tile: program.variable(float(gains[tile])) for tile in afar}
    for tile, columns in afar.items():
        for k in columns:
            program.at_most([k, hubs[tile]], 0, weights=[1.0, -1.0])
        for k in near[tile]:
            program.at_most([k, hubs[tile]], 1)
    if hubs:
        program.at_most(list(hubs.values()), 1)
    return hubs


def _add_uses(
    program: _Program, tiles: PlacedTiles, contacts: Contacts, good: NDArray[np.int64], p: JoiningParameters
) -> None:
    """Each half once, each port once, each double twice."""
    ports: dict[tuple[int, str], list[int]] = defaultdict(list)
    halves: dict[tuple[int, int], list[int]] = defaultdict(list)
    sides: dict[int, list[int]] = defaultdict(list)
    ends: dict[int, list[int]] = defaultdict(list)
    for k, index in enumerate(good):
        tile, half = int(contacts.tile[index]), int(contacts.half[index])
        ports[tile, f"end {half}"].append(k)
        halves[tile, half].append(k)
        ends[tile].append(k)
        if contacts.kind[index] == ContactKind.HUB:
            continue
        other, part, port = int(contacts.other[index]), int(contacts.part[index]), int(contacts.port[index])
        ports[other, _port_name(part, port, tiles.double[other] >= p.certain_double)].append(k)
        if part == SIDE_PART:
            sides[other].append(k)
        else:
            halves[other, part].append(k)
            ends[other].append(k)
    for (_, place), columns in ports.items():
        program.at_most(columns, p.toes if place in _LONG_SIDES else 1)
    for tile in range(len(tiles)):
        if tiles.double[tile] >= p.certain_double:
            _add_double(program, sides[tile], ends[tile], p)
            continue
        for half in (0, 1):
            columns = halves[tile, half] + sides[tile]
            if len(columns) > 1:
                extra = program.variable(-p.branch_cost, 2.0)
                program.at_most([*columns, extra], 1, weights=[1.0] * len(columns) + [-1.0])


_LONG_SIDES = ("side 2", "side 3")


def _port_name(part: int, port: int, double: bool) -> str:
    """Where a tile is met: an end, a long side of a double, or a half's flank."""
    if port < SIDE_PART:
        return f"end {part}"
    return f"side {port}" if double else f"flank {part} {port}"


def _add_double(program: _Program, sides: list[int], ends: list[int], p: JoiningParameters) -> None:
    both = sides + ends
    if len(both) > 2:
        extra = program.variable(-p.toe_cost, 4.0)
        program.at_most([*both, extra], 2, weights=[1.0] * len(both) + [-1.0])
    if sides and ends:
        mixed = program.variable(-p.mixed_cost)
        for side in sides:
            for end in ends:
                program.at_most([side, end, mixed], 1, weights=[1.0, 1.0, -1.0])


def _rings(edges: list[tuple[int, int, int]]) -> list[list[int]]:
    """Rings of a graph with edges (tile, tile, name), each as the names of its edges; none in a forest."""
    up: dict[int, tuple[int, int]] = {}
    ways: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for one, two, name in edges:
        ways[one].append((two, name))
        ways[two].append((one, name))
    depth: dict[int, int] = {}
    rings: dict[int, list[int]] = {}
    for root in sorted(ways):
        if root in depth:
            continue
        depth[root] = 0
        stack = [root]
        while stack:
            here = stack.pop()
            for there, name in ways[here]:
                if there not in depth:
                    depth[there], up[there] = depth[here] + 1, (here, name)
                    stack.append(there)
                elif up.get(here, (-1, -1))[1] != name and name not in rings and up.get(there, (-1, -1))[1] != name:
                    rings[name] = [name, *_path(here, there, depth, up)]
    return list(rings.values())


def _path(one: int, two: int, depth: dict[int, int], up: dict[int, tuple[int, int]]) -> list[int]:
    """Names of the edges between two tiles of one tree."""
    names = []
    while one != two:
        if depth[one] < depth[two]:
            one, two = two, one
        one, name = up[one]
        names.append(name)
    return names
