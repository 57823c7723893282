"""A process of its own for work with the networks: pages never wait for it, and what brings it down takes nothing along."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from companion.errors import CompanionError, ModelMissing, UnusablePhoto

if TYPE_CHECKING:
    from companion.vision.reader import PhotoReader

P = ParamSpec("P")
T = TypeVar("T")

NICENESS = 15
"""Pages come before pictures: a page that waits is noticed sooner than a photo that takes a tenth longer."""


class ReaderStopped(CompanionError):
    """The process that reads pictures ended; the next picture finds a new one."""


class Worker:
    """One process that has the networks loaded and does one thing after the other. Safe to share between threads."""

    def __init__(self, models_dir: Path, *, learned: Path | None = None) -> None:
        """`learned` is the file of a family's set, which may come and go while pictures are read."""
        self._models_dir = models_dir
        self._learned = learned
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None

    def warm_up(self) -> None:
        """Start the process and let it load its weights; returns at once."""
        self._running().submit(_ready)

    def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do something in the process and wait for it.

        Args:
            work: a function of a module, which may ask `loaded_reader` for the networks.
            args: values that can be pickled; so must be what `work` gives and raises.
            kwargs: the same by name.

        Raises:
            UnusablePhoto: as `work` raised it.
            ModelMissing: the weights are not there.
            ReaderStopped: the process ended meanwhile.
        """
        try:
            return self._running().submit(_guarded, work, args, kwargs).result()  # type: ignore[return-value]
        except BrokenProcessPool as error:
            self.close()
            raise ReaderStopped(
                "The reader of pictures stopped and starts again. Send the picture once more."
            ) from error
        except _Sent as sent:
            raise sent.meant() from None

    def close(self) -> None:
        """End the process; what it is doing is not waited for."""
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
                    initargs=(self._models_dir, self._learned),
                )
            return self._pool


class _Sent(Exception):
    """Trouble on its way back between processes; exceptions with more than a message do not travel whole."""

    def meant(self) -> CompanionError:
        """The trouble itself."""
        code, message = self.args
        return ModelMissing(message) if code is None else UnusablePhoto(code, message)


_reader: PhotoReader | str | None = None
"""The reader of this process, or why there is none. Only `_begin` sets it, in the process that it belongs to."""


def loaded_reader() -> PhotoReader:
    """The reader of the process that this runs in.

    Raises:
        ModelMissing: its weights could not be loaded.
    """
    if _reader is None or isinstance(_reader, str):
        raise ModelMissing(_reader or "The reader of photos is not loaded.")
    return _reader


def _begin(models_dir: Path, learned: Path | None) -> None:
    from companion.vision.reader import PhotoReader

    global _reader  # noqa: PLW0603 - a worker process has no other place for what it loads once
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's to handle
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.nice(NICENESS)
    try:
        _reader = PhotoReader.load(models_dir, learned=learned)
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


def _guarded(work: Callable[..., object], args: tuple[object, ...], kwargs: dict[str, object]) -> object:
    try:
        return work(*args, **kwargs)
    except UnusablePhoto as error:
        raise _Sent(error.code, error.message) from None
    except ModelMissing as error:
        raise _Sent(None, str(error)) from None
