"""View models that many phones ask for at once: made once for the game as it stands, and kept until it changes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from companion.session.game import Game

T = TypeVar("T")


class KeptPages(Generic[T]):
    """Pages by game and language. Safe to share between threads."""

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._pages: OrderedDict[tuple[str, str], tuple[Game, T]] = OrderedDict()
        self._lock = threading.Lock()

    def page(self, game: Game, language: str, make: Callable[[Game], T]) -> T:
        """The page of this very game object in a language; `make` is asked where there is none yet."""
        key = game.id, language
        with self._lock:
            kept = self._pages.get(key)
        if kept is not None and kept[0] is game:
            return kept[1]
        made = make(game)
        with self._lock:
            self._pages[key] = game, made
            self._pages.move_to_end(key)
            while len(self._pages) > self._most:
                self._pages.popitem(last=False)
        return made
