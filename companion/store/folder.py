"""The data folder: everything that a family's games leave behind lies in it and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.store.errors import unwritable


@dataclass(frozen=True, slots=True)
class DataFolder:
    """Where things lie in it."""

    path: Path

    @classmethod
    def at(cls, path: Path) -> DataFolder:
        """The folder at a path, made if it is not there; only its owner can look into it.

        Raises:
            StoreUnusable: it cannot be made or written.
        """
        folder = cls(path.expanduser().absolute())
        try:
            folder.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.pictures.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise unwritable(error, path) from error
        return folder

    @property
    def database_url(self) -> str:
        """The folder's own database."""
        return f"sqlite:///{self.path / 'games.sqlite3'}"

    @property
    def pictures(self) -> Path:
        """The folder of the pictures."""
        return self.path / "pictures"
