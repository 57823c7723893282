"""Whose trains the chains on the table may be, and how likely each answer is before anything was played.

Players sit around the engine in the order in which they are named, clockwise, and so do their trains; a chain that touches no
engine is most likely the Mexican train. Without players every chain is a seat of its own, and all trains are open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.dominoes import TrainOwner
from companion.rules.errors import HouseRulesError
from companion.rules.house_rules import HouseRules
from companion.rules.moves import LayEngine
from companion.rules.state import Hand, RoundState, Turn
from companion.rules.trains import LaidTile, Train, TrainRef
from companion.rules.transition import happen
from companion.table.story import Opening, SeenChain

SOMEBODY = ("somebody", "somebody-else")
"""Who lays tiles at a table whose players nobody named."""

_ANYBODY: dict[str, object] = {
    "all_trains_open": True,
    "first_turn": "one",
    "first_turn_on": "any_open",
    "own_train_first": False,
    "own_train_preferred": False,
    "mexican_trains": "many",
    "mexican_start": "any_turn",
    "must_play_drawn": False,
    "doubles_per_turn": "many",
}
"""What cannot be judged without knowing who plays: these switches are set so that they bar nothing."""


@dataclass(frozen=True, slots=True)
class SeatingParameters:
    """Costs in logs of odds."""

    out_of_order: float = 4.0
    """Trains that do not lie around the engine as their owners sit."""
    mexican_at_engine: float = 2.5
    player_apart: float = 3.0
    """A player's train that does not touch the engine."""
    openings: int = 64
    """Ways of giving the first picture's chains to players that are followed up."""


@dataclass(frozen=True, slots=True)
class Owners:
    """Chains (by number) with their owners, and for branches the place among the train's branches."""

    of: tuple[tuple[int, TrainRef], ...] = ()
    angles: tuple[tuple[str, float], ...] = ()

    @property
    def chains(self) -> tuple[int, ...]:
        """The chains whose owner is settled."""
        return tuple(chain for chain, _ in self.of)

    def ref(self, chain: int) -> TrainRef | None:
        """Where notation points for a chain."""
        return next((ref for number, ref in self.of if number == chain), None)

    def chain_of(self, player: str) -> int | None:
        """The chain that is a player's train."""
        return next((number for number, ref in self.of if ref == TrainRef.of(player)), None)

    def given(self, chain: SeenChain, ref: TrainRef) -> Owners:
        """With one more chain."""
        angles = self.angles
        if chain.at_engine and chain.angle is not None and ref.owner.player is not None and not ref.branch:
            angles = (*angles, (ref.owner.player, chain.angle))
        return Owners((*self.of, (chain.number, ref)), angles)


class Seating:
    """Gives chains to players."""

    def __init__(
        self, rules: HouseRules, players: tuple[str, ...] = (), *, parameters: SeatingParameters | None = None
    ) -> None:
        self.parameters = parameters or SeatingParameters()
        self.anonymous = not players
        self.rules = rules.with_values(_ANYBODY) if self.anonymous else rules
        self.players = players or SOMEBODY

    def begin(self, opening: Opening) -> RoundState:
        """The round with its engine in the middle, before any train."""
        assert opening.engine is not None
        try:
            state = RoundState.opening(self.rules, self.players)
        except HouseRulesError:  # no deal is known for so many players; hands are not looked at anyway
            state = RoundState.opening(self.rules, self.players, tiles_each=1)
        return endless(replace(happen(state, LayEngine(None, opening.engine)), turn=Turn()))

    def seated(self, state: RoundState, owners: Owners) -> RoundState:
        """Without players: the round with a seat for each chain that has an owner."""
        for _, ref in owners.of:
            name = ref.owner.player
            if name is not None and name not in state.players:
                count = len(state.players)
                state = replace(
                    state,
                    players=(*state.players, name),
                    hands=(*state.hands, Hand(frozenset(), 2)),
                    trains=(*state.trains[:count], Train(ref.owner), *state.trains[count:]),
                )
        return state

    def all_owners(self, opening: Opening) -> list[tuple[Owners, float]]:
        """Ways in which the chains of an opening may belong to the players, likeliest first."""
        found = [(Owners(), 0.0)]
        for chain in dict.fromkeys(play.chain for play in opening.tiles):
            longer = [(more, score + extra) for owners, score in found for more, extra in self.owners_of(chain, owners)]
            found = sorted(longer, key=lambda row: -row[1])[: self.parameters.openings]
        return found

    def owners_of(self, chain: SeenChain, owners: Owners) -> Iterator[tuple[Owners, float]]:
        """Who may own one chain: settled owners stay; each answer with its log of odds."""
        p = self.parameters
        if owners.ref(chain.number) is not None:
            yield owners, 0.0
        elif chain.parent is not None and (trunk := owners.ref(chain.parent)) is not None:
            branches = [ref.branch for _, ref in owners.of if ref.owner == trunk.owner]
            yield owners.given(chain, TrainRef(trunk.owner, max(branches) + 1)), 0.0
        elif self.anonymous:
            mexican = _next_mexican(owners) if not chain.at_engine else TrainOwner(str(chain.number))
            yield owners.given(chain, TrainRef(mexican)), 0.0
        else:
            yield owners.given(chain, TrainRef(_next_mexican(owners))), -p.mexican_at_engine * chain.at_engine
            for player in self.players:
                if owners.chain_of(player) is None:
                    more = owners.given(chain, TrainRef.of(player))
                    yield more, self._apart(chain) - p.out_of_order * (not self._in_order(more))

    def _apart(self, chain: SeenChain) -> float:
        return 0.0 if chain.at_engine else -self.parameters.player_apart

    def _in_order(self, owners: Owners) -> bool:
        """Whether the trains lie clockwise around the engine as their owners sit: seats rise but for one step back."""
        seats = [self.players.index(player) for player, _ in sorted(owners.angles, key=lambda row: row[1])]
        back = sum(one > two for one, two in zip(seats, [*seats[1:], *seats[:1]], strict=True))
        return back <= 1


def lay_opening(state: RoundState, owners: Owners, opening: Opening) -> RoundState:
    """The round with the tiles that lay there when the watch began: nobody knows who laid them, or when."""
    for play in opening.tiles:
        ref = owners.ref(play.chain.number)
        assert ref is not None
        index = state.train_index(ref.owner)
        train = Train(ref.owner) if index is None else state.trains[index]
        place = len(state.trains) if index is None else index
        laid = LaidTile(play.tile, play.outward)
        if ref.branch < len(train.branches):
            train = train.with_tile(laid, branch=ref.branch)
        else:
            train = train.with_tile(laid, branch=0, root=_double_under(train))
        state = replace(state.with_train(place, train), table=state.table | {play.tile})
    started = frozenset(seat for seat in range(len(state.players)) if state.trains[seat].started)
    return replace(state, had_first=started)


def _double_under(train: Train) -> tuple[int, int]:
    """Where a branch grows: the train's last double."""
    places = [place for place, laid in enumerate(train.branches[0].tiles) if laid.tile.is_double]
    return 0, places[-1] if places else max(len(train.branches[0].tiles) - 1, 0)


def endless(state: RoundState) -> RoundState:
    """The same round with no hand about to be empty: who goes out is told by people, as draws are not seen."""
    if all(hand.size > 1 for hand in state.hands):
        return state
    return replace(state, hands=tuple(Hand(hand.known, max(hand.size, 2)) for hand in state.hands))


def _next_mexican(owners: Owners) -> TrainOwner:
    return TrainOwner.mexican(1 + sum(ref.owner.is_mexican and not ref.branch for _, ref in owners.of))
