"""The readings of cases that the rules leave open, and what would make a deed legal."""

from __future__ import annotations

from dataclasses import replace

import pytest
from expecting import check, final

from companion.dominoes import Tile
from companion.rules.moves import Play, parse_move
from companion.rules.presets import standard_book
from companion.rules.referee import legal_moves, rule_on, what_may
from companion.rules.starting import highest_draw, starter
from companion.rules.trains import LaidTile, TrainRef
from companion.rules.what_if import legal_under, legal_with

BOOK = standard_book()

QUARREL = """rules tournament
players Ann Ben
engine 12-12
start Ann
Ann 12-6
Ben 12-5
Ann 6-6
"""


def test_what_if_names_presets_and_single_switches() -> None:
    state = final(QUARREL + "? Ann 6-1 # legal\n")
    move = parse_move("Ann 12-8 @mexican")
    assert rule_on(state, move).rules == ("R-11",)
    assert legal_under(state, move, BOOK) == ("spruce", "wikihow", "casual")
    assert "double_follow=anywhere" in map(str, legal_with(state, move))
    for change in legal_with(state, move):
        assert rule_on(replace(state, rules=state.rules.with_switch(change.name, change.value)), move).is_legal


def test_what_would_not_help_is_not_named() -> None:
    state = final(QUARREL + "? Ann 6-1 # legal\n")
    assert legal_with(state, parse_move("Ann 12-6 @mexican")) == ()


def test_a_second_toe_in_one_turn_is_another_turn() -> None:
    check(
        "rules base chicken_foot=3 first_turn=chain\nplayers Ann Ben\nengine 12-12\nstart Ann\nAnn 12-6\nAnn 6-6\n"
        "Ann 6-1\n? Ann 6-2 # illegal R-12\n? Ben 12-4 # illegal R-20\n? Ben 6-4 @Ann # legal\n"
    )


def test_a_foot_on_a_branch_keeps_its_name() -> None:
    check(
        "rules base chicken_foot=2 chicken_foot_forks=true\nplayers Ann Ben\nengine 12-12\nstart Ann\nAnn 12-6\nBen 12-5\n"
        "Ann 6-6\nAnn 6-1\nBen 6-2 @Ann\nAnn 2-2 @Ann/2\nAnn 2-3 @Ann/2\n? Ben 1-4 @Ann # illegal R-05 R-20\n"
        "Ben 2-4 @Ann/2\nAnn 4-9 @Ann/3\n? Ann 3-9 # illegal R-12 R-04\n"
    )


def test_a_silent_end_depends_on_the_hand_of_who_laid_the_double() -> None:
    check(
        "rules base double_stuck=turn_ends\nplayers Ann Ben\nengine 12-12\nstart Ann\nAnn 12-6\nBen 12-5\nAnn 6-6\n"
        "? Ben 6-1 @Ann # depends: hand of Ann\n? Ben # depends: hand of Ann\nAnn pass # depends: hand of Ann\n"
        "? Ben 6-1 @Ann # legal\n"
    )


def test_a_dead_double_takes_its_player_out() -> None:
    heading = (
        "set 6\nplayers Ann Ben\nhands 5\nhand Ann 6-3 3-1 6-5 5-3 3-3\nengine 6-6\nstart Ann\n"
        "Ann 6-3\nBen 6-2\nAnn 3-1\nBen 2-3\nAnn 6-5 @mexican\nBen 3-4\nAnn 5-3 @mexican\nBen 4-1\n"
    )
    check("rules tournament\n" + heading + "Ann draw # illegal R-14\nAnn 3-3 @mexican # legal\nAnn draw\n")


def test_the_order_of_doubles_that_nobody_saw_laid_is_missing() -> None:
    state = final(
        "rules spruce\nplayers Ann Ben Cy\nhands 6\nengine 12-12\nstart Ann\nAnn 12-6\nAnn 6-6\nAnn done\nBen 12-5\n"
        "Ben 5-5\nBen done\nCy 12-3\n? Ann 6-1 # legal\n"
    )
    for seat in (0, 1):
        train = state.trains[seat]
        seen = tuple(LaidTile(laid.tile, laid.outward) for laid in train)
        state = state.with_train(seat, replace(train, branches=(replace(train.branches[0], tiles=seen),)))
    assert str(rule_on(state, parse_move("Ann 6-1"))) == "depends: order of the doubles"


def test_whose_turn_it_was() -> None:
    check(
        "rules casual first_player=chosen\nplayers Ann Ben\nengine 12-12\n? Ann 12-5 # depends: whose turn it was\n"
        "? Ben # plays: " + ", ".join(f"12-{low} {place}" for low in range(12) for place in ("Ben", "mexican")) + "\n"
        "? Ann 6-5 # illegal R-04\nBen 12-5\n? Ann 12-4 # legal\n"
    )


def test_one_known_tile_decides_and_so_do_tiles_that_nobody_can_hold() -> None:
    check("rules base\nplayers Ann Ben\nhands 3\nhand Ann 12-5\nengine 12-12\nstart Ann\n? Ann draw # illegal R-14\n")
    # All but two tiles of double-six show a six or are held: a hand of three unknown tiles must have one that fits.
    check("rules base\nset 6\nplayers Ann Ben\nhands 5\nengine 6-6\nstart Ann\n? Ann draw # depends: hand of Ann\n")


def test_a_whole_round_of_passes_is_blocked() -> None:
    check(
        "rules base draw=none blocked=lowest_zero\nplayers Ann Ben\nhands 1\nhand Ann 1-0\nengine 12-12\nstart Ann\n"
        "Ann pass\nBen pass # depends: hand of Ben\nend # scores: Ann ?, Ben ?\n"
    )


def test_who_loses_a_turn_is_passed_over_once() -> None:
    check(
        "rules wikipedia\nplayers Ann Ben\nhands 3\nengine 12-12\nstart Ann\nAnn 12-5\nBen 12-4\nAnn 5-6\nBen catch Ann\n"
        "Ben 4-1\n? Ann 6-1 # illegal R-01\nBen draw\nBen pass\n? Ann 6-8 # legal\n"
    )


@pytest.mark.parametrize(
    ("rules", "number", "opener", "who"),
    [
        ("tournament", 5, None, "Ben"),
        ("pagat", 5, "Cy", "Cy"),
        ("pagat opener_plays=false", 5, "Cy", "Ann"),
        ("spruce", 1, None, None),
    ],
)
def test_who_starts(rules: str, number: int, opener: str | None, who: str | None) -> None:
    assert starter(BOOK.rules(rules), ("Ann", "Ben", "Cy"), number, opener=opener) == who


def test_equal_draws_draw_again() -> None:
    assert highest_draw({"Ann": Tile(12, 1), "Ben": Tile(7, 6), "Cy": Tile(9, 0)}) == ("Ann", "Ben")
    assert highest_draw({"Ann": Tile(12, 1), "Ben": Tile(7, 7)}) == ("Ben",)


def test_plays_are_lazy_and_can_be_asked_for_one() -> None:
    state = final(QUARREL + "? Ann 6-1 # legal\n")
    assert Play("Ann", Tile(6, 1), TrainRef.of("Ann")) in legal_moves(state)
    assert Play("Ann", Tile(6, 5), TrainRef.of("Ben")) not in legal_moves(state)
    assert {str(train) for _, train in what_may(state, "Ann").plays} == {"Ann"}
