"""The settings: one table of names, defaults and help, read from the environment once.

>>> settings_from({"COMPANION_MODELS_DIR": "weights"}).models_dir
PosixPath('weights')
>>> settings_from({}).models_dir is None
True
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import CompanionError

PREFIX = "COMPANION_"


class BadSetting(CompanionError):
    """A setting that does not exist; the message names the nearest one that does."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One row of the table. The environment calls it `COMPANION_` and its name in capitals."""

    name: str
    default: str
    help: str
    read: Callable[[str], object] = Path

    @property
    def variable(self) -> str:
        """What the environment calls it."""
        return PREFIX + self.name.upper()


TABLE = (
    Setting(
        "models_dir", "", "Folder of the weights and their manifest.toml. Empty: those that came with the program."
    ),
    Setting("samples_dir", "", "Folder of the sample pictures. Empty: those that came with the program."),
    Setting("data_dir", "", "Folder in which games and photos are kept. Empty: the user's own, as the system has it."),
    Setting(
        "database_url",
        "",
        "Another database for the games, as in postgresql://user@host/name. Empty: a file in the data folder.",
        read=str,
    ),
)

NOT_SETTINGS = frozenset({"COMPANION_SHARED", "COMPANION_TEST_POSTGRES"})
"""Names with the prefix that belong to the tests (where labelled photos lie, a database to try) and are left alone."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The table's values. None means: what came with the program, or what the system has for it."""

    models_dir: Path | None = None
    samples_dir: Path | None = None
    data_dir: Path | None = None
    database_url: str | None = None


def settings_from(environ: Mapping[str, str]) -> Settings:
    """Read the settings.

    Raises:
        BadSetting: a name with the prefix is in no row of the table; a misspelt setting that is silently ignored costs
            hours.
    """
    known = {setting.variable: setting for setting in TABLE}
    for variable in environ:
        if variable.startswith(PREFIX) and variable not in known and variable not in NOT_SETTINGS:
            near = difflib.get_close_matches(variable, known, n=1, cutoff=0.75)
            hint = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(known)}."
            raise BadSetting(f"There is no setting {variable}. {hint}")
    values: dict[str, Any] = {}
    for setting in TABLE:
        text = environ.get(setting.variable) or setting.default
        values[setting.name] = setting.read(text) if text else None
    return Settings(**values)
