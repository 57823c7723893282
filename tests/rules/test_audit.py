"""The audit: only what lies on the table is known."""

from __future__ import annotations

import pytest
from expecting import final

from companion.dominoes import Tile
from companion.rules.audit import Anomaly, LyingTable, audit, audit_lying
from companion.rules.presets import standard_book
from companion.rules.trains import Train
from companion.rules.wording import say

BOOK = standard_book()
ENGINE = (Tile(12, 12),)


def found(rules: str, *trains: str, engines: tuple[Tile, ...] = ENGINE, loose: tuple[Tile, ...] = ()) -> list[str]:
    table = LyingTable(engines, tuple(map(Train.parse, trains)), loose)
    return [f"{finding.anomaly} {say(finding.told)}" for finding in audit_lying(table, BOOK.rules(rules))]


def test_a_table_without_fault() -> None:
    assert found("base", "Ann: 12-5 5-5 5-1", "Ben*: 12-4", "mexican: 12-0") == []
    assert found("base", engines=()) == []


@pytest.mark.parametrize(
    ("rules", "trains", "said"),
    [
        ("base", ["Ann: 12-5 6-1"], "MISMATCHED_JOIN The 6-1 does not fit: Ann's train asks for 5."),
        ("base", ["Ann: 11-5"], "WRONG_START The 11-5 does not fit: Ann's train asks for 12."),
        ("base", ["Ann: 12-5", "Ben: 12-5"], "DUPLICATE_TILE The 12-5 lies there 2 times."),
        ("base set=9", ["Ann: 9-12"], "NOT_IN_SET A double-9 set has no 12-9."),
        (
            "base",
            ["mexican: 12-5", "mexican2: 12-4"],
            "TOO_MANY_MEXICANS There is one Mexican train and no second one.",
        ),
        ("base mexican_trains=0", ["mexican: 12-5"], "TOO_MANY_MEXICANS There is no Mexican train in this game."),
        (
            "base",
            ["Ann: 12-5 5-5 6-1"],
            "MISMATCHED_JOIN|PAST_OPEN_DOUBLE The 6-1 does not fit: Ann's train asks for 5.",
        ),
        ("base", ["Ann: 12-5 5-5"], "OPEN_DOUBLE The 5-5 on Ann's train is open."),
        (
            "base chicken_foot=3",
            ["Ann: 12-5 5-5 5-1 1-4"],
            "PAST_OPEN_DOUBLE The 5-5 on Ann's train still wants 2 of its toes.",
        ),
        (
            "base chicken_foot=2",
            ["Ann: 12-5 5-5 5-1 | 0.1 5-2 | 0.1 5-3"],
            "TOO_MANY_TOES Too many tiles lie on the 5-5 on Ann's train: it takes 2.",
        ),
        (
            "base chicken_foot=2",
            ["Ann: 12-5 5-5 5-1 | 0.1 6-2"],
            "MISMATCHED_JOIN The 6-2 does not fit: branch 2 of Ann's train asks for 5.",
        ),
    ],
)
def test_faults(rules: str, trains: list[str], said: str) -> None:
    engine = (Tile(9, 9),) if "set=9" in rules else ENGINE
    assert said in found(rules, *trains, engines=engine)


def test_engines_and_loose_tiles() -> None:
    assert found("base", "Ann: 12-5", engines=()) == ["NO_ENGINE Tiles lie there, but no engine."]
    both = found("base", "Ann: 12-5", engines=(*ENGINE, Tile(11, 11)))
    assert both == ["TWO_ENGINES The engine lies there already: the 11-11."]
    assert found("base", loose=(Tile(3, 1),)) == ["ORPHAN_TILE The 3-1 lies on no train."]


def test_who_owes_a_double_is_said() -> None:
    state = final(
        "rules base\nplayers Ann Ben\nengine 12-12\nstart Ann\nAnn 12-6\nBen 12-5\nAnn 6-6\nAnn draw\nAnn pass\n"
        "? Ben 5-1 # illegal R-09\n"
    )
    assert [say(finding.told) for finding in audit(state)] == ["The 6-6 on Ann's train is open; it is owed by Ben."]
    assert [finding.anomaly.is_fault for finding in audit(state)] == [False]


def test_a_double_that_nobody_can_cover_is_not_open() -> None:
    trains = ["Ann: 6-3 3-1", "Ben: 6-2 2-3 3-0", "Cy: 6-5 5-3", "Dee: 6-4 4-3 3-3"]
    assert found("base set=6", *trains, engines=(Tile(6, 6),)) == []
    assert len(found("base set=6 double_dead=owed", *trains, engines=(Tile(6, 6),))) == 1


def test_a_seen_misfit_is_found_later() -> None:
    state = final(
        "rules base\nplayers Ann Ben\nengine 12-12\nstart Ann\nAnn 12-4\nBen 12-5\n! Ann 6-3 # illegal R-04\n"
    )
    assert [finding.anomaly for finding in audit(state)] == [Anomaly.MISMATCHED_JOIN]
    assert audit(state)[0].place == (0, 1)
