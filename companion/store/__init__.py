"""The session's ports on a disk: the journal in a database, pictures as files, all in one data folder.

>>> import tempfile
>>> from companion.rules.presets import standard_book
>>> from companion.session.events import Command, GameEnded
>>> from companion.session.in_memory import NOON
>>> with tempfile.TemporaryDirectory() as folder:
...     store = open_store(Path(folder), base=standard_book()["base"].rules)
...     entries = store.journal.append("game", [GameEnded()], command=Command("a"), expected=0, at=NOON)
...     again = store.journal.read("game") == entries
...     store.close()
>>> again
True
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine

from companion.rules.house_rules import HouseRules
from companion.session.event_text import EventText
from companion.store.database import open_database
from companion.store.folder import DataFolder
from companion.store.journal import DatabaseJournal
from companion.store.pictures import FolderPictures


@dataclass(frozen=True, slots=True)
class Store:
    """What is kept: `journal` and `pictures` are ports of the session, `folder` is where they lie."""

    folder: DataFolder
    journal: DatabaseJournal
    pictures: FolderPictures
    engine: Engine

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()


def open_store(data_dir: Path, *, base: HouseRules, database_url: str | None = None) -> Store:
    """Open a data folder, made if it is not there, and bring its database up to date.

    Args:
        data_dir: the folder.
        base: the rules that fill switches which an old game does not name.
        database_url: another database than the folder's own SQLite file, as in ``postgresql://user@host/name``.

    Raises:
        StoreUnusable: the folder cannot be written, or the database cannot be opened or was made by a newer program.
    """
    folder = DataFolder.at(data_dir)
    engine = open_database(database_url or folder.database_url)
    return Store(folder, DatabaseJournal(engine, EventText(base)), FolderPictures(folder.pictures), engine)
