import numpy as np
import pytest

from companion.vision.layouts import layouts_of


@pytest.mark.parametrize("value", range(19))
def test_every_layout_has_as_many_pips_as_its_value(value: int) -> None:
    for layout in layouts_of(value):
        assert layout.shape == (value, 2)
        assert np.abs(layout).max(initial=0.0) <= 1.0


@pytest.mark.parametrize("value", range(2, 19))
def test_pips_of_a_layout_lie_apart(value: int) -> None:
    for layout in layouts_of(value):
        gaps = np.linalg.norm(layout[:, None] - layout[None], axis=2) + 10 * np.eye(value)
        assert gaps.min() > 0.3


def test_layouts_of_a_value_differ() -> None:
    for value in range(19):
        seen = {tuple(sorted(map(tuple, layout.round(2).tolist()))) for layout in layouts_of(value)}
        assert len(seen) == len(layouts_of(value))


def test_six_lies_along_the_tile_first() -> None:
    xs = layouts_of(6)[0][:, 0]
    assert sorted(set(xs.tolist())) == [-1.0, 1.0]
