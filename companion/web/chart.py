"""The chart of the totals over the rounds: the lowest total is best, so the axis runs downwards and 0 lies on top."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.session.sheet import Sheet
from companion.web.asking import Seat

WIDE, HIGH = 400, 300
"""So narrow that the text is 12 px high on a phone."""
LEFT, RIGHT, TOP, BOTTOM = 36, 122, 28, 30
LABEL_GAP = 16
"""Lines of names at the right end lie at least so far apart."""
DASHES = ("", "9 5", "3 4", "12 4 3 4", "1 5")
"""Strokes that tell lines apart without their colour."""
MOST_TICKS = 5


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A player's line: its points, its stroke, and its name at the right end."""

    name: str
    colour: str
    dash: str
    points: str
    dots: tuple[tuple[float, float], ...]
    label_y: float
    total: int


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of an axis."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """The whole drawing, in units of an SVG of `WIDE` by `HIGH`."""

    lines: tuple[ChartLine, ...]
    rounds: tuple[Tick, ...]
    totals: tuple[Tick, ...]
    wide: int = WIDE
    high: int = HIGH
    left: int = LEFT
    right: int = WIDE - RIGHT
    top: int = TOP
    bottom: int = HIGH - BOTTOM


def chart_of(sheet: Sheet, seats: Sequence[Seat]) -> Chart | None:
    """The chart of the ended rounds; None before the first has ended."""
    rows = [row for row in sheet.rows if row.ended]
    if not rows:
        return None
    series = {
        seat.name: [0, *(cell.total or 0 for row in rows for cell in row.cells if cell.player == seat.name)]
        for seat in seats
    }
    least = min(min(values) for values in series.values())
    most = max(*(max(values) for values in series.values()), least + 10)
    across = [LEFT + (WIDE - LEFT - RIGHT) * n / len(rows) for n in range(len(rows) + 1)]

    def down(total: float) -> float:
        return round(TOP + (HIGH - TOP - BOTTOM) * (total - least) / (most - least), 1)

    labels = _apart([down(series[seat.name][-1]) for seat in seats])
    lines = []
    for seat, label_y in zip(seats, labels, strict=True):
        dots = tuple((round(x, 1), down(total)) for x, total in zip(across, series[seat.name], strict=True))
        points = " ".join(f"{x},{y}" for x, y in dots)
        dash = DASHES[seat.number % len(DASHES)]
        lines.append(ChartLine(seat.name, seat.colour, dash, points, dots, label_y, series[seat.name][-1]))
    step = max(1, -(-len(rows) // 9))
    rounds = [Tick(round(across[n + 1], 1), str(row.number)) for n, row in enumerate(rows) if n % step == 0]
    return Chart(tuple(lines), tuple(rounds), tuple(Tick(down(total), str(total)) for total in _ticks(least, most)))


def _ticks(least: int, most: int) -> list[int]:
    """Round numbers over a span, a handful of them."""
    span = most - least
    step = next(size * 10**power for power in range(6) for size in (1, 2, 5) if span / (size * 10**power) <= MOST_TICKS)
    first = -(-least // step) * step
    return list(range(first, most + 1, step))


def _apart(places: Sequence[float]) -> list[float]:
    """The places moved as little as needed so that no two are closer than a line of text, none below the drawing."""
    order = sorted(range(len(places)), key=lambda index: places[index])
    moved = [0.0] * len(places)
    above = -float(LABEL_GAP)
    for index in order:
        above = max(places[index], above + LABEL_GAP)
        moved[index] = above
    over = above - (HIGH - 6)
    below = float(HIGH + LABEL_GAP)
    for index in reversed(order if over > 0 else []):
        below = min(moved[index] if index != order[-1] else HIGH - 6, below - LABEL_GAP)
        moved[index] = below
    return [round(place, 1) for place in moved]
