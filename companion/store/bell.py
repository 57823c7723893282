"""A bell for the threads of one process."""

from __future__ import annotations

import threading


class ThreadBell:
    """Rings when a stream has grown. Other processes do not hear it; they see what is new when they next look."""

    def __init__(self) -> None:
        self._versions: dict[str, int] = {}
        self._rung = threading.Condition()

    def ring(self, stream: str, version: int) -> None:
        """Wake who waits for this stream."""
        with self._rung:
            self._versions[stream] = max(version, self._versions.get(stream, 0))
            self._rung.notify_all()

    def wait(self, stream: str, beyond: int, timeout_s: float) -> bool:
        """Wait until the stream is beyond a version."""
        with self._rung:
            return self._rung.wait_for(lambda: self._versions.get(stream, 0) > beyond, timeout_s)
