"""The state of a round: what lies on the table, what is known of the hands, whose turn it is and what happened in it.

A state is a value. It is made by an opening and changed only by `companion.rules.transition`, one event after another, so
that undo is a shorter fold. Players are held by their seat (index), trains by their place in `trains`: seat i owns train
i, the Mexican trains follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from companion.dominoes import Tile, TrainOwner
from companion.rules.errors import HouseRulesError
from companion.rules.house_rules import HouseRules
from companion.rules.trains import Train

MOST_PLAYERS = 14
FEWEST_PLAYERS = 2


@dataclass(frozen=True, slots=True)
class Hand:
    """What is known of a hand: some tiles, and how many there are."""

    known: frozenset[Tile]
    size: int

    @property
    def unknown(self) -> int:
        """How many of its tiles are not known."""
        return max(0, self.size - len(self.known))

    @property
    def whole(self) -> bool:
        """Whether every tile is known."""
        return self.size <= len(self.known)

    def without(self, tile: Tile) -> Hand:
        """The hand after that tile has left it, whether or not it was known."""
        return Hand(self.known - {tile}, max(0, self.size - 1))

    def with_drawn(self, tile: Tile | None) -> Hand:
        """The hand after a draw, seen or not."""
        return Hand(self.known | {tile} if tile is not None else self.known, self.size + 1)


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn and what has happened in it.

    Attributes:
        seat: whose it is, where known.
        since: the order number of the first tile that can be laid in it.
        first: whether it is its player's first turn of the round.
        chain: whether a first chain is under way.
        laid: how many tiles were laid.
        doubles: how many of them were doubles.
        following: whether a double of this turn still waits for the tile that must follow it.
        drew: how many tiles were drawn.
        kept: the drawn tiles that are still held, None for one that was not seen.
        own_play: whether a tile was laid on the own train.
        knocked: whether its player said that one tile is left.
    """

    seat: int | None = None
    since: int = 0
    first: bool = True
    chain: bool = False
    laid: int = 0
    doubles: int = 0
    following: bool = False
    drew: int = 0
    kept: tuple[Tile | None, ...] = ()
    own_play: bool = False
    knocked: bool = False

    @property
    def acted(self) -> bool:
        """Whether its player has played or drawn."""
        return self.laid > 0 or self.drew > 0


@dataclass(frozen=True, slots=True)
class EngineDraws:
    """The draws for an engine that nobody holds.

    Attributes:
        next_seat: whose draw it is, where they go round.
        drew: who has drawn in this pass.
        unseen: whose drawn tile was not seen, so that it may be the engine.
        any: whether a tile has been drawn at all.
    """

    next_seat: int | None = None
    drew: frozenset[int] = frozenset()
    unseen: tuple[int, ...] = ()
    any: bool = False


