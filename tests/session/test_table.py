"""The table: deeds that people tell, plays that a camera sees, and whose word counts."""

from __future__ import annotations

from companion.dominoes import Tile
from companion.rules.moves import parse_move
from companion.session.events import Source

from .evening import Evening, done, refused


def lying(evening: Evening, owner: str) -> list[str]:
    state = evening.session.table.state(evening.id)
    assert state is not None
    return [str(laid) for laid in state.trains[state.seat(owner)]]


def test_an_engine_that_is_set_aside_lies_there_from_the_start() -> None:
    evening = Evening()
    assert evening.session.table.state("no game") is None
    state = evening.session.table.state(evening.id)
    assert state is not None
    assert state.engine == Tile.double(12)


def test_deeds_are_told_and_the_turn_goes_on() -> None:
    evening = Evening()
    done(evening.tell("Ann 12-5"))
    done(evening.tell("Ben draw"))
    done(evening.tell("Ben pass"))
    state = evening.session.table.state(evening.id)
    assert state is not None
    assert lying(evening, "Ann") == ["12-5"]
    assert state.trains[1].marker
    assert state.players[state.turn.seat or 0] == "Cy"


def test_an_illegal_deed_is_refused_with_the_ruling_and_stands_if_it_happened_anyway() -> None:
    evening = Evening()
    wrong = refused(evening.tell("Ann 6-5"), "illegal")
    assert wrong.ruling is not None
    assert wrong.ruling.rules == ("R-04",)
    assert lying(evening, "Ann") == []
    done(evening.tell("Ann 6-5", anyway=True))
    ((play, ruling),) = evening.session.table.plays(evening.id)
    assert play.move == parse_move("Ann 6-5")
    assert ruling.rules == ("R-04",)
    assert "MISMATCHED" in str(evening.session.table.findings(evening.id)) or evening.session.table.findings(evening.id)


def test_a_deed_told_late_goes_before_the_play_that_it_preceded() -> None:
    evening = Evening()
    ben = done(evening.tell("Ben 12-3", anyway=True)).sequence
    done(evening.tell("Ann 12-5", before=ben))
    assert [str(play.move) for play, _ in evening.session.table.plays(evening.id)] == ["Ann 12-5", "Ben 12-3"]
    assert all(not ruling.violations for _, ruling in evening.session.table.plays(evening.id))
    before = evening.session.table.state(evening.id, before=ben)
    assert before is not None
    assert before.table == {Tile.double(12), Tile(12, 5)}
    refused(evening.tell("Cy 12-1", before=999), "play_gone")


def test_a_camera_play_counts_at_once_and_is_marked_until_it_is_confirmed() -> None:
    evening = Evening()
    seen = done(evening.see("Ann 12-5", pictures=["a", "b"])).sequence
    assert lying(evening, "Ann") == ["12-5"]
    ((play, _),) = evening.session.table.plays(evening.id)
    assert (play.source, play.pictures) == (Source.CAMERA, ("a", "b"))
    done(evening.session.table.confirm(evening.wish("Ann"), evening.id, seen))
    ((play, _),) = evening.session.table.plays(evening.id)
    assert play.source is Source.PERSON


def test_a_camera_takes_back_only_its_own_plays() -> None:
    evening = Evening()
    done(evening.see("Ann 12-5"))
    done(evening.session.table.unsee(evening.wish(camera=True), evening.id, Tile(12, 5)))
    assert lying(evening, "Ann") == []
    refused(evening.session.table.unsee(evening.wish(camera=True), evening.id, Tile(12, 5)), "play_gone")
    again = done(evening.see("Ann 12-5")).sequence  # what a camera took back it may bring again
    done(evening.session.table.confirm(evening.wish(), evening.id, again))
    refused(evening.session.table.unsee(evening.wish(camera=True), evening.id, Tile(12, 5)), "person_said_so")
    done(evening.tell("Ben 12-3"))
    refused(evening.session.table.unsee(evening.wish(camera=True), evening.id, Tile(12, 3)), "person_said_so")


def test_what_a_person_corrected_the_camera_does_not_bring_back() -> None:
    evening = Evening()
    seen = done(evening.see("Ann 12-5")).sequence
    done(evening.session.table.correct(evening.wish(), evening.id, seen, parse_move("Ann 12-4")))
    assert lying(evening, "Ann") == ["12-4"]
    refused(evening.see("Ann 12-5"), "person_said_no")
    refused(evening.see("Ann 12-4"), "known")
    ((play, _),) = evening.session.table.plays(evening.id)
    assert (play.first, play.source) == (parse_move("Ann 12-5"), Source.PERSON)
    done(evening.tell("Ben 12-5"))  # a person may say so all the same
    assert lying(evening, "Ben") == ["12-5"]


def test_what_a_person_rejected_the_camera_does_not_bring_back() -> None:
    evening = Evening()
    seen = done(evening.see("Ann 12-5")).sequence
    rejected = done(evening.session.table.reject(evening.wish(), evening.id, seen))
    refused(evening.see("Ann 12-5"), "person_said_no")
    done(evening.session.games.undo(evening.wish(), evening.id, rejected.sequence))
    assert lying(evening, "Ann") == ["12-5"]


def test_a_play_can_be_undone_from_the_middle() -> None:
    evening = Evening()
    ann = done(evening.tell("Ann 12-5")).sequence
    done(evening.tell("Ben 12-3"))
    done(evening.session.games.undo(evening.wish(), evening.id, ann))
    assert (lying(evening, "Ann"), lying(evening, "Ben")) == ([], ["12-3"])


def test_who_does_not_play_is_refused() -> None:
    evening = Evening()
    refused(evening.tell("Dee 12-5"), "no_player")
    refused(evening.tell("Ann 12-5 @Dee"), "no_player")
    refused(evening.tell("Ann catch Dee"), "no_player")
    refused(evening.session.table.confirm(evening.wish(), evening.id, 999), "play_gone")
    played = done(evening.tell("Ann 12-5")).sequence
    wrong = parse_move("Dee 12-5")
    refused(evening.session.table.correct(evening.wish(), evening.id, played, wrong), "no_player")


def test_the_table_of_an_earlier_round_can_be_looked_at() -> None:
    evening = Evening()
    done(evening.tell("Ann 12-5"))
    done(evening.play_round({"Ben": 3, "Cy": 7}, out="Ann"))
    now, then = (evening.session.table.state(evening.id, round_number=number) for number in (None, 1))
    assert now is not None
    assert then is not None
    assert now.table == {Tile.double(11)}
    assert then.table == {Tile.double(12), Tile(12, 5)}
    assert evening.session.table.state(evening.id, round_number=99) is None


def test_an_engine_that_is_dealt_is_told() -> None:
    evening = Evening(engine="dealt")
    state = evening.session.table.state(evening.id)
    assert state is not None
    assert state.engine is None
    done(evening.tell("Ben engine 12-12"))
    refused(evening.see("Ben engine 12-12"), "known")
