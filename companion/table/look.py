"""What one frame of a live table told: plain values, so that the frame may be read in another process."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.rules.house_rules import HouseRules
from companion.sightings import Quad
from companion.table.watch_events import WatchEvent


class Trouble(StrEnum):
    """Why a frame shows less than it could."""

    TOO_DARK = "too_dark"
    BLURRED = "blurred"
    COVERED = "covered"  # a hand or an arm hides a part of the table
    NO_TILES = "no_tiles"


@dataclass(frozen=True, slots=True)
class WatchSetting:
    """What a watch has to know: the rules, who plays (clockwise, who begins first), the engine where it is known.

    Attributes:
        key: one watch each; another key begins anew.
        rules: what the table plays.
        players: their names.
        engine: the engine's value.
        stills: whether each picture is a moment of its own, not a video's frame.
    """

    key: str
    rules: HouseRules
    players: tuple[str, ...]
    engine: int | None = None
    stills: bool = False


@dataclass(frozen=True, slots=True)
class LyingTile:
    """A believed tile: its ends as halves a and b, and where it lies in the frame (pixels)."""

    ends: tuple[int, int]
    quad_px: Quad


@dataclass(frozen=True, slots=True)
class TableLook:
    """One frame.

    Attributes:
        size_wh: the frame's width and height in pixels.
        tiles: every believed tile, hidden ones too.
        events: what the frame changed.
        trouble: why it shows less than it could, or None.
    """

    size_wh: tuple[int, int]
    tiles: tuple[LyingTile, ...]
    events: tuple[WatchEvent, ...]
    trouble: Trouble | None = None
