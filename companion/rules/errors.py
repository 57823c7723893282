"""What can go wrong with rules and notation, as opposed to what a player may do wrong (that is a `Ruling`).

CompanionError
|- HouseRulesError     a switch that does not exist, a value that it does not have, a deal that is impossible
`- NotationError       a line that cannot be read, with its number
IllegalMove            a programmer applied a move without asking first; carries the ruling
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.errors import CompanionError

if TYPE_CHECKING:
    from companion.rules.rulings import Ruling


class HouseRulesError(CompanionError):
    """House rules that cannot be played.

    Attributes:
        switch: the switch, preset or table that is at fault.
    """

    def __init__(self, switch: str, message: str) -> None:
        super().__init__(message)
        self.switch = switch


class NotationError(CompanionError):
    """A round that cannot be read.

    Attributes:
        line: the number of the line, counted from 1.
        reason: what is wrong with it.
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class IllegalMove(Exception):
    """A move that was applied although the rules forbid it.

    Attributes:
        ruling: why it is illegal.
    """

    def __init__(self, ruling: Ruling) -> None:
        super().__init__(str(ruling))
        self.ruling = ruling
