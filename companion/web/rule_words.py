"""The numbered rules in plain words for people at a table; docs/rules.md has them in full, with examples."""

from __future__ import annotations

from dataclasses import dataclass

from companion.web.languages import translate


@dataclass(frozen=True, slots=True)
class RuleWords:
    """A rule: its number, what breaking it is called, and what it says."""

    number: str
    title: str
    text: str


def _(text: str) -> str:
    """Mark a source sentence for translation; it is translated when it is shown."""
    return text


RULES: dict[str, tuple[str, str]] = {
    "R-01": (_("Not that player's turn"), _("Turns go round the table clockwise; nobody acts in another's turn.")),
    "R-02": (
        _("The round has not begun, or is over"),
        _(
            "Nothing is laid before the engine lies in the middle, nor after somebody went out or the table has counted."
        ),
    ),
    "R-03": (
        _("No such tile, or it is somewhere else"),
        _("The set must have the tile, and it must lie neither on the table nor in another hand."),
    ),
    "R-04": (
        _("The tile does not match"),
        _(
            "One end must show what the train asks for: its open end, or the engine where it starts. A blank matches a blank."
        ),
    ),
    "R-05": (_("The train is closed"), _("Another player's train is closed unless its marker is up.")),
    "R-06": (
        _("The Mexican train may not be started"),
        _("The rules say how many Mexican trains there are and when one may start."),
    ),
    "R-07": (
        _("The own train first"),
        _("In some games nothing is laid elsewhere before the own train has a tile, not even an owed cover."),
    ),
    "R-08": (_("Not there in the first turn"), _("The rules say where a player's first turn may be played.")),
    "R-09": (
        _("A double must be covered first"),
        _(
            "A double with nothing on it is owed. Who owes it lays nothing else, and may lay the cover on a closed train."
        ),
    ),
    "R-10": (_("Another double comes first"), _("Of several owed doubles the rules say which is covered first.")),
    "R-11": (
        _("After a double the next tile goes on it"),
        _("Who lays a double covers it in the same turn, where the rules say so."),
    ),
    "R-12": (
        _("The turn is over"),
        _("One tile ends a turn, unless it is a double that must be followed or part of a first chain."),
    ),
    "R-13": (_("One double a turn"), _("A second double waits for another turn, where the rules allow only one.")),
    "R-14": (
        _("Who can play must play"),
        _("Who has a tile that fits neither draws nor passes, where the rules say so."),
    ),
    "R-15": (
        _("A drawn tile that fits is laid"),
        _("A drawn tile that fits goes down at once, where the rules say so."),
    ),
    "R-16": (
        _("No further draw"),
        _("The rules give no draw, one a turn, or draws until a tile fits; and the boneyard may be empty."),
    ),
    "R-17": (
        _("No marker now, or a marker that is missing"),
        _(
            "A marker goes up when a player is stuck; by choice only where the rules allow it. One that must be up is up."
        ),
    ),
    "R-18": (
        _("The marker does not come down by that"),
        _("The rules say what takes a marker down: a play on the own train, any play, or its owner's word."),
    ),
    "R-19": (
        _("Nobody goes out on a double"),
        _("Where the rules say so, a last tile that is a double must be covered before its player is out."),
    ),
    "R-20": (
        _("The toes first"),
        _("In chicken foot a double wants two or three tiles before the train, or the table, goes on."),
    ),
    "R-21": (
        _("Knocking"),
        _("A player left with one tile says so before the next player acts, or can be caught, where the rules say so."),
    ),
    "R-22": (_("Not this round's engine"), _("The rules say which double starts which round, and who lays it.")),
    "R-23": (
        _("The first chain may not end in a double"),
        _("Where the rules say so, a player who cannot go on takes the double back."),
    ),
    "R-24": (_("No pass before the draw"), _("Where the rules give a draw, a player draws before passing.")),
    "R-25": (
        _("The own train is preferred"),
        _("In some games a player who can play on the own train must play there."),
    ),
}


def rule_words(number: str) -> RuleWords:
    """A rule in this person's language."""
    title, text = RULES[number]
    return RuleWords(number, translate(title), translate(text))
