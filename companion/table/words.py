"""A layout in plain English, as somebody at the table would tell it. Pure: no file, no terminal."""

from __future__ import annotations

from companion.table.faults import Fault, name
from companion.table.layout import LaidTrain, Layout

OWED_BY = {
    "next": "the next player must cover it",
    "player": "the player who laid it must cover it",
    "nobody": "no tile goes on this train before it is covered",
}
"""What an uncovered double asks, by the house rules' switch `double_owed_by`."""

_TOLD_APART = {Fault.UNCOVERED_DOUBLE, Fault.ORPHAN_TILE, Fault.NO_ENGINE, Fault.CUT_TILE}
"""Anomalies that other lines tell."""


def layout_lines(layout: Layout, *, owed_by: str = "next") -> list[str]:
    """The table in lines: engine, each train outward, what is owed, what is wrong, what to look at.

    `owed_by` is the house rules' switch `double_owed_by`.
    """
    lines = [_first_line(layout)]
    for number, train in enumerate(layout.trains, 1):
        lines.append(f"{_title(train, number)}: {train_words(layout, train)}")
    for number, train in enumerate(layout.trains, 1):
        if train.open_double:
            double = name(layout.ends[train.tiles[-1]])
            lines.append(f"OWED: {double} on train {number} is not covered: {OWED_BY[owed_by]}.")
    lines += [f"WRONG: {anomaly.message}" for anomaly in layout.anomalies if anomaly.code not in _TOLD_APART]
    lines += [f"LOOK: {doubt.why}" for doubt in layout.doubts]
    lines += [f"LOOK: {anomaly.message}" for anomaly in layout.anomalies if anomaly.code is Fault.CUT_TILE]
    return lines


def train_words(layout: Layout, train: LaidTrain) -> str:
    """A train as people write it, each tile's inner end first, and what its end asks for."""
    tiles = []
    for tile, inward in zip(train.tiles, train.inward, strict=True):
        inner, outer = layout.ends[tile][inward], layout.ends[tile][1 - inward]
        tiles.append(f"{inner}-{outer}")
    asks = "goes on out of the picture" if train.end_unseen else f"open: {train.open_end}"
    asks += ", marker up" if train.marker else ""
    return f"{' '.join(tiles)}  ({asks})"


def _title(train: LaidTrain, number: int) -> str:
    if train.branch:
        return f"Train {number} (branch)"
    return f"Train {number} (free)" if train.mexican else f"Train {number}"


def _first_line(layout: Layout) -> str:
    if layout.engine is not None:
        engine = f"Engine {name(layout.ends[layout.engine])}"
    elif layout.engine_value is not None:
        engine = f"No engine in view; the trains ask for {layout.engine_value}"
    else:
        engine = "No engine in view"
    counts = [f"{len(layout.trains)} train{'' if len(layout.trains) == 1 else 's'}", f"{len(layout.ends)} tiles"]
    if layout.loose:
        counts.append(f"{len(layout.loose)} loose")
    if layout.face_down:
        counts.append(f"{layout.face_down} face down")
    return f"{engine}; {', '.join(counts)}"
