"""Which of the quads that claim the same place are tiles.

Taking the best first goes wrong where tiles touch: a box across two neighbours may look like a better double than either of
them looks like itself. So each group of quads in conflict is decided as a whole: the choice without conflict whose beliefs sum
to most.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MOST_EXACT = 18
"""Groups up to this size are solved exactly; larger ones (never seen on a photo) by the best first."""


def covered_share(a: Array, b: Array) -> float:
    """Shared area of two convex quads as a share of the smaller one, 0..1."""
    first, second = a.astype(np.float32), b.astype(np.float32)
    smaller = min(abs(float(cv2.contourArea(first))), abs(float(cv2.contourArea(second))))
    return float(cv2.intersectConvexConvex(first, second)[0]) / max(1e-9, smaller)


def choose_apart(quads: list[Array], beliefs: list[float], overlap: float) -> list[int]:
    """Indices, ascending, of the quads to keep: none covers more than `overlap` of another, beliefs sum to most."""
    conflicts = _conflicts(quads, overlap)
    kept: list[int] = []
    left = set(range(len(quads)))
    while left:
        group = _group(min(left), conflicts)
        left -= group
        members = sorted(group, key=lambda k: -beliefs[k])
        kept += _best(members, conflicts, beliefs) if len(members) <= MOST_EXACT else _greedy(members, conflicts)
    return sorted(kept)


def _conflicts(quads: list[Array], overlap: float) -> list[set[int]]:
    found: list[set[int]] = [set() for _ in quads]
    centres = np.array([q.mean(0) for q in quads]).reshape(-1, 2)
    reach = np.array([np.linalg.norm(q - q.mean(0), axis=1).max() for q in quads])
    for i in range(len(quads)):
        near = np.flatnonzero(np.linalg.norm(centres - centres[i], axis=1) < reach + reach[i])
        for j in (int(n) for n in near if n > i):
            if covered_share(quads[i], quads[j]) > overlap:
                found[i].add(j)
                found[j].add(i)
    return found


def _group(start: int, conflicts: list[set[int]]) -> set[int]:
    group, open_ends = {start}, [start]
    while open_ends:
        for other in conflicts[open_ends.pop()] - group:
            group.add(other)
            open_ends.append(other)
    return group


def _best(members: list[int], conflicts: list[set[int]], beliefs: list[float]) -> list[int]:
    """The heaviest independent set, by trying each member with and without."""
    if not members:
        return []
    first, rest = members[0], members[1:]
    with_first = [first, *_best([k for k in rest if k not in conflicts[first]], conflicts, beliefs)]
    if not conflicts[first] & set(rest):
        return with_first
    without = _best(rest, conflicts, beliefs)
    return with_first if _weight(with_first, beliefs) >= _weight(without, beliefs) else without


def _weight(members: list[int], beliefs: list[float]) -> float:
    return sum(beliefs[k] for k in members)


def _greedy(members: list[int], conflicts: list[set[int]]) -> list[int]:
    kept: list[int] = []
    for k in members:
        if not conflicts[k] & set(kept):
            kept.append(k)
    return kept
