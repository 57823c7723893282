"""Learn my set: from the tiles that people vouched for to a reader that is tuned to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.errors import CompanionError
from companion.session.examples import LabelledPicture
from companion.vision.adapt import AdaptParameters, Seen, compare, fit_head, missing_values
from companion.vision.adapt_file import LearnedSet, Lesson
from companion.vision.adapt_views import ViewParameters, Views, views_of
from companion.vision.models import Network
from companion.vision.opening import open_picture
from companion.vision.rectify import Pyramid
from companion.vision.values import FEATURES

Array = NDArray[np.float64]

MOST_PICTURES = 60
"""The newest are learned from; more would only take longer."""
BATCH = 64
"""Halves in one run of the network."""
_SEED = 7
"""The views are drawn at random, and the same each time: the same photos always teach the same."""

Progress = Callable[[float], None]
"""Told how much is done, 0 to 1."""


class TooFewExamples(CompanionError):
    """Some values of the set are not shown often enough; `values` names them."""

    def __init__(self, values: Sequence[int]) -> None:
        self.values = tuple(values)
        super().__init__(
            f"These values are not shown twice yet: {', '.join(map(str, values))}. Photograph tiles that have them (the "
            "doubles show each value twice), check them, and learn again."
        )


class LearningStopped(CompanionError):
    """Somebody stopped it; what was used before still is."""

    def __init__(self) -> None:
        super().__init__("Learning was stopped. Photos are read as before.")


@dataclass(frozen=True)
class SetLearning:
    """Learns a set.

    Attributes:
        network: loads the value network.
        learned: where the lesson is kept.
        picture: the bytes of a picture by its id; a `KeyError` if there is none.
    """

    network: Callable[[], Network]
    learned: LearnedSet
    picture: Callable[[str], bytes]
    views: ViewParameters = field(default_factory=ViewParameters)
    parameters: AdaptParameters = field(default_factory=AdaptParameters)

    def missing(self, labelled: Sequence[LabelledPicture]) -> tuple[int, ...]:
        """The values of the set that are not shown often enough to learn it."""
        values = np.array([end for shown in labelled for tile in shown.tiles for end in tile.ends], np.int64)
        highest = max((shown.highest for shown in labelled), default=0)
        return missing_values(values, highest, self.parameters)

    def learn(
        self,
        labelled: Sequence[LabelledPicture],
        *,
        set_name: str = "",
        progress: Progress = lambda share: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Lesson:
        """Learn from labelled pictures, and use what was learned if it reads held-back halves better.

        Args:
            labelled: pictures with checked tiles, oldest first.
            set_name: what the family calls the set.
            progress: told now and then how much is done.
            stopped: asked now and then whether to stop.

        Raises:
            TooFewExamples: a value of the set is not shown twice.
            LearningStopped: `stopped` said so.
            CompanionError: the lesson could not be written.
        """
        chosen = labelled[-MOST_PICTURES:]
        if missing := self.missing(chosen):
            raise TooFewExamples(missing)

        def step(share: float) -> None:
            if stopped():
                raise LearningStopped
            progress(share)

        seen = self._see(chosen, step)
        comparison = compare(
            seen, self.parameters, after_fold=lambda fold: step(0.8 + 0.15 * fold / self.parameters.folds)
        )
        lesson = Lesson(set_name, len(chosen), comparison, used=comparison.better)
        if lesson.used:
            head = fit_head(seen, self.parameters)
            step(1.0)
            self.learned.keep(head, lesson)
        progress(1.0)
        return lesson

    def _see(self, labelled: Sequence[LabelledPicture], step: Progress) -> Seen:
        """What the network says to all views of all halves."""
        rng = np.random.default_rng(_SEED)
        network = self.network()
        parts: list[Seen] = []
        half = 0
        for number, shown in enumerate(labelled):
            views = self._views(shown, rng)
            logits, features = look(network, views)
            parts.append(Seen(logits, features, views.values, views.half + half))
            half += int(views.half.max()) + 1 if len(views.half) else 0
            step(0.8 * (number + 1) / len(labelled))
        return Seen(
            np.concatenate([part.logits for part in parts]),
            np.concatenate([part.features for part in parts]),
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.half for part in parts]),
        )

    def _views(self, shown: LabelledPicture, rng: np.random.Generator) -> Views:
        picture = Pyramid(open_picture(self.picture(shown.picture)))
        tiles = [(np.array(tile.quad_px, np.float64), tile.ends) for tile in shown.tiles]
        return views_of([(picture, tiles)], rng, self.views)


def look(network: Network, views: Views) -> tuple[Array, Array]:
    """The network's logits (n, 19) and features (n, f) for crops of halves.

    Raises:
        CompanionError: the weights are too old to be learned on.
    """
    logits: list[Array] = []
    features: list[Array] = []
    for start in range(0, len(views.crops), BATCH):
        crops = views.crops[start : start + BATCH]
        odd = len(crops) % 2  # the network takes the two halves of a tile together
        outputs = network.read_crops(np.concatenate([crops, crops[len(crops) - odd :]]))
        if len(outputs) <= FEATURES:
            raise CompanionError("These weights cannot be tuned to a set: install those that come with the program.")
        logits.append(outputs[0][: len(crops)].astype(np.float64))
        features.append(outputs[FEATURES][: len(crops)].astype(np.float64))
    return np.concatenate(logits), np.concatenate(features)
