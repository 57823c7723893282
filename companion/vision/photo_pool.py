"""Reads photos in a process of its own: pages never wait for one, and a file that brings the decoder down takes nothing along.

The decoders and networks are imported in that process only, so that the server is up before they are.
"""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import CompanionError, ModelMissing, UnusablePhoto
from companion.sightings import PhotoReading

if TYPE_CHECKING:
    from companion.vision.reader import PhotoReader

JPEG_QUALITY = 90
"""Of the picture that is kept; pips of 3 px stay round."""
NICENESS = 5
"""Pages come before photos: a page that waits is noticed sooner than a photo that takes a tenth longer."""
MOST_BYTES = 40_000_000
"""Of a photo's file; a phone's largest has some 25 million."""


class ReaderStopped(CompanionError):
    """The process that reads photos ended; the next photo finds a new one."""


@dataclass(frozen=True, slots=True)
class _Unusable:
    """Why a photo cannot be used, on its way back between processes; exceptions do not travel whole."""

    code: str
    message: str


class PhotoPool:
    """Reads photos one after the other in another process. Safe to share between threads."""

    def __init__(self, models_dir: Path) -> None:
        self._models_dir = models_dir
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None

    def warm_up(self) -> None:
        """Start the process and let it load its weights; returns at once."""
        self._running().submit(_ready)

    def read(self, data: bytes, *, set_highest: int | None) -> tuple[bytes, PhotoReading]:
        """Read the bytes of a picture file; waits until it is this photo's turn and it is read.

        Returns:
            The upright picture as a JPEG that holds nothing else (no place, no time), and what was read, in its pixels.

        Raises:
            UnusablePhoto: the file is no picture that can be opened, or nothing can be read on it.
            ModelMissing: the weights are not there.
            ReaderStopped: the process ended while it read this photo.
        """
        try:
            found = self._running().submit(_read, data, set_highest).result()
        except BrokenProcessPool as error:
            self._forget()
            raise ReaderStopped(
                "The reader of photos stopped and was started again. Send the photo once more."
            ) from error
        if isinstance(found, _Unusable):
            raise UnusablePhoto(found.code, found.message)
        if isinstance(found, str):
            raise ModelMissing(found)
        return found

    def close(self) -> None:
        """End the process; a photo that is being read is not waited for."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    def _running(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(
                    max_workers=1,
                    mp_context=get_context("spawn"),  # a fork would copy the server's threads in mid-air
                    initializer=_begin,
                    initargs=(self._models_dir,),
                )
            return self._pool

    def _forget(self) -> None:
        with self._lock:
            self._pool = None


_reader: PhotoReader | str | None = None
"""The reader of this process, or why there is none. Only `_begin` sets it, in the process that it belongs to."""


def _begin(models_dir: Path) -> None:
    from companion.vision.reader import PhotoReader

    global _reader  # noqa: PLW0603 - a worker process has no other place for what it loads once
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's to handle
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.nice(NICENESS)
    try:
        _reader = PhotoReader.load(models_dir)
    except ModelMissing as error:
        _reader = str(error)


def _end_with_parent() -> None:
    """A server that was killed cannot tell its reader to end."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _ready() -> bool:
    return _reader is not None


def _read(data: bytes, set_highest: int | None) -> tuple[bytes, PhotoReading] | _Unusable | str:
    import cv2

    from companion.vision.opening import OpeningLimits
    from companion.vision.photos import read_photo

    if _reader is None or isinstance(_reader, str):
        return _reader or "The reader of photos is not loaded."
    try:
        read = read_photo(_reader, data, set_highest=set_highest, limits=OpeningLimits(most_bytes=MOST_BYTES))
    except UnusablePhoto as error:
        return _Unusable(error.code, error.message)
    _, encoded = cv2.imencode(".jpg", read.picture, (cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY))
    return encoded.tobytes(), read.on_picture
