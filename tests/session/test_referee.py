"""Questions to the referee: rulings with evidence, appeals, what may and should be played."""

from __future__ import annotations

from companion.dominoes import Tile
from companion.rules.moves import parse_move
from companion.rules.rulings import Verdict

from .evening import Evening, done


def test_a_ruling_says_under_which_rules_it_would_be_legal() -> None:
    evening = Evening(preset="tournament")
    for move in ("Ann 12-5", "Ben 12-7", "Cy 12-1"):
        done(evening.tell(move))
    answer = evening.session.referee.rule(evening.id, parse_move("Ann 7-3 @Ben"))
    assert answer is not None
    assert answer.ruling.verdict is Verdict.ILLEGAL
    assert [str(change) for change in answer.legal_with] == ["all_trains_open=true"]


def test_a_ruling_comes_with_the_pictures_of_the_trains_last_tile() -> None:
    evening = Evening()
    done(evening.tell("Ann 12-5", pictures=["before", "after"]))
    done(evening.tell("Ben 12-3", pictures=["other"]))
    done(evening.tell("Cy 12-1"))
    answer = evening.session.referee.rule(evening.id, parse_move("Ann 5-4"))
    assert answer is not None
    assert answer.evidence == ("before", "after")


def test_a_past_play_is_ruled_on_as_the_table_was_then() -> None:
    evening = Evening()
    done(evening.tell("Ann 12-5"))
    wrong = done(evening.tell("Ben 6-5", anyway=True, pictures=["proof"])).sequence
    done(evening.tell("Cy 12-1"))
    answer = evening.session.referee.appeal(evening.id, wrong)
    assert answer is not None
    assert answer.ruling.rules == ("R-04",)
    assert answer.state.table == {Tile.double(12), Tile(12, 5)}
    assert answer.evidence == ("proof",)
    assert answer.play is not None
    assert answer.play.id == wrong
    assert evening.session.referee.appeal(evening.id, 999) is None


def test_a_hand_that_is_shown_decides_what_else_would_depend_on_it() -> None:
    evening = Evening(preset="tournament")
    move = parse_move("Ann draw")
    unknown = evening.session.referee.rule(evening.id, move)
    shown = evening.session.referee.rule(evening.id, move, hand=[Tile(12, 5)])
    assert unknown is not None
    assert shown is not None
    assert (unknown.ruling.verdict, shown.ruling.verdict) == (Verdict.DEPENDS, Verdict.ILLEGAL)


def test_counsel_names_the_plays_the_best_one_and_the_longest_train() -> None:
    evening = Evening()
    counsel = evening.session.referee.counsel(evening.id, "Ann", [Tile(12, 5), Tile(5, 4), Tile(9, 8)])
    assert counsel is not None
    assert {tile for tile, _ in counsel.plays.plays} == {Tile(12, 5)}
    assert counsel.best is not None
    assert counsel.best.option.tile == Tile(12, 5)
    assert counsel.train is not None
    assert counsel.train.tiles == (Tile(12, 5), Tile(5, 4))


def test_out_of_turn_there_is_a_ruling_and_no_play() -> None:
    evening = Evening(first_player="rotate")
    counsel = evening.session.referee.counsel(evening.id, "Ben", [Tile(12, 5)])
    assert counsel is not None
    assert counsel.plays.ruling.rules == ("R-01",)
    assert counsel.best is None


def test_without_a_round_there_is_no_answer() -> None:
    evening = Evening()
    done(evening.session.games.end(evening.wish(), evening.id))
    assert evening.session.referee.rule(evening.id, parse_move("Ann 12-5")) is None
    assert evening.session.referee.counsel(evening.id, "Ann", [Tile(12, 5)]) is None
    assert evening.session.referee.rule("no game", parse_move("Ann 12-5")) is None
