"""Rounds that say in their comments what the referee must answer.

``# legal``, ``# illegal R-01 R-04`` (exactly these), ``# depends: hand of Ben, tile drawn by Ann`` (exactly these),
``# plays: 12-3 Ann, 12-4 mexican`` (exactly these), ``# scores: Ann 0, Ben ?``. A deed that says nothing must not be illegal,
unless it was seen to happen.
"""

from __future__ import annotations

from companion.cli.judge import scores_of
from companion.rules.notation import Deed, read_round
from companion.rules.presets import standard_book
from companion.rules.proceedings import Entry, proceed
from companion.rules.state import RoundState


def check(text: str) -> list[Entry]:
    """Judge the round and compare every answer with its comment."""
    wanted = {number: line.partition("#")[2].strip() for number, line in enumerate(text.split("\n"), start=1)}
    entries = list(proceed(read_round(text, standard_book())))
    for entry in entries:
        want = wanted[entry.line.number]
        if want:
            assert answer(entry, want) == canonical(want), f"line {entry.line.number}: {entry.line.text}"
        elif isinstance(entry.line.says, Deed) and not entry.line.says.seen:
            assert not entry.ruling.violations, f"line {entry.line.number}: {entry.line.text}: {entry.ruling}"
    assert {number for number, want in wanted.items() if want} <= {entry.line.number for entry in entries}
    return entries


def final(text: str) -> RoundState:
    """The state after a checked round."""
    return check(text)[-1].after


def canonical(want: str) -> str:
    word, colon, rest = want.partition(": ")
    if colon:
        return f"{word}: {', '.join(sorted(rest.split(', ')))}"
    word, *rules = want.split()
    return " ".join([word, *sorted(rules)])


def answer(entry: Entry, want: str) -> str:
    """The referee's answer in the words of a comment, as much of it as the comment is about."""
    if want.startswith("plays:"):
        assert entry.plays is not None
        return f"plays: {', '.join(sorted(f'{tile} {train}' for tile, train in entry.plays.plays))}"
    if want.startswith("scores:"):
        scores = scores_of(entry.before)
        told = (f"{player} {'?' if score is None else score}" for player, score in scores.items())
        return f"scores: {', '.join(sorted(told))}"
    if entry.ruling.violations:
        return " ".join(["illegal", *sorted(entry.ruling.rules)])
    if entry.ruling.needs:
        return f"depends: {', '.join(sorted(map(str, entry.ruling.needs)))}"
    return "legal"
