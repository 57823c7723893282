"""The plane of the table, found from the tiles themselves.

All tiles of a set have one size and are twice as long as wide. That fixes what a picture does to the table: a projective
map with four numbers that matter (two for the vanishing line, two for the squeeze) and the tile's size. They are fitted to
all quads at once, so that in the plane every tile is a rectangle of 1 x 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.sightings import Quad

Array = NDArray[np.float64]

_TEMPLATE = np.array([-0.5 - 1j, 0.5 - 1j, 0.5 + 1j, -0.5 + 1j])
"""Corners of a tile of 1 x 2 with half a up, as complex numbers x + iy, y downwards as in pictures (so clockwise)."""


@dataclass(frozen=True, slots=True)
class PlaneParameters:
    """How the plane is fitted; lengths in widths of a tile."""

    outlier: float = 0.12
    """Corner error from which a corner counts less and less: about three times that of a good quad."""
    tilt_sigma: float = 0.5
    """Expected change of scale over the tiles' spread; only where few tiles say little does it matter."""
    squeeze_sigma: float = 0.35
    """Expected squeeze (log of stretch): a picture from 45 degrees has 0.17, one from 60 degrees 0.35."""
    ratio_sigma: float = 0.02
    """Sets differ a little from 2 : 1."""
    corner_sigma: float = 0.05
    """Corner error of an ordinary quad; weighs the tiles against the expectations above."""
    rounds: int = 12
    """Steps of the fit; it stops before when nothing moves."""
    settled: float = 1e-4
    """A step smaller than this ends the fit."""


@dataclass(frozen=True, slots=True)
class Plane:
    """A map from the picture to the table, where a tile is 1 wide and 2 long.

    `matrix` is a 3 x 3 homography for column vectors (x, y, 1) in pixels; `error` the median corner error in tile widths.
    """

    matrix: Array
    error: float

    def to_table(self, points_px: Array) -> Array:
        """Map points (..., 2) in pixels to the table."""
        return _apply(self.matrix, points_px)

    def to_picture(self, points: Array) -> Array:
        """Map points (..., 2) of the table to pixels."""
        return _apply(np.asarray(np.linalg.inv(self.matrix), dtype=np.float64), points)


def _apply(matrix: Array, points: Array) -> Array:
    lifted = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(lifted[..., :2] / lifted[..., 2:])


@dataclass(slots=True)
class _Fit:
    """The corners of all tiles, moved and scaled to the unit circle (n, 4), and what is fitted.

    State: tilt (2), squeeze (2), log of the tile's width, log of (length / width / 2).
    """

    corners: NDArray[np.complex128]
    parameters: PlaneParameters
    state: Array = field(default_factory=lambda: np.zeros(6))

    def flatten(self, states: Array) -> NDArray[np.complex128]:
        """The corners (k, n, 4) in the planes that states (k, 6) describe."""
        z = self.corners
        tilt_x, tilt_y, squeeze_x, squeeze_y = states[:, :4].T[..., None, None]
        z = z / np.maximum(1 + tilt_x * z.real + tilt_y * z.imag, 0.05)
        stretch = np.hypot(squeeze_x, squeeze_y)
        turn = (squeeze_x + 1j * squeeze_y) / np.maximum(stretch, 1e-12)
        # the exponential of a symmetric matrix without trace, so that no direction of the picture is special
        return np.asarray(np.cosh(stretch) * z + np.sinh(stretch) * turn * z.conj())

    def residuals(self, states: Array) -> Array:
        """Corner errors in tile widths (k, n * 4 * 2)."""
        flat = self.flatten(states) / np.exp(states[:, 4, None, None])
        centred = flat - flat.mean(2, keepdims=True)
        template = _TEMPLATE.real + 1j * _TEMPLATE.imag * np.exp(states[:, 5, None])
        turn = (centred * template.conj()[:, None]).sum(2, keepdims=True)
        turn /= np.maximum(np.abs(turn), 1e-12)
        off = (centred - turn * template[:, None]).reshape(len(states), -1)
        return np.concatenate([off.real, off.imag], axis=1)

    def solve(self) -> None:
        """Gauss-Newton with weights that fall for far corners (soft L1), damped where a step does not help."""
        p = self.parameters
        sigmas = np.array([p.tilt_sigma, p.tilt_sigma, p.squeeze_sigma, p.squeeze_sigma, 10.0, p.ratio_sigma])
        damping, state = 1e-3, self.state
        off, cost = self._cost(state, sigmas)
        for _ in range(p.rounds):
            slopes = (self.residuals(state + np.eye(6) * 1e-5) - off).T / 1e-5
            weight = 1 / np.sqrt(1 + (off / p.outlier) ** 2) / p.corner_sigma**2
            normal = slopes.T @ (weight[:, None] * slopes) + np.diag(1 / sigmas**2)
            step = -np.linalg.solve(
                normal + damping * np.diag(np.diag(normal)), slopes.T @ (weight * off) + state / sigmas**2
            )
            new_off, new_cost = self._cost(state + step, sigmas)
            if new_cost > cost:
                damping *= 10
                continue
            damping, state, off, gain, cost = damping / 5, state + step, new_off, cost - new_cost, new_cost
            if np.abs(step).max() < p.settled or gain < p.settled * cost:
                break
        self.state = state

    def _cost(self, state: Array, sigmas: Array) -> tuple[Array, float]:
        (off,) = self.residuals(state[None])
        p = self.parameters
        robust = (np.sqrt(1 + (off / p.outlier) ** 2) - 1).sum() * (p.outlier / p.corner_sigma) ** 2
        return off, float(robust + 0.5 * ((state / sigmas) ** 2).sum())


def fit_plane(quads_px: Sequence[Quad], parameters: PlaneParameters | None = None) -> Plane:
    """Find the plane in which every quad is a rectangle of 1 x 2.

    One tile already fixes it, loosely; what few tiles leave open is filled with "seen nearly from above".

    Raises:
        ValueError: there is no quad.
    """
    if not quads_px:
        raise ValueError("no tile, no plane")
    corners = np.asarray(quads_px, dtype=np.float64)
    centre = corners.mean((0, 1))
    spread = float(np.sqrt(((corners - centre) ** 2).sum(-1).mean())) or 1.0
    flat = (corners - centre) / spread
    fit = _Fit(flat[..., 0] + 1j * flat[..., 1], parameters or PlaneParameters())
    fit.state[4] = np.log(max(float(np.median(np.abs(fit.corners[:, 1] - fit.corners[:, 0]))), 1e-6))
    fit.solve()
    error = float(np.median(np.abs(fit.residuals(fit.state[None]))))
    return Plane(_matrix(fit.state, centre, spread), error)


def _matrix(state: Array, centre: Array, spread: float) -> Array:
    """The homography that a state and the normalisation make together."""
    norm = np.array([[1 / spread, 0, -centre[0] / spread], [0, 1 / spread, -centre[1] / spread], [0, 0, 1]])
    tilt = np.array([[1, 0, 0], [0, 1, 0], [state[0], state[1], 1]])
    stretch = float(np.hypot(state[2], state[3]))
    u, v = (state[2:4] / stretch * np.sinh(stretch)) if stretch > 1e-12 else (0.0, 0.0)
    size = np.exp(-state[4])
    squeeze = np.array([[np.cosh(stretch) + u, v, 0], [v, np.cosh(stretch) - u, 0], [0, 0, 1]])
    return np.asarray(np.diag([size, size, 1.0]) @ squeeze @ tilt @ norm)
