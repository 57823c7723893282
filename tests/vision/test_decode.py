import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.decode import DecodeParameters, choose_set, combine, decode, show_numerals, within_set

P = DecodeParameters()


def half(value: int, sure: float = 0.99, other: int | None = None) -> np.ndarray:
    """Log probabilities with `sure` on a value and the rest on another one (or on all)."""
    chances = np.full(19, (1 - sure) / 18 if other is None else 1e-6)
    chances[value] = sure
    if other is not None:
        chances[other] = 1 - sure
    return np.log(chances / chances.sum())


def tiles(*ends: tuple[int, int]) -> np.ndarray:
    return np.array([[half(a), half(b)] for a, b in ends])


def test_sure_readings_come_out_as_read_in_their_order() -> None:
    found = decode(tiles((9, 4), (4, 7), (0, 0)), 12, P)
    assert [d.ends for d in found] == [(9, 4), (4, 7), (0, 0)]
    assert all(d.confidence > 0.95 and not d.duplicate for d in found)


def test_a_doubtful_half_gives_way_to_a_sure_tile_of_the_same_name() -> None:
    halves = np.array([[half(6), half(5)], [half(6), half(5, 0.6, other=4)]])
    assert [d.ends for d in decode(halves, 12, P)] == [(6, 5), (6, 4)]


def test_two_sure_tiles_of_the_same_name_stay_and_are_said() -> None:
    sure = np.array([[half(6, 0.9999), half(5, 0.9999)], [half(5, 0.9999), half(6, 0.9999)]])
    found = decode(sure, 12, P)
    assert [d.ends for d in found] == [(6, 5), (5, 6)]
    assert all(d.duplicate for d in found)


def test_alternatives_are_the_next_likeliest_and_never_the_choice() -> None:
    found = decode(np.array([[half(9, 0.8, other=8), half(4)]]), 12, P)[0]
    assert found.alternatives[0][0] == (8, 4)
    assert found.ends not in [ends for ends, _ in found.alternatives]
    shares = [p for _, p in found.alternatives]
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize(
    ("values", "expected"), [([0, 3, 6], 6), ([9, 2, 5], 9), ([12, 10], 12), ([13, 1], 15), ([18], 18)]
)
def test_the_set_is_the_smallest_that_holds_what_was_read(values: list[int], expected: int) -> None:
    assert choose_set(np.array([half(v) for v in values]), P) == expected


def test_one_doubtful_half_does_not_make_a_larger_set() -> None:
    halves = [half(v % 7) for v in range(12)] + [half(13, 0.6, other=6)]
    assert choose_set(np.array(halves), P) == 6


def test_a_told_set_rules_out_values_it_has_not_but_not_sure_ones() -> None:
    doubtful, sure = half(8, 0.7, other=6), half(8, 1 - 1e-9, other=6)
    narrowed = within_set(np.array([doubtful, sure]), 6, P)
    assert narrowed[0].argmax() == 6
    assert np.exp(narrowed).sum(-1) == pytest.approx([1, 1])


def test_readers_that_agree_are_surer_than_one_that_doubts() -> None:
    agree = combine(half(5, 0.9, other=4), half(5, 0.9, other=4), P)
    differ = combine(half(5, 0.9, other=4), half(4, 0.9, other=5), P)
    assert np.exp(agree[5]) > np.exp(differ[5])
    assert np.exp(agree).sum() == pytest.approx(1)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=12), st.randoms())
def test_the_order_of_tiles_does_not_matter(ends: list[tuple[int, int]], random) -> None:
    order = list(range(len(ends)))
    random.shuffle(order)
    straight = decode(tiles(*ends), 12, P) if ends else decode(np.zeros((0, 2, 19)), 12, P)
    mixed = decode(tiles(*[ends[k] for k in order]), 12, P) if ends else []
    assert sorted(tuple(sorted(d.ends)) for d in straight) == sorted(tuple(sorted(d.ends)) for d in mixed)


def test_tiles_on_which_the_counter_sees_nothing_show_numerals() -> None:
    read = np.array([half(v) for v in (9, 4, 6, 6, 0, 2)])
    blank = np.array([half(0, 0.9)] * 6)
    assert show_numerals(read, blank, P)


def test_tiles_on_which_the_readers_mostly_agree_show_pips() -> None:
    read = np.array([half(v) for v in (9, 4, 6, 6, 0, 2, 1, 8)])
    counted = np.array([half(v, 0.8) for v in (9, 4, 5, 6, 0, 2, 2, 8)])
    assert not show_numerals(read, counted, P)


def test_one_tile_on_which_the_readers_differ_is_no_set_of_numerals() -> None:
    assert not show_numerals(np.array([half(9), half(4)]), np.array([half(8), half(4)]), P)
    assert not show_numerals(np.array([half(12), half(11)]), np.array([half(8, 0.6), half(9, 0.6)]), P)
    assert not show_numerals(np.zeros((0, 19)), np.zeros((0, 19)), P)


def test_blank_tiles_are_no_numerals() -> None:
    """A hand of double blanks and a 0-1: a counter that sees nothing is right."""
    read = np.array([half(v) for v in (0, 0, 0, 1)])
    assert not show_numerals(read, read, P)
