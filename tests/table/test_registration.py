"""Frames find their place on the map by the tiles themselves, however the camera moved."""

from __future__ import annotations

import numpy as np
from drawn import DrawnRound, DrawnTile, camera, draw_round, look
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.table.registration import KnownTiles, Registration, register, to_map
from companion.table.seen import SeenTable


def arrays(seen: SeenTable) -> tuple[np.ndarray, np.ndarray]:
    quads = np.array([tile.quad_px for tile in seen.tiles])
    return quads, np.array([[half.probabilities for half in tile.readings] for tile in seen.tiles])


def known_tiles(drawn: DrawnRound) -> KnownTiles:
    _, which = look(drawn, np.random.default_rng(0), view=np.eye(3))
    seen, _ = look(drawn, np.random.default_rng(0), view=np.eye(3))
    order = np.argsort(which)
    _, values = arrays(seen)
    return KnownTiles(np.array([tile.corners() for tile in drawn.tiles]), values[order])


def found_in(drawn: DrawnRound, seed: int, part: slice = slice(None)) -> tuple[Registration | None, list[int]]:
    rng = np.random.default_rng(seed)
    seen, which = look(drawn, rng, noise=0.1, view=camera(rng, tilt_most=40))
    quads, values = arrays(seen)
    found = register(quads[part], values[part], known_tiles(drawn), last=None, in_view=np.zeros(len(drawn.tiles), bool))
    return found, which[part]


@given(st.integers(0, 10_000))
@example(153)  # five tiles, of which one lay too far from where the other four would have it
@settings(max_examples=20, deadline=None)
def test_any_camera_is_found_by_the_tiles(seed: int) -> None:
    drawn = draw_round(np.random.default_rng(seed), most=25)
    found, which = found_in(drawn, seed)
    if len(which) < 4:
        return
    assert found is not None
    right = sum(which[i] == j for i, j in found.pairs)
    assert right == len(found.pairs)
    assert right >= 0.9 * len(which)


def test_a_part_of_the_table_is_enough() -> None:
    drawn = draw_round(np.random.default_rng(5), most=40)
    found, which = found_in(drawn, 3, slice(0, 5))
    assert found is not None
    assert all(which[i] == j for i, j in found.pairs)
    assert len(found.pairs) == 5


def test_a_strange_table_is_not_recognised() -> None:
    drawn = draw_round(np.random.default_rng(5), most=30)
    strange = DrawnRound(12, [DrawnTile((1, 1), 0j, 1j), DrawnTile((0, 0), 3 + 0j, 1j)])
    seen, _ = look(strange, np.random.default_rng(0), view=camera(np.random.default_rng(1)))
    quads, values = arrays(seen)
    known = known_tiles(drawn)
    assert register(quads, values, known, last=None, in_view=np.zeros(len(drawn.tiles), bool)) is None


def test_a_still_camera_keeps_its_homography_to_the_last_digit() -> None:
    drawn = draw_round(np.random.default_rng(2), most=20)
    view = camera(np.random.default_rng(7))
    seen, _ = look(drawn, np.random.default_rng(1), noise=0.05, view=view)
    quads, values = arrays(seen)
    last = np.linalg.inv(view)
    found = register(quads, values, known_tiles(drawn), last=last, in_view=np.ones(len(drawn.tiles), bool))
    assert found is not None
    assert not found.moved
    assert (found.matrix == last).all()


def test_a_nudged_camera_is_followed() -> None:
    drawn = draw_round(np.random.default_rng(2), most=20)
    view = camera(np.random.default_rng(7))
    seen, which = look(drawn, np.random.default_rng(1), noise=0.02, view=view)
    quads, values = arrays(seen)
    nudged = np.linalg.inv(view) @ np.array([[1, 0.004, 9.0], [-0.004, 1, -6.0], [0, 0, 1]])
    found = register(quads, values, known_tiles(drawn), last=nudged, in_view=np.ones(len(drawn.tiles), bool))
    assert found is not None
    assert found.moved
    there = to_map(found.matrix, quads).mean(1)
    assert np.abs(there - [drawn.tiles[k].centre for k in which]).max() < 0.15
