"""What was learned of a set, in a file: read when a photo is read, so that every process sees a new lesson with its next photo."""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from companion.errors import CompanionError
from companion.vision.adapt import Comparison
from companion.vision.values import SetHead


@dataclass(frozen=True, slots=True)
class Lesson:
    """What came of learning a set.

    Attributes:
        set_name: what the family calls the set; empty: nothing.
        pictures: how many pictures were learned from.
        comparison: held-back halves read without and with it.
        used: whether it is used from now on: only if it is better.
    """

    set_name: str
    pictures: int
    comparison: Comparison
    used: bool


class LearnedSet:
    """The file of a lesson that is used. It fits one network only; with another it counts as not there."""

    def __init__(self, path: Path, network: str) -> None:
        """`network` is the sha256 of the value network."""
        self._path = path
        self._network = network
        self._read: tuple[int, tuple[SetHead, Lesson] | None] = (-1, None)

    def head(self) -> SetHead | None:
        """The correction to read with; None if nothing was learned."""
        found = self._look()
        return None if found is None else found[0]

    def lesson(self) -> Lesson | None:
        """What the correction was learned from; None if nothing was learned."""
        found = self._look()
        return None if found is None else found[1]

    def keep(self, head: SetHead, lesson: Lesson) -> None:
        """Use a correction from now on.

        Raises:
            CompanionError: it could not be written; what was used before still is.
        """
        about = json.dumps({"network": self._network, **asdict(lesson)})
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle, beside = tempfile.mkstemp(dir=self._path.parent, suffix=".part")
            try:
                with os.fdopen(handle, "wb") as file:
                    np.savez(file, weights=head.weights, bias=head.bias, about=np.array(about))
                    file.flush()
                    os.fsync(file.fileno())
                Path(beside).replace(self._path)
            except BaseException:
                Path(beside).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise CompanionError(
                f"What was learned could not be written to {self._path.parent} ({error.strerror}). Make room there, then "
                "learn the set again."
            ) from error

    def forget(self) -> None:
        """Read as the program came."""
        self._path.unlink(missing_ok=True)

    def _look(self) -> tuple[SetHead, Lesson] | None:
        try:
            written = self._path.stat().st_mtime_ns
        except OSError:
            written = -1
        if written != self._read[0]:
            self._read = (written, self._open() if written >= 0 else None)
        return self._read[1]

    def _open(self) -> tuple[SetHead, Lesson] | None:
        """The file's lesson; None for one that fits another network or is damaged: reading then goes on as it came."""
        try:
            with np.load(self._path, allow_pickle=False) as data:
                about = json.loads(str(data["about"]))
                if about.pop("network") != self._network:
                    return None
                compared = about.pop("comparison")
                comparison = Comparison(
                    compared["halves"],
                    compared["views"],
                    (compared["wrong"][0], compared["wrong"][1]),
                    (compared["surprise"][0], compared["surprise"][1]),
                    compared["better"],
                )
                head = SetHead(np.asarray(data["weights"], np.float64), np.asarray(data["bias"], np.float64))
                return head, Lesson(comparison=comparison, **about)
        except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
            return None
