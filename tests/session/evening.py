"""A family's evening for tests: a game with Ann, Ben and Cy, and short ways to do what people do."""

from __future__ import annotations

from itertools import count

from companion.dominoes import Tile
from companion.rules.moves import parse_move
from companion.rules.presets import RuleBook, standard_book
from companion.session.answers import Done, Outcome, Refused
from companion.session.events import Command, HandTile, Source
from companion.session.game import Game
from companion.session.in_memory import StandingClock, memory_session
from companion.session.session import Session
from companion.sightings import Alternative, Doubt, DoubtKind, PhotoReading, Quad, ReadTile

QUAD: Quad = ((0.0, 0.0), (20.0, 0.0), (20.0, 40.0), (0.0, 40.0))


class Evening:
    """A session in memory and one game in it."""

    def __init__(
        self,
        *,
        preset: str = "casual",
        names: tuple[str, ...] = ("Ann", "Ben", "Cy"),
        session: Session | None = None,
        **switches: object,
    ):
        self.book: RuleBook = standard_book()
        self.clock = StandingClock()
        self.session = session or memory_session(self.book, clock=self.clock)
        self._ids = count(1)
        started = self.session.games.start(self.wish(), players=names, preset=preset, switches=switches)
        self.id = done(started).game.id

    def wish(self, by: str = "host", *, camera: bool = False, seen: int | None = None) -> Command:
        """A new wish."""
        return Command(f"wish {next(self._ids)}", by, Source.CAMERA if camera else Source.PERSON, seen)

    @property
    def game(self) -> Game:
        found = self.session.games.get(self.id)
        assert found is not None
        return found

    def score(self, player: str, points: int | str, **more: object) -> Outcome:
        """Type a score in: a number, or tiles as in "6-5 4-4"."""
        told = {"points": points} if isinstance(points, int) else {"tiles": hand(points)}
        return self.session.hands.enter(self.wish(player), self.id, player=player, **told, **more)  # type: ignore[arg-type]

    def play_round(self, scores: dict[str, int], out: str) -> Outcome:
        """Score everybody but who went out, and end the round."""
        for player, points in scores.items():
            done(self.score(player, points))
        return self.session.rounds.end(self.wish(), self.id, out=[out])

    def photo(self, player: str, tiles: str, *, doubt: int | None = None, **more: object) -> Outcome:
        """Photograph a hand."""
        picture = self.session.pictures.put(f"{player} {tiles}".encode())
        return self.session.hands.propose(
            self.wish(player), self.id, player=player, picture=picture, reading=reading(tiles, doubt=doubt), **more
        )  # type: ignore[arg-type]

    def tell(self, move: str, **more: object) -> Outcome:
        """Tell a deed, in notation."""
        return self.session.table.tell(self.wish(), self.id, parse_move(move), **more)  # type: ignore[arg-type]

    def see(self, move: str, **more: object) -> Outcome:
        """A camera sees a deed."""
        return self.session.table.see(self.wish(camera=True), self.id, parse_move(move), **more)  # type: ignore[arg-type]


def done(outcome: Outcome) -> Done:
    """What was done; a refusal fails the test and says why."""
    assert isinstance(outcome, Done), outcome
    return outcome


def refused(outcome: Outcome, reason: str) -> Refused:
    """Why it was refused; anything else fails the test."""
    assert isinstance(outcome, Refused), outcome
    assert outcome.reason == reason
    return outcome


def hand(text: str) -> tuple[HandTile, ...]:
    """Tiles as a person tells them."""
    return tuple(HandTile(Tile.parse(word).ends) for word in text.split())


def reading(text: str, *, doubt: int | None = None) -> PhotoReading:
    """A photo's reading; the tile with that index is doubted."""
    tiles = tuple(ReadTile(Tile.parse(word).ends, _quad(index), 0.9) for index, word in enumerate(text.split()))
    doubts: tuple[Doubt, ...] = ()
    if doubt is not None:
        high, low = tiles[doubt].ends
        doubts = (Doubt(doubt, (DoubtKind.VALUE,), "look at it", (Alternative((high - 1, low), 0.3),)),)
    return PhotoReading((640, 480), 12, tiles, 0, doubts)


def _quad(index: int) -> Quad:
    a, b, c, d = ((x + 30.0 * index, y) for x, y in QUAD)
    return (a, b, c, d)
