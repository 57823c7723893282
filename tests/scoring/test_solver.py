from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.dominoes import Tile, TileSet
from companion.scoring.advice import Option, best_play
from companion.scoring.solver import Aim, LongTrain, longest_train

SMALL = st.sets(st.sampled_from(TileSet(6).tiles), max_size=7)


def tiles(text: str) -> list[Tile]:
    return [Tile.parse(word) for word in text.split()]


def plain_best(hand: frozenset[Tile], value: int) -> int:
    """The most pips that any walk gets rid of, by trying them all."""
    return max(
        (tile.pips + plain_best(hand - {tile}, tile.other(value)) for tile in hand if tile.has(value)),
        default=0,
    )


def plain_feet(hand: frozenset[Tile], value: int, toes: int) -> int:
    """The same where a double wants toes before the train goes on."""
    best = 0
    for tile in hand:
        if not tile.has(value):
            continue
        rest = hand - {tile}
        if not tile.is_double:
            best = max(best, tile.pips + plain_feet(rest, tile.other(value), toes))
            continue
        fitting = [other for other in rest if other.has(value)]
        some = max((sum(t.pips for t in c) for c in combinations(fitting, min(len(fitting), toes - 1))), default=0)
        best = max(best, tile.pips + some)
        for chosen in combinations(fitting, toes):
            for onward in chosen:
                onward_end = onward.other(value)
                gone = sum(toe.pips for toe in chosen)
                best = max(best, tile.pips + gone + plain_feet(rest - frozenset(chosen), onward_end, toes))
    return best


@given(SMALL, st.integers(0, 6))
def test_no_train_is_better(hand: set[Tile], start: int) -> None:
    train = longest_train(hand, start)
    assert train.exact
    assert train.pips == sum(tile.pips for tile in train.tiles) == plain_best(frozenset(hand), start)


@settings(max_examples=60)
@given(st.sets(st.sampled_from(TileSet(6).tiles), max_size=6), st.integers(0, 6), st.sampled_from([2, 3]))
def test_no_train_with_feet_is_better(hand: set[Tile], start: int, toes: int) -> None:
    train = longest_train(hand, start, toes=toes)
    assert train.exact
    assert train.pips == sum(tile.pips for tile in train.tiles) == plain_feet(frozenset(hand), start, toes)


def assert_can_be_laid(train: LongTrain, start: int, toes: int) -> None:
    """Lay the train tile by tile: joins fit, and a double has its toes before the train goes on."""
    value, order = start, list(train.tiles)
    assert len(set(order)) == len(order)
    while order:
        tile = order.pop(0)
        assert tile not in train.toes and tile.has(value)
        if not tile.is_double:
            value = tile.other(value)
            continue
        onward = order.pop(0) if order and order[0] not in train.toes else None
        beside = 0
        while order and order[0] in train.toes:
            assert order.pop(0).has(value)
            beside += 1
        if onward is None:
            assert not order and beside < max(1, toes)
        else:
            assert beside == max(0, toes - 1)
            value = onward.other(value)


FEW = st.sets(st.sampled_from(TileSet(6).tiles), max_size=20)


@settings(max_examples=60)
@given(FEW, st.integers(0, 6), st.sampled_from([0, 2, 3]), st.sampled_from(["pips", "tiles"]))
def test_every_train_can_be_laid(hand: set[Tile], start: int, toes: int, aim: Aim) -> None:
    train = longest_train(hand, start, toes=toes, aim=aim)
    assert train.exact and set(train.tiles) <= hand and train.toes <= set(train.tiles)
    assert_can_be_laid(train, start, toes)


@given(SMALL, st.integers(0, 6))
def test_the_train_joins(hand: set[Tile], start: int) -> None:
    train = longest_train(hand, start, aim="tiles")
    value = start
    for tile in train.tiles:
        value = tile.other(value)
    assert set(train.tiles) <= hand and len(set(train.tiles)) == len(train.tiles)


@given(st.sets(st.sampled_from(TileSet(6).tiles), max_size=5), st.integers(0, 6))
def test_most_tiles_are_the_most(hand: set[Tile], start: int) -> None:
    def joins(order: tuple[Tile, ...]) -> bool:
        value = start
        for tile in order:
            if not tile.has(value):
                return False
            value = tile.other(value)
        return True

    lengths = [size for size in range(len(hand) + 1) if any(map(joins, permutations(hand, size)))]
    assert len(longest_train(hand, start, aim="tiles").tiles) == max(lengths)


