"""Round notation: a round as lines of text, read strictly.

What cannot be read is refused with its line number. Writing what was read gives the same text again, but for spacing,
comments and empty lines. docs/rules.md says how a round is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from companion.dominoes import Tile, is_mexican_name
from companion.rules.errors import HouseRulesError, NotationError
from companion.rules.house_rules import HouseRules
from companion.rules.moves import Catch, LayEngine, Move, Play, parse_move
from companion.rules.presets import RuleBook
from companion.rules.state import FEWEST_PLAYERS, MOST_PLAYERS, RoundState

RESERVED = frozenset({"rules", "set", "players", "hand", "hands", "round", "engine", "start", "end", "?", "!"})
"""Words that begin a line and so cannot be a player's name."""

_BANNED_IN_NAMES = "@/#=:,;|[]"


@dataclass(frozen=True, slots=True)
class Start:
    """The table names the player who begins."""

    player: str


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that was done; ``seen``: it stands whether or not it was legal."""

    move: Move
    seen: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """Would this be legal now?"""

    move: Move


@dataclass(frozen=True, slots=True)
class WhatMay:
    """What may this player do now?"""

    player: str


Statement = Start | Deed | Question | WhatMay


@dataclass(frozen=True, slots=True)
class Line:
    """A line that says something: its number, its text in plain spacing, what it says (None: part of the heading)."""

    number: int
    text: str
    says: Statement | None = None


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """A round as it was written down: who plays what, and the lines."""

    rules: HouseRules
    opening: RoundState
    lines: tuple[Line, ...]

    def __str__(self) -> str:
        """The round in notation."""
        return "".join(f"{line.text}\n" for line in self.lines)

    @property
    def statements(self) -> Iterator[tuple[Line, Statement]]:
        """The lines after the heading, with what they say."""
        for line in self.lines:
            if line.says is not None:
                yield line, line.says


def decode(data: bytes) -> str:
    """Text from a file's bytes; a `NotationError` names the line that is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as cause:
        raise NotationError(data[: cause.start].count(b"\n") + 1, "this is not UTF-8 text") from cause


def read_round(text: str, book: RuleBook, *, rules: str | None = None) -> RoundRecord:
    """Read a round.

    Args:
        text: the file's text.
        book: the presets that its rules line can name.
        rules: rules to judge by instead of those that the file names.

    Raises:
        NotationError: the line that cannot be read, and why.
    """
    reader = _Reader(book, rules)
    for number, raw in enumerate(text.split("\n"), start=1):
        words = raw.partition("#")[0].split()
        if words:
            reader.read(number, words)
    return reader.finish(text.count("\n") + 1)


