"""The score sheet: what everybody scored round by round, running totals, places, and what comes next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.dominoes import Tile
from companion.rules.engines import engine_of_round
from companion.rules.starting import starter
from companion.scoring.counting import LeftHand, hand_count, round_scores
from companion.scoring.standings import Standing, standings
from companion.session.events import RoundTold
from companion.session.game import Game, Round, Score
from companion.session.playing import begun_state


@dataclass(frozen=True, slots=True)
class Cell:
    """A player's score in a round.

    Attributes:
        player: whose.
        points: what it is; None while it is not known.
        total: all ended rounds up to this one together; None while the round has not ended.
        score: how it came about, with its history; None for who went out or is not known.
        out: whether the player went out.
        marker: whether the marker was still up.
        waiting: the id of a photographed hand that nobody has confirmed.
    """

    player: str
    points: int | None
    total: int | None
    score: Score | None
    out: bool
    marker: bool
    waiting: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """A round of the sheet; the cells stand in seat order."""

    number: int
    engine: Tile | None
    starter: str | None
    cells: tuple[Cell, ...]
    ended: bool
    blocked: bool

    @property
    def missing(self) -> tuple[str, ...]:
        """Who has no score yet."""
        return tuple(cell.player for cell in self.cells if cell.points is None)


@dataclass(frozen=True, slots=True)
class NextRound:
    """The round that is played now: its number, its engine and who starts, where that is known."""

    number: int
    engine: Tile | None
    starter: str | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A game's scores.

    Attributes:
        rows: the ended rounds and the one that is played, by number.
        standings: after the ended rounds, best first; empty before the first has ended.
        next: the round that is played; None once the game is over.
        winners: who won, several if they share the first place; empty while the game goes on.
    """

    rows: tuple[Row, ...]
    standings: tuple[Standing, ...]
    next: NextRound | None
    winners: tuple[str, ...]

    def totals(self) -> Mapping[str, int]:
        """The totals after the ended rounds by player."""
        return {standing.player: standing.total for standing in self.standings}


def sheet_of(game: Game) -> Sheet:
    """The score sheet of a game as it stands."""
    current = game.current
    numbers = sorted({*(found.number for found in game.ended_rounds), *(() if current is None else (current,))})
    totals = dict.fromkeys(game.names, 0)
    rows: list[Row] = []
    scored: list[dict[str, int]] = []
    for number in numbers:
        points = points_in(game, number)
        if game.round(number).ended:
            scored.append({player: count or 0 for player, count in points.items()})
            totals = {player: totals[player] + scored[-1][player] for player in totals}
        rows.append(_row(game, number, points, totals))
    places = standings(scored, game.rules.tie)
    return Sheet(
        rows=tuple(rows),
        standings=places,
        next=None if current is None else next_round(game, current),
        winners=tuple(place.player for place in places if place.place == 1) if current is None else (),
    )


def points_in(game: Game, number: int) -> dict[str, int | None]:
    """What everybody scores in a round, None where it is not known.

    Hands count as the house rules say; a number that a person told stands as it was told, unless its player went out.
    """
    here = game.round(number)
    told = here.told or RoundTold(number)
    counted = round_scores(
        {player: _left(game, here, told, player) for player in game.names}, game.rules, blocked=told.blocked
    )
    for player, score in here.scores.items():
        if score.now.points is not None and player not in told.out:
            counted[player] = score.now.points
    return counted


def _left(game: Game, here: Round, told: RoundTold, player: str) -> LeftHand:
    score = here.scores.get(player)
    count: int | None = None
    if score is not None:
        tiles = score.now.tiles
        count = score.now.points if tiles is None else hand_count((tile.tile for tile in tiles), game.rules)
    return LeftHand(None, out=player in told.out, marker=player in told.markers, count=count)


def next_round(game: Game, number: int) -> NextRound:
    """A round's engine (the one that lies there, else the one that the rules name) and who starts it, where known."""
    state = begun_state(game, number)
    engine = state.engine
    if engine is None and game.rules.engine != "highest_held":
        engine = engine_of_round(game.rules, number)
    opener = None if state.opener is None else state.players[state.opener]
    named = game.round(number).starter
    return NextRound(number, engine, named or starter(game.rules, game.names, number, opener=opener))


def _row(game: Game, number: int, points: Mapping[str, int | None], totals: Mapping[str, int]) -> Row:
    here = game.round(number)
    told = here.told or RoundTold(number)
    cells = []
    for player in game.names:
        waiting = here.open_hand(player)
        cells.append(
            Cell(
                player,
                points[player],
                totals[player] if here.ended else None,
                here.scores.get(player),
                out=player in told.out,
                marker=player in told.markers,
                waiting=None if waiting is None else waiting.id,
            )
        )
    begin = next_round(game, number)
    return Row(number, begin.engine, begin.starter, tuple(cells), here.ended, told.blocked)
