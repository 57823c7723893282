"""The sentences of refusals and remarks. English here; whoever shows them passes a translator (``gettext``) in."""

from __future__ import annotations

from companion.rules.rulings import Ruling
from companion.rules.trains import TrainRef
from companion.rules.wording import say, say_train
from companion.session.answers import Refused, Remark, Translate
from companion.session.events import HOST


def _(text: str) -> str:
    """Mark a source sentence for translation; the translating is done when it is shown."""
    return text


REASONS: dict[str, str] = {
    # games and players
    "players_count": _("A game has {fewest} to {most} players."),
    "same_name": _("Two players are called {player}: add a letter to one of them."),
    "empty_name": _("A player has no name yet."),
    "long_name": _("{player} is too long for the sheet: use at most {most} letters."),
    "bad_name": _("{player} cannot be a player's name: use letters, digits and spaces."),
    "no_colour": _("{colour} is no colour."),
    "no_set": _("There is no double-{set} set."),
    "rules": _("These rules do not work: {why}."),
    "no_game": _("There is no such game."),
    "game_over": _("The game is over."),
    "no_player": _("{player} does not play in this game."),
    "other_round": _("Round {round} is not being played."),
    "changed_meanwhile": _("Somebody changed the game while you looked: have a look at it again."),
    "too_busy": _("Too many people write at once: try again."),
    # hands and scores
    "hand_gone": _("This photo of a hand is not there any more: take it again."),
    "other_hand": _("This photo belongs to the hand of {player}."),
    "already_confirmed": _("{by} confirmed this hand already: {player} scores {points}."),
    "already_scored": _("{player} has a score for round {round} already: {points}, confirmed by {by}."),
    "is_out": _("{player} went out in round {round}: change that first."),
    "bad_points": _("A score lies between -{most} and {most}."),
    "bad_tile": _("{tile} is no tile: an end has 0 to {most} pips."),
    "scores_missing": _("Round {round} still waits for the hand of {players}."),
    "round_ended_already": _("Round {round} has ended already."),
    "blocked_and_out": _("{player} went out, so the round is not blocked."),
    # plays
    "illegal": _("That is against the rules."),
    "play_gone": _("This play is not there any more."),
    "known": _("The {tile} lies on the table already."),
    "person_said_no": _("Somebody said that the {tile} was not played."),
    "person_said_so": _("Somebody said that the {tile} was played."),
    # undo
    "nothing_to_undo": _("There is nothing to take back."),
    "undone_already": _("It is taken back already."),
    "start_stays": _("The start of a game cannot be taken back: end the game instead."),
    "next_round_begun": _("Round {next} has begun, so round {round} stays ended: correct its scores instead."),
    "hand_confirmed": _("The hand of {player} is confirmed: take back the score first."),
    "scores_would_miss": _("Round {round} has ended and would lack a score of {players}: correct it instead."),
    # learning a set
    "nothing_labelled": _("No tile of this photo is marked."),
}

REMARKS: dict[str, str] = {
    "not_in_set": _("A double-{set} set has no {tile}."),
    "twice_in_hand": _("The {tile} is there twice."),
    "in_other_hand": _("The {tile} is in the hand of {player}."),
    "is_engine": _("The {tile} is the engine and lies in the middle."),
    "on_table": _("The {tile} lies on the table: {train}."),
    "on_table_somewhere": _("The {tile} lies on the table."),
    "went_out": _("{player} went out, so there is no hand."),
    "no_tiles": _("No tiles: did {player} go out?"),
    "other_number": _("{player} should hold {size} tiles, and here are {tiles}."),
    "too_many": _("Here are {tiles} tiles, and only {most} can be left."),
    "nobody_out": _("Nobody went out in round {round}: was it blocked?"),
    "several_out": _("{players} cannot all have gone out."),
    "table_other_tile": _("The table shows {shown} where the game has {told}, on {train}."),
    "table_missing": _("The game has {told} on {train}, and the table does not show it."),
    "table_extra": _("The table shows {shown} on {train}, and the game does not have it."),
    "table_other_engine": _("The table shows {shown} in the middle where the game has {told}."),
    "table_extra_engine": _("The table shows {shown} in the middle."),
}

HOST_WORD = _("the host")


def say_refused(refused: Refused, translate: Translate = _) -> str:
    """Why nothing was changed, in a sentence; an illegal move says which rule it breaks."""
    if refused.ruling is not None and refused.ruling.violations:
        return say_ruling(refused.ruling, translate)
    return _filled(translate(REASONS[refused.reason]), refused.arguments, translate)


def say_remark(remark: Remark, translate: Translate = _) -> str:
    """What to look at, in a sentence."""
    return _filled(translate(REMARKS[remark.reason]), remark.arguments, translate)


def say_ruling(ruling: Ruling, translate: Translate = _) -> str:
    """The first, most basic rule that is broken."""
    return say(ruling.violations[0], translate)


def _filled(sentence: str, arguments: tuple[tuple[str, str], ...], translate: Translate) -> str:
    return sentence.format(**{name: _shown(name, value, translate) for name, value in arguments})


def _shown(name: str, value: str, translate: Translate) -> str:
    if name == "train":
        return say_train(TrainRef.parse(value), translate)
    return translate(HOST_WORD) if name == "by" and value == HOST else value
