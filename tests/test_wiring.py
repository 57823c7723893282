"""The composition root: what a door gets from the settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import CompanionError
from companion.session.answers import Done
from companion.session.events import Command
from companion.settings import Settings
from companion.wiring import Workshop


def test_a_session_keeps_its_games_in_the_data_folder(tmp_path: Path) -> None:
    workshop = Workshop(Settings(data_dir=tmp_path / "data"))
    assert not (tmp_path / "data").exists()  # nothing is made before it is asked for
    session = workshop.session()
    assert workshop.session() is session
    assert isinstance(session.games.start(Command("a"), players=["Ann", "Ben"]), Done)
    again = Workshop(Settings(data_dir=tmp_path / "data")).session()
    assert [game.names for game in again.games.list()] == [("Ann", "Ben")]


def test_a_folder_that_is_named_goes_before_the_environment(tmp_path: Path) -> None:
    environ = {"COMPANION_DATA_DIR": str(tmp_path / "environment")}
    assert Workshop.from_environment(environ).data_dir() == tmp_path / "environment"
    assert Workshop.from_environment(environ, data_dir=tmp_path / "named").data_dir() == tmp_path / "named"


def test_without_a_setting_the_data_lies_where_the_system_has_it() -> None:
    assert "mexican-train-companion" in str(Workshop(Settings()).data_dir())


def test_a_database_that_is_none_is_said_in_words(tmp_path: Path) -> None:
    workshop = Workshop(Settings(data_dir=tmp_path, database_url="nonsense"))
    with pytest.raises(CompanionError, match="address of the database is none"):
        workshop.session()


def test_pictures_that_are_put_are_there_for_the_next_program(tmp_path: Path) -> None:
    picture = Workshop(Settings(data_dir=tmp_path)).session().pictures.put(b"a photo")
    assert Workshop(Settings(data_dir=tmp_path)).session().pictures.get(picture) == b"a photo"
