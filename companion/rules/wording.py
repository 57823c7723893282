"""The sentences of rulings. English here; whoever shows them passes a translator (``gettext``) in.

A sentence names what it is about: the tile, the train, the value asked for, who owes which double.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.rulings import Fact, FactKind, Violation
from companion.rules.trains import TRUNK, TrainRef

Translate = Callable[[str], str]


def _(text: str) -> str:
    """Mark a source sentence for translation; the translating is done when it is shown."""
    return text


SENTENCES: dict[str, str] = {
    #
    "not_your_turn": _("It is not {player}'s turn but {turn}'s."),
    "not_begun": _("The round has not begun: the engine is not in the middle yet."),
    "round_over": _("The round is over."),
    "engine_is_held": _("Somebody holds the engine, so nobody draws for it."),
    "turn_is_over": _("{player}'s turn is over, and the next player has not acted yet."),
    #
    "no_such_tile": _("A double-{set} set has no {tile}."),
    "tile_on_table": _("The {tile} lies on the table already."),
    "tile_in_hand": _("The {tile} is in {player}'s hand."),
    "tile_not_held": _("{player} does not hold the {tile}."),
    "no_match": _("The {tile} does not fit: {train} asks for {value}."),
    #
    "train_closed": _("There is no marker on {train}, so it is closed to others."),
    "train_not_started": _("Nobody but its owner may start {train}."),
    "no_mexican_train": _("There is no Mexican train in this game."),
    "one_mexican_train": _("There is one Mexican train and no second one."),
    "mexican_after_first_turns": _(
        "The Mexican train may start once everybody has had a first turn; still waiting for {players}."
    ),
    "mexican_after_all_started": _(
        "The Mexican train may start once every player has a train; still waiting for {players}."
    ),
    "own_train_first": _("{player}'s own train has to start first."),
    "first_turn_elsewhere": _("{player}'s first turn may not be played on {train}."),
    "own_train_preferred": _("{player} can play on the own train, with the {tile}, and so must play there."),
    #
    "cover_first": _("The {tile} on {train} must be covered first; {player} owes it."),
    "train_waits": _("The {tile} on {train} must be covered before that train goes on."),
    "other_double_first": _("The {tile} on {train} comes first."),
    "follow_on_double": _("After the double the next tile goes on it: on the {tile} on {train}."),
    "one_double": _("Only one double a turn: {player} has laid one, so the {tile} must wait."),
    "toes_first": _("The {tile} on {train} still wants {toes} of its toes."),
    #
    "can_play": _("{player} can play the {tile} and so must play."),
    "must_hold_a_play": _("{player} must hold a tile that fits, whatever the hand is, and so must play."),
    "drawn_fits": _("The {tile} that {player} drew fits and must be laid."),
    "drawn_unseen_fits": _("Whatever tile {player} drew, it fits and must be laid."),
    "no_draws": _("In this game nobody draws."),
    "no_draw_after_double": _("Who cannot follow a double does not draw in this game."),
    "no_draw_in_first_turn": _("Who is stuck in the first turn marks and does not draw."),
    "one_draw": _("One draw a turn: {player} has drawn."),
    "drawn_until_playable": _("{player} has drawn a tile that fits, so there is no further draw."),
    "boneyard_empty": _("The boneyard is empty."),
    "one_draw_a_pass": _("{player} has drawn in this pass; the others come first."),
    "penalty_draw": _("The penalty draw is {tiles}, each time another tile."),
    "draw_first": _("{player} has to draw before passing."),
    #
    "marker_by_rules_only": _("In this game no marker goes up by choice."),
    "marker_at_turn_end": _("A marker goes up by choice only at the end of the own turn."),
    "marker_needs_train": _("{player}'s train has not started, so no marker goes up."),
    "marker_missing": _("{player}'s marker must be up, and it is not."),
    "marker_falls_by_itself": _("In this game a marker comes down by a play, not by choice."),
    "marker_not_up": _("{player}'s marker is not up."),
    "marker_after_own_play": _("{player} may take the marker down only right after a play on the own train."),
    "out_on_double": _("Nobody goes out on a double: {player} has to cover it and stays in."),
    "not_one_left": _("{player} does not have one tile left but {tiles}."),
    "knock_too_late": _("The next player has acted: it is too late for {player} to knock."),
    "no_catching": _("In this game nobody can be caught."),
    "nothing_to_catch": _("There is nothing to catch {player} at."),
    "catch_too_late": _("It is too late to catch {player}."),
    "engine_lies": _("The engine lies there already: the {tile}."),
    "engine_not_in_set": _("The {tile} cannot be the engine: the set does not have it."),
    "engine_no_double": _("The {tile} is no double and cannot be the engine."),
    "engine_set_aside": _("The engine is set aside before the deal; {player} cannot lay it from the hand."),
    "no_such_round": _("The game has no round {round}."),
    "other_engine": _("The {tile} is not the engine of round {round}: that is the {engine}."),
    "not_the_holder": _("{player} does not hold the {tile} and cannot open with it."),
    "nobody_holds": _("Nobody holds the {tile}, so it cannot have been laid from a hand."),
    "higher_double": _("{player} holds the {better}, which opens before the {tile}."),
    "pass_not_complete": _("Everybody draws before the {tile} is laid."),
    "chain_ends_in_double": _("{player}'s first chain may not end in a double, the {tile}."),
    # what an audit finds
    "no_engine": _("Tiles lie there, but no engine."),
    "tile_twice": _("The {tile} lies there {times} times."),
    "loose_tile": _("The {tile} lies on no train."),
    "too_many_toes": _("Too many tiles lie on the {tile} on {train}: it takes {toes}."),
    "toes_open": _("The {tile} on {train} has {toes} of its toes."),
    "double_owed": _("The {tile} on {train} is open; it is owed by {players}."),
    "double_open": _("The {tile} on {train} is open."),
}

FACTS: dict[FactKind, str] = {
    FactKind.HAND: _("hand of {player}"),
    FactKind.DRAWN: _("tile drawn by {player}"),
    FactKind.TURN: _("whose turn it was"),
    FactKind.ORDER: _("order of the doubles"),
}

TRAIN_OF = _("{player}'s train")
MEXICAN_TRAIN = _("the Mexican train")
OTHER_MEXICAN_TRAIN = _("Mexican train {number}")
BRANCH_OF = _("branch {branch} of {train}")


def say(violation: Violation, translate: Translate = _) -> str:
    """The sentence that says how a rule is broken."""
    shown = {name: _show(name, value, translate) for name, value in violation.arguments}
    return translate(SENTENCES[violation.message]).format(**shown)


def say_fact(fact: Fact, translate: Translate = _) -> str:
    """A missing fact, as it is asked for."""
    return translate(FACTS[fact.kind]).format(player=fact.player)


def say_train(ref: TrainRef, translate: Translate = _) -> str:
    """A train as people call it."""
    if ref.owner.player is not None:
        train = translate(TRAIN_OF).format(player=ref.owner.player)
    elif ref.owner.number == 1:
        train = translate(MEXICAN_TRAIN)
    else:
        train = translate(OTHER_MEXICAN_TRAIN).format(number=ref.owner.number)
    return train if ref.branch == TRUNK else translate(BRANCH_OF).format(branch=ref.branch + 1, train=train)


def _show(name: str, value: str, translate: Translate) -> str:
    if name == "train":
        return say_train(TrainRef.parse(value), translate)
    return value.replace(",", ", ") if name == "players" else value
