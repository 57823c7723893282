"""Photos for learning that are being looked at, in memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

from companion.session.events import HandTile
from companion.sightings import PhotoReading

MOST_DRAFTS = 12
"""Photos that were read and not confirmed yet, kept in memory; one that is forgotten is photographed again."""


@dataclass(frozen=True, slots=True)
class DraftPhoto:
    """A photo of sorted tiles that a person looks at."""

    picture: str
    reading: PhotoReading
    highest: int
    tiles: tuple[HandTile, ...]


class Drafts:
    """Photos that are being looked at. Safe to share between threads."""

    def __init__(self) -> None:
        self._drafts: OrderedDict[str, DraftPhoto] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, draft: DraftPhoto) -> None:
        """Keep a photo, or its changed tiles."""
        with self._lock:
            self._drafts[draft.picture] = draft
            while len(self._drafts) > MOST_DRAFTS:
                self._drafts.popitem(last=False)

    def find(self, picture: str) -> DraftPhoto | None:
        """A photo by its id."""
        return self._drafts.get(picture)

    def drop(self, picture: str) -> None:
        """Forget a photo."""
        with self._lock:
            self._drafts.pop(picture, None)
