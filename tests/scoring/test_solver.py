from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.dominoes import Tile, TileSet
from companion.scoring.advice import Option, best_play
from companion.scoring.solver import longest_train

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


def test_when_time_is_up_the_best_so_far_is_given() -> None:
    train = longest_train(TileSet(9).tiles, 9, out_of_time=lambda: True)
    assert not train.exact and train.pips > 0


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


def test_no_option_no_advice() -> None:
    assert best_play(tiles("1-1"), [], 12) is None
