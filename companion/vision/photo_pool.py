"""Photos of hands, read in a process of their own. The decoders and networks are imported in that process only."""

from __future__ import annotations

from pathlib import Path

from companion.sightings import PhotoReading
from companion.vision.worker import Worker, loaded_reader

JPEG_QUALITY = 90
"""Of the picture that is kept; pips of 3 px stay round."""
MOST_BYTES = 40_000_000
"""Of a photo's file; a phone's largest has some 25 million."""


class PhotoPool:
    """Reads photos one after the other. Safe to share between threads."""

    def __init__(self, models_dir: Path, *, learned: Path | None = None) -> None:
        self._worker = Worker(models_dir, learned=learned)

    def warm_up(self) -> None:
        """Let the process load its weights; returns at once."""
        self._worker.warm_up()

    def read(self, data: bytes, *, set_highest: int | None) -> tuple[bytes, PhotoReading]:
        """Read the bytes of a picture file; waits until it is this photo's turn and it is read.

        Returns:
            The upright picture as a JPEG that holds nothing else (no place, no time), and what was read, in its pixels.

        Raises:
            UnusablePhoto: the file is no picture that can be opened, or nothing can be read on it.
            ModelMissing: the weights are not there.
            ReaderStopped: the process ended while it read this photo.
        """
        return self._worker.run(read_here, data, set_highest)

    def close(self) -> None:
        """End the process; a photo that is being read is not waited for."""
        self._worker.close()


def read_here(data: bytes, set_highest: int | None) -> tuple[bytes, PhotoReading]:
    """Read a photo in this process, whose reader is loaded."""
    import cv2

    from companion.vision.opening import OpeningLimits
    from companion.vision.photos import read_photo

    read = read_photo(loaded_reader(), data, set_highest=set_highest, limits=OpeningLimits(most_bytes=MOST_BYTES))
    _, encoded = cv2.imencode(".jpg", read.picture, (cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY))
    return encoded.tobytes(), read.on_picture
