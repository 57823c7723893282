"""The composition root: settings in, working parts out. Nothing is loaded before it is asked for, and then once."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import platformdirs

from companion.errors import CompanionError, ModelMissing
from companion.settings import Settings, settings_from

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.session.session import Session
    from companion.sightings import PhotoReading

_PACKAGE = Path(__file__).parent
_PICTURE_ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic"})


class ReadsPhotos(Protocol):
    """What scoring needs from a reader of photos."""

    def read(self, image_bgr: NDArray[np.uint8], *, set_highest: int | None) -> PhotoReading:
        """Read an upright picture; `set_highest` None finds the set out. Raises UnusablePhoto."""
        ...


class Workshop:
    """Hands out the parts that a door needs, made from the settings when they are first asked for."""

    def __init__(self, settings: Settings, *, load_reader: Callable[[Path], ReadsPhotos] | None = None) -> None:
        self._settings = settings
        self._load_reader = load_reader or _load_photo_reader
        self._reader: ReadsPhotos | None = None
        self._session: Session | None = None

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None, *, data_dir: Path | None = None) -> Workshop:
        """Read the settings from the environment (the process's own unless another is given); `data_dir` goes before it."""
        settings = settings_from(os.environ if environ is None else environ)
        return cls(settings if data_dir is None else replace(settings, data_dir=data_dir))

    def reader(self) -> ReadsPhotos:
        """The reader of photos.

        Raises:
            ModelMissing: the weights are not there or not those that the manifest names.
        """
        if self._reader is None:
            self._reader = self._load_reader(self.models_dir())
        return self._reader

    def session(self) -> Session:
        """The session of the data folder, which is made if it is not there.

        Raises:
            CompanionError: the folder cannot be written, or its database cannot be opened.
        """
        if self._session is None:
            self._session = _open_session(self.data_dir(), self._settings.database_url)
        return self._session

    def data_dir(self) -> Path:
        """The folder in which games and photos are kept."""
        return self._settings.data_dir or platformdirs.user_data_path("mexican-train-companion", appauthor=False)

    def learned_file(self) -> Path:
        """Where what was learned of the family's set is kept, if it was."""
        return self.data_dir() / "learned" / "set.npz"

    def models_dir(self) -> Path:
        """The folder that holds the weights.

        Raises:
            ModelMissing: there is none.
        """
        chosen = self._settings.models_dir or _carried("_models", "models")
        if not chosen.is_dir():
            raise ModelMissing(
                f"There are no weights in {chosen}. Install the program again, or set COMPANION_MODELS_DIR."
            )
        return chosen

    def sample_photos(self) -> tuple[Path, ...]:
        """The sample pictures, by name.

        Raises:
            CompanionError: there are none.
        """
        folder = self._settings.samples_dir or _carried("_samples", "datasets/samples")
        found = sorted(path for path in folder.glob("*") if path.suffix.lower() in _PICTURE_ENDINGS)
        if not found:
            raise CompanionError(f"There are no sample pictures in {folder}. Set COMPANION_SAMPLES_DIR.")
        return tuple(found)


def _carried(in_wheel: str, in_checkout: str) -> Path:
    """Data that a wheel carries inside the package and a checkout keeps beside it."""
    inside = _PACKAGE / in_wheel
    return inside if inside.is_dir() else _PACKAGE.parent / in_checkout


def _open_session(data_dir: Path, database_url: str | None) -> Session:
    from companion.rules.presets import standard_book
    from companion.session.session import Session
    from companion.store import open_store
    from companion.store.bell import ThreadBell
    from companion.store.clock import SystemClock

    book = standard_book()
    store = open_store(data_dir, base=book["base"].rules, database_url=database_url)
    store.pictures.tidy()
    return Session(journal=store.journal, pictures=store.pictures, clock=SystemClock(), bell=ThreadBell(), book=book)


def _load_photo_reader(models_dir: Path) -> ReadsPhotos:
    from companion.vision.reader import PhotoReader

    return PhotoReader.load(models_dir)
