"""Learning a set while the game goes on: how it goes, and what does it (a port; the networks are not the session's)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import IO, Protocol

from companion.session.examples import LabelledPicture


class Stage(StrEnum):
    """Where learning stands."""

    IDLE = "idle"
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class LearningNow:
    """How learning goes.

    Attributes:
        stage: where it stands.
        share: how much is done (0..1).
        used: whether what was learned reads better and is used, once it is done.
        halves: how many held-back halves it was measured on.
        wrong: how many of their views were misread before and after.
        trouble: why it failed.
    """

    stage: Stage = Stage.IDLE
    share: float = 0.0
    used: bool = False
    halves: int = 0
    wrong: tuple[int, int] = (0, 0)
    trouble: str = ""


class LearnsSets(Protocol):
    """Learns a family's set in the background, one at a time."""

    def now(self) -> LearningNow:
        """How it goes."""
        ...

    def in_use(self) -> bool:
        """Whether photos are read with something that was learned."""
        ...

    def missing(self, labelled: Sequence[LabelledPicture]) -> tuple[int, ...]:
        """The values that are not shown often enough yet."""
        ...

    def start(self, labelled: Sequence[LabelledPicture]) -> bool:
        """Begin; False if it is at it already."""
        ...

    def stop(self) -> None:
        """Stop; photos are read as before."""
        ...

    def forget(self) -> None:
        """Read as the program came."""
        ...

    def export(self, labelled: Sequence[LabelledPicture], target: IO[bytes]) -> int:
        """Write the labelled pictures as a data set; how many were written."""
        ...
