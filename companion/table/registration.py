"""Put a frame on the map: find the homography from its pixels to the table by the tiles themselves.

Most often the camera has not moved, and the tiles lie where the last frame's map says. Otherwise every pair of a seen tile
and a known one that may show the same values proposes a motion (its place and its heading fix one); the motion that most
other pairs agree with wins, and is refined on the corners of all of them. No random draws: all pairs are tried.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from companion.table.plane import fit_plane
from companion.table.seen import Array, Points, as_quad

Pair = tuple[int, int]
"""A seen tile and a known one."""


@dataclass(frozen=True, slots=True)
class RegistrationParameters:
    """Lengths in tile widths, angles in radians."""

    near: float = 0.5
    """A tile this near to where it should lie is that tile."""
    heading: float = 0.35
    """And turned by no more than this."""
    still: float = 0.06
    """A median error below this needs no new homography: it is the corners' own noise."""
    agreeing: float = 0.5
    """Share of the known tiles in view that must be where the last frame's map says."""
    alike: float = 0.6
    """Share of the tiles in a known one's place that may be that one by their values, or the camera has moved after all."""
    vote_near: float = 0.9
    """How far a proposed motion, not refined yet, may miss another pair."""
    least_tiles: int = 2
    """Pairs that must agree with a motion of the camera."""
    least_likeness: float = 0.02
    """Pairs whose values agree less than this propose nothing."""
    surely_alike: float = 0.5
    """Pairs whose values agree this much are one tile."""
    few: int = 8
    """Fewer pairs leave a motion open enough to be bent for one more, `left_out` away."""
    left_out: float = 2.0
    homography_from: int = 4
    """From so many tiles on a full homography is fitted; fewer give a similarity, which noise cannot bend."""
    outlier: float = 0.4
    """Corners further off than this do not take part in the last fit."""


@dataclass(frozen=True, slots=True, eq=False)
class Registration:
    """`matrix` (3, 3) takes pixels of the frame to the map; `pairs` what was recognised; `moved` whether the camera did."""

    matrix: Array
    pairs: tuple[Pair, ...]
    moved: bool


@dataclass(frozen=True, slots=True, eq=False)
class KnownTiles:
    """Tiles on the map: `corners` (m, 4) complex, `values` (m, 2, 19), `movable` which are expected in this view."""

    corners: Points
    values: Array


def register(
    quads_px: Array, values: Array, known: KnownTiles, *, last: Array | None, in_view: NDArray[np.bool_],
    steady: bool = False, parameters: RegistrationParameters | None = None,
) -> Registration | None:  # fmt: skip
    """The homography from a frame to the map; None where too little is recognised.

    Args:
        quads_px: (n, 4, 2) corners of the seen tiles.
        values: (n, 2, 19) their readings.
        known: the map.
        last: the homography of the last frame, or None.
        in_view: (m,) which known tiles this frame would show if the camera had not moved.
        steady: whether the camera surely has not moved, whatever lies there.
        parameters: thresholds.
    """
    p = parameters or RegistrationParameters()
    if not len(quads_px) or not len(known.corners):
        return None if last is None else Registration(last, (), moved=False)
    if last is not None and steady:
        return Registration(last, (), moved=False)
    if last is not None:
        corners = to_map(last, quads_px)
        pairs = match(corners, known.corners, near=p.near, heading=p.heading)
        # a turned camera may lay one train on another's place: the tiles must be the same ones too
        likeness, _ = likeness_of(values, known.values)
        alike = sum(likeness[i, j] > p.least_likeness for i, j in pairs)
        expected = min(int(in_view.sum()), len(quads_px))
        if alike >= max(1, p.agreeing * expected, p.alike * len(pairs)):
            return _settle(quads_px, known.corners, last, pairs, p)
    return _search(quads_px, values, known, p)


def to_map(matrix: Array, quads_px: Array) -> Points:
    """Quads (n, 4, 2) in pixels as corners (n, 4) complex on the map."""
    lifted = quads_px @ matrix[:, :2].T + matrix[:, 2]
    flat = lifted[..., :2] / lifted[..., 2:]
    return np.asarray(flat[..., 0] + 1j * flat[..., 1])


def to_picture(matrix: Array, corners: Points) -> Array:
    """Corners (..., ) complex on the map as points (..., 2) in pixels; `matrix` takes pixels to the map."""
    inverse = np.linalg.inv(matrix)
    points = np.stack([corners.real, corners.imag], axis=-1)
    lifted = points @ inverse[:, :2].T + inverse[:, 2]
    return np.asarray(lifted[..., :2] / lifted[..., 2:])


