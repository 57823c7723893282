"""Camera against game: what differs, and what has differed for long."""

from __future__ import annotations

from companion.dominoes import Tile
from companion.rules.audit import LyingTable
from companion.rules.trains import Train
from companion.session.disagreement import Comparison, lying_from
from companion.session.wording import say_remark
from companion.table.watch_events import StateSeen, TrainSeen

from .evening import Evening, done


def table(*trains: str, engine: str = "12-12") -> LyingTable:
    return LyingTable((Tile.parse(engine),), tuple(map(Train.parse, trains)))


def compare(evening: Evening, seen: LyingTable, *, times: tuple[float, ...]) -> list[str]:
    state = evening.session.table.state(evening.id)
    assert state is not None
    comparison = Comparison()
    for at_s in times:
        comparison = comparison.seen(state, seen, at_s)
    return [say_remark(remark) for remark in comparison.lasting()]


def test_a_table_that_is_the_games_has_nothing_to_say() -> None:
    evening = Evening()
    done(evening.tell("Ann 12-5"))
    assert compare(evening, table("Ann: 12-5"), times=(0, 100)) == []


def test_another_tile_is_said_once_it_has_lasted() -> None:
    evening = Evening()
    done(evening.tell("Ann 12-5"))
    assert compare(evening, table("Ann: 12-4"), times=(0, 5)) == []
    assert compare(evening, table("Ann: 12-4"), times=(0, 30)) == [
        "The table shows 12-4 where the game has 12-5, on Ann's train."
    ]


def test_a_difference_that_was_gone_for_a_moment_starts_anew() -> None:
    evening = Evening()
    done(evening.tell("Ann 12-5"))
    state = evening.session.table.state(evening.id)
    assert state is not None
    comparison = Comparison().seen(state, table("Ann: 12-4"), 0)
    comparison = comparison.seen(state, table("Ann: 12-5"), 15).seen(state, table("Ann: 12-4"), 25)
    assert comparison.lasting() == ()
    assert len(comparison.seen(state, table("Ann: 12-4"), 45).lasting()) == 1


def test_missing_and_extra_tiles_and_engines_are_said() -> None:
    evening = Evening()
    done(evening.tell("Ann 12-5"))
    assert compare(evening, table("mexican: 12-1"), times=(0, 30)) == [
        "The game has 12-5 on Ann's train, and the table does not show it.",
        "The table shows 12-1 on the Mexican train, and the game does not have it.",
    ]
    assert compare(evening, table("Ann: 12-5", engine="11-11"), times=(0, 30)) == [
        "The table shows 11-11 in the middle where the game has 12-12."
    ]


def test_a_watch_tells_what_it_sees_in_the_same_form() -> None:
    trains = (
        TrainSeen("Ann", ((12, 5), (5, 4)), 4, False, False, False),
        TrainSeen("mexican", ((12, 1),), 1, False, False, True),
        TrainSeen("somebody", ((12, 9),), 9, False, False, False),
    )
    seen = StateSeen(frame=7, engine=12, trains=trains, loose=(), turn=None, face_down=0)
    assert lying_from(seen, ["Ann", "Ben"]) == table("Ann: 12-5 5-4", "mexican: 12-1")
    evening = Evening()
    for move in ("Ann 12-5", "Ben pass", "Cy 12-1 @mexican", "Ann 5-4"):
        done(evening.tell(move, anyway=True))
    assert compare(evening, lying_from(seen, evening.game.names), times=(0, 30)) == []
