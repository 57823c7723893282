"""A table under a camera: tiles drawn in the plane come and go, and each frame becomes a sighting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from drawn import DrawnRound, DrawnTile, look

from companion.rules.presets import standard_book
from companion.sightings import PipReading
from companion.table.sighting import Outline, TableSighting, TileSighting
from companion.table.watch_events import PlaySeen, RulingGiven, WatchEvent
from companion.table.watching import TableWatch

ABOVE = np.array([[60.0, 0, 900], [0, 60.0, 700], [0, 0, 1]])
SIZE_WH = (1900, 1400)


def base_watch(players: Sequence[str] = (), *, highest: int = 12, preset: str = "base") -> TableWatch:
    return TableWatch(standard_book().rules(preset), players, set_highest=highest)


def sighting(
    tiles: Sequence[DrawnTile],
    frame: int,
    *,
    view: np.ndarray = ABOVE,
    noise: float = 0.05,
    highest: int = 12,
    since: dict[int, int] | None = None,
    covered: tuple[Outline, ...] = (),
    passing: bool = False,
    steady: bool = False,
    readings: dict[int, tuple[PipReading, PipReading]] | None = None,
    score: float = 0.97,
) -> TableSighting:
    """The tiles as a camera sees them; `since` and `readings` by the place of a tile in the list."""
    rng = np.random.default_rng(frame)
    seen, which = look(DrawnRound(highest, list(tiles), engine=-1), rng, noise=noise, view=view)
    found = []
    for tile, index in zip(seen.tiles, which, strict=True):
        halves = (readings or {}).get(index, tile.readings)
        detection = type(tile)(tile.quad_px, halves, score)
        found.append(TileSighting(detection, (since or {}).get(index)))
    return TableSighting(frame, frame / 10, SIZE_WH, tuple(found), covered=covered, steady=steady, passing=passing)


def plays_of(events: Iterable[WatchEvent]) -> list[PlaySeen]:
    return [event for event in events if isinstance(event, PlaySeen)]


def illegal_tiles(events: Iterable[WatchEvent]) -> list[str]:
    return [str(event.tile) for event in events if isinstance(event, RulingGiven) and event.ruling.violations]
