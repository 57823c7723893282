"""The layout of a table: from the tiles of one picture to the engine, the trains and what is wrong with them."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from companion.sightings import HIGHEST_PIPS, Doubt, Quad
from companion.table.contacts import ContactParameters, Contacts, find_contacts
from companion.table.deciding import DecidingParameters, Decision, Join, decide
from companion.table.evidence import EvidenceParameters, value_scores
from companion.table.faults import Anomaly, find_faults, questions
from companion.table.joining import JoiningParameters, choose_joins
from companion.table.marking import MarkingParameters, marked_trains
from companion.table.plane import Plane, PlaneParameters
from companion.table.rows import RowParameters, row_costs
from companion.table.seen import Array, MarkerSighting, PlacedTiles, SeenTable, place_tiles
from companion.table.spokes import SpokeParameters, with_engine_by_its_trains
from companion.table.starts import StartParameters, find_trains, lost_tiles
from companion.table.strangers import StrangerParameters, without_strangers
from companion.table.trains import Leg, Start, TrainParameters, find_engine


@dataclass(frozen=True, slots=True)
class LayoutParameters:
    """Every number of the layout, by the step that uses it."""

    plane: PlaneParameters = field(default_factory=PlaneParameters)
    contacts: ContactParameters = field(default_factory=ContactParameters)
    rows: RowParameters = field(default_factory=RowParameters)
    evidence: EvidenceParameters = field(default_factory=EvidenceParameters)
    spokes: SpokeParameters = field(default_factory=SpokeParameters)
    joining: JoiningParameters = field(default_factory=JoiningParameters)
    deciding: DecidingParameters = field(default_factory=DecidingParameters)
    trains: TrainParameters = field(default_factory=TrainParameters)
    strangers: StrangerParameters = field(default_factory=StrangerParameters)
    starts: StartParameters = field(default_factory=StartParameters)
    marking: MarkingParameters = field(default_factory=MarkingParameters)


@dataclass(frozen=True, slots=True)
class LaidTrain:
    """One train: `tiles` are indices outward, `inward` says for each which half (0 a, 1 b) looks towards the engine.

    A double that lies crosswise looks inward with half 0 by convention. `mexican` trains touch no engine; a `branch` begins
    on the last tile of another train, or in its middle, instead. A train with its `end_unseen` goes on out of the picture: its
    open end is only that of the last tile that is wholly in view.
    """

    tiles: tuple[int, ...]
    inward: tuple[int, ...]
    open_end: int
    open_double: bool
    marker: bool = False
    mexican: bool = False
    branch: bool = False
    end_unseen: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """What lies on the table.

    `ends` are the decided values of every tile in the order of the detections, `certainty` how sure each half is.
    `engine` is a tile's index or None; `loose` tiles belong to no train, and those of them `in_rows` are hands that lie face up.
    `engine_value` may be known without a tile.
    """

    ends: tuple[tuple[int, int], ...]
    certainty: tuple[tuple[float, float], ...]
    joins: tuple[Join, ...]
    engine: int | None
    engine_value: int | None
    trains: tuple[LaidTrain, ...]
    loose: tuple[int, ...]
    face_down: int
    doubts: tuple[Doubt, ...]
    anomalies: tuple[Anomaly, ...]
    plane: Plane | None
    quads_px: tuple[Quad, ...]
    in_rows: tuple[int, ...] = ()

    def marked_by(self, markers: Sequence[MarkerSighting], parameters: MarkingParameters | None = None) -> Layout:
        """The same layout with other markers: each marks the train at whose last tile it lies."""
        if self.plane is None:
            return self
        lasts = [self.quads_px[train.tiles[-1]] for train in self.trains]
        marked = marked_trains(markers, self.plane, lasts, parameters=parameters)
        trains = tuple(replace(train, marker=k in marked) for k, train in enumerate(self.trains))
        return replace(self, trains=trains)


def lay_out(
    table: SeenTable,
    *,
    highest: int = HIGHEST_PIPS,
    engine: int | None = None,
    parameters: LayoutParameters | None = None,
) -> Layout:
    """Find the trains of one picture.

    Args:
        table: tiles with open values, backs and markers.
        highest: N of the double-N set.
        engine: the engine's value where a person named it.
        parameters: all thresholds.
    """
    p = parameters or LayoutParameters()
    if not table.tiles:
        return _empty(table, engine)
    tiles = with_engine_by_its_trains(
        place_tiles(table, highest=highest, parameters=p.plane),
        highest=highest, contacts=p.contacts, evidence=p.evidence, parameters=p.spokes,
    )  # fmt: skip
    table_joins = _TableJoins(tiles, highest, engine, table.cut, p)
    joins, decision, root = table_joins.solve()
    lost = lost_tiles(joins, decision.ends, engine=root, count=len(tiles))
    if table_joins.could_attach(lost):
        joins, decision, root = table_joins.solve(attach=lost)
    found = find_trains(
        tiles, joins, decision.ends, engine=root, known=engine, highest=highest, cut=table.cut,
        parameters=p.starts, rows=p.rows,
    )  # fmt: skip
    goes_on = table_joins.out_of_picture()
    if len(found.joins) < len(joins):
        decision = decide(tiles, found.joins, parameters=p.deciding)
    doubles = frozenset(k for k in range(len(tiles)) if decision.surely_double(k, found.joins))
    trains = tuple(_train(leg, decision.ends, goes_on, doubles) for leg in found.legs)
    layout = Layout(
        ends=decision.ends,
        certainty=decision.certainty,
        joins=found.joins,
        engine=root,
        engine_value=found.value,
        trains=trains,
        loose=found.loose,
        face_down=len(table.face_down),
        doubts=questions(tiles, found.joins, decision),
        anomalies=find_faults(
            found.joins,
            decision,
            found.legs,
            loose=found.loose,
            engine=root,
            value=found.value,
            highest=highest,
            toes=p.joining.toes,
            cut=table.cut,
            goes_on=goes_on,
            maybe_none=frozenset(k for k, tile in enumerate(table.tiles) if tile.score < _SURE_TILE),
        ),
        plane=tiles.plane,
        quads_px=tuple(tile.quad_px for tile in table.tiles),
        in_rows=found.in_rows,
    )
    return layout.marked_by(table.markers, p.marking)


def with_toes(parameters: LayoutParameters, toes: int) -> LayoutParameters:
    """The same for house rules that want a chicken foot of so many toes on a double; 0 or 1 changes nothing."""
    if toes < 2:
        return parameters
    return replace(
        parameters,
        contacts=replace(parameters.contacts, toes=True),
        joining=replace(parameters.joining, toes=toes, toe_cost=0.5),
    )


def _empty(table: SeenTable, engine: int | None) -> Layout:
    return Layout((), (), (), None, engine, (), (), len(table.face_down), (), (), None, ())


_SURE_TILE = 0.75
"""What is less surely a tile is no second copy of one."""

_NEVER = -1e6
"""The score of a join that is not to be made."""


class _TableJoins:
    """Every contact of a table, weighed once, and the best choice among them."""

    def __init__(
        self, tiles: PlacedTiles, highest: int, engine: int | None, cut: Set[int], p: LayoutParameters
    ) -> None:
        self.tiles, self.highest, self.engine, self.p = tiles, highest, engine, p
        self.contacts = find_contacts(tiles, p.contacts)
        self.values = value_scores(tiles, self.contacts, highest=highest, parameters=p.evidence)
        self.scores = self.contacts.score + self.values - row_costs(tiles, self.contacts, p.rows)
        self._goes_on = self._leaving(cut) & (self.scores > p.joining.least)
        self._cut = cut
        self.scores = np.where(self._ends_in(cut).any(0), _NEVER, self.scores)

    def solve(self, *, attach: Set[int] = frozenset()) -> tuple[tuple[Join, ...], Decision, int | None]:
        """Joins, values and engine; joins of the tiles in `attach` with others gain."""
        contacts, p = self.contacts, self.p
        scores = self.scores + p.joining.attach * self._leaving(attach)
        joining = choose_joins(self.tiles, contacts, scores, engine_values=self._engine_gains(), parameters=p.joining)
        joins = tuple(_as_join(contacts, k) for k in joining.chosen)
        decision, root = self._decided(joins, joining.hub)
        trains = without_strangers(
            joins, self.values[list(joining.chosen)].tolist(),
            engine=root, count=len(self.tiles), parameters=p.strangers,
        )  # fmt: skip
        if len(trains) < len(joins):
            decision, root = self._decided(trains, joining.hub)
        return trains, decision, root

    def _decided(self, joins: Sequence[Join], hub: int | None) -> tuple[Decision, int | None]:
        """All values, and which tile is the engine."""
        decision = decide(self.tiles, joins, parameters=self.p.deciding)
        root = find_engine(
            self.tiles, joins, decision.ends,
            hub=hub, known=self.engine, highest=self.highest, parameters=self.p.trains,
        )  # fmt: skip
        return decision, root

    def could_attach(self, lost: Set[int]) -> bool:
        """Whether a gain for joins of these tiles with others could change anything."""
        gained = self.scores[self._leaving(lost)]
        return bool((gained + self.p.joining.attach > self.p.joining.least).any())

    def out_of_picture(self) -> frozenset[int]:
        """Tiles that go on with one that the picture's edge cuts."""
        ends = np.concatenate([self.contacts.tile[self._goes_on], self.contacts.other[self._goes_on]])
        return frozenset(ends.tolist()) - self._cut

    def _leaving(self, group: Set[int]) -> NDArray[np.bool_]:
        """Which contacts (m,) join a tile of a group with one outside."""
        one, other = self._ends_in(group)
        return np.asarray(one != other)

    def _ends_in(self, group: Set[int]) -> NDArray[np.bool_]:
        """Whether either tile of each contact (2, m) is one of a group."""
        inside = np.zeros(len(self.tiles), dtype=bool)
        inside[list(group)] = True
        return np.stack([inside[self.contacts.tile], inside[self.contacts.other]])

    def _engine_gains(self) -> Array:
        common, p = self.tiles.common_value(), self.p.joining
        if self.engine is not None:
            return np.asarray(p.engine_known * (2 * common[:, self.engine] * self.tiles.double - 1))
        return np.asarray(p.engine_highest * common[:, self.highest] * self.tiles.double)


def _as_join(contacts: Contacts, index: int) -> Join:
    return Join(
        tile=int(contacts.tile[index]),
        part=int(contacts.half[index]),
        other=int(contacts.other[index]),
        other_part=int(contacts.part[index]),
        gap=float(contacts.gap[index]),
        score=float(contacts.score[index]),
    )


def _train(leg: Leg, ends: Sequence[tuple[int, int]], goes_on: Set[int], doubles: Set[int]) -> LaidTrain:
    last = ends[leg.tiles[-1]]
    unseen = leg.tiles[-1] in goes_on
    return LaidTrain(
        tiles=leg.tiles,
        inward=tuple(0 if part not in (0, 1) else part for part in leg.entered),
        open_end=last[leg.left if leg.left in (0, 1) else 0],
        open_double=leg.tiles[-1] in doubles and not unseen,
        mexican=leg.start is Start.FREE,
        branch=leg.start is Start.BRANCH,
        end_unseen=unseen,
    )
