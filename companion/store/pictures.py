"""Pictures as files, named by the sha256 of what is in them; no name from outside ever reaches the disk."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import time
from pathlib import Path

from companion.store.errors import unwritable

_NAME = re.compile(r"[0-9a-f]{64}", re.ASCII)
_UNFINISHED = ".part"
_OLD_S = 3600.0
"""An unfinished file of this age (seconds) is a leftover of a crash; no picture takes so long to write."""


class FolderPictures:
    """Pictures in a folder, spread over 256 folders below it. Safe to share between threads and processes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, data: bytes) -> str:
        """Keep a picture; its file and its name are on the disk when this returns. A picture that is there stays as it is.

        Raises:
            StoreUnusable: it could not be written; nothing is left of it.
        """
        name = hashlib.sha256(data).hexdigest()
        path = self._path(name)
        if path.is_file():
            return name
        try:
            if not path.parent.is_dir():
                path.parent.mkdir(mode=0o700, exist_ok=True)
                _sync_folder(self._folder)
            _write(path, data)
        except OSError as error:
            raise unwritable(error, self._folder) from error
        return name

    def get(self, picture: str) -> bytes:
        """A picture's bytes.

        Raises:
            KeyError: there is no such picture; also for an id that is none.
            StoreUnusable: it is there and cannot be read.
        """
        if _NAME.fullmatch(picture) is None:
            raise KeyError(picture)
        try:
            return self._path(picture).read_bytes()
        except FileNotFoundError:
            raise KeyError(picture) from None

    def tidy(self, *, now_s: float | None = None) -> int:
        """Remove what a crash left unfinished; how many files that were."""
        now = time.time() if now_s is None else now_s
        removed = 0
        for path in self._folder.glob(f"*/*{_UNFINISHED}"):
            if now - path.stat().st_mtime > _OLD_S:
                path.unlink(missing_ok=True)
                removed += 1
        return removed

    def _path(self, name: str) -> Path:
        return self._folder / name[:2] / name


def _write(path: Path, data: bytes) -> None:
    """All of the file or none: written beside it, synced, then named."""
    handle, beside = tempfile.mkstemp(dir=path.parent, suffix=_UNFINISHED)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(beside).replace(path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """A new name is safe only once its folder is synced. Windows cannot sync a folder and does not need to."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
