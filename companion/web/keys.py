"""Who may come in: the table's code, the host's key and the secret that signs cookies, kept in one small file."""

from __future__ import annotations

import json
import os
import secrets
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from hmac import compare_digest
from pathlib import Path

from companion.errors import CompanionError

CODE_DIGITS = 6
"""Digits are typed on a phone's number pad and read aloud across a table; a million codes against ten tries a minute."""


class KeysUnreadable(CompanionError):
    """The file of the keys cannot be read or written."""


@dataclass(frozen=True, slots=True)
class TableKeys:
    """What lets people in.

    Attributes:
        code: what phones join with.
        host_key: what makes a browser the host's; it stands in the address that `companion serve` opens.
        secret: signs the cookies.
        turn: counts the changes of the code, so that a cookie of an older code opens nothing.
    """

    code: str
    host_key: str
    secret: str
    turn: int = 1

    @classmethod
    def fresh(cls, draw_digit: Callable[[int], int] = secrets.randbelow) -> TableKeys:
        """New keys from a source of random digits."""
        return cls(_new_code(draw_digit), secrets.token_urlsafe(24), secrets.token_hex(32))


def _new_code(draw_digit: Callable[[int], int]) -> str:
    return "".join(str(draw_digit(10)) for _ in range(CODE_DIGITS))


class KeyRing:
    """The keys of one table; with a path they outlast a restart, so that phones stay joined."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._keys = self._read() or TableKeys.fresh()
        self._write(self._keys)

    @property
    def keys(self) -> TableKeys:
        """The keys that count now."""
        return self._keys

    def opens(self, code: str) -> bool:
        """Whether this is the table's code; blanks between the digits do not matter."""
        return compare_digest("".join(code.split()).encode(), self._keys.code.encode())

    def is_host_key(self, key: str) -> bool:
        """Whether this is the host's key."""
        return compare_digest(key.encode(), self._keys.host_key.encode())

    def change_code(self) -> TableKeys:
        """Draw another code; who joined with the old one has to join again.

        Raises:
            KeysUnreadable: it cannot be written down; the old code still counts.
        """
        with self._lock:
            code = _new_code(secrets.randbelow)
            while code == self._keys.code:
                code = _new_code(secrets.randbelow)
            changed = replace(self._keys, code=code, turn=self._keys.turn + 1)
            self._write(changed)
            self._keys = changed
            return changed

    def _read(self) -> TableKeys | None:
        if self._path is None or not self._path.exists():
            return None
        try:
            return TableKeys(**json.loads(self._path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError) as error:
            raise KeysUnreadable(
                f"The table's keys in {self._path} cannot be read. Delete that file; phones then join anew."
            ) from error

    def _write(self, keys: TableKeys) -> None:
        if self._path is None:
            return
        beside = self._path.with_suffix(".new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            beside.unlink(missing_ok=True)
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                json.dump(asdict(keys), file)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self._path)
        except OSError as error:
            raise KeysUnreadable(f"The table's keys cannot be written to {self._path}: {error.strerror}.") from error
