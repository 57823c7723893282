"""Hands at the end of a round: proposed by a photo, looked at and mended by people, confirmed once, corrected later."""

from __future__ import annotations

from collections.abc import Sequence

from companion.session.answers import Outcome, Refused, Remark
from companion.session.checks import remarks_on
from companion.session.desk import Desk
from companion.session.events import Command, Event, HandDropped, HandEdited, HandProposed, HandTile, ScoreGiven
from companion.session.game import Game, Hand
from companion.session.sheet import points_in
from companion.sightings import HIGHEST_PIPS, PhotoReading

MOST_POINTS = 9999
"""No hand of any set comes near it under any rules."""


class Hands:
    """What concerns the hand of a player at the end of a round."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def propose(
        self,
        command: Command,
        game_id: str,
        *,
        player: str,
        picture: str,
        reading: PhotoReading,
        round_number: int | None = None,
        adds_to: int | None = None,
    ) -> Outcome:
        """Note what a photo shows of a hand; the hand's id is ``outcome.sequence``, or `adds_to`.

        Args:
            command: whose wish.
            game_id: which game.
            player: whose hand.
            picture: the photo's id in the pictures.
            reading: what was read from it; kept as it is, whatever is changed later.
            round_number: which round; None: the one that is played.
            adds_to: an earlier photo's hand of which this one shows more. Tiles that it shows again are not added.
        """

        def decide(game: Game) -> Sequence[Event] | Refused:
            number = _round_of(game, round_number, player)
            if isinstance(number, Refused):
                return number
            if adds_to is not None:
                hand = _open(game, adds_to)
                if isinstance(hand, Refused):
                    return hand
                if (hand.player, hand.round) != (player, number):
                    return Refused.because("other_hand", player=hand.player)
            return (HandProposed(number, player, picture, reading, adds_to),)

        return self._desk.act(game_id, command, decide)

    def edit(self, command: Command, game_id: str, hand: int, tiles: Sequence[HandTile]) -> Outcome:
        """Keep the tiles of a proposed hand as a person has them on the screen."""

        def decide(game: Game) -> Sequence[Event] | Refused:
            found = _open(game, hand)
            if isinstance(found, Refused):
                return found
            return _wrong_tiles(tiles) or (HandEdited(hand, tuple(tiles)),)

        return self._desk.act(game_id, command, decide)

    def drop(self, command: Command, game_id: str, hand: int) -> Outcome:
        """Take a proposed hand off the table."""

        def decide(game: Game) -> Sequence[Event] | Refused:
            found = _open(game, hand)
            return found if isinstance(found, Refused) else (HandDropped(hand),)

        return self._desk.act(game_id, command, decide)

    def confirm(
        self,
        command: Command,
        game_id: str,
        hand: int,
        *,
        tiles: Sequence[HandTile] | None = None,
        replace: bool = False,
    ) -> Outcome:
        """Make a proposed hand the player's score of its round.

        Args:
            command: whose wish.
            game_id: which game.
            hand: the id of the proposed hand.
            tiles: as the person has them on the screen; None: as they stand.
            replace: whether a score that the player has already is corrected by it. Otherwise that is refused, with the
                score and who confirmed it, so that two people cannot score one hand twice.
        """

        def decide(game: Game) -> Sequence[Event] | Refused:
            found = _open(game, hand)
            if isinstance(found, Refused):
                return found
            chosen = found.tiles if tiles is None else tuple(tiles)
            wrong = _wrong_tiles(chosen) or _no_score_wanted(game, found.round, found.player, replace=replace)
            return wrong or (ScoreGiven(found.round, found.player, chosen, hand=hand),)

        return self._desk.act(game_id, command, decide)

    def enter(
        self,
        command: Command,
        game_id: str,
        *,
        player: str,
        tiles: Sequence[HandTile] | None = None,
        points: int | None = None,
        round_number: int | None = None,
        replace: bool = False,
    ) -> Outcome:
        """Score a hand without a photo, or correct a score (`replace`): by its tiles, or by a number that then stands.

        Raises:
            ValueError: unless exactly one of tiles and points is given.
        """
        if (tiles is None) == (points is None):
            raise ValueError("a score is entered by its tiles or by its points")

        def decide(game: Game) -> Sequence[Event] | Refused:
            number = _round_of(game, round_number, player)
            if isinstance(number, Refused):
                return number
            wrong = _wrong_tiles(tiles or ()) or _no_score_wanted(game, number, player, replace=replace)
            if points is not None and abs(points) > MOST_POINTS:
                wrong = Refused.because("bad_points", most=MOST_POINTS)
            chosen = None if tiles is None else tuple(tiles)
            return wrong or (ScoreGiven(number, player, chosen, points),)

        return self._desk.act(game_id, command, decide)

    def check(
        self, game_id: str, player: str, tiles: Sequence[HandTile], *, round_number: int | None = None
    ) -> tuple[Remark, ...]:
        """What to look at before these tiles are confirmed; nothing where the game or the player is not known."""
        game = self._desk.game(game_id)
        if game is None or _wrong_tiles(tiles) is not None:
            return ()
        number = _round_of(game, round_number, player)
        return () if isinstance(number, Refused) else remarks_on(game, number, player, tiles)


def _round_of(game: Game, number: int | None, player: str) -> int | Refused:
    """The round that is meant: the one that is played, or one that was."""
    if player not in game.names:
        return Refused.because("no_player", player=player)
    current = game.current
    if number is None:
        return Refused.because("game_over") if current is None else current
    if number == current or (number in game.rounds and game.rounds[number].ended):
        return number
    return Refused.because("other_round", round=number)


def _open(game: Game, hand: int) -> Hand | Refused:
    """A proposed hand that is not confirmed."""
    found = game.hand(hand)
    if found is None:
        return Refused.because("hand_gone")
    if found.confirmed is None:
        return found
    return _told_already(game, found.round, found.player, "already_confirmed")


def _no_score_wanted(game: Game, number: int, player: str, *, replace: bool) -> Refused | None:
    """Why a player gets no score now: went out, or has one and it is not meant to be corrected."""
    told = game.round(number).told
    if told is not None and player in told.out:
        return Refused.because("is_out", player=player, round=number)
    if replace or player not in game.round(number).scores:
        return None
    return _told_already(game, number, player, "already_scored")


def _told_already(game: Game, number: int, player: str, reason: str) -> Refused:
    score = game.round(number).scores.get(player)
    by = "" if score is None else score.now.by
    points = points_in(game, number).get(player)
    return Refused.because(reason, player=player, points="?" if points is None else points, by=by, round=number)


def _wrong_tiles(tiles: Sequence[HandTile]) -> Refused | None:
    for tile in tiles:
        if not all(0 <= end <= HIGHEST_PIPS for end in tile.ends):
            return Refused.because("bad_tile", tile="-".join(map(str, tile.ends)), most=HIGHEST_PIPS)
    return None
