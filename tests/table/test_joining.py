"""The program of the joins: as good as trying everything, and no ring is left."""

from __future__ import annotations

import itertools

import numpy as np
from drawn import DrawnRound, DrawnTile, draw_round, look
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.table.contacts import ContactKind, Contacts, find_contacts
from companion.table.joining import JoiningParameters, choose_joins
from companion.table.seen import place_tiles


def tiles_in_a_ring() -> DrawnRound:
    """Four tiles around a square hole, each end against the next one's flank: four joins that fit and make a ring."""
    drawn = DrawnRound(6)
    for k, ends in enumerate([(1, 2), (2, 3), (3, 4), (4, 1)]):
        turn = 1j**k
        drawn.tiles.append(DrawnTile(ends, (0.5 - 1j) * turn, -turn))
    return drawn


def test_a_ring_loses_its_worst_join() -> None:
    seen, _ = look(tiles_in_a_ring(), np.random.default_rng(0))
    tiles = place_tiles(seen, highest=6)
    contacts = find_contacts(tiles)
    corners = contacts.kind == ContactKind.CORNER
    assert corners.sum() >= 4
    joining = choose_joins(tiles, contacts, contacts.score, engine_values=np.zeros(4))
    assert len(joining.chosen) == 3


def worth(chosen: tuple[int, ...], contacts: Contacts, scores: np.ndarray, p: JoiningParameters) -> float:
    """The gain of a choice without doubles and engines, or minus infinity where it is not allowed."""
    ports: dict[tuple[int, str], int] = {}
    halves: dict[tuple[int, int], int] = {}
    up = {tile: tile for k in chosen for tile in (int(contacts.tile[k]), int(contacts.other[k]))}

    def root(tile: int) -> int:
        while up[tile] != tile:
            tile = up[tile]
        return tile

    for k in chosen:
        one, two = (int(contacts.tile[k]), int(contacts.half[k])), (int(contacts.other[k]), int(contacts.part[k]))
        met = f"end {two[1]}" if contacts.port[k] < 2 else f"flank {two[1]} {contacts.port[k]}"
        for port in ((one[0], f"end {one[1]}"), (two[0], met)):
            ports[port] = ports.get(port, 0) + 1
        for half in (one, two):
            halves[half] = halves.get(half, 0) + 1
        if root(one[0]) == root(two[0]):
            return -np.inf
        up[root(one[0])] = root(two[0])
    if max(ports.values(), default=0) > 1 or max(halves.values(), default=0) > 3:
        return -np.inf
    again = sum(count - 1 for count in halves.values())
    return float(sum(scores[k] - p.least for k in chosen) - p.branch_cost * again)


@given(st.integers(0, 5_000))
@settings(max_examples=40, deadline=None)
def test_no_other_choice_is_better(seed: int) -> None:
    rng = np.random.default_rng(seed)
    drawn = DrawnRound(12)
    for k in range(7):  # a heap of tiles that touch in all sorts of ways; none is a double
        place, turn = complex(*rng.uniform(-2.2, 2.2, 2)), np.exp(1j * np.pi / 2 * rng.integers(4))
        drawn.tiles.append(DrawnTile((k, k + 1), place, turn * np.exp(1j * rng.normal(0, 0.1))))
    seen, _ = look(drawn, rng, view=np.diag([100.0, 100.0, 1.0]))
    tiles = place_tiles(seen, highest=12)
    contacts = find_contacts(tiles)
    scores = contacts.score + rng.normal(0, 2, len(contacts))
    p = JoiningParameters()
    joining = choose_joins(tiles, contacts, scores, engine_values=np.zeros(len(tiles)))
    best: dict[tuple[int, ...], int] = {}  # of several contacts between two halves the best stands for all
    for k in np.argsort(-scores):
        ends = sorted([(int(contacts.tile[k]), int(contacts.half[k])), (int(contacts.other[k]), int(contacts.part[k]))])
        if scores[k] > p.least:
            best.setdefault((*ends[0], *ends[1]), int(k))
    possible = sorted(best.values(), key=lambda k: -scores[k])[:11]
    choices = (c for size in range(len(possible) + 1) for c in itertools.combinations(possible, size))
    reached = worth(joining.chosen, contacts, scores, p)
    assert reached >= max(worth(c, contacts, scores, p) for c in choices) - 1e-6


def test_real_rounds_have_no_rings() -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        seen, _ = look(draw_round(rng), rng, noise=0.3)
        tiles = place_tiles(seen, highest=18)
        contacts = find_contacts(tiles)
        joining = choose_joins(tiles, contacts, contacts.score, engine_values=np.zeros(len(tiles)))
        up = list(range(len(tiles)))

        def root(tile: int, up: list[int] = up) -> int:
            while up[tile] != tile:
                tile = up[tile]
            return tile

        for k in joining.chosen:
            one, two = root(int(contacts.tile[k])), root(int(contacts.other[k]))
            assert one != two
            up[one] = two
