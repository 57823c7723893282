"""A page that many phones ask for at once: rendered once for the game as it stands, and kept until the game changes.

What belongs to one request only (its form token, the ids of its commands) is left open in what is kept, and filled in for each.
"""

from __future__ import annotations

import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from companion.session.game import Game


@dataclass(frozen=True, slots=True)
class Holes:
    """The places of a kept page that are filled in for each request, by the name that the template calls."""

    mark: str = field(default_factory=lambda: secrets.token_hex(16))
    """Nobody can know it, so no player's name can be taken for a hole."""

    def of(self, name: str) -> str:
        """What stands in the page where something is to be filled in."""
        return f"{self.mark}-{name}-"

    def filled(self, page: str, fillings: Mapping[str, Callable[[], str]]) -> str:
        """The page with every hole filled; each filling is called once a hole."""
        return re.sub(rf"{self.mark}-(\w+)-", lambda hole: fillings[hole[1]](), page)


class KeptPages:
    """Rendered pages by game, language and whose phone it is. Safe to share between threads."""

    def __init__(self, most: int = 64) -> None:
        self.holes = Holes()
        self._most = most
        self._pages: OrderedDict[tuple[str, str, str | None], tuple[Game, str]] = OrderedDict()
        self._lock = threading.Lock()

    def page(self, game: Game, language: str, player: str | None, render: Callable[[], str]) -> str:
        """The page of this very game object, with its holes; `render` is asked where there is none yet."""
        key = game.id, language, player
        with self._lock:
            kept = self._pages.get(key)
        if kept is not None and kept[0] is game:
            return kept[1]
        rendered = render()
        with self._lock:
            self._pages[key] = game, rendered
            self._pages.move_to_end(key)
            while len(self._pages) > self._most:
                self._pages.popitem(last=False)
        return rendered
