"""A scored photo in its two forms: a record for programs, lines for people. Pure: no file, no terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

from companion.dominoes import Tile
from companion.scoring.counting import Counting, hand_count
from companion.sightings import PhotoReading, Quad, ReadTile

_LINE_WIDTH = 76
_ROW_STEP = 0.6
"""Two tiles lie in one row when their middles differ in height by less than this share of the median tile's height."""


@dataclass(frozen=True, slots=True)
class PipCounting:
    """The plainest way to count, for a photo without a game: pips, and `double_blank` for a 0-0."""

    double_blank: int = 0
    blank_half: int = 0
    doubles_count: Literal["face", "twice"] = "face"
    out_bonus: int = 0
    marker_penalty: int = 0
    blocked: Literal["all_count", "lowest_zero"] = "all_count"


def hand_score(tiles: Iterable[ReadTile], counting: Counting) -> int:
    """What the tiles count; a tile that was read twice counts twice, and stands among the doubts."""
    return hand_count((Tile.of(*tile.ends) for tile in tiles), counting)


def as_record(photo: str, reading: PhotoReading, *, score: int) -> dict[str, object]:
    """The photo as the command's JSON: tiles in the reader's order, which the doubts index into."""
    return {
        "photo": photo,
        "size": list(reading.size_wh),
        "set": reading.set_highest,
        "tiles": [
            {
                "ends": list(tile.ends),
                "quad": [[round(float(x), 2), round(float(y), 2)] for x, y in tile.quad_px],
                "confidence": round(float(tile.confidence), 4),
            }
            for tile in reading.tiles
        ],
        "face_down": reading.face_down,
        "score": score,
        "doubts": [
            {
                "tile": doubt.tile,
                "why": doubt.why,
                "alternatives": [
                    {"ends": list(other.ends), "probability": round(float(other.probability), 4)}
                    for other in doubt.alternatives
                ],
            }
            for doubt in reading.doubts
        ],
    }


def error_record(photo: str, code: str, message: str) -> dict[str, object]:
    """A photo that was not scored, as the command's JSON."""
    return {"photo": photo, "error": {"code": code, "message": message}}


def as_text(photo: str, reading: PhotoReading, *, score: int) -> str:
    """The photo as a person would tell it: sum, tiles in reading order, what to look at. Several lines."""
    doubtful = {doubt.tile for doubt in reading.doubts}
    order = reading_order([tile.quad_px for tile in reading.tiles])
    names = [name_of(reading.tiles[index]) + ("?" if index in doubtful else "") for index in order]
    lines = [f"{photo}: {score}"]
    lines += textwrap.wrap(
        "  ".join(names), _LINE_WIDTH, initial_indent="  ", subsequent_indent="  ",
        break_on_hyphens=False, break_long_words=False,
    )  # fmt: skip
    lines.append(f"  {_counts(reading)}")
    if score != reading.pips:
        lines.append(f"  {reading.pips} pips, and {score - reading.pips} for 0-0")
    lines += [f"  Look: {name_of(reading.tiles[doubt.tile])}: {doubt.why}" for doubt in reading.doubts]
    return "\n".join(lines)


def name_of(tile: ReadTile) -> str:
    """A tile as people say it, the higher end first."""
    return str(Tile.of(*tile.ends))


def _counts(reading: PhotoReading) -> str:
    tiles = len(reading.tiles)
    parts = [f"{tiles} tile{'' if tiles == 1 else 's'} of a double-{reading.set_highest} set"]
    if reading.face_down:
        parts.append(f"{reading.face_down} face down")
    return ", ".join(parts)


def reading_order(quads_px: Sequence[Quad]) -> list[int]:
    """Indices of the tiles row by row from the top, each row from the left, as one reads a page."""
    if not quads_px:
        return []
    middles = [(sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4) for quad in quads_px]
    step = _ROW_STEP * median(max(y for _, y in quad) - min(y for _, y in quad) for quad in quads_px)
    rows: list[list[int]] = []
    for index in sorted(range(len(quads_px)), key=lambda index: middles[index][1]):
        if rows and middles[index][1] - middles[rows[-1][0]][1] < step:
            rows[-1].append(index)
        else:
            rows.append([index])
    return [index for row in rows for index in sorted(row, key=lambda index: middles[index][0])]
