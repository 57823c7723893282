"""Draw the trains on the photo: a coloured line along each, open ends with their value, and faults that nobody can miss.

Lines are thick and have a dark rim, so that they show on white tiles, dark tables and a small screen. Colours are told apart
by people who see red and green alike; numbers at the trains' heads say the same once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from companion.sightings import Point, Quad
from companion.table.faults import Fault
from companion.table.layout import LaidTrain, Layout
from companion.vision.drawing import short_side
from companion.vision.opening import Picture

Colour = tuple[int, int, int]

_FAULTS = {Fault.MISMATCHED_JOIN, Fault.DUPLICATE_TILE, Fault.WRONG_START, Fault.TWO_ENGINES, Fault.NOT_IN_SET}
"""What is painted as wrong; the rest stands in the lines below the photo only."""


@dataclass(frozen=True, slots=True)
class TrainStyle:
    """Colours (blue, green, red) and sizes; shares are of the tiles' median width unless they say otherwise."""

    trains_bgr: tuple[Colour, ...] = (
        (178, 114, 0), (0, 159, 230), (115, 158, 0), (167, 121, 204),
        (66, 228, 240), (233, 180, 86), (0, 94, 213), (150, 150, 150),
    )  # fmt: skip
    """Okabe and Ito's palette and a grey."""
    fault_bgr: Colour = (30, 30, 230)
    duty_bgr: Colour = (0, 215, 255)
    ink_bgr: Colour = (20, 20, 20)
    paper_bgr: Colour = (255, 255, 255)
    line_share: float = 0.16
    line_least_share: float = 0.003
    """Of the photo's long side: a line that is seen on a phone held at arm's length."""
    head_share: float = 0.42
    """Radius of the disc with the open end's value."""
    head_least_share: float = 0.011
    """Of the photo's long side, for tiles that are small in the picture."""
    frame_share: float = 0.2
    """Width of the frame around faults and uncovered doubles; `grow_share` is how far outside the tile it runs."""
    grow_share: float = 0.12
    text_share: float = 0.02
    """Height of the text below, as a share of the photo's long side; at least `text_least_px`."""
    text_least_px: float = 12.0
    line_step: float = 1.9
    """Distance of the lines of text in heights of the text."""


def draw_trains(
    image_bgr: Picture,
    quads_px: Sequence[Quad],
    layout: Layout,
    *,
    lines: Sequence[str],
    style: TrainStyle | None = None,
) -> Picture:
    """Draw a layout on its photo.

    Args:
        image_bgr: the upright picture, height x width x 3; it is not changed.
        quads_px: corners of the tiles, in the layout's order.
        layout: what was found.
        lines: what to write below the photo, plain ASCII.
        style: colours and sizes.

    Returns:
        A new picture of the same width, with a band of text added below.
    """
    style = style or TrainStyle()
    photo = image_bgr.copy()
    pen = _Pen(photo, quads_px, layout, style)
    for number, train in enumerate(layout.trains):
        pen.line(train, style.trains_bgr[number % len(style.trains_bgr)])
    if layout.engine is not None:
        pen.frame(layout.engine, style.paper_bgr)
    for number, train in enumerate(layout.trains):
        pen.head(train, number + 1, style.trains_bgr[number % len(style.trains_bgr)])
    for anomaly in layout.anomalies:
        if anomaly.code in _FAULTS:
            for tile in anomaly.tiles:
                pen.frame(tile, style.fault_bgr)
    for anomaly in layout.anomalies:
        if anomaly.code is Fault.MISMATCHED_JOIN:
            pen.cross(*anomaly.tiles)
    return np.vstack([photo, _band(photo.shape[1], max(photo.shape[:2]), lines, style)])


