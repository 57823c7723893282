"""The session: every use case of a family's evening behind one object."""

from __future__ import annotations

from companion.rules.presets import RuleBook
from companion.session.desk import Desk
from companion.session.examples import Examples
from companion.session.games import Games
from companion.session.hands import Hands
from companion.session.ports import Bell, Clock, Journal, Pictures
from companion.session.referee import Referee
from companion.session.rounds import Rounds
from companion.session.table import Table


class Session:
    """The use cases by what they concern. Safe to share between threads as far as its ports are.

    Attributes:
        games: start, list, resume, end, undo, follow.
        hands: propose, edit, confirm, type in, correct, check.
        rounds: how a round ended, the sheet, who starts next.
        table: deeds told and plays seen, the state of the round.
        referee: rulings, appeals, what may and should be played.
        examples: labelled tiles for learning a set.
        pictures: the pictures by their ids.
    """

    def __init__(self, *, journal: Journal, pictures: Pictures, clock: Clock, bell: Bell, book: RuleBook) -> None:
        desk = Desk(journal, clock, bell)
        self.pictures = pictures
        self.games = Games(desk, book)
        self.hands = Hands(desk)
        self.rounds = Rounds(desk)
        self.table = Table(desk)
        self.referee = Referee(desk, book)
        self.examples = Examples(desk)
