"""Which of the quads that claim the same place are tiles.

Taking the best first goes wrong where tiles touch: a box across two neighbours may look like a better double than either of
them looks like itself. So each group of quads in conflict is decided as a whole: the choice without conflict that weighs most.
A quad weighs its belief squared times its width, so that two tiles outweigh the box across them, and one tile outweighs the
fragments that were found inside it. In a hand that is laid as a block halves could be paired either way, along rows or across them;
tiles side by side speak for each other, so that all are paired one way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_matrix

from companion.sightings import Quad
from companion.table.plane import Plane, fit_plane
from companion.vision.overlap import near_pairs, smaller_covered

Array = NDArray[np.float64]

ROUGHLY = 0.12
"""Shares told by sampled points are not farther off than this; where it matters they are worked out."""
FEW = 18
"""Groups up to this size are solved by trying, which is quicker; larger ones as an integer program."""
TOGETHER = 0.35
"""What two tiles side by side weigh more, as a share of a sure tile's weight."""
LONGEST_S = 0.5
"""Such a program takes 3 to 11 ms; should one ever take longer, the best that was found by then is taken, or the best first."""


def covered_share(a: Array, b: Array) -> float:
    """Shared area of two convex quads as a share of the smaller one, 0..1."""
    first, second = a.astype(np.float32), b.astype(np.float32)
    smaller = min(abs(float(cv2.contourArea(first))), abs(float(cv2.contourArea(second))))
    return float(cv2.intersectConvexConvex(first, second)[0]) / max(1e-9, smaller)


def choose_apart(
    quads: list[Array], beliefs: list[float], overlap: float, together: Sequence[tuple[int, int]] = ()
) -> list[int]:
    """Indices, ascending, of the quads to keep: none covers more than `overlap` of another, and they weigh most.

    Pairs that lie `together` weigh a little more than both alone.
    """
    conflicts = _conflicts(quads, overlap)
    sizes = _sizes(quads).tolist()
    weights = [b * b * size for b, size in zip(beliefs, sizes, strict=True)]
    kept: set[int] = set()
    for members in _groups(conflicts, weights):
        few = len(members) <= FEW
        kept.update(_best(members, conflicts, weights) if few else _best_of_many(members, conflicts, weights, {}))
    pairs = {pair: TOGETHER * min(sizes[k] for k in pair) for pair in together if pair[1] not in conflicts[pair[0]]}
    broken = {pair for pair in pairs if not kept.issuperset(pair)}
    if not broken:  # a choice that keeps all pairs cannot be bettered
        return sorted(kept)
    related = [set(others) for others in conflicts]
    for i, j in pairs:
        related[i].add(j)
        related[j].add(i)
    for members in _groups(related, weights):
        inner = {pair: worth for pair, worth in pairs.items() if pair[0] in members}
        if not broken.isdisjoint(inner):
            kept = kept.difference(members).union(_best_of_many(members, conflicts, weights, inner))
    return sorted(kept)


def of_like_size(quads: list[Array], beliefs: list[float], *, sure: float, ratio: float) -> list[int]:
    """Indices of the quads that are sure, or no more than `ratio` times wider or narrower than the typical believed one.

    All tiles of a table are equal; in one picture the nearest are at most about twice as wide as the farthest.
    """
    if not quads:
        return []
    sizes = _sizes(quads)
    order = np.argsort(sizes)
    mass = np.cumsum((np.array(beliefs) ** 2 * sizes)[order])  # fragments are many, but small
    typical = float(sizes[order][int(np.searchsorted(mass, mass[-1] / 2))])
    return [k for k in range(len(quads)) if beliefs[k] >= sure or typical / ratio <= sizes[k] <= typical * ratio]


def _sizes(quads: list[Array]) -> Array:
    """Square roots of the quads' areas (n,)."""
    return np.sqrt([abs(cv2.contourArea(q.astype(np.float32))) for q in quads])


def _conflicts(quads: list[Array], overlap: float) -> list[set[int]]:
    found: list[set[int]] = [set() for _ in quads]
    if len(quads) < 2:
        return found
    shapes = np.stack(quads)
    rows, columns = near_pairs(shapes, shapes, 1.0)
    rows, columns = rows[rows < columns], columns[rows < columns]
    shares = smaller_covered(shapes[rows], shapes[columns]).tolist()
    for i, j, share in zip(rows.tolist(), columns.tolist(), shares, strict=True):
        if share > overlap + ROUGHLY or (share > overlap - ROUGHLY and covered_share(quads[i], quads[j]) > overlap):
            found[i].add(j)
            found[j].add(i)
    return found


def _groups(related: list[set[int]], weights: list[float]) -> Iterator[list[int]]:
    """Quads that are related, by others or directly, the heaviest first; `related` is so both ways."""
    left = set(range(len(related)))
    while left:
        start = min(left)
        group, open_ends = {start}, [start]
        while open_ends:
            for other in related[open_ends.pop()] - group:
                group.add(other)
                open_ends.append(other)
        left -= group
        yield sorted(group, key=lambda k: -weights[k])


