"""What one player may do now: the places for a tile, what bars each of them, and what a hand can lay.

A `TurnView` belongs to one state, one seat and one turn (which may be supposed: a deed out of turn is judged as if it
were that player's turn). It is made anew for every ruling and thrown away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from companion.dominoes import Tile
from companion.rules.doubles import OpenDouble, in_order, open_doubles, owes
from companion.rules.rulings import Violation
from companion.rules.state import Hand, RoundState, Turn
from companion.rules.trains import TRUNK, Train, TrainRef


@dataclass(frozen=True, slots=True)
class Spot:
    """A place where a tile can be laid.

    Attributes:
        ref: how notation points there.
        train: the place in the state's trains; None for a Mexican train that has yet to start.
        branch: the branch that grows.
        value: the value it asks for; None while there is no engine.
        double: the open double that the tile would cover or be a toe of.
        waits_for: an open foot elsewhere on the same train.
    """

    ref: TrainRef
    train: int | None
    branch: int
    value: int | None
    double: OpenDouble | None = None
    waits_for: OpenDouble | None = None


class Answer(Enum):
    """Whether a hand can do something, as far as is known."""

    YES = "yes"
    NO = "no"
    MAYBE = "maybe"


class TurnView:
    """One seat's turn in one state."""

    def __init__(self, state: RoundState, seat: int, turn: Turn) -> None:
        self.state = state
        self.seat = seat
        self.turn = turn
        self.rules = state.rules
        self.hand: Hand = state.hands[seat]
        self.own_started = state.trains[seat].started
        self.doubles = open_doubles(state)
        self._looked_at: dict[TrainRef, tuple[Spot, tuple[Violation, ...]]] = {}
        self.following: list[OpenDouble] = []
        self.owed: list[OpenDouble] = []
        for double in self.doubles:
            if double.laid.order is not None and double.laid.order >= turn.since:
                if turn.following:
                    self.following.append(double)
            elif owes(state, seat, double):
                self.owed.append(double)

    # -- places

    def look(self, ref: TrainRef) -> tuple[Spot, tuple[Violation, ...]]:
        """The place that notation points at, and what bars it; looked at once."""
        found = self._looked_at.get(ref)
        if found is None:
            spot = self.spot(ref)
            found = self._looked_at[ref] = (spot, tuple(self.barriers(spot)))
        return found

    def spot(self, ref: TrainRef) -> Spot:
        """The place that notation points at."""
        index = self.state.train_index(ref.owner)
        engine = self.state.engine.high if self.state.engine else None
        if index is None:
            return Spot(TrainRef(ref.owner), None, TRUNK, engine)
        train = self.state.trains[index]
        if not train.started:
            return Spot(train.ref(), index, TRUNK, engine)
        open_here = [double for double in self.doubles if double.train == index] if self.doubles else []
        growing = self._growing(train)
        branch = ref.branch if ref.branch in growing else TRUNK
        if ref.branch >= len(train.branches) and len(growing) > 1 and open_here:
            branch = open_here[0].branch  # a branch that is not there yet: the next toe
        for double in open_here:
            if double.branch == branch:
                return Spot(double.ref, index, branch, double.value, double)
        tip = train.branches[branch].tiles[-1]
        return Spot(train.ref(branch), index, branch, tip.outward, None, open_here[0] if open_here else None)

    def _growing(self, train: Train) -> range:
        """The branches that can grow: all, or the trunk alone where feet do not fork."""
        forks = self.rules.chicken_foot_forks or not self.rules.chicken_foot
        return range(len(train.branches)) if forks else range(1)

    def refs(self) -> Iterator[TrainRef]:
        """Every place that may be open, each once; of a train with an open double only that."""
        for index, train in enumerate(self.state.trains):
            if self._shut(index, train):
                continue
            open_here = [double.ref for double in self.doubles if double.train == index] if self.doubles else []
            if open_here:
                yield from open_here
            elif len(train.branches) == 1:
                yield train.ref()
            else:
                yield from map(train.ref, self._growing(train))
        yield TrainRef(self.state.next_mexican)

    def is_own(self, spot: Spot) -> bool:
        """Whether the place is on the player's own train."""
        return spot.train == self.seat

    def is_owed(self, spot: Spot) -> bool:
        """Whether a tile there would be a cover (or toe) that the player owes."""
        return spot.double is not None and (spot.double in self.owed or spot.double in self.following)

    # -- what bars a place

    def barriers(self, spot: Spot) -> Iterator[Violation]:
        """Every rule that keeps the player from laying any tile there (R-05 to R-11, R-20)."""
        owed = self.is_owed(spot)
        own = self.is_own(spot)
        if spot.train is None:
            yield from self._mexican_start(spot)
        elif spot.train < len(self.state.players) and not own and not owed:
            yield from self._closed(spot)
        if self.rules.own_train_first and not own and not self.own_started:
            yield Violation.of("R-07", "own_train_first", player=self._name)
        if self.turn.first and not own and not owed and not self._first_turn_reaches(spot):
            yield Violation.of("R-08", "first_turn_elsewhere", player=self._name, train=spot.ref, where=self._first_on)
        yield from self._duties(spot)

    @property
    def _name(self) -> str:
        return self.state.players[self.seat]

    @property
    def _first_on(self) -> str:
        return self.rules.first_turn_on

    def _mexican_start(self, spot: Spot) -> Iterator[Violation]:
        rules, state = self.rules, self.state
        if rules.mexican_trains == 0:
            yield Violation.of("R-06", "no_mexican_train")
        elif rules.mexican_trains == 1 and (state.mexicans or spot.ref.owner.number > 1):
            yield Violation.of("R-06", "one_mexican_train")
        elif rules.mexican_start == "after_first_turns" and len(state.had_first) < len(state.players):
            waiting = ",".join(name for seat, name in enumerate(state.players) if seat not in state.had_first)
            yield Violation.of("R-06", "mexican_after_first_turns", players=waiting)
        elif rules.mexican_start == "after_all_started":
            waiting = ",".join(
                name for name, train in zip(state.players, state.trains, strict=False) if not train.started
            )
            if waiting:
                yield Violation.of("R-06", "mexican_after_all_started", players=waiting)

    def is_closed(self, train: Train) -> bool:
        """Whether another player's train is closed to all but an owed cover (R-05)."""
        if self.rules.all_trains_open:
            return False
        return not train.marker or not (train.started or self.rules.unstarted_open)

    def _closed(self, spot: Spot) -> Iterator[Violation]:
        assert spot.train is not None
        train = self.state.trains[spot.train]
        if self.is_closed(train):
            yield Violation.of("R-05", "train_not_started" if train.marker else "train_closed", train=spot.ref)

    def _first_turn_reaches(self, spot: Spot) -> bool:
        match self.rules.first_turn_on:
            case "own":
                return False
            case "own_or_mexican":
                return spot.train is None or spot.train >= len(self.state.players)
            case "any_open":
                return True

    def _duties(self, spot: Spot) -> Iterator[Violation]:
        """R-09, R-10, R-11 and R-20: what open doubles demand."""
        if self.following:
            yield from self._follow(spot)
        elif self.owed:
            yield from self._owe(spot, self.owed)
        if spot.waits_for is not None and spot.waits_for not in self.owed and spot.waits_for not in self.following:
            yield self._first_cover(spot.waits_for)

    def _follow(self, spot: Spot) -> Iterator[Violation]:
        """In the turn of a double: R-11, or only the older duties where the second tile is free."""
        if self.rules.double_follow == "cover":
            if spot.double not in self.following:
                double = self.following[-1]
                yield Violation.of("R-11", "follow_on_double", tile=double.laid.tile, train=double.ref)
            return
        stopping = self.following if self.rules.chicken_foot and self.rules.chicken_foot_stops == "table" else []
        if spot.double not in self.following and (self.owed or stopping):
            yield from self._owe(spot, self.owed or stopping)

    def _owe(self, spot: Spot, owed: list[OpenDouble]) -> Iterator[Violation]:
        first = in_order(self.rules, owed)
        if spot.double not in owed:
            yield self._first_cover(first or owed[0])
        elif first is not None and spot.double != first:
            yield Violation.of("R-10", "other_double_first", tile=first.laid.tile, train=first.ref)

    def _first_cover(self, double: OpenDouble) -> Violation:
        """R-09 for a bare double, R-20 for one that has some of its toes."""
        if double.toes:
            left = self.rules.chicken_foot - double.toes
            return Violation.of("R-20", "toes_first", tile=double.laid.tile, train=double.ref, toes=left)
        if not owes(self.state, self.seat, double):
            return Violation.of("R-09", "train_waits", tile=double.laid.tile, train=double.ref)
        return Violation.of("R-09", "cover_first", tile=double.laid.tile, train=double.ref, player=self._name)

    # -- what bars a tile

    def misfit(self, tile: Tile, spot: Spot) -> Violation | None:
        """R-04, or R-20 for a tile that fits a toe whose double still wants more of them."""
        if spot.value is None or tile.has(spot.value):
            return None
        if spot.double is not None and spot.double.toes and spot.train is not None:
            double = spot.double
            ends = self.state.trains[spot.train].toe_ends(double.branch, double.place)
            if any(tile.has(value) for _, value in ends):
                left = self.rules.chicken_foot - double.toes
                return Violation.of("R-20", "toes_first", tile=double.laid.tile, train=double.ref, toes=left)
        return Violation.of("R-04", "no_match", tile=tile, train=spot.ref, value=spot.value)

    def second_double(self, tile: Tile) -> bool:
        """Whether R-13 bars the tile: another double in a turn that allows one."""
        return tile.is_double and self.rules.doubles_per_turn == 1 and self.turn.doubles > 0 and not self.turn.chain

    def ends_chain_badly(self, tile: Tile, spot: Spot) -> bool:
        """Whether R-23 bars the tile: the hand's last one, a double, in a first chain that may not end so."""
        return self.hand.size == 1 and tile.is_double and self.is_own(spot) and self._guards_chain

    @cached_property
    def _guards_chain(self) -> bool:
        return self.rules.first_turn == "chain" and self.turn.first and self.rules.first_chain_double == "forbidden"

    # -- what a hand can lay

    @cached_property
    def open_spots(self) -> list[Spot]:
        """The places that nothing bars."""
        return [spot for ref in self.refs() for spot, barriers in (self.look(ref),) if not barriers]

    def _shut(self, index: int, train: Train) -> bool:
        """Whether no place on that train needs a look: another player's, closed, and without a double to cover."""
        if index == self.seat or index >= len(self.state.players) or not self.is_closed(train):
            return False
        return not any(double.train == index for double in self.doubles)

    @cached_property
    def values(self) -> frozenset[int]:
        """The values asked for in the places that nothing bars."""
        return frozenset(spot.value for spot in self.open_spots if spot.value is not None)

    @cached_property
    def own_values(self) -> frozenset[int]:
        """The same, on the own train."""
        return frozenset(spot.value for spot in self.open_spots if spot.value is not None and self.is_own(spot))

    def lays(self, tile: Tile, values: frozenset[int] | None = None) -> bool:
        """Whether the tile fits: could legally be laid now, as far as places and doubles go."""
        wanted = self.values if values is None else values
        if tile.high != tile.low:
            return tile.high in wanted or tile.low in wanted
        if tile.high not in wanted or self.second_double(tile):
            return False
        if not self._guards_chain:
            return True
        spots = [spot for spot in self.open_spots if spot.value == tile.high and spot.value in wanted]
        return any(not self.ends_chain_badly(tile, spot) for spot in spots)

    def can_lay(self, known: Iterable[Tile], unknown: int, values: frozenset[int] | None = None) -> Answer:
        """Whether a hand of these tiles and so many unknown ones has a tile that fits.

        Tiles that are known to lie elsewhere cannot be the unknown ones. So a hand may be sure to have no fitting tile,
        and sure to have one when fewer tiles without a fit are left than it holds.
        """
        if any(self.lays(tile, values) for tile in known):
            return Answer.YES
        if unknown <= 0:
            return Answer.NO
        unseen = self.state.unseen()
        fitting = sum(self.lays(tile, values) for tile in unseen)
        if fitting == 0:
            return Answer.NO
        return Answer.YES if len(unseen) - fitting < unknown else Answer.MAYBE

    @cached_property
    def before_draw(self) -> Answer:
        """Whether the hand as it was before this turn's draws can play (R-14)."""
        drawn = [tile for tile in self.turn.kept if tile is not None]
        unseen_draws = len(self.turn.kept) - len(drawn)
        known = self.hand.known.difference(drawn) if drawn else self.hand.known
        return self.can_lay(known, self.hand.unknown - unseen_draws)

    @cached_property
    def drawn(self) -> Answer:
        """Whether a tile drawn in this turn and still held fits (R-15)."""
        kept = self.turn.kept
        if not kept:
            return Answer.NO
        known = [tile for tile in kept if tile is not None]
        return self.can_lay(known, len(kept) - len(known))
