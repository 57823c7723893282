"""From the entries of a journal to the game: a fold. An undone entry is as if it had never been.

Every step takes what comes: an entry whose hand or play is gone (because that was undone) changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from companion.dominoes import Tile
from companion.rules.moves import Move, Play
from companion.session.events import (
    GameEnded,
    GameStarted,
    HandDropped,
    HandEdited,
    HandProposed,
    HandTile,
    JournalEntry,
    MoveConfirmed,
    MoveCorrected,
    MoveDropped,
    MoveMade,
    RoundEnded,
    RoundTold,
    ScoreGiven,
    Source,
    StarterNamed,
    TilesLabelled,
    Undone,
)
from companion.session.game import Game, Hand, Photo, Score, ScoreLine, TablePlay
from companion.sightings import PhotoReading


@dataclass(frozen=True, slots=True)
class Folded:
    """A game with the entries it was made from."""

    game: Game
    entries: tuple[JournalEntry, ...]


def fold(entries: Sequence[JournalEntry]) -> Folded:
    """The game that these entries tell.

    Raises:
        ValueError: if they do not begin with the start of a game.
    """
    dead = undone(entries)
    alive = [entry for entry in entries if entry.sequence not in dead]
    if not alive or not isinstance(alive[0].event, GameStarted):
        raise ValueError("a journal begins with the start of a game")
    game = _started(alive[0], alive[0].event)
    for entry in alive[1:]:
        game = step(game, entry)
    return Folded(_stamped(game, entries[-1]), tuple(entries))


def follow_up(folded: Folded, entries: Sequence[JournalEntry]) -> Folded:
    """The game after some more entries."""
    if not entries:
        return folded
    if any(isinstance(entry.event, Undone) for entry in entries):
        return fold((*folded.entries, *entries))
    game = folded.game
    for entry in entries:
        game = _stamped(step(game, entry), entry)
    return Folded(game, (*folded.entries, *entries))


def undone(entries: Sequence[JournalEntry]) -> frozenset[int]:
    """The numbers of the entries that do not count; an undo that is undone gives back what it took."""
    dead: set[int] = set()
    for entry in reversed(entries):
        if isinstance(entry.event, Undone) and entry.sequence not in dead:
            dead.add(entry.event.sequence)
    return frozenset(dead)


def step(game: Game, entry: JournalEntry) -> Game:
    """The game after one entry."""
    match entry.event:
        case HandProposed() | HandEdited() | HandDropped() | ScoreGiven() as event:
            game = _hand_step(game, entry, event)
        case MoveMade() | MoveConfirmed() | MoveCorrected() | MoveDropped() as event:
            game = _play_step(game, entry, event)
        case RoundTold() as event:
            game = game.with_round(replace(game.round(event.round), told=event))
        case RoundEnded(number):
            game = game.with_round(replace(game.round(number), ended_by=entry.sequence))
        case StarterNamed(number, player):
            game = game.with_round(replace(game.round(number), starter=player))
        case GameEnded():
            game = replace(game, ended=True)
        case GameStarted() | Undone() | TilesLabelled():
            pass  # the first is the fold's beginning, the second is its own matter, the third belongs to no game
    return game


def _hand_step(game: Game, entry: JournalEntry, event: HandProposed | HandEdited | HandDropped | ScoreGiven) -> Game:
    match event:
        case HandProposed():
            return _proposed(game, entry, event)
        case HandEdited(hand, tiles):
            return _with_hand(game, hand, lambda found: replace(found, tiles=tiles))
        case HandDropped(hand):
            return _without_hand(game, hand)
        case ScoreGiven():
            return _scored(game, entry, event)


def _play_step(game: Game, entry: JournalEntry, event: MoveMade | MoveConfirmed | MoveCorrected | MoveDropped) -> Game:
    match event:
        case MoveMade():
            return _moved(game, entry, event)
        case MoveConfirmed(play):
            return _with_play(game, play, lambda found: replace(found, source=Source.PERSON))
        case MoveCorrected(play, move):
            return _corrected(game, play, move)
        case MoveDropped(play):
            return _without_play(game, play, entry.source)


def _started(entry: JournalEntry, event: GameStarted) -> Game:
    return Game(
        id=entry.stream,
        version=entry.sequence,
        name=event.name,
        players=event.players,
        preset=event.preset,
        rules=event.rules,
        started=entry.at,
        changed=entry.at,
        rounds={},
    )


def _stamped(game: Game, entry: JournalEntry) -> Game:
    return replace(game, version=entry.sequence, changed=entry.at)


# -- hands and scores


def tiles_of(reading: PhotoReading, picture: str) -> tuple[HandTile, ...]:
    """The tiles of a reading as those of a hand, each with its doubt."""
    doubts = {doubt.tile: doubt for doubt in reading.doubts}
    return tuple(
        HandTile(tile.ends, picture, tile.quad_px, tile.confidence, doubts.get(index))
        for index, tile in enumerate(reading.tiles)
    )


def _proposed(game: Game, entry: JournalEntry, event: HandProposed) -> Game:
    tiles = tiles_of(event.reading, event.picture)
    photo = Photo(event.picture, event.reading)
    if event.adds_to is None:
        found = game.round(event.round)
        hand = Hand(entry.sequence, event.round, event.player, (photo,), tiles)
        return game.with_round(replace(found, hands={**found.hands, hand.id: hand}))

    def grown(hand: Hand) -> Hand:
        there = {tile.tile for tile in hand.tiles}
        fresh = tuple(tile for tile in tiles if tile.tile not in there)
        again: tuple[Tile, ...] = tuple(tile.tile for tile in tiles if tile.tile in there)
        return replace(hand, photos=(*hand.photos, photo), tiles=hand.tiles + fresh, seen_twice=hand.seen_twice + again)

    return _with_hand(game, event.adds_to, grown)


def _with_hand(game: Game, hand: int, change: Callable[[Hand], Hand]) -> Game:
    found = game.hand(hand)
    if found is None:
        return game
    here = game.round(found.round)
    return game.with_round(replace(here, hands={**here.hands, hand: change(found)}))


def _without_hand(game: Game, hand: int) -> Game:
    found = game.hand(hand)
    if found is None:
        return game
    here = game.round(found.round)
    return game.with_round(
        replace(here, hands={number: other for number, other in here.hands.items() if number != hand})
    )


def _scored(game: Game, entry: JournalEntry, event: ScoreGiven) -> Game:
    line = ScoreLine(entry.sequence, entry.at, entry.by, event.tiles, event.points, event.hand)
    here = game.round(event.round)
    before = here.scores.get(event.player)
    score = Score((*before.history, line) if before else (line,))
    game = game.with_round(replace(here, scores={**here.scores, event.player: score}))
    if event.hand is None:
        return game
    return _with_hand(game, event.hand, lambda hand: replace(hand, confirmed=entry.sequence))


# -- plays


def _moved(game: Game, entry: JournalEntry, event: MoveMade) -> Game:
    play = TablePlay(entry.sequence, event.move, entry.source, entry.by, entry.at, event.pictures)
    here = game.round(event.round)
    place = next((index for index, other in enumerate(here.plays) if other.id == event.before), len(here.plays))
    plays = (*here.plays[:place], play, *here.plays[place:])
    rejected = here.rejected - {event.move.tile} if isinstance(event.move, Play) else here.rejected
    return game.with_round(replace(here, plays=plays, rejected=rejected))


def _with_play(game: Game, play: int, change: Callable[[TablePlay], TablePlay]) -> Game:
    found = game.find_play(play)
    if found is None:
        return game
    here, old = found
    new = change(old)
    return game.with_round(replace(here, plays=tuple(new if other.id == play else other for other in here.plays)))


def _corrected(game: Game, play: int, move: Move) -> Game:
    """A person says what a play was; the tile that it was not is not brought back by a camera."""
    found = game.find_play(play)
    if found is None:
        return game
    here, old = found
    rejected = here.rejected
    if isinstance(old.move, Play):
        rejected = rejected | {old.move.tile}
    if isinstance(move, Play):
        rejected = rejected - {move.tile}
    game = game.with_round(replace(here, rejected=rejected))
    return _with_play(
        game, play, lambda play: replace(play, move=move, source=Source.PERSON, first=play.first or play.move)
    )


def _without_play(game: Game, play: int, source: Source) -> Game:
    found = game.find_play(play)
    if found is None:
        return game
    here, old = found
    rejected = here.rejected
    if source is Source.PERSON and isinstance(old.move, Play):
        rejected = rejected | {old.move.tile}
    plays = tuple(other for other in here.plays if other.id != play)
    return game.with_round(replace(here, plays=plays, rejected=rejected))
