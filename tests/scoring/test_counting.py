from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.dominoes import Tile, TileSet
from companion.rules.presets import standard_book
from companion.scoring.counting import LeftHand, hand_count, round_scores, tile_count

BASE = standard_book().rules("base")


def tiles(text: str) -> frozenset[Tile]:
    return frozenset(map(Tile.parse, text.split()))


def test_a_hand_counts_its_pips() -> None:
    assert hand_count(tiles("12-5 3-3 7-0"), BASE) == 17 + 6 + 7


@pytest.mark.parametrize("blank", [0, 25, 50, -3])
def test_double_blank_counts_by_itself_whatever_else_holds(blank: int) -> None:
    rules = BASE.with_values({"double_blank": blank, "blank_half": 5, "doubles_count": "twice"})
    assert tile_count(Tile(0, 0), rules) == blank


def test_blank_halves_are_added_after_doubling() -> None:
    rules = BASE.with_values({"blank_half": 5, "doubles_count": "twice"})
    assert [tile_count(Tile.parse(text), rules) for text in ("10-0", "4-4", "5-4")] == [15, 16, 9]


def test_who_went_out_scores_the_bonus_and_pays_for_a_marker() -> None:
    rules = BASE.with_values({"out_bonus": -5, "marker_penalty": 10})
    hands = {"Ann": LeftHand(frozenset(), out=True, marker=True), "Ben": LeftHand(tiles("6-1")), "Cy": LeftHand(None)}
    assert round_scores(hands, rules) == {"Ann": 5, "Ben": 7, "Cy": None}


def test_an_empty_hand_that_did_not_go_out_counts_nothing_and_earns_no_bonus() -> None:
    rules = BASE.with_values({"out_bonus": -5})
    assert round_scores({"Ann": LeftHand(frozenset())}, rules) == {"Ann": 0}


def test_every_lowest_hand_of_a_blocked_round_counts_zero_before_penalties() -> None:
    rules = BASE.with_values({"blocked": "lowest_zero", "marker_penalty": 5})
    hands = {
        "Ann": LeftHand(tiles("2-1"), marker=True),
        "Ben": LeftHand(tiles("3-0")),
        "Cy": LeftHand(tiles("6-5")),
    }
    assert round_scores(hands, rules, blocked=True) == {"Ann": 5, "Ben": 0, "Cy": 11}
    assert round_scores(hands, rules) == {"Ann": 8, "Ben": 3, "Cy": 11}


def test_an_unknown_hand_leaves_the_lowest_known_one_open() -> None:
    rules = BASE.with_values({"blocked": "lowest_zero"})
    hands = {"Ann": LeftHand(tiles("2-1")), "Ben": LeftHand(None), "Cy": LeftHand(tiles("6-5"))}
    assert round_scores(hands, rules, blocked=True) == {"Ann": None, "Ben": None, "Cy": 11}


@given(st.sets(st.sampled_from(TileSet(12).tiles)), st.sets(st.sampled_from(TileSet(12).tiles)))
def test_hands_add_up(one: set[Tile], other: set[Tile]) -> None:
    apart = hand_count(one - other, BASE) + hand_count(other, BASE)
    assert apart == hand_count(one | other, BASE)
