"""Tiles under a figure at the end of a train: noticed, and asked about; nothing is noticed where nothing lies."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from feed_drawn import DrawnTile, Picture, RectangleReader, with_tiles, wood

from companion.dominoes import Tile
from companion.rules.presets import standard_book
from companion.table.layout import Layout, lay_out
from companion.table.seen import SeenTable, seen_table
from companion.table.watch_events import AskAbout, QuestionAsked
from companion.table.watch_words import tell
from companion.table.watching import TableWatch
from companion.vision.hidden import hidden_ends
from companion.vision.watching import FrameReader, FrameWatcher

ENGINE: DrawnTile = ((200, 240), (12, 12), 90)
TRAIN: tuple[DrawnTile, ...] = (((255, 240), (12, 5), 0), ((325, 240), (5, 4), 0))
NEXT: DrawnTile = ((395, 240), (4, 3), 0)


def with_figure(picture: Picture, place: tuple[int, int]) -> Picture:
    """A little train of yellow and black."""
    drawn = picture.copy()
    cv2.ellipse(drawn, place, (24, 11), 35, 0, 360, (30, 200, 230), -1)
    cv2.circle(drawn, (place[0] + 8, place[1] + 10), 5, (20, 20, 20), -1)
    return drawn


def laid_out(picture: Picture) -> tuple[SeenTable, Layout]:
    tiles, _ = RectangleReader().see(picture)
    quads = np.array([tile.quad for tile in tiles])
    values = np.exp(np.array([tile.values.values for tile in tiles]))
    seen = seen_table(quads, values, np.full(len(tiles), 0.95), face_down_px=np.zeros((0, 4, 2)))
    return seen, lay_out(seen, highest=12)


def test_a_tile_under_a_figure_is_noticed() -> None:
    seen, layout = laid_out(with_tiles(wood(), ENGINE, *TRAIN))
    (train,) = layout.trains
    assert len(train.tiles) == 2
    assert hidden_ends(with_figure(with_tiles(wood(), ENGINE, *TRAIN, NEXT), (395, 240)), seen, layout) == {0}


def test_under_a_figure_beyond_a_crosswise_double_too() -> None:
    double: DrawnTile = ((380, 240), (4, 4), 90)
    seen, layout = laid_out(with_tiles(wood(), ENGINE, *TRAIN, double))
    (train,) = layout.trains
    assert train.open_double
    beyond: DrawnTile = ((435, 240), (4, 3), 0)
    picture = with_figure(with_tiles(wood(), ENGINE, *TRAIN, double, beyond), (435, 240))
    assert hidden_ends(picture, seen, layout) == {0}


@pytest.mark.parametrize("thing", ["nothing", "figure", "paper", "tile beside"])
def test_nothing_is_noticed_where_no_tile_lies(thing: str) -> None:
    plain = with_tiles(wood(), ENGINE, *TRAIN)
    seen, layout = laid_out(plain)
    picture = {
        "nothing": plain,
        "figure": with_figure(plain, (395, 240)),
        "paper": cv2.rectangle(plain.copy(), (360, 150), (590, 330), (250, 250, 240), -1),
        "tile beside": with_tiles(plain, ((395, 300), (4, 3), 0)),
    }[thing]
    assert hidden_ends(picture, seen, layout) == frozenset()


def test_a_person_is_asked_once_and_not_at_the_first_look() -> None:
    watcher = FrameWatcher(
        FrameReader(RectangleReader(), set_highest=12, stills=True),
        TableWatch(standard_book().rules("base"), ("Ann", "Ben"), set_highest=12),
    )
    before = with_tiles(wood(), ENGINE, *TRAIN)
    covered = with_figure(with_tiles(before, NEXT), (395, 240))
    asked = []
    for frame, picture in enumerate([before, covered, covered, covered]):
        events = watcher.see(picture, frame=frame, time_s=float(frame))
        asked += [(frame, e) for e in events if isinstance(e, QuestionAsked) and e.about is AskAbout.HIDDEN]
    ((frame, question),) = asked
    assert frame == 2
    assert "something hides a tile" in (tell(question) or "")
    open_end = TRAIN[-1][1][1]
    assert f"{max(open_end, 12)}-{min(open_end, 12)}" in question.choices
    assert all(str(open_end) in tile.split("-") for tile in question.choices)
    assert str(Tile.of(*TRAIN[-1][1])) not in question.choices, "it lies on the table"
    assert not [e for e in watcher.finish() if isinstance(e, QuestionAsked)]


def test_at_the_end_of_the_feed_one_look_is_enough() -> None:
    watcher = FrameWatcher(
        FrameReader(RectangleReader(), set_highest=12, stills=True),
        TableWatch(standard_book().rules("base"), set_highest=12),
    )
    before = with_tiles(wood(), ENGINE, *TRAIN)
    watcher.see(before, frame=0, time_s=0.0)
    watcher.see(with_figure(with_tiles(before, NEXT), (395, 240)), frame=1, time_s=1.0)
    assert [e.about for e in watcher.finish() if isinstance(e, QuestionAsked)] == [AskAbout.HIDDEN]