@dataclass
class _Reader:
    book: RuleBook
    override: str | None
    rules: HouseRules | None = None
    set_line: int | None = None
    players: tuple[str, ...] = ()
    players_line: int = 0
    tiles_each: int | None = None
    tiles_line: int = 0
    round_number: int | None = None
    hands: dict[str, frozenset[Tile]] = field(default_factory=dict)
    hand_lines: dict[str, int] = field(default_factory=dict)
    opening: RoundState | None = None
    started: bool = False
    turned: bool = False
    lines: list[Line] = field(default_factory=list)

    def read(self, number: int, words: list[str]) -> None:
        text = " ".join(words)
        if not text.isprintable():
            raise NotationError(number, "there is a character that cannot be printed")
        heading = self._headings().get(words[0])
        if self.rules is None and words[0] != "rules":
            if self.override is None:
                raise NotationError(
                    number, "the first line that says anything names the rules, as in: rules tournament"
                )
            self._set_rules(number, self.override)
        if heading is not None:
            if self.opening is not None:
                raise NotationError(number, f"{words[0]!r} belongs before the first deed")
            heading(number, words[1:])
            self.lines.append(Line(number, text))
            return
        self._open(number)
        self.lines.append(Line(number, text, self._statement(number, words)))

    def finish(self, last_line: int) -> RoundRecord:
        if self.rules is None:
            if self.override is None:
                raise NotationError(last_line, "nothing is written here: a round begins with its rules")
            self._set_rules(last_line, self.override)
        self._open(last_line)
        assert self.rules is not None and self.opening is not None
        return RoundRecord(self.rules, self.opening, tuple(self.lines))

    # -- the heading

    def _headings(self) -> dict[str, Callable[[int, list[str]], None]]:
        return {
            "rules": self._read_rules,
            "set": self._read_set,
            "players": self._read_players,
            "hand": self._read_hand,
            "hands": self._read_hands,
            "round": self._read_round,
        }

    def _read_rules(self, number: int, words: list[str]) -> None:
        if self.lines:
            raise NotationError(number, "the rules stand in the first line, and once")
        if not words:
            raise NotationError(number, "rules needs the name of a preset")
        self._set_rules(number, " ".join(words))
        if self.override is not None:
            self._set_rules(number, self.override)

    def _set_rules(self, number: int, text: str) -> None:
        try:
            self.rules = self.book.rules(text)
        except HouseRulesError as cause:
            raise NotationError(number, str(cause)) from cause

    def _read_set(self, number: int, words: list[str]) -> None:
        if self.set_line is not None:
            raise NotationError(number, "the set is named twice")
        assert self.rules is not None
        try:
            self.rules = self.rules.with_texts([f"set={' '.join(words)}"])
        except HouseRulesError as cause:
            raise NotationError(number, str(cause)) from cause
        self.set_line = number

    def _read_players(self, number: int, words: list[str]) -> None:
        if self.players:
            raise NotationError(number, "the players are named twice")
        if not FEWEST_PLAYERS <= len(words) <= MOST_PLAYERS:
            raise NotationError(number, f"name {FEWEST_PLAYERS} to {MOST_PLAYERS} players")
        for name in words:
            if name in RESERVED or is_mexican_name(name) or any(sign in name for sign in _BANNED_IN_NAMES):
                raise NotationError(number, f"{name!r} cannot be a player's name")
        if len(set(words)) < len(words):
            raise NotationError(number, "two players have the same name")
        self.players, self.players_line = tuple(words), number

    def _read_hand(self, number: int, words: list[str]) -> None:
        if not words:
            raise NotationError(number, "hand needs a player and tiles")
        name, *tiles = words
        self._check_player(number, name)
        if name in self.hands:
            raise NotationError(number, f"the hand of {name} is told twice")
        held = [self._tile(number, tile) for tile in tiles]
        if not held or len(set(held)) < len(held):
            raise NotationError(number, "a hand is told by its tiles, each once" if held else "hand needs tiles")
        for other, hand in self.hands.items():
            if both := hand.intersection(held):
                raise NotationError(number, f"{min(both)} is in the hand of {other} already")
        self.hands[name], self.hand_lines[name] = frozenset(held), number

    def _read_hands(self, number: int, words: list[str]) -> None:
        if self.tiles_each is not None:
            raise NotationError(number, "hands is told twice")
        self.tiles_each, self.tiles_line = self._number(number, "hands", words), number

    def _read_round(self, number: int, words: list[str]) -> None:
        if self.round_number is not None:
            raise NotationError(number, "the round is told twice")
        self.round_number = self._number(number, "round", words)

    def _open(self, number: int) -> None:
        """The heading is complete: does it make a round?"""
        if self.opening is not None:
            return
        assert self.rules is not None
        if not self.players:
            raise NotationError(number, "nobody plays: name the players first, as in: players Ann Ben Cy")
        for name, hand in self.hands.items():
            for tile in sorted(hand):
                if tile not in self.rules.tile_set:
                    raise NotationError(self.hand_lines[name], f"a double-{self.rules.set} set has no {tile}")
        try:
            empty = RoundState.opening(
                self.rules, self.players, tiles_each=self.tiles_each, round_number=self.round_number
            )
        except HouseRulesError as cause:
            raise NotationError(self.tiles_line or self.players_line, str(cause)) from cause
        for name, hand in self.hands.items():
            seat = empty.seat(name)
            if len(hand) > empty.hands[seat].size:
                raise NotationError(
                    self.hand_lines[name], f"{name} holds {empty.hands[seat].size} tiles, not {len(hand)}"
                )
            empty = empty.with_hand(seat, replace(empty.hands[seat], known=hand))
        self.opening = empty

    # -- deeds and questions

    def _statement(self, number: int, words: list[str]) -> Statement:
        match words:
            case ["start", player]:
                self._check_player(number, player)
                if self.started or self.turned:
                    raise NotationError(number, "start is told once, before anybody's turn")
                self.started = True
                return Start(player)
            case ["start", *_]:
                raise NotationError(number, "start needs one player")
            case ["?", player] if player in self.players:
                return WhatMay(player)
            case ["?", *rest]:
                return Question(self._move(number, rest))
            case ["!", *rest]:
                return self._deed(self._move(number, rest), seen=True)
        return self._deed(self._move(number, words), seen=False)

    def _deed(self, move: Move, *, seen: bool) -> Deed:
        if isinstance(move, Play):
            self.turned = True
        return Deed(move, seen)

    def _move(self, number: int, words: list[str]) -> Move:
        if not words:
            raise NotationError(number, "there is no deed after the sign")
        try:
            move = parse_move(" ".join(words))
        except ValueError as cause:
            raise NotationError(number, str(cause)) from cause
        if move.player is not None:
            self._check_player(number, move.player)
        if isinstance(move, Catch):
            self._check_player(number, move.caught)
        if isinstance(move, Play) and move.train.owner.player is not None:
            self._check_player(number, move.train.owner.player)
        if isinstance(move, LayEngine) and move.player is None and len(words) != 2:
            raise NotationError(number, "engine needs one tile")
        return move

    # -- words

    def _check_player(self, number: int, name: str) -> None:
        if name not in self.players:
            raise NotationError(number, f"{name!r} is not one of the players")

    @staticmethod
    def _tile(number: int, text: str) -> Tile:
        try:
            return Tile.parse(text)
        except ValueError as cause:
            raise NotationError(number, str(cause)) from cause

    @staticmethod
    def _number(number: int, word: str, words: list[str]) -> int:
        text = words[0] if len(words) == 1 else ""
        if not (text.isascii() and text.isdecimal()) or len(text) > 3 or text.startswith("0"):
            raise NotationError(number, f"{word} needs one number from 1")
        return int(text)
