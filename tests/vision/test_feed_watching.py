"""The frame reader and the watch together on painted pictures: arms, motion, light, a moved camera, noise, and cost."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from feed_drawn import DrawnTile, Picture, RectangleReader, noisy, with_arm, with_tiles, wood

from companion.table.watch_events import PlayRetracted, PlaySeen, WatchEvent
from companion.table.watching import TableWatch
from companion.vision.watching import FrameReader, FrameWatcher
from companion.vision.watching_memory import FrameMemory, MemoryParameters

TILES: list[DrawnTile] = [
    ((120, 120), (3, 4), 0), ((260, 140), (6, 2), 20), ((150, 260), (1, 1), 90), ((330, 300), (12, 5), -30),
    ((480, 120), (7, 0), 60), ((450, 380), (9, 8), 0),
]  # fmt: skip
TABLE = wood()


def watcher(*, stills: bool = False) -> FrameWatcher:
    reader = FrameReader(RectangleReader(), set_highest=12, stills=stills)
    return FrameWatcher(reader, TableWatch(None, set_highest=12))


def follow(watch: FrameWatcher, pictures: list[Picture], *, start: int = 0, fps: float = 10.0) -> list[WatchEvent]:
    events: list[WatchEvent] = []
    for number, picture in enumerate(pictures, start):
        events += watch.see(noisy(picture, number), frame=number, time_s=number / fps)
    return events


def plays(events: list[WatchEvent]) -> list[tuple[int, str]]:
    return [(event.frame, str(event.tile)) for event in events if isinstance(event, PlaySeen)]


def looks(watch: FrameWatcher) -> RectangleReader:
    reader = watch.frames._reader
    assert isinstance(reader, RectangleReader)
    return reader


def test_a_folder_each_picture_a_moment() -> None:
    watch = watcher(stills=True)
    pictures = [with_tiles(TABLE, *TILES[: 2 + k]) for k in range(5)]
    events = follow(watch, pictures) + list(watch.finish())
    assert plays(events) == [(1, "1-1"), (2, "12-5"), (3, "7-0"), (4, "9-8")]


def test_an_arm_over_the_table_hides_tiles_and_takes_none_away() -> None:
    watch = watcher(stills=True)
    table = with_tiles(TABLE, *TILES[:5])
    pictures = [table, with_arm(table, (300, 290)), with_tiles(TABLE, *TILES), with_tiles(TABLE, *TILES)]
    events = follow(watch, pictures) + list(watch.finish())
    assert plays(events) == [(2, "9-8")]
    assert [event for event in events if isinstance(event, PlayRetracted)] == []


def test_an_arm_that_stays_for_many_pictures_loses_nothing() -> None:
    watch = watcher(stills=True)
    table = with_tiles(TABLE, *TILES)
    follow(watch, [table] + [with_arm(table, (300, 290 + k % 3)) for k in range(12)])
    assert len(watch.watch.tracks) == len(TILES)


def test_a_tile_at_the_picture_s_edge_is_no_arm() -> None:
    at_edge: DrawnTile = ((612, 300), (4, 4), 0)
    watch = watcher(stills=True)
    pictures = [with_tiles(TABLE, *TILES[:3]), with_tiles(TABLE, *TILES[:3], at_edge)]
    pictures += [with_tiles(TABLE, *TILES[:4], at_edge)] * 2
    assert ("12-5") in [tile for _, tile in plays(follow(watch, pictures))]


def test_a_video_is_read_when_it_is_quiet_and_only_where_it_changed() -> None:
    watch = watcher()
    before, after = with_tiles(TABLE, *TILES[:5]), with_tiles(TABLE, *TILES)
    follow(watch, [before] * 10)
    asked = looks(watch)
    asked.looks = asked.pixels = 0
    moving = [with_arm(before, (560 - 30 * k, 380)) for k in range(6)]
    events = follow(watch, moving + [after] * 20, start=10)
    assert [tile for _, tile in plays(events)] == ["9-8"]
    assert 16 <= plays(events)[0][0] <= 20
    assert asked.pixels < 1.5 * TABLE.shape[0] * TABLE.shape[1]
    asked.looks = 0
    follow(watch, [after] * 50, start=36)
    assert asked.looks == 0


def test_a_still_arm_in_a_video_is_waited_for_and_then_read_around() -> None:
    watch = watcher()
    before = with_tiles(TABLE, *TILES[:5])
    follow(watch, [before] * 6)
    resting = with_arm(with_tiles(TABLE, *TILES), (330, 210))
    events = follow(watch, [resting] * 60, start=6) + follow(watch, [with_tiles(TABLE, *TILES)] * 10, start=66)
    assert [tile for _, tile in plays(events)] == ["9-8"]
    assert [event for event in events if isinstance(event, PlayRetracted)] == []


def test_a_taken_tile_is_missed_after_some_looks() -> None:
    watch = watcher()
    follow(watch, [with_tiles(TABLE, *TILES[:4])] * 8 + [with_tiles(TABLE, *TILES[:5])] * 8)
    events = follow(watch, [with_tiles(TABLE, *TILES[:4])] * 12, start=16)
    assert [str(event.tile) for event in events if isinstance(event, PlayRetracted)] == ["7-0"]


def test_changing_light_is_no_change() -> None:
    watch = watcher()
    table = with_tiles(TABLE, *TILES)
    follow(watch, [table] * 6)
    slowly = [np.clip(table.astype(np.float32) * (1 - 0.004 * k), 0, 255).astype(np.uint8) for k in range(40)]
    events = follow(watch, slowly, start=6)
    assert plays(events) == []
    assert len(watch.watch.tracks) == len(TILES)


def test_a_moved_camera_sees_the_same_tiles() -> None:
    watch = watcher(stills=True)
    turn = cv2.getRotationMatrix2D((320, 240), 8, 1.0)
    turn[:, 2] += (14, -9)
    pictures = [with_tiles(TABLE, *TILES[:5])] * 2
    pictures += [cv2.warpAffine(with_tiles(TABLE, *TILES), turn, (640, 480), borderMode=cv2.BORDER_REFLECT)] * 2
    events = follow(watch, [np.asarray(picture, np.uint8) for picture in pictures])
    assert [tile for _, tile in plays(events)] == ["9-8"]
    assert len(watch.watch.tracks) == len(TILES)


def test_frames_of_changing_size() -> None:
    watch = watcher(stills=True)
    table = with_tiles(TABLE, *TILES)
    other = with_tiles(wood(size_wh=(700, 600)), *TILES)
    events = follow(watch, [table, other, table, other])
    assert plays(events) == []
    assert len(watch.watch.tracks) == len(TILES)


def test_a_black_picture_and_one_of_one_colour_say_nothing() -> None:
    watch = watcher(stills=True)
    follow(watch, [with_tiles(TABLE, *TILES)])
    for level in (0, 128, 255):
        flat = np.full(TABLE.shape, level, np.uint8)
        assert watch.see(flat, frame=1 + level, time_s=1.0) == ()
    events = follow(watch, [with_tiles(TABLE, *TILES)], start=300)
    assert plays(events) == []
    assert len(watch.watch.tracks) == len(TILES)


@pytest.mark.parametrize(("stills", "frames"), [(True, 60), (False, 500)])
def test_frames_of_noise_lose_nothing(stills: bool, frames: int) -> None:
    watch = watcher(stills=stills)
    table = with_tiles(TABLE, *TILES)
    follow(watch, [table] * 6)
    rng = np.random.default_rng(0)
    some = [cv2.resize(rng.integers(0, 256, (120, 160, 3), dtype=np.uint8), (640, 480)) for _ in range(7)]
    for number in range(6, 6 + frames):
        watch.see(np.asarray(some[number % 7], np.uint8), frame=number, time_s=number / 10)
    events = follow(watch, [table] * 10, start=6 + frames)
    assert plays(events) == []
    assert len(watch.watch.tracks) == len(TILES)


def test_what_is_remembered_of_a_long_feed_is_bounded() -> None:
    """Two hours at 10 frames a second have 72,000 frames; scripts/bench_watch.py goes through them all."""
    memory = FrameMemory(MemoryParameters(frames=16))
    for frame in range(200):
        memory.add(frame, np.full((36, 48), frame, np.uint8), np.zeros((36, 48), bool), motion=None)
    assert memory.since(np.array([[10.0, 10], [20, 10], [20, 30], [10, 30]])) >= 200 - 16
    watch = watcher()
    for k in range(12):
        follow(watch, [with_tiles(TABLE, *TILES[: 5 + k % 2])] * 7, start=7 * k)
    assert len(watch.frames._memory._kept) <= watch.frames.parameters.memory.frames
    assert len(watch.watch.tracks) in (len(TILES) - 1, len(TILES))


def test_since_when_a_tile_lies_is_told_by_the_pixels() -> None:
    memory = FrameMemory()
    quad = np.array([[20.0, 20], [40, 20], [40, 60], [20, 60]])
    empty, laid = np.full((90, 120), 90, np.uint8), np.full((90, 120), 90, np.uint8)
    laid[20:61, 20:41] = 220
    arm = np.zeros((90, 120), bool)
    arm[:, :60] = True
    none = np.zeros((90, 120), bool)
    for frame, (grey, covers) in enumerate([(empty, none), (empty, none), (laid, none), (empty, arm), (laid, none)]):
        memory.add(frame, grey, covers, motion=None)
        if frame == 0:
            assert memory.since(quad) is None
    assert memory.since(quad) == 2
