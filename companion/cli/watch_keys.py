"""Whether somebody pressed q: the keyboard is looked at in between, without waiting for a line to end."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Protocol


class Keys(Protocol):
    """Asked between two frames."""

    def quit_pressed(self) -> bool:
        """Whether q was pressed since the last time."""
        ...


class NoKeys:
    """No keyboard: the program runs in the background, or on a system that has no such thing."""

    def quit_pressed(self) -> bool:
        """Never."""
        return False


class TerminalKeys:
    """A terminal that hands over each key at once."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def quit_pressed(self) -> bool:
        """Whether one of the keys pressed since the last time was q."""
        pressed = b""
        while select.select([self._descriptor], [], [], 0)[0]:
            more = os.read(self._descriptor, 64)
            if not more:
                break
            pressed += more
        return b"q" in pressed.lower()


@contextmanager
def listening() -> Iterator[Keys]:
    """Listen to the keyboard where there is a terminal; it is put back as it was."""
    termios, tty = _modules()
    if termios is None or tty is None or not sys.stdin.isatty():
        yield NoKeys()
        return
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor)
    try:
        yield TerminalKeys(descriptor)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _modules() -> tuple[ModuleType | None, ModuleType | None]:
    try:
        import termios
        import tty
    except ImportError:  # not a system with terminals of this kind
        return None, None
    return termios, tty
