"""``companion judge``: what it prints and how it leaves."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli.judge import judge

ROOT = Path(__file__).parents[2]
QUESTIONS = Path(os.environ.get("COMPANION_SHARED", ROOT.parent / "shared")) / "rules" / "questions"

ROUND = """rules tournament
players Ann Ben
hands 2
hand Ann 12-5 5-1
engine 12-12
start Ann
? Ann 6-5
? Ann
Ann 12-5
Ben 12-4
Ann 5-1
end
"""


def run(tmp_path: Path, text: str | bytes, *options: str) -> tuple[int, str, str]:
    path = tmp_path / "quarrel.round"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    result = CliRunner().invoke(judge, [str(path), *options])
    return result.exit_code, result.stdout, result.stderr.replace(str(path), "FILE")


def test_json_has_a_line_for_every_deed_and_question(tmp_path: Path) -> None:
    status, out, err = run(tmp_path, ROUND, "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert (status, err) == (0, "")
    assert [line["line"] for line in lines] == [5, 7, 8, 9, 10, 11, 12]
    illegal = lines[1]
    assert illegal["text"] == "? Ann 6-5" and illegal["ruling"] == "illegal"
    assert [broken["rule"] for broken in illegal["violations"]] == ["R-03", "R-04"]
    assert illegal["legal_under"] == [] and illegal["plays"] is None and illegal["needs"] == []
    assert lines[2]["plays"] == [["12-5", "Ann"], ["12-5", "mexican"]]
    assert lines[-1]["scores"] == {"Ann": 0, "Ben": None}


def test_words_name_the_rule_and_what_would_help(tmp_path: Path) -> None:
    text = "rules tournament\nplayers Ann Ben\nengine 12-12\nstart Ann\nAnn 12-5\n? Ben 12-4 @Ann\n? Ben draw\n"
    status, out, _ = run(tmp_path, text)
    assert status == 0
    assert "R-05  There is no marker on Ann's train" in out
    assert "It depends on: hand of Ben." in out


def test_what_cannot_be_read_says_where_and_prints_nothing(tmp_path: Path) -> None:
    status, out, err = run(tmp_path, "rules tournament\nplayers Ann Ben\nAnn 12+5\n")
    assert (status, out) == (2, "") and err.startswith("FILE:3: ")
    status, out, err = run(tmp_path, b"rules tournament\n\xff\n")
    assert (status, out) == (2, "") and err.startswith("FILE:2: ")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    result = CliRunner().invoke(judge, [str(tmp_path / "none.round")])
    assert result.exit_code == 2 and result.stdout == "" and "none.round: " in result.stderr


def test_other_rules_can_be_named(tmp_path: Path) -> None:
    text = (
        "rules tournament\nplayers Ann Ben\nengine 12-12\nstart Ann\nAnn 12-6\nBen 12-5\nAnn 6-6\n? Ann 12-1 @mexican\n"
    )
    assert '"illegal"' in run(tmp_path, text, "--json")[1].splitlines()[-1]
    assert '"legal"' in run(tmp_path, text, "--json", "--rules", "casual")[1].splitlines()[-1]
    status, out, err = run(tmp_path, text, "--rules", "nobody")
    assert (status, out) == (2, "") and "no preset 'nobody'" in err


def test_other_languages(tmp_path: Path) -> None:
    text = "rules tournament\nplayers Ann Ben\nengine 12-12\nstart Ann\nAnn 12-5\n? Ben 12-4 @Ann\n? Ben draw\n"
    for language, sentence in (
        ("da", "Der er ingen markør på toget hos Ann"),
        ("nl", "Er staat geen markering bij de trein van Ann"),
        ("nb", "Det står ingen markør på toget til Ann"),
        ("sk", "Bez značky: vlak hráča Ann"),
    ):
        status, out, _ = run(tmp_path, text, "--lang", language)
        assert status == 0 and sentence in out
    status, out, err = run(tmp_path, text, "--lang", "xx")
    assert (status, out) == (2, "") and "'nb'" in err
    facts = json.loads(run(tmp_path, text, "--lang", "da", "--json")[1].splitlines()[-1])
    assert facts["ruling"] == "depends" and facts["needs"] == ["hand of Ben"] and facts["asks"] == ["hånden hos Ben"]


def test_what_is_illegal_happens_only_if_it_was_seen(tmp_path: Path) -> None:
    text = "rules tournament\nplayers Ann Ben\nengine 12-12\nstart Ann\nAnn 6-5\n! Ann 6-5\n? Ben 6-6\n"
    lines = [json.loads(line) for line in run(tmp_path, text, "--json")[1].splitlines()]
    assert [line.get("happens") for line in lines] == [True, False, True, None]
    words = run(tmp_path, text)[1]
    assert words.count("It does not happen.") == 1 and words.count("It stands as it was seen.") == 1


def test_the_best_play_is_told_with_its_reason(tmp_path: Path) -> None:
    text = (
        "rules tournament\nplayers Ann Ben\nhands 4\nhand Ann 12-5 5-7 7-9 12-3\nengine 12-12\nstart Ann\n? Ann\n"
        "Ann 12-3 @mexican\n? Ben\n"
    )
    lines = [json.loads(line) for line in run(tmp_path, text, "--json")[1].splitlines()]
    assert lines[1]["best"]["tile"] == "12-3" and lines[1]["best"]["train"] == "mexican"
    assert lines[-1]["plays"] and lines[-1]["best"] is None
    assert "is not needed for your own train of 3 tiles" in run(tmp_path, text)[1]


def test_the_table_at_the_end_is_looked_over(tmp_path: Path) -> None:
    text = "rules tournament\nplayers Ann Ben\nengine 12-12\nstart Ann\nAnn 12-6\nBen 12-5\n! Ann 7-1\n! Ben 5-5\n"
    status, out, _ = run(tmp_path, text, "--audit")
    told = out.partition("On the table at the end:")[2]
    assert status == 0
    assert "R-04  The 7-1 does not fit: Ann's train asks for 6." in told
    assert "R-09  The 5-5 on Ben's train is open; it is owed by Ben." in told
    last = json.loads(run(tmp_path, text, "--audit", "--json")[1].splitlines()[-1])
    assert [found["kind"] for found in last["audit"]] == ["MISMATCHED_JOIN", "OPEN_DOUBLE"]
    good = "rules tournament\nplayers Ann Ben\nengine 12-12\nstart Ann\nAnn 12-6\n"
    assert "Nothing is wrong and nothing is owed." in run(tmp_path, good, "--audit")[1]


def test_standard_input_can_be_judged() -> None:
    result = CliRunner().invoke(judge, ["-", "--json"], input=ROUND)
    assert result.exit_code == 0 and len(result.stdout.splitlines()) == 7


def wrong_answers(expected: dict[str, Any], answers: list[dict[str, Any]]) -> list[str]:
    by_line = {answer["line"]: answer for answer in answers}
    wrong = []
    for want in expected.get("expect", []):
        answer = by_line[want["line"]]
        cited = {broken["rule"] for broken in answer["violations"]}
        rules = set(want.get("rules", cited))
        good = want.get("ruling", answer["ruling"]) == answer["ruling"]
        good = good and rules <= cited <= rules | set(want.get("may", []))
        good = good and set(want.get("needs", answer["needs"])) == set(answer["needs"])
        if "plays" in want:
            good = good and sorted(map(tuple, want["plays"])) == sorted(map(tuple, answer["plays"]))
        if not good:
            wrong.append(f"line {want['line']}: {answer}")
    if "scores" in expected:
        told = [answer["scores"] for answer in answers if "scores" in answer]
        if told != [expected["scores"]]:
            wrong.append(f"scores {told}")
    return wrong


@pytest.mark.skipif(not QUESTIONS.is_dir(), reason="the questions that tables argue about are not on this machine")
def test_questions_that_tables_argue_about() -> None:
    paths = sorted(QUESTIONS.glob("*.round"))
    assert paths
    for path in paths:
        result = CliRunner().invoke(judge, [str(path), "--json"])
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        assert result.exit_code == 0, path.name
        assert not wrong_answers(json.loads(path.with_suffix(".json").read_text()), answers), path.name