def headings(corners: Points) -> Points:
    """Unit directions (n,) from each tile's middle to its half a."""
    way = corners[:, :2].mean(1) - corners.mean(1)
    return np.asarray(way / np.maximum(np.abs(way), 1e-12))


def match(seen: Points, known: Points, *, near: float, heading: float) -> list[Pair]:
    """Seen and known tiles that lie in the same place, each once, with the least total distance.

    Args:
        seen: (n, 4) corners.
        known: (m, 4) corners.
        near: greatest distance of the middles.
        heading: greatest angle between their long sides.
    """
    if not len(seen) or not len(known):
        return []
    apart = np.abs(seen.mean(1)[:, None] - known.mean(1)[None])
    turn = np.abs((headings(seen)[:, None] * headings(known)[None].conj()).imag)
    cost = np.where((apart < near) & (turn < np.sin(heading)), apart, 1e3)
    rows, columns = linear_sum_assignment(cost)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if cost[i, j] < near]


def _settle(quads_px: Array, known: Points, last: Array, pairs: list[Pair], p: RegistrationParameters) -> Registration:
    """The last homography, or one that follows a small move of the camera."""
    off = float(np.median(np.abs(_offsets(to_map(last, quads_px), known, pairs))))
    if off <= p.still:
        return Registration(last, tuple(pairs), moved=False)
    better = _refine(quads_px, known, last, pairs, p)
    error = float(np.median(np.abs(_offsets(to_map(better, quads_px), known, pairs))))
    if error > 0.7 * off:
        return Registration(last, tuple(pairs), moved=False)
    return Registration(better, tuple(pairs), moved=True)


def _offsets(corners: Points, known: Points, pairs: list[Pair]) -> Points:
    """Distances (k,) of middles, as complex numbers."""
    rows, columns = (list(side) for side in zip(*pairs, strict=True)) if pairs else ([], [])
    return np.asarray(corners[rows].mean(1) - known[columns].mean(1))


def _search(quads_px: Array, values: Array, known: KnownTiles, p: RegistrationParameters) -> Registration | None:
    """Try the motion that each plausible pair proposes; take the one that most pairs agree with."""
    plane = fit_plane([as_quad(quad) for quad in quads_px.tolist()])
    corners = to_map(plane.matrix, quads_px)
    likeness, turned = likeness_of(values, known.values)
    rows, columns = np.nonzero(likeness > p.least_likeness)
    if not len(rows):
        return None
    best: tuple[float, Array, list[Pair]] | None = None
    turn, shift = _proposals(corners, known.corners, rows, columns, turned)
    seen = corners.mean(1)
    there = known.corners.mean(1)
    for k in range(len(rows)):
        moved = turn[k] * seen + shift[k]
        apart = np.abs(moved[:, None] - there[None])
        gain = np.where(apart < p.vote_near, likeness * (1 - apart / p.vote_near), 0.0)
        ones, twos = linear_sum_assignment(-gain)
        score = float(gain[ones, twos].sum())
        if best is None or score > best[0] + 1e-9:
            pairs = [(int(i), int(j)) for i, j in zip(ones, twos, strict=True) if gain[i, j] > 0]
            motion = np.array(
                [[turn[k].real, -turn[k].imag, shift[k].real], [turn[k].imag, turn[k].real, shift[k].imag], [0, 0, 1]]
            )
            best = score, motion @ plane.matrix, pairs
    assert best is not None
    _, matrix, pairs = best
    if len(pairs) < p.least_tiles:
        return None
    found = _confirm(quads_px, known, matrix, pairs, p)
    return found and _with_the_left_out(quads_px, known, likeness, found, p)


def _confirm(
    quads_px: Array, known: KnownTiles, matrix: Array, pairs: list[Pair], p: RegistrationParameters
) -> Registration | None:
    for _ in range(3):
        matrix = _refine(quads_px, known.corners, matrix, pairs, p)
        pairs = match(to_map(matrix, quads_px), known.corners, near=p.near, heading=p.heading)
        if len(pairs) < p.least_tiles:
            return None
    return Registration(matrix, tuple(pairs), moved=True)


