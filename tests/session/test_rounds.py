"""Rounds and the sheet: who scores what, ends, totals, ties, who starts."""

from __future__ import annotations

from companion.dominoes import Tile
from companion.session.events import RoundTold
from companion.session.sheet import Sheet
from companion.session.wording import say_refused, say_remark

from .evening import Evening, done, refused


def sheet_of(evening: Evening) -> Sheet:
    found = evening.session.rounds.sheet(evening.id)
    assert found is not None
    return found


def test_a_new_sheet_has_one_open_round() -> None:
    sheet = sheet_of(Evening())
    assert [(row.number, row.ended, row.missing) for row in sheet.rows] == [(1, False, ("Ann", "Ben", "Cy"))]
    assert sheet.standings == ()
    assert sheet.next is not None
    assert (sheet.next.number, sheet.next.engine) == (1, Tile.double(12))
    assert sheet.winners == ()


def test_a_round_waits_for_every_hand() -> None:
    evening = Evening()
    done(evening.score("Ben", 5))
    wrong = refused(evening.session.rounds.end(evening.wish(), evening.id, out=["Ann"]), "scores_missing")
    assert say_refused(wrong) == "Round 1 still waits for the hand of Cy."
    assert evening.game.round(1).told is None  # a refused wish leaves nothing behind
    done(evening.score("Cy", 8))
    done(evening.session.rounds.end(evening.wish(), evening.id, out=["Ann"]))
    assert evening.game.current == 2


def test_a_second_phone_does_not_end_the_next_round_as_well() -> None:
    evening = Evening()
    done(evening.play_round({"Ben": 3, "Cy": 7}, out="Ann"))
    refused(evening.session.rounds.end(evening.wish(), evening.id, out=["Ann"], round_number=1), "round_ended_already")


def test_totals_run_over_ended_rounds_and_places_follow_them() -> None:
    evening = Evening()
    done(evening.play_round({"Ben": 3, "Cy": 7}, out="Ann"))
    done(evening.play_round({"Ann": 20, "Cy": 1}, out="Ben"))
    done(evening.score("Ann", 99))
    sheet = sheet_of(evening)
    assert [[cell.total for cell in row.cells] for row in sheet.rows] == [[0, 3, 7], [20, 3, 8], [None] * 3]
    assert [str(place) for place in sheet.standings] == ["1. Ben 3", "2. Cy 8", "3. Ann 20"]
    assert sheet.rows[2].cells[0].points == 99


def test_a_marker_costs_and_a_blocked_round_spares_the_lowest() -> None:
    evening = Evening(marker_penalty=10, blocked="lowest_zero")
    for player, tiles in (("Ann", "6-5"), ("Ben", "1-0"), ("Cy", "2-2")):
        done(evening.score(player, tiles))
    done(evening.session.rounds.end(evening.wish(), evening.id, out=[], blocked=True, markers=["Ann"]))
    assert [cell.points for cell in sheet_of(evening).rows[0].cells] == [21, 0, 4]


def test_how_a_round_ended_can_be_corrected_later() -> None:
    evening = Evening()
    for player, tiles in (("Ann", "6-5"), ("Ben", "1-0"), ("Cy", "2-2")):
        done(evening.score(player, tiles))
    done(evening.session.rounds.end(evening.wish(), evening.id, out=["Ann"]))
    assert sheet_of(evening).totals() == {"Ann": 0, "Ben": 1, "Cy": 4}
    done(evening.session.rounds.tell(evening.wish(), evening.id, out=["Ben"], round_number=1))
    assert sheet_of(evening).totals() == {"Ann": 11, "Ben": 0, "Cy": 4}


def test_a_correction_that_leaves_a_player_without_a_score_is_refused() -> None:
    evening = Evening()
    done(evening.play_round({"Ben": 3, "Cy": 7}, out="Ann"))
    refused(evening.session.rounds.tell(evening.wish(), evening.id, out=["Ben"], round_number=1), "scores_missing")
    refused(evening.session.rounds.tell(evening.wish(), evening.id, round_number=5), "other_round")
    refused(evening.session.rounds.tell(evening.wish(), evening.id, out=["Dee"]), "no_player")
    refused(evening.session.rounds.tell(evening.wish(), evening.id, out=["Ann"], blocked=True), "blocked_and_out")


def test_a_whole_game_ends_with_its_last_round_and_names_who_won() -> None:
    evening = Evening(rounds=2)
    done(evening.play_round({"Ben": 3, "Cy": 7}, out="Ann"))
    assert sheet_of(evening).winners == ()
    ended = done(evening.play_round({"Ann": 2, "Cy": 7}, out="Ben"))
    assert ended.game.over
    sheet = sheet_of(evening)
    assert sheet.next is None
    assert sheet.winners == ("Ann",)
    refused(evening.session.rounds.end(evening.wish(), evening.id, out=["Ann"]), "game_over")


def test_a_tie_is_shared_or_parted_as_the_house_rules_say() -> None:
    for tie, winners in (("shared", ("Ann", "Ben")), ("zero_rounds", ("Ben",))):
        evening = Evening(rounds=2, tie=tie)
        done(evening.play_round({"Ann": 4, "Ben": 8}, out="Cy"))
        done(evening.play_round({"Ann": 4, "Cy": 70}, out="Ben"))
        assert sheet_of(evening).winners == winners


def test_engines_and_starters_go_on_from_round_to_round() -> None:
    evening = Evening(first_player="rotate", engine_order="down")
    done(evening.play_round({"Ben": 3, "Cy": 7}, out="Ann"))
    following = sheet_of(evening).next
    assert following is not None
    assert (following.engine, following.starter) == (Tile.double(11), "Ben")


def test_where_the_table_chooses_the_starter_it_is_told() -> None:
    evening = Evening(first_player="chosen")
    before = sheet_of(evening).next
    assert before is not None
    assert before.starter is None
    done(evening.session.rounds.begin_with(evening.wish(), evening.id, "Cy"))
    after = sheet_of(evening).next
    assert after is not None
    assert after.starter == "Cy"
    state = evening.session.table.state(evening.id)
    assert state is not None
    assert state.turn.seat == 2
    refused(evening.session.rounds.begin_with(evening.wish(), evening.id, "Dee"), "no_player")
    refused(evening.session.rounds.begin_with(evening.wish(), evening.id, "Cy", round_number=3), "other_round")


def test_what_the_table_shows_suggests_how_the_round_ended() -> None:
    evening = Evening()
    assert evening.session.rounds.suggested(evening.id, 1) == RoundTold(1)
    done(evening.tell("Ann draw"))
    done(evening.tell("Ann pass"))
    assert evening.session.rounds.suggested(evening.id, 1) == RoundTold(1, markers=("Ann",))


def test_an_odd_end_is_asked_about() -> None:
    evening = Evening()
    (remark,) = evening.session.rounds.questions(evening.id, 1)
    assert say_remark(remark) == "Nobody went out in round 1: was it blocked?"
    done(evening.session.rounds.tell(evening.wish(), evening.id, out=["Ann", "Ben"]))
    (remark,) = evening.session.rounds.questions(evening.id, 1)
    assert say_remark(remark) == "Ann, Ben cannot all have gone out."
