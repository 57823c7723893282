"""Learning a set in the background: a process of its own, one at a time, with its progress and how it ended."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO

from companion.errors import CompanionError
from companion.session.examples import LabelledPicture
from companion.session.learning import LearningNow, Stage

NICENESS = 10
"""Learning takes minutes and may take longer; photos and pages come first."""


class LearningDesk:
    """Learns one set at a time. Safe to share between threads."""

    def __init__(self, models_dir: Path, learned_file: Path, picture: Callable[[str], bytes]) -> None:
        """`picture` gives the bytes of a picture by its id."""
        self._models_dir = models_dir
        self._learned_file = learned_file
        self._picture = picture
        self._lock = threading.Lock()
        self._now = LearningNow()
        self._stop: Callable[[], None] | None = None

    def now(self) -> LearningNow:
        """How it goes."""
        return self._now

    def in_use(self) -> bool:
        """Whether photos are read with something that was learned."""
        return self._learned_file.exists()

    def missing(self, labelled: Sequence[LabelledPicture]) -> tuple[int, ...]:
        """The values that are not shown often enough yet: each has to be seen twice."""
        counts: dict[int, int] = {}
        for shown in labelled:
            for tile in shown.tiles:
                for end in tile.ends:
                    counts[end] = counts.get(end, 0) + 1
        highest = max((shown.highest for shown in labelled), default=-1)
        return tuple(value for value in range(highest + 1) if counts.get(value, 0) < 2)

    def start(self, labelled: Sequence[LabelledPicture]) -> bool:
        """Begin; False if it is at it already."""
        with self._lock:
            if self._now.stage is Stage.RUNNING:
                return False
            self._now = LearningNow(Stage.RUNNING)
        pictures = {shown.picture: self._picture(shown.picture) for shown in labelled}
        context = get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(
            target=_learn, args=(theirs, self._models_dir, self._learned_file, tuple(labelled), pictures), daemon=True
        )
        process.start()
        theirs.close()
        self._stop = process.terminate
        threading.Thread(target=self._follow, args=(ours,), daemon=True).start()
        return True

    def stop(self) -> None:
        """Stop; photos are read as before."""
        with self._lock:
            if self._now.stage is not Stage.RUNNING or self._stop is None:
                return
            self._now = replace(self._now, stage=Stage.STOPPED)
        self._stop()

    def forget(self) -> None:
        """Read as the program came."""
        self._learned_file.unlink(missing_ok=True)

    def export(self, labelled: Sequence[LabelledPicture], target: IO[bytes]) -> int:
        """Write the labelled pictures as a data set; how many were written."""
        from companion.vision.adapt_export import export_examples

        return export_examples(labelled, self._picture, target)

    def _follow(self, told: Connection) -> None:
        """Take in what the process tells until it ends."""
        try:
            while self._now.stage is Stage.RUNNING:
                now: LearningNow = told.recv()
                with self._lock:
                    if self._now.stage is Stage.RUNNING:
                        self._now = now
        except EOFError:
            with self._lock:
                if self._now.stage is Stage.RUNNING:
                    self._now = replace(self._now, stage=Stage.FAILED, trouble="The learning process ended.")
        finally:
            told.close()


def _learn(
    told: Connection, models_dir: Path, learned_file: Path, labelled: tuple[LabelledPicture, ...],
    pictures: dict[str, bytes],
) -> None:  # fmt: skip
    """Learn in this process and tell how it goes."""
    from companion.vision.adapt_file import LearnedSet
    from companion.vision.adapt_set import SetLearning
    from companion.vision.models import load_network

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICENESS)
    try:
        network = load_network(models_dir, "values")
        learning = SetLearning(lambda: network, LearnedSet(learned_file, network.sha256), pictures.__getitem__)
        lesson = learning.learn(labelled, progress=lambda share: told.send(LearningNow(Stage.RUNNING, share)))
    except CompanionError as error:
        told.send(LearningNow(Stage.FAILED, trouble=str(error)))
        return
    compared = lesson.comparison
    wrong = int(compared.wrong[0]), int(compared.wrong[1])
    told.send(LearningNow(Stage.DONE, 1.0, lesson.used, compared.halves, wrong))
