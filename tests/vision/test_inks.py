"""What colours say: learned from halves that are read surely, asked where one is not."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.inks import InkParameters, inks_of, told_by_inks
from companion.vision.layouts import layouts_of

INKS = {1: (200, 60, 40), 3: (40, 40, 200), 5: (50, 150, 50), 6: (30, 170, 220), 9: (160, 40, 140)}
"""BGR of each value's pips."""


def half(
    value: int,
    rng: np.random.Generator,
    *,
    blur: float = 0.0,
    light: float = 1.0,
    ink: tuple[int, int, int] | None = None,
) -> NDArray[np.uint8]:
    """A half crop (48, 48, 3): white, with coloured pips."""
    crop = np.full((48, 48, 3), 225, np.uint8)
    if value:
        for x, y in layouts_of(value)[0]:
            centre = (int(24 + 26 * x), int(24 + 26 * y))
            cv2.circle(crop, centre, 4, ink or INKS[value], -1, cv2.LINE_AA)
    if blur:
        crop = np.asarray(cv2.GaussianBlur(crop, (0, 0), blur), np.uint8)
    noise = rng.normal(0, 2, crop.shape)
    return np.clip(crop * light + noise, 0, 255).astype(np.uint8)


def reading(value: int, share: float = 0.99, other: int = 7) -> NDArray[np.float64]:
    """Log probabilities (19,): mostly of one value."""
    shares = np.full(19, 1e-4)
    shares[other] = max(1e-4, 1 - share)
    shares[value] = share
    return np.log(shares / shares.sum())


def table(rng: np.random.Generator) -> tuple[list[NDArray[np.uint8]], list[NDArray[np.float64]]]:
    """Four halves of each value, surely read, under light that falls off."""
    values = [value for value in (0, *INKS) for _ in range(4)]
    crops = [half(value, rng, light=float(rng.uniform(0.6, 1.1))) for value in values]
    return crops, [reading(value) for value in values]


def test_the_colour_tells_the_value_of_a_half_that_is_blurred() -> None:
    rng = np.random.default_rng(0)
    crops, logs = table(rng)
    crops.append(half(9, rng, blur=4.0, light=0.8))
    logs.append(reading(3, 0.5, other=9))
    told = told_by_inks(inks_of(np.stack(crops)), np.stack(logs))
    assert (logs[-1] + told[-1]).argmax() == 9
    assert told[-1, 9] > 1 and told[-1, 3] < -1


def test_what_is_read_surely_is_not_asked() -> None:
    rng = np.random.default_rng(1)
    crops, logs = table(rng)
    told = told_by_inks(inks_of(np.stack(crops)), np.stack(logs))
    assert not told.any()


def test_in_a_set_of_one_colour_they_decide_nothing_between_values_with_much_ink() -> None:
    rng = np.random.default_rng(2)
    values = [value for value in (1, 3, 5, 6, 9) for _ in range(4)]
    black = [half(value, rng, light=float(rng.uniform(0.6, 1.1)), ink=(25, 25, 25)) for value in (*values, 9)]
    logs = [*(reading(value) for value in values), reading(3, 0.5, other=9)]
    told = told_by_inks(inks_of(np.stack(black)), np.stack(logs))
    assert abs(told[-1, 3] - told[-1, 9]) < 1


def test_a_colour_never_outweighs_its_bound() -> None:
    """A chip on a half has a colour too, and it may be that of some value."""
    rng = np.random.default_rng(3)
    crops, logs = table(rng)
    chip = half(0, rng)
    cv2.circle(chip, (24, 24), 14, INKS[5], -1)
    crops.append(chip)
    logs.append(reading(0, 0.6, other=5))
    p = InkParameters()
    told = told_by_inks(inks_of(np.stack(crops)), np.stack(logs), p)
    assert told.max() <= p.most + 1e-9
    assert told.min() >= np.log(p.odd) - 1e-9


def test_a_colour_is_no_word_for_a_blank() -> None:
    """Where pale sevens were taken for blanks all over, their colour must not make the next one surer."""
    rng = np.random.default_rng(5)
    crops, logs = table(rng)
    pale = [half(1, rng, ink=(150, 190, 205)) for _ in range(5)]
    crops += pale
    logs += [*(reading(0, 0.95, other=1) for _ in range(4)), reading(0, 0.6, other=1)]
    told = told_by_inks(inks_of(np.stack(crops)), np.stack(logs))
    assert told[-1, 0] <= 0


def test_a_half_without_any_ink_is_left_to_the_readers() -> None:
    rng = np.random.default_rng(6)
    crops, logs = table(rng)
    crops.append(half(0, rng))
    logs.append(reading(0, 0.6, other=5))
    told = told_by_inks(inks_of(np.stack(crops)), np.stack(logs))
    assert np.abs(told[-1]).max() < 0.5


def test_few_halves_and_none() -> None:
    rng = np.random.default_rng(4)
    assert inks_of(np.zeros((0, 48, 48, 3), np.uint8)).shape == (0, 4)
    crops, logs = np.stack([half(5, rng), half(3, rng)]), np.stack([reading(5), reading(3, 0.5)])
    assert not told_by_inks(inks_of(crops), logs).any()


def test_a_plain_black_half_has_no_colour_and_breaks_nothing() -> None:
    inks = inks_of(np.zeros((2, 48, 48, 3), np.uint8))
    assert np.isfinite(inks).all() and np.abs(inks[:, :3]).max() < 1e-6
