"""Games: start one, find them, go on, end, take back, follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.dominoes import SET_SIZES
from companion.rules.errors import HouseRulesError
from companion.rules.house_rules import HouseRules
from companion.rules.presets import RuleBook
from companion.rules.switches import SWITCH_BY_NAME
from companion.session.answers import Outcome, Refused
from companion.session.desk import Desk
from companion.session.events import (
    SETS,
    Command,
    Event,
    GameEnded,
    GameStarted,
    HandProposed,
    JournalEntry,
    RoundEnded,
    Undone,
)
from companion.session.folding import fold, undone
from companion.session.game import Game
from companion.session.players import seated
from companion.session.sheet import points_in

LONGEST_GAME_NAME = 60
"""Characters."""


class Games:
    """What concerns a game as a whole."""

    def __init__(self, desk: Desk, book: RuleBook) -> None:
        self._desk = desk
        self._book = book

    def start(
        self,
        command: Command,
        *,
        players: Sequence[str],
        colours: Sequence[str] = (),
        preset: str = "base",
        set_highest: int | None = None,
        switches: Mapping[str, object] | None = None,
        name: str = "",
    ) -> Outcome:
        """Begin a game; its id is ``outcome.game.id``.

        Args:
            command: whose wish; sent twice it starts one game.
            players: names in seat order, clockwise.
            colours: ``#rrggbb`` for the first of them; the others get free ones.
            preset: the name of the house rules.
            set_highest: N of the double-N set; None: the preset's.
            switches: the house rules that differ from the preset's, by name; values as they are or as text.
            name: what the family calls the game; empty: nothing.
        """
        chosen = seated(players, colours)
        if isinstance(chosen, Refused):
            return chosen
        rules = self.rules(preset, set_highest=set_highest, switches=switches, players=len(chosen))
        if isinstance(rules, Refused):
            return rules
        title = " ".join(name.split())[:LONGEST_GAME_NAME]
        return self._desk.start(GameStarted(title, chosen, preset, rules), command)

    def rules(
        self,
        preset: str,
        *,
        set_highest: int | None = None,
        switches: Mapping[str, object] | None = None,
        players: int | None = None,
    ) -> HouseRules | Refused:
        """The house rules of a preset with another set and other switches; or why so many cannot play by them."""
        try:
            rules = self._book[preset].rules
            if set_highest is not None:
                if set_highest not in SET_SIZES:
                    return Refused.because("no_set", set=set_highest)
                rules = rules.with_switch("set", set_highest)
            rules = rules.with_values({name: _value(name, value) for name, value in (switches or {}).items()})
            if players is not None:
                rules.tiles_each(players)
        except HouseRulesError as error:
            return Refused.because("rules", why=error)
        return rules

    def changed_switches(self, game: Game) -> tuple[str, ...]:
        """The names of the switches in which a game differs from its preset."""
        if game.preset not in self._book.presets:
            return ()
        return game.rules.differences(self._book[game.preset].for_set(game.rules.set))

    def get(self, game_id: str) -> Game | None:
        """A game as it stands."""
        return self._desk.game(game_id)

    def list(self, *, most: int = 50) -> tuple[Game, ...]:
        """Games, the one that was changed last first."""
        found: list[Game] = []
        for stream in self._desk.journal.streams():
            game = None if stream == SETS else self._desk.game(stream)
            if game is not None:
                found.append(game)
            if len(found) == most:
                break
        return tuple(found)

    def end(self, command: Command, game_id: str) -> Outcome:
        """End a game before its last round."""
        return self._desk.act(
            game_id, command, lambda game: Refused.because("game_over") if game.over else (GameEnded(),)
        )

    def journal(self, game_id: str, *, after: int = 0) -> tuple[JournalEntry, ...]:
        """Everything that was written about a game, undone or not, in order."""
        return self._desk.entries(game_id, after=after)

    def follow(self, game_id: str, after: int, *, timeout_s: float = 25.0) -> tuple[JournalEntry, ...]:
        """What was written after a version; waits for it, and gives nothing when the time is up."""
        if fresh := self._desk.entries(game_id, after=after):
            return fresh
        self._desk.bell.wait(game_id, after, timeout_s)
        # read even when the bell was silent: another process may have written
        return self._desk.entries(game_id, after=after)

    def undo(self, command: Command, game_id: str, sequence: int) -> Outcome:
        """Take back an entry by its number: a score, a play, the end of a round, another undo.

        Refused where something later rests on it: the start of the game, the end of a round after which the next one has
        begun, a photo whose hand is confirmed.
        """

        def decide(game: Game) -> Sequence[Event] | Refused:
            entries = self._desk.entries(game_id)
            entry = next((found for found in entries if found.sequence == sequence), None)
            if entry is None:
                return Refused.because("nothing_to_undo")
            if sequence in undone(entries):
                return Refused.because("undone_already")
            return _rests_on(game, entry) or _would_miss(game, entries, sequence) or (Undone(sequence),)

        return self._desk.act(game_id, command, decide)


def _rests_on(game: Game, entry: JournalEntry) -> Refused | None:
    """Why an entry cannot be taken back."""
    match entry.event:
        case GameStarted():
            return Refused.because("start_stays")
        case RoundEnded(number) if any(later.touched for n, later in game.rounds.items() if n > number):
            return Refused.because("next_round_begun", round=number, next=number + 1)
        case HandProposed(adds_to=None):
            hand = game.hand(entry.sequence)
            if hand is not None and hand.confirmed is not None:
                return Refused.because("hand_confirmed", player=hand.player)
    return None


def _would_miss(game: Game, entries: Sequence[JournalEntry], sequence: int) -> Refused | None:
    """An ended round keeps a score for everybody: one that has no other is corrected, not taken back."""
    if isinstance(entries[sequence - 1].event, Undone | RoundEnded):
        return None
    try:
        after = fold([entry for entry in entries if entry.sequence != sequence]).game
    except ValueError:
        return None
    for here in after.ended_rounds:
        missing = [player for player, points in points_in(after, here.number).items() if points is None]
        if missing and None not in points_in(game, here.number).values():
            return Refused.because("scores_would_miss", round=here.number, players=", ".join(missing))
    return None


def _value(name: str, value: object) -> object:
    """A switch's value from its text, where it comes as text."""
    return SWITCH_BY_NAME[name].read(value) if isinstance(value, str) and name in SWITCH_BY_NAME else value
