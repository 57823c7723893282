"""One physical tile through time: where it lies on the table's map, how surely it is there, and what its halves show.

Readings of one tile from one camera err alike: the glare that hides a pip now hid it a second ago. So n looks are worth
n / (1 + (n - 1) * sameness) independent ones, not n. And old looks fade, so that a tile that was exchanged is noticed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.sightings import Detection
from companion.table.seen import Array, Points

_FLOOR = 1e-4
"""Mixed into every reading: no single look is believed beyond 1 : 10,000."""


@dataclass(frozen=True, slots=True)
class TrackParameters:
    """How looks add up."""

    sameness: float = 0.5
    """Correlation of the errors of two looks at one tile."""
    window: int = 8
    """Looks that count; older ones fade."""
    steady: int = 6
    """Looks over which the place is averaged."""
    most_doubt: float = 6.0
    """Bound of the log of odds that a tile lies there at all, so that one that was taken away is given up in time."""


@dataclass(frozen=True, slots=True, eq=False)
class TileTrack:
    """A tile on the map.

    Attributes:
        number: its name in this watch.
        corners: (4,) complex, in tile widths; 0 and 1 bound half a.
        logs: (2, 19) mean log probability of each value of halves a and b over the looks.
        looks: how many fresh readings it has had, `hits` in how many frames it was seen.
        misses: frames in a row in which it should have been seen and was not.
        odds: log of odds that a tile lies there.
        since: the first frame in which it lies as it does now.
        last: the last frame in which it was seen.
        told: its ends as a person gave them, or None.
    """

    number: int
    corners: Points
    logs: Array
    looks: int
    hits: int
    misses: int
    odds: float
    since: int
    last: int
    told: tuple[int, int] | None = None

    @classmethod
    def begin(cls, number: int, corners: Points, seen: Detection, *, since: int, frame: int) -> TileTrack:
        """A track from its first sighting."""
        return cls(number, corners, log_readings(seen), 1, 1, 0, _odds(seen.score), since, frame)

    @property
    def centre(self) -> complex:
        """Middle of the tile."""
        return complex(self.corners.mean())

    def values(self, parameters: TrackParameters) -> Array:
        """Probabilities (2, 19) of both halves, all looks together."""
        if self.told is not None:
            sure = np.full((2, self.logs.shape[1]), _FLOOR)
            sure[[0, 1], list(self.told)] = 1.0
            return np.asarray(sure / sure.sum(1, keepdims=True))
        worth = self.looks / (1 + (self.looks - 1) * parameters.sameness)
        logs = worth * self.logs
        share = np.exp(logs - logs.max(1, keepdims=True))
        return np.asarray(share / share.sum(1, keepdims=True))

    def read(self, parameters: TrackParameters) -> tuple[int, int]:
        """The likeliest values of both halves by themselves."""
        a, b = self.values(parameters).argmax(1)
        return int(a), int(b)

    def seen(
        self, corners: Points, detection: Detection, *, frame: int, fresh: bool, parameters: TrackParameters
    ) -> TileTrack:
        """The track after another sighting; a tile that is not `fresh` was not looked at again.

        `corners` may name the halves the other way round: the nearer way counts.
        """
        if not fresh:
            return replace(self, hits=self.hits + 1, misses=0, last=frame)
        logs = log_readings(detection)
        if is_turned(self.corners, corners):
            corners, logs = np.roll(corners, 2), logs[::-1]
        count = min(self.looks + 1, parameters.window)
        weight = 1 / min(self.looks + 1, parameters.steady)
        moved = np.abs(corners - self.corners).max() > 0.5 and _same_shape(corners, self.corners)
        return replace(
            self,
            corners=corners if moved else self.corners + weight * (corners - self.corners),
            logs=self.logs + (logs - self.logs) / count,
            looks=count,
            hits=self.hits + 1,
            misses=0,
            odds=min(self.odds + max(_odds(detection.score), 0.0), parameters.most_doubt),
            last=frame,
        )

    def missed(self) -> TileTrack:
        """The track after a frame in which it should have been seen and was not."""
        return replace(self, misses=self.misses + 1, odds=self.odds - 1.5)

    def moved_to(self, corners: Points, *, since: int) -> TileTrack:
        """The same tile in another place."""
        if is_turned(self.corners, corners):
            corners = np.roll(corners, 2)
        return replace(self, corners=corners, since=since)


def log_readings(seen: Detection) -> Array:
    """Log probabilities (2, 19) of a detection's halves, softened."""
    shares = np.array([half.probabilities for half in seen.readings], dtype=np.float64)
    shares = (1 - _FLOOR) * shares + _FLOOR / shares.shape[1]
    return np.asarray(np.log(shares))


def is_turned(one: Points, two: Points) -> bool:
    """Whether the same tile's corners are numbered from the other end."""
    return bool(np.abs(two - one).sum() > np.abs(np.roll(two, 2) - one).sum())


def _same_shape(one: Points, two: Points) -> bool:
    """Whether two quads are as long and as wide as each other, so that one is the other moved and not cut short."""
    edges = [np.abs(np.roll(corners, -1) - corners) for corners in (one, two)]
    return bool(np.abs(edges[0] - edges[1]).max() < 0.3)


def _odds(score: float) -> float:
    return float(np.log((score + 0.02) / (1.02 - score)))


Mask = NDArray[np.bool_]
