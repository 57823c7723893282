"""Where a game is looked up and changed: read, decide, append; and again if somebody was quicker.

Games are kept folded, so that a look costs one read of what is new. A command that was carried out before is answered with
what it did then.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence

from companion.session.answers import Done, Outcome, Refused
from companion.session.events import SETS, Command, Event, GameStarted, JournalEntry
from companion.session.folding import Folded, fold, follow_up
from companion.session.game import Game
from companion.session.ports import Bell, Clock, Journal, StaleVersion
from companion.session.replays import Replays

Decide = Callable[[Game], Sequence[Event] | Refused]
"""Given the game as it is now: what to write, or why nothing is written."""

_MOST_FOLDED = 64
"""Games kept folded; a family looks at one or two."""

_TRIES = 20
"""How often a wish is decided anew because others were quicker; fourteen phones cannot keep that up."""


def stream_of(command: Command) -> str:
    """The id of the game that a command starts: the same command always starts the same game."""
    return hashlib.sha256(f"game {command.id}".encode()).hexdigest()[:16]


class Desk:
    """Reads and writes games."""

    def __init__(self, journal: Journal, clock: Clock, bell: Bell) -> None:
        self.journal = journal
        self.clock = clock
        self.bell = bell
        self.replays = Replays()
        self._folded: OrderedDict[str, Folded] = OrderedDict()

    def game(self, game_id: str) -> Game | None:
        """A game as it is now; None if there is none of that id."""
        found = self._look(game_id)
        return None if found is None else found.game

    def entries(self, game_id: str, *, after: int = 0) -> tuple[JournalEntry, ...]:
        """What is written about a game, in order."""
        return self.journal.read(game_id, after=after)

    def start(self, event: GameStarted, command: Command) -> Outcome:
        """Begin a game; the command names it."""
        stream = stream_of(command)
        try:
            entries = self._append(stream, (event,), command, 0)
        except StaleVersion:
            entries = ()
        game = self.game(stream)
        assert game is not None
        if entries:
            return Done(game, entries)
        return Done(game, self.journal.written_by(stream, command.id), repeated=True)

    def act(self, game_id: str, command: Command, decide: Decide) -> Outcome:
        """Carry out a wish: decide on the game as it is, write, and decide again if the game has changed meanwhile."""
        for _ in range(_TRIES):
            game = self.game(game_id)
            if game is None:
                return Refused.because("no_game")
            if before := self.journal.written_by(game_id, command.id):
                return Done(game, before, repeated=True)
            if command.seen is not None and command.seen != game.version:
                return Refused.because("changed_meanwhile")
            decided = decide(game)
            if isinstance(decided, Refused):
                return decided
            try:
                entries = self._append(game_id, decided, command, game.version)
            except StaleVersion:
                continue
            after = self.game(game_id)
            assert after is not None
            return Done(after, entries)
        return Refused.because("too_busy")

    def note(self, event: Event, command: Command) -> tuple[JournalEntry, ...]:
        """Write something that belongs to no game."""
        while True:
            entries = self.journal.read(SETS)
            if before := tuple(entry for entry in entries if entry.command == command.id):
                return before
            try:
                return self._append(SETS, (event,), command, len(entries))
            except StaleVersion:
                continue

    def _append(
        self, stream: str, events: Sequence[Event], command: Command, expected: int
    ) -> tuple[JournalEntry, ...]:
        entries = self.journal.append(stream, events, command=command, expected=expected, at=self.clock.now())
        self.bell.ring(stream, entries[-1].sequence)
        return entries

    def _look(self, stream: str) -> Folded | None:
        known = self._folded.get(stream)
        fresh = self.journal.read(stream, after=known.game.version if known else 0)
        if known is None:
            if not fresh or not isinstance(fresh[0].event, GameStarted):
                return None
            found = fold(fresh)
        else:
            found = follow_up(known, fresh)
        self._folded.pop(stream, None)
        self._folded[stream] = found  # the one that was looked at last stands last
        while len(self._folded) > _MOST_FOLDED:
            self._folded.popitem(last=False)
        return found
