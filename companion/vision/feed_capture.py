"""Cameras, files and streams through OpenCV, and the thread that keeps a live one's newest picture.

Reading a picture may take longer than the camera takes to make the next ones. A live feed therefore hands out the newest
picture only: a watch that lags behind the table is of no use.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import cv2
import numpy as np

from companion.vision.opening import Picture

_TIMEOUT_MS = 8000
"""A stream that is silent for so long has broken."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture: its number from 0, seconds of the feed's clock, height x width x 3 (blue, green, red)."""

    number: int
    time_s: float
    picture: Picture


@dataclass(frozen=True, slots=True)
class Notice:
    """No picture for now, and why: a sentence for people."""

    message: str


class Capture(Protocol):
    """An open camera, file or stream."""

    @property
    def fps(self) -> float:
        """Frames a second as the source says, 0 where it does not."""
        ...

    def read(self) -> Picture | None:
        """The next picture, upright; None at the end, or when the source has gone."""
        ...

    def skip(self) -> None:
        """Pass over a picture without decoding it."""
        ...

    def release(self) -> None:
        """Let go of it."""
        ...


@dataclass
class OpenCvCapture:
    """A `cv2.VideoCapture`."""

    video: Any

    @property
    def fps(self) -> float:
        """Frames a second as the file says."""
        fps = float(self.video.get(cv2.CAP_PROP_FPS))
        return fps if 0.1 < fps < 1000 else 0.0

    def read(self) -> Picture | None:
        """The next picture."""
        good, picture = self.video.read()
        if not good or picture is None or picture.ndim != 3 or not picture.size:
            return None
        return np.asarray(picture, np.uint8)

    def skip(self) -> None:
        """Pass over a picture."""
        self.video.grab()

    def release(self) -> None:
        """Let go of it."""
        self.video.release()


def open_capture(source: str | int) -> Capture | None:
    """Open a camera (index), a file or an address; None where that fails."""
    quiet = cv2.utils.logging
    level = quiet.getLogLevel()
    quiet.setLogLevel(quiet.LOG_LEVEL_SILENT)  # what failed is told in plain words, not in OpenCV's
    try:
        if isinstance(source, int):
            video = cv2.VideoCapture(source)
            video.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        elif "://" in source:
            limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _TIMEOUT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, _TIMEOUT_MS]
            video = cv2.VideoCapture(source, cv2.CAP_FFMPEG, limits)
        else:
            video = cv2.VideoCapture(source)
    finally:
        quiet.setLogLevel(level)
    if video.isOpened():
        return OpenCvCapture(video)
    video.release()
    return None


class LiveFeed:
    """A camera or a stream: the newest picture each time, opened again for as long as it takes when it goes away."""

    stills = False

    def __init__(
        self,
        source: str | int,
        name: str,
        capture: Callable[[str | int], Capture | None],
        opened: Capture,
        *,
        clock: Callable[[], float] = time.monotonic,
        waits_s: tuple[float, ...] = (0.5, 1.0, 2.0, 5.0),
    ) -> None:
        """A feed that reads nothing yet.

        Args:
            source: a camera's index or an address.
            name: what people call it.
            capture: opens the source again when it has gone.
            opened: the source, open.
            clock: seconds.
            waits_s: pauses between tries to open it; the last one is repeated.
        """
        self.source, self.name = source, name
        self._capture, self._opened = capture, opened
        self._clock, self._waits_s = clock, waits_s
        self._news = threading.Condition()
        self._waiting: deque[Frame | Notice] = deque()
        """In the order in which things happened; of pictures in a row only the newest."""
        self._closed = False

    def frames(self) -> Iterator[Frame | Notice]:
        """Pictures and notices until it is closed."""
        grabber = threading.Thread(target=self._grab, name=f"grab {self.name}", daemon=True)
        grabber.start()
        try:
            while (item := self._next()) is not None:
                yield item
        finally:
            self.close()
            grabber.join(timeout=1.0)

    def close(self) -> None:
        """Stop."""
        with self._news:
            self._closed = True
            self._news.notify_all()

    def _next(self) -> Frame | Notice | None:
        """The next notice or the newest picture, waited for; None once it is closed."""
        with self._news:
            while not (self._closed or self._waiting):
                # a wait without end would keep Ctrl-C from being heard
                self._news.wait(timeout=0.25)
            return None if self._closed else self._waiting.popleft()

    def _grab(self) -> None:
        """Read as fast as the source gives, keep the newest; runs in a thread of its own."""
        number, tries, begun = 0, 0, self._clock()
        opened: Capture | None = self._opened
        while not self._closed:
            while opened is not None and not self._closed and (picture := opened.read()) is not None:
                if tries:
                    self._tell(Notice(f"{self.name} is back."))
                    tries = 0
                self._tell(Frame(number, self._clock() - begun, picture))
                number += 1
            if opened is not None:
                opened.release()
            if not self._closed:
                if not tries:
                    self._tell(Notice(f"{self.name} gives no picture; waiting for it. Press q or Ctrl-C to stop."))
                self._pause(self._waits_s[min(tries, len(self._waits_s) - 1)])
                tries += 1
                opened = None if self._closed else self._capture(self.source)

    def _tell(self, item: Frame | Notice) -> None:
        with self._news:
            if isinstance(item, Frame) and self._waiting and isinstance(self._waiting[-1], Frame):
                self._waiting.pop()
            self._waiting.append(item)
            self._news.notify_all()

    def _pause(self, seconds: float) -> None:
        with self._news:
            self._news.wait_for(lambda: self._closed, timeout=seconds)
