"""Every switch of a rule set: its values and what each of them means.

The explanations are English source sentences; whoever shows them passes them through gettext.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.errors import HouseRulesError

Value = str | int | bool


@dataclass(frozen=True, slots=True)
class Switch:
    """One switch.

    Attributes:
        name: its name in notation and presets.
        group: the heading under which it is shown.
        about: what it decides, a sentence.
        values: every value that it can have with what that value means; of an open number, those that tables use.
        number: whether any whole number (from ``least``) is a value as well.
        least: the smallest number.
        counting: whether it only matters when tiles are counted, so that it never changes a ruling.
    """

    name: str
    group: str
    about: str
    values: tuple[tuple[Value, str], ...]
    number: bool = False
    least: int | None = None
    counting: bool = False

    @property
    def example(self) -> str:
        """One of its values as it is written."""
        return self.write(self.values[0][0])

    def check(self, value: object) -> Value:
        """The value itself, if the switch can have it."""
        for known, _ in self.values:
            if value == known and type(value) is type(known):
                return known
        if self.number and isinstance(value, int) and not isinstance(value, bool):
            if self.least is None or value >= self.least:
                return value
            raise HouseRulesError(self.name, f"{self.name} cannot be less than {self.least}")
        choices = ", ".join(self.write(known) for known, _ in self.values)
        raise HouseRulesError(self.name, f"{self.name} cannot be {value!r}: choose one of {choices}")

    def read(self, text: str) -> Value:
        """The value that is written so."""
        for known, _ in self.values:
            if self.write(known) == text:
                return known
        digits = text.removeprefix("-")
        if self.number and digits.isascii() and digits.isdecimal() and len(digits) < 7:
            return self.check(int(text))
        return self.check(text)

    @staticmethod
    def write(value: Value) -> str:
        """How a value is written."""
        return str(value).lower() if isinstance(value, bool) else str(value)


def _yes_no(name: str, group: str, about: str, *, yes: str, no: str) -> Switch:
    return Switch(name, group, about, ((True, yes), (False, no)))


SETUP, FIRST, WHERE, DOUBLES, LAST, COUNT = (
    "Setting up",
    "The first turn",
    "Where and when",
    "Doubles",
    "The last tile",
    "Counting",
)

SWITCHES: tuple[Switch, ...] = (
    Switch(
        "set",
        SETUP,
        "Which tiles are played with: the highest value of the set.",
        (
            (12, "double-twelve, 91 tiles"),
            (6, "double-six, 28 tiles"),
            (9, "double-nine, 55 tiles"),
            (15, "double-fifteen, 136 tiles"),
            (18, "double-eighteen, 190 tiles"),
        ),
    ),
    Switch(
        "engine",
        SETUP,
        "How the double that starts a round gets to the middle.",
        (
            ("set_aside", "it is put there before the deal"),
            ("dealt", "it is dealt, and who holds it opens"),
            ("highest_held", "the highest double in any hand opens, whichever it is"),
        ),
    ),
    Switch(
        "engine_missing",
        SETUP,
        "What happens when the opening double is in no hand.",
        (
            ("draw_in_turn", "one player after another draws a tile until it turns up"),
            ("all_draw", "everybody draws a tile, pass after pass, until it turns up"),
            ("next_lower", "nobody draws: the next lower double that is held opens"),
        ),
    ),
    Switch(
        "engine_order",
        SETUP,
        "Which double starts which round.",
        (
            ("down", "from the highest double to 0-0"),
            ("up", "from 0-0 to the highest double"),
            ("down_up", "down and up again, twice as many rounds"),
        ),
    ),
    Switch(
        "rounds",
        SETUP,
        "How many rounds a game has.",
        (("all", "as many as there are engines"), (7, "seven, and so for any number: the game stops early")),
        number=True,
        least=1,
    ),
    Switch(
        "first_player",
        SETUP,
        "Who takes the first turn of a round.",
        (
            ("rotate", "a seat that moves on by one each round"),
            ("opener", "who laid the engine"),
            ("draw_highest", "who draws the tile with the most pips"),
            ("chosen", "whom the table names"),
        ),
    ),
    _yes_no(
        "opener_plays",
        SETUP,
        "Whether laying the engine from the hand leaves the opener the first turn.",
        yes="the opener plays on at once",
        no="laying it was the turn; the next player begins",
    ),
    Switch(
        "first_turn",
        FIRST,
        "How many tiles a player's first turn of the round has.",
        (("one", "one, as always"), ("chain", "as many in a row as fit on the own train")),
    ),
    Switch(
        "first_turn_on",
        FIRST,
        "Where the first turn may be played.",
        (
            ("own", "on the own train"),
            ("own_or_mexican", "on the own or the Mexican train"),
            ("any_open", "on any open train"),
        ),
    ),
    Switch(
        "first_turn_stuck",
        FIRST,
        "What a player does who has no tile for the first turn.",
        (
            ("draw_then_mark", "draws, then marks, as in any turn"),
            ("mark", "marks at once and does not draw"),
            ("draw_only", "draws, but never marks a train that has not started"),
        ),
    ),
    Switch(
        "first_chain_double",
        FIRST,
        "A first chain that ends in a double.",
        (
            ("owed_next", "the next player owes the cover at once"),
            ("owed_after_first_turns", "the cover is owed once everybody has had a first turn"),
            ("forbidden", "a chain may not end so"),
        ),
    ),
    Switch(
        "first_turn_out",
        FIRST,
        "A hand that is empty after the first turn.",
        (("round_ends", "ends the round"), ("others_finish", "waits until the others have had their first turn")),
    ),
    _yes_no(
        "own_train_first",
        WHERE,
        "Whether the own train must have started before a player lays a tile anywhere else.",
        yes="it must, even before an owed cover",
        no="it need not",
    ),
    _yes_no(
        "own_train_preferred",
        WHERE,
        "Whether a player who can play on the own train must play there.",
        yes="must play there",
        no="is free to choose",
    ),
    Switch(
        "mexican_trains",
        WHERE,
        "How many Mexican trains there may be.",
        ((1, "one"), (0, "none"), ("many", "any number")),
    ),
    Switch(
        "mexican_start",
        WHERE,
        "When a Mexican train may be started.",
        (
            ("any_turn", "in any turn"),
            ("after_first_turns", "once everybody has had a first turn"),
            ("after_all_started", "once every player's train has a tile"),
        ),
    ),
    _yes_no(
        "unstarted_open",
        WHERE,
        "Whether others may start the train of a player who has a marker up and no train.",
        yes="they may",
        no="they may not",
    ),
    _yes_no(
        "all_trains_open",
        WHERE,
        "Whether every train is open to everybody, always.",
        yes="open, the ones not started too",
        no="open only with a marker",
    ),
    _yes_no(
        "must_play",
        WHERE,
        "Whether a player who can play must play.",
        yes="must play",
        no="may draw instead, and pass after that",
    ),
    Switch(
        "draw",
        WHERE,
        "What a player draws who cannot play.",
        (("one", "one tile"), ("until_playable", "tiles until one fits"), ("none", "nothing")),
    ),
    _yes_no(
        "must_play_drawn",
        WHERE,
        "Whether a drawn tile that fits must be laid at once.",
        yes="at once",
        no="may be kept",
    ),
    _yes_no(
        "marker_voluntary",
        WHERE,
        "Whether a player may put the marker up by choice at the end of a turn.",
        yes="may",
        no="only the rules put it up",
    ),
    Switch(
        "marker_clears",
        WHERE,
        "When a marker comes down.",
        (
            ("own_play", "when its owner plays on the own train"),
            ("any_play", "when its owner plays anywhere"),
            ("owner_choice", "when its owner says so after playing on the own train"),
        ),
    ),
    Switch(
        "double_follow",
        DOUBLES,
        "What the player of a double does next in the same turn.",
        (
            ("cover", "lays a tile on the double"),
            ("anywhere", "lays a tile on any open train"),
            ("none", "nothing: the turn is over"),
        ),
    ),
    Switch(
        "double_owed_by",
        DOUBLES,
        "Who must cover an open double before anything else.",
        (
            ("next", "every next player in turn"),
            ("player", "only who laid it"),
            ("nobody", "nobody, but the train waits"),
        ),
    ),
    Switch(
        "double_stuck",
        DOUBLES,
        "What the player of a double does who cannot follow it.",
        (
            ("draw_then_mark", "draws, then marks"),
            ("turn_ends", "nothing: the turn is over without a word"),
            ("pass", "passes: no draw, no marker"),
        ),
    ),
    Switch(
        "doubles_per_turn",
        DOUBLES,
        "How many doubles a player may lay in one turn.",
        ((1, "one"), ("many", "any number")),
    ),
    Switch(
        "double_order",
        DOUBLES,
        "Which of several open doubles must be covered first.",
        (("as_laid", "the one laid first"), ("last_first", "the one laid last"), ("any", "whichever")),
    ),
    Switch(
        "double_dead",
        DOUBLES,
        "A double that nobody can cover because all other tiles of its value lie on the table.",
        (("dropped", "counts as covered"), ("owed", "stays owed")),
    ),
    Switch(
        "chicken_foot",
        DOUBLES,
        "How many tiles (toes) must be laid on a double.",
        ((0, "one cover, no toes"), (2, "two toes"), (3, "three toes")),
    ),
    _yes_no(
        "chicken_foot_forks",
        DOUBLES,
        "Whether a train goes on from every toe.",
        yes="from every toe",
        no="from the first toe only",
    ),
    Switch(
        "chicken_foot_stops",
        DOUBLES,
        "What waits until the toes are there.",
        (("table", "everything"), ("train", "that train only, and nobody owes toes")),
    ),
    Switch(
        "out_on_double",
        LAST,
        "Whether a last tile that is a double ends the round.",
        (("allowed", "it does"), ("must_cover", "its player has to cover it and stays in until then")),
    ),
    Switch(
        "knock",
        LAST,
        "Whether a player left with one tile has to say so.",
        (("off", "no"), ("courtesy", "it is polite"), ("penalty", "yes, and who forgets can be caught")),
    ),
    Switch(
        "knock_draw",
        LAST,
        "How many tiles a player draws who is caught.",
        ((0, "none"), (1, "one"), (2, "two")),
    ),
    _yes_no("knock_lose_turn", LAST, "Whether a player who is caught loses the next turn.", yes="yes", no="no"),
    _yes_no("knock_mark", LAST, "Whether the marker of a player who is caught goes up.", yes="yes", no="no"),
    Switch(
        "knock_window",
        LAST,
        "How long a player can be caught.",
        (("next_acts", "until the next player plays or draws"), ("next_done", "until the next player's turn is over")),
    ),
    Switch(
        "double_blank",
        COUNT,
        "What 0-0 counts when it is left in a hand.",
        ((0, "nothing"), (25, "25"), (50, "50")),
        number=True,
        counting=True,
    ),
    Switch(
        "blank_half",
        COUNT,
        "What every other blank half counts that is left in a hand.",
        ((0, "nothing"), (5, "5 more")),
        number=True,
        counting=True,
    ),
    Switch(
        "doubles_count",
        COUNT,
        "What doubles count that are left in a hand.",
        (("face", "their pips"), ("twice", "their pips twice")),
        counting=True,
    ),
    Switch(
        "out_bonus",
        COUNT,
        "What who went out scores.",
        ((0, "0"), (-5, "5 less than nothing"), (-10, "10 less than nothing")),
        number=True,
        counting=True,
    ),
    Switch(
        "marker_penalty",
        COUNT,
        "What a marker costs that is still up.",
        ((0, "nothing"), (5, "5"), (10, "10"), (25, "25")),
        number=True,
        counting=True,
    ),
    Switch(
        "blocked",
        COUNT,
        "How a round counts in which nobody can play or draw.",
        (("all_count", "everybody counts"), ("lowest_zero", "the lowest hands count 0")),
        counting=True,
    ),
    Switch(
        "tie",
        COUNT,
        "Who wins when totals are equal.",
        (
            ("zero_rounds", "most rounds at 0, then the lowest round above 0, then shared"),
            ("shared", "the place is shared"),
        ),
        counting=True,
    ),
)

SWITCH_BY_NAME: dict[str, Switch] = {switch.name: switch for switch in SWITCHES}
