"""A game as it stands: players, rules, rounds with their hands, scores and plays. A value, made by `folding` from entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from companion.dominoes import Tile
from companion.rules.engines import round_count
from companion.rules.house_rules import HouseRules
from companion.rules.moves import Move
from companion.session.events import HandTile, RoundTold, Source
from companion.session.players import Player
from companion.sightings import PhotoReading


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo of a hand and its first reading, which no edit changes."""

    picture: str
    reading: PhotoReading


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand as it was photographed: proposed, perhaps edited, until it is confirmed or dropped.

    Attributes:
        id: the sequence number that brought it.
        round: which round it ends.
        player: whose.
        photos: one, or several of a big hand.
        tiles: as they stand now, edits and all; a tile that several photos show is there once.
        seen_twice: tiles left out because an earlier photo shows them.
        confirmed: the sequence number of the score that it became.
    """

    id: int
    round: int
    player: str
    photos: tuple[Photo, ...]
    tiles: tuple[HandTile, ...]
    seen_twice: tuple[Tile, ...] = ()
    confirmed: int | None = None

    @property
    def to_look_at(self) -> int:
        """How many tiles a person should still look at."""
        return sum(tile.wants_look for tile in self.tiles)


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """What was once said about a player's score in a round.

    Attributes:
        sequence: the entry that said it.
        at: when.
        by: who.
        tiles: the hand; None where only a number was told.
        points: the number, where only that was told.
        hand: the proposed hand that it confirmed.
    """

    sequence: int
    at: datetime
    by: str
    tiles: tuple[HandTile, ...] | None
    points: int | None
    hand: int | None = None

    @property
    def pictures(self) -> tuple[str, ...]:
        """The ids of the pictures that show the hand."""
        return tuple(dict.fromkeys(tile.picture for tile in self.tiles or () if tile.picture is not None))


@dataclass(frozen=True, slots=True)
class Score:
    """A cell of the sheet: every line that was written into it, the last one counts."""

    history: tuple[ScoreLine, ...]

    @property
    def now(self) -> ScoreLine:
        """What counts."""
        return self.history[-1]

    @property
    def first(self) -> ScoreLine:
        """What was confirmed at first."""
        return self.history[0]

    @property
    def corrected(self) -> bool:
        """Whether it was changed after it was confirmed."""
        return len(self.history) > 1


@dataclass(frozen=True, slots=True)
class TablePlay:
    """A deed at the table.

    Attributes:
        id: the sequence number that brought it.
        move: what was done, as it stands now.
        source: who says so now; a person's word is not changed by a camera.
        by: who told it.
        at: when.
        pictures: ids of the pictures that show it, the one before it first.
        first: what was said at first, where it was corrected.
    """

    id: int
    move: Move
    source: Source
    by: str
    at: datetime
    pictures: tuple[str, ...] = ()
    first: Move | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """A round of the game: hands and scores of its end, plays before it."""

    number: int
    hands: Mapping[int, Hand] = field(default_factory=dict)
    scores: Mapping[str, Score] = field(default_factory=dict)
    told: RoundTold | None = None
    ended_by: int | None = None
    """The entry that ended it."""
    starter: str | None = None
    plays: tuple[TablePlay, ...] = ()
    rejected: frozenset[Tile] = frozenset()
    """Tiles of which a person said that they were not played; a camera does not bring them back."""

    @property
    def ended(self) -> bool:
        """Whether its scores count."""
        return self.ended_by is not None

    @property
    def touched(self) -> bool:
        """Whether anything is known of it."""
        return bool(self.hands or self.scores or self.told or self.plays or self.starter or self.ended)

    def play(self, play: int) -> TablePlay | None:
        """A play by its id."""
        return next((found for found in self.plays if found.id == play), None)

    def open_hand(self, player: str) -> Hand | None:
        """A player's newest hand that is proposed and not confirmed."""
        hands = [hand for hand in self.hands.values() if hand.player == player and hand.confirmed is None]
        return hands[-1] if hands else None


@dataclass(frozen=True, slots=True)
class Game:
    """A game as its journal tells it.

    Attributes:
        id: the stream of its journal.
        version: the sequence number of the last entry.
        name: what the family calls it.
        players: in seat order, clockwise.
        preset: the preset that was chosen.
        rules: what is played, every switch.
        started: when it began, UTC.
        changed: when something was last written.
        rounds: by number, those of which something is known.
        ended: whether it was ended before its last round.
    """

    id: str
    version: int
    name: str
    players: tuple[Player, ...]
    preset: str
    rules: HouseRules
    started: datetime
    changed: datetime
    rounds: Mapping[int, Round]
    ended: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names in seat order."""
        return tuple(player.name for player in self.players)

    @property
    def round_count(self) -> int:
        """How many rounds a whole game has."""
        return round_count(self.rules)

    @property
    def current(self) -> int | None:
        """The number of the round that is played: the first that has not ended; None once the game is over."""
        if self.ended:
            return None
        return next((n for n in range(1, self.round_count + 1) if not self.round(n).ended), None)

    @property
    def over(self) -> bool:
        """Whether nothing more is played."""
        return self.current is None

    @property
    def ended_rounds(self) -> tuple[Round, ...]:
        """The rounds whose scores stand, by number."""
        return tuple(self.rounds[number] for number in sorted(self.rounds) if self.rounds[number].ended)

    def round(self, number: int) -> Round:
        """A round, an empty one where nothing is known of it."""
        return self.rounds.get(number) or Round(number)

    def with_round(self, changed: Round) -> Game:
        """The game with another state of a round."""
        return replace(self, rounds={**self.rounds, changed.number: changed})

    def hand(self, hand: int) -> Hand | None:
        """A hand by its id."""
        return next((found.hands[hand] for found in self.rounds.values() if hand in found.hands), None)

    def find_play(self, play: int) -> tuple[Round, TablePlay] | None:
        """A play by its id, and its round."""
        for found in self.rounds.values():
            if (here := found.play(play)) is not None:
                return found, here
        return None