def _with_the_left_out(
    quads_px: Array, known: KnownTiles, likeness: Array, found: Registration, p: RegistrationParameters
) -> Registration:
    """The motion that brings one more tile to its place, where few tiles leave it open and that one is surely the same.

    Four tiles close together say little of where a fifth beside them lies.
    """
    corners, middles = to_map(found.matrix, quads_px), known.corners.mean(1)
    ones, twos = {i for i, _ in found.pairs}, {j for _, j in found.pairs}
    for i, j in zip(*np.nonzero(likeness > p.surely_alike), strict=True):
        few = len(found.pairs) < p.few
        if few and i not in ones and j not in twos and abs(corners[i].mean() - middles[j]) < p.left_out:
            pairs = [*found.pairs, (int(i), int(j))]
            matrix = _refine(quads_px, known.corners, found.matrix, pairs, replace(p, outlier=np.inf))
            again = match(to_map(matrix, quads_px), known.corners, near=p.near, heading=p.heading)
            if set(pairs) <= set(again):
                found = Registration(matrix, tuple(again), moved=True)
                ones, twos = {i for i, _ in again}, {j for _, j in again}
    return found


def _proposals(
    corners: Points, known: Points, rows: NDArray[np.intp], columns: NDArray[np.intp], turned: NDArray[np.bool_]
) -> tuple[Points, Points]:
    """For each pair the turn (unit complex) and the shift that lay one tile on the other."""
    mine, theirs = headings(corners)[rows], headings(known)[columns]
    turn = theirs * mine.conj() * np.where(turned[rows, columns], -1, 1)
    return turn, known[columns].mean(1) - turn * corners[rows].mean(1)


def likeness_of(seen: Array, known: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Probability (n, m) that two readings are of the same tile, and whether it is the other way round."""
    straight = (seen[:, None] * known[None]).sum(-1).prod(-1)
    crossed = (seen[:, None, ::-1] * known[None]).sum(-1).prod(-1)
    return np.maximum(straight, crossed), crossed > straight


def _refine(quads_px: Array, known: Points, matrix: Array, pairs: list[Pair], p: RegistrationParameters) -> Array:
    """A better homography from the corners of the pairs; those that are far off take no part."""
    rows, columns = [i for i, _ in pairs], [j for _, j in pairs]
    goals = known[columns].copy()
    now = to_map(matrix, quads_px[rows])
    turned = np.abs(now - goals).sum(1) > np.abs(np.roll(now, 2, axis=1) - goals).sum(1)
    goals[turned] = np.roll(goals[turned], 2, axis=1)
    off = np.abs(now - goals).mean(1)
    good = off <= max(p.outlier, 1.5 * float(np.median(off)))
    now, goals = now[good], goals[good]
    fit = _homography if len(now) >= p.homography_from else _similarity
    step = fit(now.ravel(), goals.ravel())
    return np.asarray(step @ matrix)


def _similarity(points: Points, goals: Points) -> Array:
    """Least squares turn, scale and shift."""
    here, there = points.mean(), goals.mean()
    spread = (np.abs(points - here) ** 2).sum()
    turn = ((goals - there) * (points - here).conj()).sum() / max(spread, 1e-12)
    shift = there - turn * here
    return np.array([[turn.real, -turn.imag, shift.real], [turn.imag, turn.real, shift.imag], [0, 0, 1.0]])


def _homography(points: Points, goals: Points) -> Array:
    """Least squares homography (3, 3), direct linear transform on moved and scaled points."""
    one, two = _norm(points), _norm(goals)
    x, y = _lift(one, points)
    u, v = _lift(two, goals)
    zero, unit = np.zeros_like(x), np.ones_like(x)
    rows = np.concatenate(
        [
            np.stack([x, y, unit, zero, zero, zero, -u * x, -u * y, -u], axis=1),
            np.stack([zero, zero, zero, x, y, unit, -v * x, -v * y, -v], axis=1),
        ]
    )
    solution = np.linalg.svd(rows)[2][-1].reshape(3, 3)
    matrix = np.linalg.inv(two) @ solution @ one
    return np.asarray(matrix / matrix[2, 2])


def _norm(points: Points) -> Array:
    centre = points.mean()
    size = max(float(np.abs(points - centre).mean()), 1e-9)
    return np.array([[1 / size, 0, -centre.real / size], [0, 1 / size, -centre.imag / size], [0, 0, 1]])


def _lift(matrix: Array, points: Points) -> tuple[Array, Array]:
    return matrix[0, 0] * points.real + matrix[0, 2], matrix[1, 1] * points.imag + matrix[1, 2]
