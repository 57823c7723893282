from __future__ import annotations

import pytest

from companion.rules.switches import SWITCH_BY_NAME
from companion.scoring.standings import Tie, progress, standings, winners

ROUNDS = [
    {"Ann": 0, "Ben": 10, "Cy": 5},
    {"Ann": 12, "Ben": 0, "Cy": 7},
    {"Ann": 0, "Ben": 2, "Cy": 0},
]


def places(rounds: list[dict[str, int]], tie: str) -> list[str]:
    return [str(standing) for standing in standings(rounds, tie)]  # type: ignore[arg-type]


TIES = {"zero_rounds": ("Ann",), "shared": ("Ann", "Ben", "Cy")}
"""Who wins `ROUNDS`, in which all totals are equal, under every value of the switch."""


@pytest.mark.parametrize(
    "value", [value for value, _ in SWITCH_BY_NAME["tie"].values], ids=lambda value: f"tie={value}"
)
def test_switch(value: Tie) -> None:
    assert winners(ROUNDS, value) == TIES[value]


def test_equal_totals_are_parted_by_rounds_at_zero() -> None:
    assert places(ROUNDS, "zero_rounds") == ["1. Ann 12", "2. Ben 12", "3. Cy 12"]
    assert winners(ROUNDS, "zero_rounds") == ("Ann",)


def test_then_by_the_lowest_round_above_zero() -> None:
    rounds = [{"Ann": 0, "Ben": 4}, {"Ann": 3, "Ben": 0}, {"Ann": 6, "Ben": 5}]
    assert winners(rounds, "zero_rounds") == ("Ann",)


def test_then_the_place_is_shared() -> None:
    rounds = [{"Ann": 0, "Ben": 4, "Cy": 9}, {"Ann": 4, "Ben": 0, "Cy": 9}]
    assert winners(rounds, "zero_rounds") == ("Ann", "Ben")
    assert places(rounds, "zero_rounds") == ["1. Ann 4", "1. Ben 4", "3. Cy 18"]


def test_shared_shares_at_once() -> None:
    assert winners(ROUNDS, "shared") == ("Ann", "Ben", "Cy")


def test_progress_is_told_round_by_round() -> None:
    told = progress(ROUNDS, "zero_rounds")
    assert [standing[0].player for standing in told] == ["Ann", "Ben", "Ann"]
    assert [standing.total for standing in told[1]] == [10, 12, 12]


def test_a_round_that_forgets_a_player_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="same players"):
        standings([{"Ann": 1, "Ben": 2}, {"Ann": 1}], "shared")


def test_no_rounds_no_standings() -> None:
    assert standings([], "shared") == ()
