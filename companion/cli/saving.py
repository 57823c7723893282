"""Where `--save` writes: a folder of drawn photos that never lands on a photo it was given."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import cv2

from companion.errors import CompanionError
from companion.sightings import PhotoReading
from companion.vision.drawing import annotate
from companion.vision.opening import Picture

_JPEG_QUALITY = 90
"""High enough that outlines and numerals stay crisp."""


class NotSaved(CompanionError):
    """A drawn photo could not be written."""


@dataclass(slots=True)
class ReadPhotosFolder:
    """A folder for drawn photos: `hand.jpg` becomes `hand-read.jpg`, a second `hand.jpg` becomes `hand-read-2.jpg`.

    A drawing of an earlier run is replaced; the photos of this run never are.
    """

    path: Path
    taken: set[str] = field(default_factory=set)
    """True paths in small letters, as some file systems tell no capitals from small ones."""

    @classmethod
    def open(cls, path: Path, *, sources: Iterable[str]) -> ReadPhotosFolder:
        """Make the folder where it is missing.

        Raises:
            NotSaved: it cannot be made or written to.
        """
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise NotSaved(f"The folder cannot be made: {error.strerror or error}.") from error
        if not os.access(path, os.W_OK | os.X_OK):
            raise NotSaved("The folder may not be written to. Name another one.")
        return cls(path, {_true_name(source) for source in sources})

    def write(self, photo: str, picture: Picture, reading: PhotoReading, *, score: int) -> Path:
        """Draw what was read and write it; gives the file's path.

        Raises:
            NotSaved: it cannot be written.
        """
        return self.write_drawing(photo, annotate(picture, reading, score=score))

    def write_drawing(self, photo: str, drawn: Picture) -> Path:
        """Write what was drawn on a photo as JPEG; gives the file's path.

        Raises:
            NotSaved: it cannot be written; a half-written file is not left behind.
        """
        data = as_jpeg(drawn)
        target = self._free_name(Path(photo).stem)
        write_whole(target, data)
        return target

    def _free_name(self, stem: str) -> Path:
        number = 1
        while True:
            target = self.path / (f"{stem}-read.jpg" if number == 1 else f"{stem}-read-{number}.jpg")
            if _true_name(target) not in self.taken:
                self.taken.add(_true_name(target))
                return target
            number += 1


def as_jpeg(picture: Picture) -> bytes:
    """A picture as a JPEG file's bytes.

    Raises:
        NotSaved: it cannot be encoded.
    """
    encoded, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    if not encoded:
        raise NotSaved("The drawn picture cannot be encoded.")
    return data.tobytes()


def write_whole(target: Path, data: bytes) -> None:
    """Write a file so that it is there as a whole or not at all.

    Raises:
        NotSaved: it cannot be written; a half-written file is not left behind.
    """
    unfinished = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(data)
        unfinished.replace(target)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise NotSaved(f"{target} cannot be written: {error.strerror or error}.") from error


def _true_name(path: str | Path) -> str:
    """The path without links, in small letters: equal for two names of one file. An impossible path stays as it is."""
    try:
        return str(Path(path).resolve()).casefold()
    except (OSError, ValueError, RuntimeError):
        return str(path).casefold()