@dataclass(frozen=True, slots=True)
class RoundState:
    """Everything that a ruling looks at.

    Attributes:
        rules: what the table plays.
        players: their names, clockwise.
        hands: what is known of each seat's hand.
        trains: each seat's train, then the Mexican trains in the order in which they started.
        table: every tile that lies there, the engine too.
        boneyard: how many tiles nobody has drawn.
        round_number: which round of the game it is, where told.
        engine: the double in the middle once it lies there.
        opener: the seat that laid it from a hand, where known.
        start: the seat that the table named to begin.
        turn: the turn under way.
        before: the turn before it, whose player may still mark, unmark or knock.
        had_first: the seats that have had their first turn.
        silent: the seat that was left with one tile and has not said so.
        loses_turn: the seats whose next turn is skipped.
        out: the seats that went out.
        stranded: the seats that stay in although a double emptied their hand.
        passes: how many turns in a row have ended without a tile.
        laid: how many tiles have been laid.
        over: whether the round is over.
        counted: whether the table has stopped it and counted.
        engine_draws: the draws before the engine.
    """

    rules: HouseRules
    players: tuple[str, ...]
    hands: tuple[Hand, ...]
    trains: tuple[Train, ...]
    table: frozenset[Tile]
    boneyard: int
    round_number: int | None = None
    engine: Tile | None = None
    opener: int | None = None
    start: int | None = None
    turn: Turn = Turn()
    before: Turn | None = None
    had_first: frozenset[int] = frozenset()
    silent: int | None = None
    loses_turn: frozenset[int] = frozenset()
    out: frozenset[int] = frozenset()
    stranded: frozenset[int] = frozenset()
    passes: int = 0
    laid: int = 0
    over: bool = False
    counted: bool = False
    engine_draws: EngineDraws = EngineDraws()

    @classmethod
    def opening(
        cls,
        rules: HouseRules,
        players: tuple[str, ...],
        *,
        hands: Mapping[str, frozenset[Tile]] | None = None,
        tiles_each: int | None = None,
        round_number: int | None = None,
    ) -> RoundState:
        """A round before its engine lies there.

        Args:
            rules: what the table plays.
            players: their names, clockwise.
            hands: what is known of each player's hand.
            tiles_each: how many tiles each holds, where that is not what the rules deal.
            round_number: which round of the game it is.

        Raises:
            HouseRulesError: if the deal is one that the rules or the set do not allow.
        """
        if not FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS:
            raise HouseRulesError("players", f"a round has {FEWEST_PLAYERS} to {MOST_PLAYERS} players")
        size = rules.tiles_each(len(players)) if tiles_each is None else tiles_each
        rules.check_deal(len(players), size)
        known = hands or {}
        held = tuple(Hand(known.get(player, frozenset()), size) for player in players)
        for player, hand in zip(players, held, strict=True):
            if len(hand.known) > size:
                raise HouseRulesError("hand_size", f"{player} cannot hold {len(hand.known)} tiles of {size}")
        boneyard = rules.tile_set.size - size * len(players) - (rules.engine == "set_aside")
        trains = tuple(Train(TrainOwner(player)) for player in players)
        return cls(rules, players, held, trains, frozenset(), boneyard, round_number)

    @property
    def begun(self) -> bool:
        """Whether the engine lies in the middle."""
        return self.engine is not None

    def seat(self, player: str) -> int:
        """A player's seat; a `ValueError` if nobody of that name plays."""
        return self.players.index(player)

    def next_seat(self, seat: int) -> int:
        """The seat to the left."""
        return (seat + 1) % len(self.players)

    def train_index(self, owner: TrainOwner) -> int | None:
        """Where a train stands in `trains`; None for a Mexican train that nobody has started."""
        if owner.player is not None:
            return self.seat(owner.player)
        for index in range(len(self.players), len(self.trains)):
            if self.trains[index].owner == owner:
                return index
        return None

    @property
    def mexicans(self) -> tuple[Train, ...]:
        """The Mexican trains that run."""
        return self.trains[len(self.players) :]

    @property
    def next_mexican(self) -> TrainOwner:
        """The name of the Mexican train that would be the next to start."""
        numbers = {train.owner.number for train in self.mexicans}
        number = 1
        while number in numbers:
            number += 1
        return TrainOwner.mexican(number)

    def with_hand(self, seat: int, hand: Hand) -> RoundState:
        """The state with another hand at that seat."""
        return replace(self, hands=(*self.hands[:seat], hand, *self.hands[seat + 1 :]))

    def with_train(self, index: int, train: Train) -> RoundState:
        """The state with another train in that place, or one more at the end."""
        return replace(self, trains=(*self.trains[:index], train, *self.trains[index + 1 :]))

    def with_marker(self, seat: int, *, up: bool) -> RoundState:
        """The state with that seat's marker up or down."""
        train = self.trains[seat]
        return self if train.marker == up else self.with_train(seat, replace(train, marker=up))

    def unseen(self) -> list[Tile]:
        """Every tile of the set that neither lies on the table nor is known to be in a hand."""
        seen = self.table.union(*(hand.known for hand in self.hands))
        return [tile for tile in self.rules.tile_set if tile not in seen]

    def fresh_turn(self, seat: int) -> Turn:
        """A turn of that seat's in which nothing has happened yet."""
        return Turn(seat, since=self.laid, first=seat not in self.had_first)

    def seats_after(self, seat: int) -> Iterator[int]:
        """The other seats in turn order."""
        count = len(self.players)
        return ((seat + step) % count for step in range(1, count))
