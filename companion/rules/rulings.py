"""Rulings: legal, illegal with every rule that is broken, or depends with the facts that are missing.

A violation carries the number of the rule, the id of a message and its arguments; the sentence is made at the edge
(`companion.rules.wording`), so that it can be translated. All of it reads back from its text form.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

RULE_NUMBERS: tuple[str, ...] = tuple(f"R-{number:02}" for number in range(1, 26))
"""The numbered rules; docs/rules.md says each in plain words."""


class Verdict(StrEnum):
    """The three values of a ruling."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    DEPENDS = "depends"


class FactKind(StrEnum):
    """What a table that is only watched may not know."""

    HAND = "hand of"
    DRAWN = "tile drawn by"
    TURN = "whose turn it was"
    ORDER = "order of the doubles"


@dataclass(frozen=True, slots=True, order=True)
class Fact:
    """A missing fact, in the words in which it is asked for."""

    kind: FactKind
    player: str | None = None

    def __str__(self) -> str:
        return f"{self.kind.value} {self.player}" if self.player else self.kind.value

    @classmethod
    def parse(cls, text: str) -> Fact:
        """Read a fact back."""
        for kind in (FactKind.TURN, FactKind.ORDER):
            if text == kind.value:
                return cls(kind)
        for kind in (FactKind.HAND, FactKind.DRAWN):
            if text.startswith(kind.value + " "):
                return cls(kind, text.removeprefix(kind.value + " "))
        raise ValueError(f"{text!r} is no fact")


WHOSE_TURN = Fact(FactKind.TURN)
ORDER_OF_DOUBLES = Fact(FactKind.ORDER)


def hand_of(player: str) -> Fact:
    """The fact that a player's hand is not known."""
    return Fact(FactKind.HAND, player)


def drawn_by(player: str) -> Fact:
    """The fact that a drawn tile was not seen."""
    return Fact(FactKind.DRAWN, player)


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule.

    Attributes:
        rule: its number, such as ``R-09``.
        message: the id of the sentence that says how it is broken.
        arguments: what the sentence names: tiles, trains, values, players.
    """

    rule: str
    message: str
    arguments: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, rule: str, message: str, **arguments: object) -> Violation:
        """A violation whose arguments are written as they are shown."""
        return cls(rule, message, tuple((name, str(value)) for name, value in arguments.items()))

    def __str__(self) -> str:
        return " ".join([self.rule, self.message, *(f"{name}={value}" for name, value in self.arguments)])

    @classmethod
    def parse(cls, text: str) -> Violation:
        """Read a violation back."""
        rule, message, *pairs = text.split(" ")
        if rule not in RULE_NUMBERS or any("=" not in pair for pair in pairs):
            raise ValueError(f"{text!r} is no violation")
        arguments = tuple((name, value) for name, _, value in (pair.partition("=") for pair in pairs))
        return cls(rule, message, arguments)


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the referee says. Violations make it illegal; else missing facts make it depend; else it is legal."""

    violations: tuple[Violation, ...] = ()
    needs: tuple[Fact, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """Legal, illegal or depends."""
        if self.violations:
            return Verdict.ILLEGAL
        return Verdict.DEPENDS if self.needs else Verdict.LEGAL

    @property
    def is_legal(self) -> bool:
        """Whether it is legal for certain."""
        return not self.violations and not self.needs

    @property
    def rules(self) -> tuple[str, ...]:
        """The numbers of the rules that are broken, most basic first, each once."""
        return tuple(dict.fromkeys(violation.rule for violation in self.violations))

    def __str__(self) -> str:
        if self.violations:
            return f"illegal: {'; '.join(map(str, self.violations))}"
        if self.needs:
            return f"depends: {'; '.join(map(str, self.needs))}"
        return "legal"

    @classmethod
    def parse(cls, text: str) -> Ruling:
        """Read a ruling back."""
        if text == "legal":
            return LEGAL
        word, _, rest = text.partition(": ")
        if word == "illegal":
            return cls(violations=tuple(map(Violation.parse, rest.split("; "))))
        if word == "depends":
            return cls(needs=tuple(map(Fact.parse, rest.split("; "))))
        raise ValueError(f"{text!r} is no ruling")


LEGAL = Ruling()


def ruling(violations: list[Violation], needs: list[Fact]) -> Ruling:
    """A ruling from what was found: each once, and missing facts only where nothing is broken for certain."""
    if len(violations) == 1:
        return Ruling(violations=(violations[0],))
    if violations:
        return Ruling(violations=tuple(dict.fromkeys(violations)))
    return Ruling(needs=tuple(dict.fromkeys(needs))) if needs else LEGAL
