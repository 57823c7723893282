"""Every refusal and remark that the code can make has a sentence, with the arguments that the sentence names."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import companion.session
from companion.session.answers import Refused
from companion.session.wording import REASONS, REMARKS, say_refused

PACKAGE = Path(companion.session.__file__).parent
CALLS = {("Refused", "because"): REASONS, ("Remark", "of"): REMARKS}
NOT_ARGUMENTS = {"ruling", "index", "pictures"}


def made() -> list[tuple[dict[str, str], str, set[str], str]]:
    """Every call that makes one with its id written out: the sentences it belongs to, id, arguments, place."""
    found = []
    for path in sorted(PACKAGE.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id=owner), attr=attribute),
                    args=[ast.Constant(value=str(reason))],
                    keywords=keywords,
                ) if (owner, attribute) in CALLS:
                    named = {keyword.arg for keyword in keywords if keyword.arg} - NOT_ARGUMENTS
                    found.append((CALLS[owner, attribute], reason, named, f"{path.name}:{node.lineno}"))
    return found


def fields_of(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_every_reason_has_a_sentence_that_gets_what_it_names() -> None:
    calls = made()
    assert len(calls) > 40
    for sentences, reason, named, place in calls:
        assert reason in sentences, f"{place}: {reason} has no sentence"
        assert fields_of(sentences[reason]) <= named, f"{place}: {reason} lacks an argument"


def test_no_sentence_is_left_over() -> None:
    used = {reason for _, reason, _, _ in made()} | {"already_confirmed", "already_scored"}
    assert set(REASONS) <= used
    assert {name for name in REMARKS if not name.startswith("table_")} <= used


def test_the_host_is_called_so_in_every_language() -> None:
    refused = Refused.because("already_scored", player="Ben", points=5, by="host", round=1)
    assert say_refused(refused) == "Ben has a score for round 1 already: 5, confirmed by the host."
    assert "vært" in say_refused(refused, lambda text: text.replace("the host", "vært"))
