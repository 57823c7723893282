import numpy as np
import pytest

from companion.vision.layouts import layouts_of
from companion.vision.pips import count_half, peaks_of
from companion.vision.rectify import MARGIN_PX, UNIT_PX


def peaks(value: int, strength: float = 0.95, spread: float = 0.3, layout: int = 0) -> np.ndarray:
    points = layouts_of(value)[layout] * spread + 0.5
    return np.column_stack([points, np.full(len(points), strength)])


@pytest.mark.parametrize("value", range(19))
def test_clear_pips_on_any_layout_give_their_number(value: int) -> None:
    for layout in range(len(layouts_of(value))):
        found = count_half(peaks(value, layout=layout), printed=False)
        assert found.values.argmax() == value
        assert np.exp(found.values[value]) > 0.8
        assert np.exp(found.values).sum() == pytest.approx(1)


def test_a_weak_speck_does_not_make_one_more() -> None:
    speck = np.vstack([peaks(4), [[0.5, 0.9, 0.2]]])
    assert count_half(speck, printed=False).values.argmax() == 4


def test_four_pips_and_a_weak_middle_is_a_doubtful_five() -> None:
    found = count_half(np.vstack([peaks(4), [[0.5, 0.5, 0.5]]]), printed=False)
    four, five = np.exp(found.values[[4, 5]])
    assert min(four, five) > 0.1


def test_five_strong_peaks_that_fit_no_layout_are_not_surely_five() -> None:
    line = np.column_stack([np.linspace(0.1, 0.9, 5), np.full(5, 0.1), np.full(5, 0.7)])
    fits = count_half(np.vstack([peaks(5, 0.7)]), printed=False)
    assert np.exp(count_half(line, printed=False).values[5]) < np.exp(fits.values[5])


def test_print_abstains() -> None:
    found = count_half(peaks(0), printed=True)
    assert np.ptp(found.values) == 0


def test_peaks_are_told_in_tile_widths() -> None:
    heat = np.zeros((68, 36))
    heat[10, 20] = 0.9
    found = peaks_of(heat, 0, 34)
    assert found.shape == (1, 3)
    assert found[0, :2] == pytest.approx([(40.5 - MARGIN_PX) / UNIT_PX, (20.5 - MARGIN_PX) / UNIT_PX])
    assert peaks_of(heat, 34, 68).shape == (0, 3)
