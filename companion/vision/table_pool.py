"""Live tables, watched in a process of their own: frames as JPEG in, what they tell out."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING

from companion.table.look import LyingTile, TableLook, Trouble, WatchSetting
from companion.vision.worker import Worker, loaded_reader

if TYPE_CHECKING:
    from companion.vision.opening import Picture
    from companion.vision.watching import FrameWatcher

MOST_BYTES = 6_000_000
MOST_PIXELS = 16_000_000
"""Of a frame. A phone's camera streams 2 million pixels; a still photo that stands for a frame may have more."""
MOST_WATCHES = 4
"""Tables remembered; a house has one or two."""


class TablePool:
    """Watches tables frame by frame. Safe to share between threads."""

    def __init__(self, models_dir: Path, *, learned: Path | None = None) -> None:
        self._worker = Worker(models_dir, learned=learned)

    def look(self, setting: WatchSetting, jpeg: bytes, *, frame: int, time_s: float) -> TableLook:
        """Take in a frame of the table that `setting` names; the first one begins its watch.

        Raises:
            UnusablePhoto: the frame is no picture that can be opened.
            ModelMissing: the weights are not there.
            ReaderStopped: the process ended; the watch begins anew with the next frame.
        """
        return self._worker.run(look_here, setting, jpeg, frame=frame, time_s=time_s)

    def close(self) -> None:
        """End the process."""
        self._worker.close()


_watchers: OrderedDict[str, FrameWatcher] = OrderedDict()
"""The watches of this process, the one that was looked at last at the end."""


def look_here(setting: WatchSetting, jpeg: bytes, *, frame: int, time_s: float) -> TableLook:
    """Take in a frame in this process, whose reader is loaded."""
    from companion.vision.opening import OpeningLimits, open_picture

    picture = open_picture(jpeg, limits=OpeningLimits(most_bytes=MOST_BYTES, most_pixels=MOST_PIXELS))
    watcher = _watcher(setting)
    events = watcher.see(picture, frame=frame, time_s=time_s)
    seen = watcher.watch.in_picture()
    tiles: tuple[LyingTile, ...] = ()
    if seen is not None:
        layout = seen[1]
        tiles = tuple(LyingTile(ends, quad) for ends, quad in zip(layout.ends, layout.quads_px, strict=True))
    size_wh = (int(picture.shape[1]), int(picture.shape[0]))
    return TableLook(size_wh, tiles, events, _trouble(picture, watcher))


def _watcher(setting: WatchSetting) -> FrameWatcher:
    from companion.table.watching import TableWatch
    from companion.vision.watching import FrameReader, FrameWatcher

    if setting.key not in _watchers:
        highest = setting.rules.set
        frames = FrameReader(loaded_reader(), set_highest=highest, stills=setting.stills)
        watch = TableWatch(setting.rules, setting.players, set_highest=highest, engine=setting.engine)
        _watchers[setting.key] = FrameWatcher(frames, watch)
        while len(_watchers) > MOST_WATCHES:
            _watchers.popitem(last=False)
    _watchers.move_to_end(setting.key)
    return _watchers[setting.key]


def _trouble(picture: Picture, watcher: FrameWatcher) -> Trouble | None:
    from companion.vision.quality import picture_quality

    quality = picture_quality(picture)
    if quality.too_dark:
        return Trouble.TOO_DARK
    if watcher.sighting is not None and watcher.sighting.covered:
        return Trouble.COVERED
    if quality.blurred:
        return Trouble.BLURRED
    return None if watcher.sighting is None or watcher.sighting.tiles else Trouble.NO_TILES