def _best(members: list[int], conflicts: list[set[int]], weights: list[float]) -> list[int]:
    """The heaviest independent set, by trying each member with and without."""
    if not members:
        return []
    first, rest = members[0], members[1:]
    with_first = [first, *_best([k for k in rest if k not in conflicts[first]], conflicts, weights)]
    if not conflicts[first] & set(rest):
        return with_first
    without = _best(rest, conflicts, weights)
    return with_first if _weight(with_first, weights) >= _weight(without, weights) else without


def _weight(members: list[int], weights: list[float]) -> float:
    return sum(weights[k] for k in members)


def _best_of_many(
    members: list[int], conflicts: list[set[int]], weights: list[float], pairs: dict[tuple[int, int], float]
) -> list[int]:
    """The same as an integer program; `pairs` are worth something where both are chosen."""
    place = {member: n for n, member in enumerate(members)}
    apart = [(place[k], place[other]) for k in members for other in conflicts[k] if k < other]
    rows = [{i: 1, j: 1} for i, j in apart]  # not both
    for n, pair in enumerate(pairs):
        rows += [{len(members) + n: 1, place[k]: -1} for k in pair]  # no pair without either
    bounds = [1.0] * len(apart) + [0.0] * (2 * len(pairs))
    entries = [(r, column, value) for r, row in enumerate(rows) for column, value in row.items()]
    at, columns, values = zip(*entries, strict=True)
    matrix = coo_matrix((values, (at, columns)), shape=(len(rows), len(members) + len(pairs)))
    solved = milp(
        -np.array([weights[k] for k in members] + list(pairs.values())),
        constraints=LinearConstraint(matrix, ub=bounds),
        integrality=np.repeat([1, 0], [len(members), len(pairs)]),
        bounds=Bounds(0, 1),
        options={"time_limit": LONGEST_S},
    )
    if solved.x is None:
        return _greedy(members, conflicts)
    return [k for k, chosen in zip(members, solved.x, strict=False) if chosen > 0.5]


def _greedy(members: list[int], conflicts: list[set[int]]) -> list[int]:
    kept: list[int] = []
    for k in members:
        if not conflicts[k] & set(kept):
            kept.append(k)
    return kept


MOST_MISFIT = 0.6
"""Tile widths: quads that are farther off are all equally impossible."""
OUTLIER = 0.2
"""Tile widths: a sure quad that is farther off than this is no evidence for the plane."""
LEAST_FOR_PLANE = 4
"""Fewer tiles leave the plane too open to speak against a quad."""


def misfits(quads: list[Array], plane: Plane | None) -> Array:
    """How far each quad's corners are from a tile's in the plane of the sure tiles: (n,) mean distances in tile widths.

    All tiles lie on one table and have one size. Zeros where no plane is known.
    """
    if plane is None:
        return np.zeros(len(quads))
    off = _off_template(plane.to_table(np.stack(quads)))
    return np.asarray(np.minimum(np.where(np.isfinite(off), off, MOST_MISFIT), MOST_MISFIT))


def plane_of_most(sure: list[Array]) -> Plane | None:
    """The plane in which most of the quads are tiles: what fits worst is dropped, as long as most are left.

    None where too few are sure.

    The squares of a checked cloth are surely no tiles to us, but now and then to the networks: larger than tiles, they bend the
    plane more than tiles do.
    """
    if len(sure) < LEAST_FOR_PLANE:
        return None
    return _plane_of(np.stack(sure).astype(np.float64).tobytes())


@lru_cache(maxsize=8)
def _plane_of(sure: bytes) -> Plane:
    """Kept, because each judgement of a picture's candidates asks again, mostly for the same tiles."""
    left = list(np.frombuffer(sure).reshape(-1, 4, 2))
    least = max(LEAST_FOR_PLANE, (2 * len(left) + 2) // 3)
    plane = fit_plane([_corners(quad) for quad in left])
    while len(left) > least:
        off = _off_template(plane.to_table(np.stack(left)))
        worst = int(np.argmax(np.where(np.isfinite(off), off, np.inf)))
        if off[worst] < OUTLIER:
            break
        del left[worst]
        plane = fit_plane([_corners(quad) for quad in left])
    return plane


def _off_template(flat: Array) -> Array:
    """Mean distance of each quad's corners (n, 4, 2) from those of a tile of 1 x 2, put where it fits best."""
    points = (flat - flat.mean(1, keepdims=True)) @ np.array([1, 1j])
    template = np.array([-0.5 - 1j, 0.5 - 1j, 0.5 + 1j, -0.5 + 1j])
    turn = points @ template.conj()
    turn /= np.maximum(np.abs(turn), 1e-12)
    return np.asarray(np.abs(points - turn[:, None] * template).mean(1))


def _corners(quad: Array) -> Quad:
    a, b, c, d = ((x, y) for x, y in quad.tolist())
    return a, b, c, d
