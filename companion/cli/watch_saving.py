"""Where `companion watch --save` keeps its evidence: for each event the picture before it and the one after it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from companion.cli.saving import ReadPhotosFolder, as_jpeg, write_whole
from companion.sightings import Quad
from companion.table.watch_events import MarkerSeen, PlayRetracted, PlaySeen, RulingGiven, WatchEvent
from companion.vision.opening import Picture

_KEPT = 64
"""Pictures that are kept in memory, as JPEG: a play is told at the latest some looks after it was laid."""
_FRAME_BGR = (0, 215, 255)


@dataclass
class EvidenceFolder:
    """A folder of evidence: `0007-play-12-5-before.jpg` and `...-after.jpg` belong to one event."""

    path: Path
    _pictures: deque[tuple[int, bytes]] = field(default_factory=lambda: deque(maxlen=_KEPT))
    _count: int = 0

    @classmethod
    def open(cls, path: Path) -> EvidenceFolder:
        """Make the folder where it is missing.

        Raises:
            NotSaved: it cannot be made or written to.
        """
        return cls(ReadPhotosFolder.open(path, sources=()).path)

    def remember(self, frame: int, picture: Picture) -> None:
        """Keep a frame that was read: it may be evidence later."""
        self._pictures.append((frame, as_jpeg(picture)))

    def keep(self, event: WatchEvent) -> dict[str, str]:
        """Write an event's pictures; their paths by `before` and `after`, empty for events that need none.

        Raises:
            NotSaved: one cannot be written.
        """
        named = _named(event)
        if named is None or not self._pictures:
            return {}
        name, before, after, quad = named
        self._count += 1
        written = {}
        first = self._nearest(after, later=True)
        for moment, data in (("before", self._nearest(before, later=False)), ("after", first)):
            if data is None or (moment == "before" and data is first):
                continue
            target = self.path / f"{self._count:04}-{name}-{moment}.jpg"
            write_whole(target, _outlined(data, quad) if moment == "after" and quad is not None else data)
            written[moment] = str(target)
        return written

    def _nearest(self, frame: int, *, later: bool) -> bytes | None:
        """The kept picture of a frame, or the nearest one on that side of it."""
        if later:
            return next((data for number, data in self._pictures if number >= frame), self._pictures[-1][1])
        return next((data for number, data in reversed(self._pictures) if number <= frame), None)


def _named(event: WatchEvent) -> tuple[str, int, int, Quad | None] | None:
    """An event's name, the frames before and after it, and the tile to outline."""
    match event:
        case PlaySeen():
            before = event.frame - 1 if event.evidence.before is None else event.evidence.before
            return f"play-{event.tile}", before, event.frame, event.evidence.quad_px
        case RulingGiven() if event.ruling.violations:
            return f"illegal-{event.tile}", event.frame - 1, event.frame, None
        case PlayRetracted():
            return f"retract-{event.tile}", event.frame - 1, event.frame, None
        case MarkerSeen():
            return f"marker-{'up' if event.up else 'down'}", event.frame - 1, event.frame, None
    return None


def _outlined(data: bytes, quad: Quad) -> bytes:
    """The picture with a frame around a tile."""
    picture = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    corners = np.array(quad)
    middle = corners.mean(0)
    grown = np.round(middle + (corners - middle) * 1.3).astype(np.int32)
    thick = max(2, round(max(picture.shape) / 400))
    cv2.polylines(picture, [grown], isClosed=True, color=_FRAME_BGR, thickness=thick, lineType=cv2.LINE_AA)
    return as_jpeg(picture)
