"""What happened, told in a line for the journal of the evening, in this person's language."""

from __future__ import annotations

from companion.rules.moves import Catch, Done, Draw, End, Knock, LayEngine, Mark, Move, Pass, Play, SeenUnmarked, Unmark
from companion.session.events import (
    Event,
    GameEnded,
    GameStarted,
    HandDropped,
    HandEdited,
    HandProposed,
    MoveConfirmed,
    MoveCorrected,
    MoveDropped,
    MoveMade,
    RoundEnded,
    RoundTold,
    ScoreGiven,
    StarterNamed,
    TilesLabelled,
    Undone,
)
from companion.web.asking import train_name
from companion.web.languages import translate as _


def told(event: Event) -> str:
    """An event in a line."""
    said: str
    match event:
        case MoveMade() | MoveConfirmed() | MoveCorrected() | MoveDropped() | StarterNamed():
            said = _told_at_table(event)
        case HandProposed() | HandEdited() | HandDropped() | ScoreGiven():
            said = _told_of_hand(event)
        case GameStarted():
            said = _("The game begins: %(names)s.", names=", ".join(player.name for player in event.players))
        case RoundTold():
            said = _told_of_round(event)
        case RoundEnded():
            said = _("Round %(round)d ended.", round=event.round)
        case GameEnded():
            said = _("The game was ended.")
        case Undone():
            said = _("Entry %(number)d was taken back.", number=event.sequence)
        case TilesLabelled():
            said = _("Tiles of a photo were kept for learning.")
    return said


def _told_of_hand(event: HandProposed | HandEdited | HandDropped | ScoreGiven) -> str:
    match event:
        case HandProposed():
            return _(
                "Round %(round)d: %(name)s's hand was photographed, %(pips)d pips.",
                round=event.round, name=event.player, pips=event.reading.pips,
            )  # fmt: skip
        case HandEdited():
            return _("The hand of entry %(number)d was changed.", number=event.hand)
        case HandDropped():
            return _("The photo of entry %(number)d was thrown away.", number=event.hand)
        case ScoreGiven(tiles=None):
            return _(
                "Round %(round)d: %(name)s scores %(points)d.",
                round=event.round,
                name=event.player,
                points=event.points,
            )
        case ScoreGiven():
            tiles = ", ".join(str(tile.tile) for tile in event.tiles or ()) or _("no tiles")
            return _(
                "Round %(round)d: %(name)s is left with %(tiles)s.", round=event.round, name=event.player, tiles=tiles
            )


def _told_of_round(event: RoundTold) -> str:
    if event.blocked:
        return _("Round %(round)d is blocked.", round=event.round)
    if event.out:
        return _("Round %(round)d: %(name)s went out.", round=event.round, name=", ".join(event.out))
    return _("Round %(round)d: nobody went out.", round=event.round)


def _told_at_table(event: MoveMade | MoveConfirmed | MoveCorrected | MoveDropped | StarterNamed) -> str:
    match event:
        case MoveMade():
            return say_move(event.move)
        case MoveConfirmed():
            return _("Play %(number)d is right.", number=event.play)
        case MoveCorrected():
            return _("Play %(number)d was really: %(move)s", number=event.play, move=say_move(event.move))
        case MoveDropped():
            return _("Play %(number)d did not happen.", number=event.play)
        case StarterNamed():
            return _("%(name)s begins round %(round)d.", name=event.player, round=event.round)


def say_move(move: Move) -> str:
    """A deed at the table, as people tell it."""
    said: str
    match move:
        case Play():
            said = _(
                "%(name)s lays %(tile)s on %(train)s.", name=move.player, tile=move.tile, train=train_name(move.train)
            )
        case Draw():
            said = _("%(name)s draws.", name=move.player)
        case Pass():
            said = _("%(name)s passes.", name=move.player)
        case Done():
            said = _("%(name)s is done with the first chain.", name=move.player)
        case Mark():
            said = _("%(name)s puts the marker up.", name=move.player)
        case Unmark():
            said = _("%(name)s takes the marker down.", name=move.player)
        case SeenUnmarked():
            said = _("%(name)s's marker is not up.", name=move.player)
        case Knock():
            said = _("%(name)s knocks: one tile left.", name=move.player)
        case Catch():
            said = _("%(name)s catches %(caught)s, who did not knock.", name=move.player, caught=move.caught)
        case LayEngine(player=None):
            said = _("%(tile)s is the engine.", tile=move.tile)
        case LayEngine():
            said = _("%(name)s lays the engine, %(tile)s.", name=move.player, tile=move.tile)
        case End():
            said = _("The table stops the round and counts.")
    return said
