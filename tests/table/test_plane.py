"""The plane from the tiles: any camera is undone, noise is borne, one tile is enough."""

from __future__ import annotations

import numpy as np
import pytest
from drawn import DrawnTile, camera, draw_round, look
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.sightings import Quad
from companion.table.plane import fit_plane


def sides(corners: np.ndarray) -> np.ndarray:
    return np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)


def quads_of(seed: int, *, noise: float = 0.0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    seen, _ = look(draw_round(rng), rng, noise=noise)
    return np.array([tile.quad_px for tile in seen.tiles])


@given(st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_every_tile_becomes_one_by_two(seed: int) -> None:
    quads = quads_of(seed)
    lengths = sides(fit_plane(quads.tolist()).to_table(quads))
    assert np.abs(lengths[:, ::2] - 1).max() < 0.02
    assert np.abs(lengths[:, 1::2] - 2).max() < 0.04


def test_noise_of_the_corners_averages_out() -> None:
    quads, clean = quads_of(7, noise=0.15), quads_of(7)
    plane = fit_plane(quads.tolist())
    lengths = sides(plane.to_table(clean))
    assert np.abs(lengths[:, 1::2] / lengths[:, ::2] - 2).max() < 0.25
    assert 0.01 < plane.error < 0.15


def test_table_and_picture_are_each_others_inverse() -> None:
    quads = quads_of(3)
    plane = fit_plane(quads.tolist())
    assert np.allclose(plane.to_picture(plane.to_table(quads)), quads, atol=1e-6)


@pytest.mark.parametrize("turn", [0.3, 1.57, 3.0])
def test_one_tile_gives_a_plane(turn: float) -> None:
    corners = DrawnTile((1, 2), 0j, np.exp(1j * turn)).corners()
    lifted = np.column_stack([corners.real, corners.imag, np.ones(4)]) @ camera(np.random.default_rng(1)).T
    quad = lifted[:, :2] / lifted[:, 2:]
    lengths = sides(fit_plane([quad.tolist()]).to_table(quad[None]))
    assert np.abs(lengths[0] - [1, 2, 1, 2]).max() < 0.05


def test_a_tile_without_area_breaks_nothing() -> None:
    dot: Quad = ((5.0, 5.0),) * 4
    assert np.isfinite(fit_plane([dot]).matrix).all()
    assert np.isfinite(fit_plane([dot, *quads_of(5).tolist()]).matrix).all()


def test_no_tile_no_plane() -> None:
    with pytest.raises(ValueError, match="no tile"):
        fit_plane([])