class _Pen:
    """Draws on a photo that it may change."""

    def __init__(self, photo: Picture, quads_px: Sequence[Quad], layout: Layout, style: TrainStyle) -> None:
        self.photo, self.layout, self.style = photo, layout, style
        self.quads = [np.array(quad) for quad in quads_px]
        long_px = max(photo.shape[:2])
        width = float(np.median([short_side(quad) for quad in quads_px])) if quads_px else 1.0
        self.thick = max(2, round(max(style.line_share * width, style.line_least_share * long_px)))
        self.radius = max(7, round(max(style.head_share * width, style.head_least_share * long_px)))

    def line(self, train: LaidTrain, colour: Colour) -> None:
        """From the engine, or the first tile, through the middles of all tiles."""
        path = [self.middle(tile) for tile in train.tiles]
        if not train.mexican and not train.branch and self.layout.engine is not None:
            path.insert(0, self.middle(self.layout.engine))
        for ink, thick in ((self.style.ink_bgr, self.thick + 4), (colour, self.thick)):
            for one, two in pairwise(path):
                cv2.line(self.photo, _pixel(one), _pixel(two), ink, thick, cv2.LINE_AA)

    def head(self, train: LaidTrain, number: int, colour: Colour) -> None:
        """The open end's value in a disc; around an uncovered double a frame besides, and at a marker a ring."""
        last = train.tiles[-1]
        if train.open_double:
            self.frame(last, self.style.duty_bgr)
        place = self.middle(last)
        if not train.open_double:
            outer = self.quads[last][2:] if train.inward[-1] == 0 else self.quads[last][:2]
            place = tuple((outer.mean(0) * 0.6 + np.array(place) * 0.4).tolist())
        cv2.circle(self.photo, _pixel(place), self.radius + 3, self.style.paper_bgr, -1, cv2.LINE_AA)
        cv2.circle(self.photo, _pixel(place), self.radius, colour, -1, cv2.LINE_AA)
        if train.marker:
            cv2.circle(self.photo, _pixel(place), self.radius + 8, self.style.ink_bgr, 3, cv2.LINE_AA)
        self.text(">" if train.end_unseen else str(train.open_end), place)
        first = self.middle(train.tiles[0])
        cv2.circle(self.photo, _pixel(first), round(self.radius * 0.75), self.style.paper_bgr, -1, cv2.LINE_AA)
        self.text(f"{number}", first, size=0.6)

    def frame(self, tile: int, colour: Colour) -> None:
        """A thick frame just outside a tile."""
        quad = self.quads[tile]
        middle = quad.mean(0)
        grown = np.round(middle + (quad - middle) * (1 + self.style.grow_share)).astype(np.int32)
        thick = max(3, round(self.thick * self.style.frame_share / self.style.line_share))
        for ink, width in ((self.style.ink_bgr, thick + 4), (colour, thick)):
            cv2.polylines(self.photo, [grown], isClosed=True, color=ink, thickness=width, lineType=cv2.LINE_AA)

    def cross(self, one: int, two: int) -> None:
        """A cross where two tiles should not have met."""
        place = (self.quads[one].mean(0) + self.quads[two].mean(0)) / 2
        size = self.radius * 1.2
        for ink, thick in ((self.style.ink_bgr, self.thick + 6), (self.style.fault_bgr, self.thick + 1)):
            for way in ((1, 1), (1, -1)):
                step = np.array(way) * size
                ends = [(float(x), float(y)) for x, y in (place - step, place + step)]
                cv2.line(self.photo, _pixel(ends[0]), _pixel(ends[1]), ink, thick, cv2.LINE_AA)

    def middle(self, tile: int) -> Point:
        """Middle of a tile in pixels."""
        x, y = self.quads[tile].mean(0)
        return float(x), float(y)

    def text(self, words: str, place: Point, *, size: float = 1.0) -> None:
        """A short word with its middle at a place."""
        scale = size * self.radius * (1.15 if len(words) == 1 else 0.95) / 22
        thick = max(1, round(scale * 2.4))
        (wide, high), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
        at = _pixel((place[0] - wide / 2, place[1] + high / 2))
        cv2.putText(self.photo, words, at, cv2.FONT_HERSHEY_SIMPLEX, scale, self.style.ink_bgr, thick, cv2.LINE_AA)


def _pixel(place: Point) -> tuple[int, int]:
    return round(place[0]), round(place[1])


def _band(wide: int, long_px: int, lines: Sequence[str], style: TrainStyle) -> Picture:
    """The lines below the photo, each as wide as there is room."""
    high = max(style.text_least_px, style.text_share * long_px)
    step = round(high * style.line_step)
    band = np.full((step * max(len(lines), 1) + step // 2, wide, 3), style.ink_bgr, np.uint8)
    for row, words in enumerate(lines):
        scale, thick = high / 22, max(1, round(high / 11))
        (length, _), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
        scale *= min(1.0, (wide - 2 * high) / max(length, 1))
        colour = style.fault_bgr if words.startswith("WRONG") else style.paper_bgr
        at = (round(high), round(step * (row + 0.95)))
        cv2.putText(band, words, at, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, thick, cv2.LINE_AA)
    return band
