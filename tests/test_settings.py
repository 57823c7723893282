"""Settings from an environment, and what the workshop makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import CompanionError, ModelMissing
from companion.settings import TABLE, BadSetting, Settings, settings_from
from companion.wiring import ReadsPhotos, Workshop


def test_nothing_set_means_what_came_with_the_program() -> None:
    assert settings_from({}) == Settings(models_dir=None, samples_dir=None)
    assert settings_from({"PATH": "/bin", "COMPANION_MODELS_DIR": ""}) == Settings()


def test_each_row_of_the_table_reaches_its_field() -> None:
    environ = {setting.variable: f"/somewhere/{setting.name}" for setting in TABLE}
    settings = settings_from(environ)
    for setting in TABLE:
        assert getattr(settings, setting.name) == setting.read(f"/somewhere/{setting.name}")
    assert settings.data_dir == Path("/somewhere/data_dir")
    assert settings.database_url == "/somewhere/database_url"


def test_an_unknown_name_is_an_error_that_names_the_nearest() -> None:
    with pytest.raises(BadSetting, match="Did you mean COMPANION_MODELS_DIR"):
        settings_from({"COMPANION_MODEL_DIR": "x"})
    with pytest.raises(BadSetting, match="There are: COMPANION_MODELS_DIR, COMPANION_SAMPLES_DIR, COMPANION_DATA_DIR"):
        settings_from({"COMPANION_": "x"})


def test_the_name_that_tests_use_is_left_alone() -> None:
    assert settings_from({"COMPANION_SHARED": "/photos"}) == Settings()


def test_the_reader_is_loaded_late_and_once(tmp_path: Path) -> None:
    loaded: list[Path] = []

    class Reader:
        def read(self, image_bgr: object, *, set_highest: int | None) -> None: ...

    def load(models_dir: Path) -> ReadsPhotos:
        loaded.append(models_dir)
        return Reader()  # type: ignore[return-value]

    workshop = Workshop(Settings(models_dir=tmp_path), load_reader=load)
    assert loaded == []
    assert workshop.reader() is workshop.reader()
    assert loaded == [tmp_path]


def test_missing_folders_are_errors_that_name_the_setting(tmp_path: Path) -> None:
    workshop = Workshop.from_environment(
        {"COMPANION_MODELS_DIR": str(tmp_path / "m"), "COMPANION_SAMPLES_DIR": str(tmp_path / "s")}
    )
    with pytest.raises(ModelMissing, match="COMPANION_MODELS_DIR"):
        workshop.reader()
    with pytest.raises(CompanionError, match="COMPANION_SAMPLES_DIR"):
        workshop.sample_photos()


def test_the_samples_of_the_checkout_are_found() -> None:
    assert Path("hand.jpg") in {Path(path.name) for path in Workshop(Settings()).sample_photos()}