def test_pips_and_tiles_can_differ() -> None:
    hand = tiles("12-11 12-1 1-0 0-2")
    assert str(longest_train(hand, 12)) == "12-11"
    assert str(longest_train(hand, 12, aim="tiles")) == "12-1 1-0 2-0"


def test_doubles_count() -> None:
    assert str(longest_train(tiles("6-6 6-2 2-2 9-9"), 6)) == "6-6 6-2 2-2"


def test_toes_lie_beside_the_train() -> None:
    train = longest_train(tiles("6-5 5-5 5-1 5-2 2-4 5-0"), 6, toes=3)
    assert {str(tile) for tile in train.toes} == {"5-1", "5-0"}
    assert train.pips == 11 + 10 + 6 + 7 + 5 + 6


def test_a_large_hand_is_searched_to_the_end_where_that_is_easy() -> None:
    train = longest_train(TileSet(9).tiles, 9)
    assert train.exact and train.pips == sum(tile.pips for tile in TileSet(9)) - LEFT_OF_NINE


# Double-nine has nine plain tiles at every value. A walk may end at two odd values, so of the other eight each loses a tile, and
# one tile serves two values: the four lightest that do are 1-0, 3-2, 5-4 and 7-6 (the walk runs from 9 to 8).
LEFT_OF_NINE = 1 + 5 + 9 + 13

# Feet on nearly all doubles of nearly all values: hands that took long. All tiles of the second but 0-0 can be laid.
HARDEST = [
    (3, 3, "0-0 4-4 5-5 1-1 6-6 2-2 3-3 4-3 4-2 3-2 5-0 6-4 6-5 6-0 4-1 5-4 6-1 2-0 1-0 5-1", 116),
    (3, 3, "3-0 5-0 1-0 1-1 4-4 4-1 4-0 5-3 2-1 3-3 3-1 0-0 5-2 5-4 2-2 3-2 4-2 5-5 2-0 5-1", 98),
]


@pytest.mark.parametrize(("start", "toes", "hand", "pips"), HARDEST)
def test_twenty_tiles_are_solved_in_a_few_passes(start: int, toes: int, hand: str, pips: int) -> None:
    looks = 0

    def out_of_time() -> bool:
        nonlocal looks
        looks += 1
        return looks > 3

    train = longest_train(tiles(hand), start, toes=toes, out_of_time=out_of_time)
    assert train.exact and train.pips == pips


def test_when_time_is_up_the_best_so_far_is_given() -> None:
    start, toes, hand, pips = HARDEST[0]
    train = longest_train(tiles(hand), start, toes=toes, out_of_time=lambda: True)
    assert not train.exact and 0 < train.pips < pips
    assert_can_be_laid(train, start, toes)


def test_advice_keeps_the_own_train_whole() -> None:
    hand = tiles("12-5 5-7 7-9 12-3")
    options = [Option(hand[0], "Ann's train", 12, True), Option(hand[3], "the Mexican train", 12, False)]
    advice = best_play(hand, options, 12)
    assert advice is not None and advice.option.tile == Tile(12, 3) and advice.reason == "keeps_train"
    assert "12-3" in advice.sentence() and "3 tiles" in advice.sentence()


@pytest.mark.parametrize(
    ("hand", "count", "reason"),
    [("12-5", 1, "goes_out"), ("12-5 8-8", 1, "only_play"), ("12-5 5-9 12-1", 2, "starts_train")],
)
def test_advice_says_why(hand: str, count: int, reason: str) -> None:
    held = tiles(hand)
    options = [Option(tile, "Ann's train", 12, True) for tile in held if tile.has(12)]
    assert len(options) == count
    advice = best_play(held, options, 12)
    assert advice is not None and advice.reason == reason


def test_advice_counts_toes() -> None:
    hand = tiles("12-5 5-5 5-1 5-2 5-3 12-4 4-9")
    options = [Option(tile, "Ann's train", 12, True) for tile in (Tile(12, 5), Tile(12, 4))]
    with_toes = best_play(hand, options, 12, toes=3)
    assert with_toes is not None and with_toes.option.tile == Tile(12, 5)
    assert ("tiles", "5") in with_toes.arguments
    plain = best_play(hand, options, 12)
    assert plain is not None and ("tiles", "3") in plain.arguments


def test_no_option_no_advice() -> None:
    assert best_play(tiles("1-1"), [], 12) is None
