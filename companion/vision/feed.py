"""Where the pictures of a watch come from: a camera, a video file, a folder, a stream, all through one small protocol.

A feed yields frames, and notices where there is none: a camera that went away, a picture that cannot be opened. Live feeds
never end by themselves; they are opened again until somebody closes them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from companion.errors import CompanionError, UnusablePhoto
from companion.vision.containers import kind_of
from companion.vision.feed_capture import Capture, Frame, LiveFeed, Notice, open_capture
from companion.vision.opening import Picture, open_picture

_STREAMS = {"http", "https", "rtsp", "rtsps"}
_MOST_HEADER = 64


class FeedError(CompanionError):
    """A source that cannot be watched; the message says what to do."""


class Feed(Protocol):
    """A source of pictures.

    Attributes:
        stills: whether each picture is a moment of its own, as in a folder, and not a video's frame.
    """

    @property
    def stills(self) -> bool:
        """Whether each picture is a moment of its own."""
        ...

    def frames(self) -> Iterator[Frame | Notice]:
        """Pictures in order, each once."""
        ...

    def close(self) -> None:
        """Stop; `frames` then ends soon."""
        ...


def open_feed(source: str, *, capture: Callable[[str | int], Capture | None] = open_capture) -> Feed:
    """The feed that a source names: a camera's index, an address, a folder, or a video file.

    Args:
        source: what a person typed.
        capture: opens cameras, files and streams; tests bring their own.

    Raises:
        FeedError: there is no such thing, or it is none of these.
    """
    if source.isascii() and source.isdecimal():
        return _live(int(source), f"Camera {source}", capture)
    scheme = urlsplit(source).scheme.lower() if "://" in source else ""
    if scheme in _STREAMS:
        return _live(source, _without_secrets(source), capture)
    if scheme:
        raise FeedError(f"{source} cannot be watched: give an http, https or rtsp address.")
    path = Path(source)
    if source and path.is_dir():
        return FolderFeed(path)
    if not source or not path.exists():
        raise FeedError(
            f"{source or 'A source without a name'} is not there. Give a camera's number, a video file, a folder of "
            "pictures or an address."
        )
    if not path.is_file():
        raise FeedError(f"{source} is no file that can be read.")
    return VideoFeed.open(path, capture)


def _live(source: str | int, name: str, capture: Callable[[str | int], Capture | None]) -> LiveFeed:
    """A live feed that gives pictures now; later it may go away and come back."""
    opened = capture(source)
    if opened is None:
        hint = (
            "Is it plugged in, and does another program use it?" if isinstance(source, int) else "Is the address right?"
        )
        raise FeedError(f"{name} gives no picture. {hint}")
    return LiveFeed(source, name, capture, opened)


def _without_secrets(address: str) -> str:
    """An address without the user and the password in it."""
    return re.sub(r"//[^/@]*@", "//", address)


@dataclass
class FolderFeed:
    """Pictures of a folder in natural order: 9.jpg before 10.jpg. Each is a moment; its number is its place."""

    path: Path
    stills: bool = True
    _closed: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        if not self._pictures():
            raise FeedError(f"There is no picture in the folder {self.path}.")

    def _pictures(self) -> list[Path]:
        try:
            return sorted((path for path in self.path.iterdir() if _is_picture(path)), key=natural_order)
        except OSError as error:
            raise FeedError(f"The folder {self.path} cannot be read: {error.strerror or error}.") from error

    def frames(self) -> Iterator[Frame | Notice]:
        """Every picture; one that cannot be opened gives a notice, and its number is left out."""
        for number, path in enumerate(self._pictures()):
            if self._closed:
                return
            try:
                yield Frame(number, float(number), open_picture(path))
            except UnusablePhoto as error:
                yield Notice(f"{path.name}: {error.message}")

    def close(self) -> None:
        """Stop after the picture under way."""
        self._closed = True


def _is_picture(path: Path) -> bool:
    """Whether a file begins as a picture does, whatever it is called."""
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            return kind_of(file.read(_MOST_HEADER)) is not None
    except OSError:
        return False


def natural_order(path: Path) -> list[tuple[int, int, str]]:
    """A key that sorts numbers in names by their size."""
    return [
        (0, int(part), "") if part.isdecimal() else (1, 0, part.casefold())
        for part in re.split(r"(\d+)", path.name)
        if part
    ]


@dataclass
class VideoFeed:
    """A video file, read at no more than some frames for each of its seconds."""

    path: Path
    capture: Capture
    first: Picture
    most_fps: float = 10.0
    """A tile is laid in a second; ten looks in it are enough, and the frames between need not be decoded."""
    stills: bool = False
    _closed: bool = field(default=False, init=False)

    @classmethod
    def open(cls, path: Path, capture: Callable[[str | int], Capture | None]) -> VideoFeed:
        """Open a file and decode its first frame.

        Raises:
            FeedError: it is no video that can be read.
        """
        opened = capture(str(path))
        first = None if opened is None else opened.read()
        if opened is None or first is None:
            raise FeedError(f"{path} is no video that can be read. Give an MP4, MOV, AVI, MKV or WebM file.")
        return cls(path, opened, first)

    def frames(self) -> Iterator[Frame | Notice]:
        """The frames to the end of the file; numbers are those of the file."""
        fps = self.capture.fps or 30.0
        step = max(1, round(fps / self.most_fps))
        number, picture = 0, self.first
        while not self._closed:
            yield Frame(number, number / fps, picture)
            for _ in range(step - 1):
                self.capture.skip()
            number += step
            following = self.capture.read()
            if following is None:
                break
            picture = following
        self.capture.release()

    def close(self) -> None:
        """Stop after the frame under way."""
        self._closed = True
