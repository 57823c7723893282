"""``companion judge``: a written round, ruled on line by line."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import monotonic
from typing import Any

import click

from companion.rules.audit import audit
from companion.rules.blocked import is_blocked
from companion.rules.errors import HouseRulesError, NotationError
from companion.rules.moves import End
from companion.rules.notation import Deed, WhatMay, decode, read_round
from companion.rules.presets import RuleBook, standard_book
from companion.rules.proceedings import Entry, proceed
from companion.rules.rulings import Verdict
from companion.rules.state import RoundState
from companion.rules.trains import TrainRef
from companion.rules.turns import Case
from companion.rules.view import Answer
from companion.rules.what_if import legal_under, legal_with
from companion.rules.wording import Translate, say, say_fact, say_train
from companion.scoring.advice import Option, best_play
from companion.scoring.counting import LeftHand, round_scores
from companion.translations import LANGUAGES, translator

UNREADABLE = 2
"""Exit status for a file that cannot be read."""

SECONDS_FOR_ADVICE = 2.0
"""How long the best play of a large hand is looked for; up to twenty tiles it takes far less."""


@click.command("judge")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@click.option("--rules", "rules", metavar="PRESET", help="Judge by these rules instead of those the file names.")
@click.option("--lang", "language", type=click.Choice(LANGUAGES), default="en", help="The language of the sentences.")
@click.option("--audit", "with_audit", is_flag=True, help="Also say what is wrong or owed on the table at the end.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def judge(file: Path, rules: str | None, language: str, with_audit: bool, as_json: bool) -> None:
    """Rule on every deed and question of a round written in FILE ("-" reads standard input).

    An illegal deed does not happen, unless its line begins with "!". "? Ann" asks what Ann may play, and which play is best if
    her whole hand is known; "? Ann 12-5" asks whether that would be legal. To take something back, take its line out.
    """
    book = standard_book()
    translate = translator(language)
    try:
        entries = _judge(file, rules, book)
    except NotationError as error:
        click.echo(f"{file}:{error.line}: {error.reason}", err=True)
        raise SystemExit(UNREADABLE) from error
    except (HouseRulesError, OSError) as error:
        reason = error.strerror or str(error) if isinstance(error, OSError) else str(error)
        click.echo(f"{file}: {reason}", err=True)
        raise SystemExit(UNREADABLE) from error
    for entry in entries:
        answer = answer_to(entry, book, translate)
        click.echo(json.dumps(answer, ensure_ascii=False) if as_json else in_words(answer, translate))
    if with_audit and entries:
        found = audit_of(entries[-1].after, translate)
        click.echo(json.dumps({"audit": found}, ensure_ascii=False) if as_json else audit_in_words(found, translate))


command = judge


def _judge(file: Path, rules: str | None, book: RuleBook) -> list[Entry]:
    if rules is not None:
        book.rules(rules)
    data: bytes = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    return list(proceed(read_round(decode(data), book, rules=rules)))


def answer_to(entry: Entry, book: RuleBook, translate: Translate) -> dict[str, Any]:
    """What is printed for a line, as plain data."""
    ruling = entry.ruling
    answer: dict[str, Any] = {
        "line": entry.line.number,
        "text": entry.line.text,
        "ruling": ruling.verdict.value,
        "violations": [{"rule": broken.rule, "message": say(broken, translate)} for broken in ruling.violations],
        "needs": [str(fact) for fact in ruling.needs],
        "legal_under": [],
        "legal_with": [],
        "plays": None,
    }
    if entry.move is not None and not ruling.is_legal:
        answer["legal_under"] = list(legal_under(entry.before, entry.move, book))
        answer["legal_with"] = [str(change) for change in legal_with(entry.before, entry.move)]
    if entry.plays is not None:
        answer["plays"] = [[str(tile), str(train)] for tile, train in entry.plays.plays]
        answer["trains"] = {str(train): say_train(train, translate) for _, train in entry.plays.plays}
        answer["best"] = best_of(entry, translate)
    if ruling.needs:
        answer["asks"] = [say_fact(fact, translate) for fact in ruling.needs]
    if isinstance(entry.line.says, Deed):
        answer["happens"] = entry.line.says.seen or not ruling.violations
        if isinstance(entry.move, End):
            answer["scores"] = scores_of(entry.before)
    return answer


def best_of(entry: Entry, translate: Translate) -> dict[str, str] | None:
    """The best of the plays that a player has, with the reason; None without a play or a wholly known hand."""
    state = entry.before
    if entry.plays is None or not entry.plays.plays or not isinstance(entry.line.says, WhatMay):
        return None
    player = entry.line.says.player
    view = Case(state, player).view
    own = view.spot(TrainRef.of(player)).value
    if own is None or not view.hand.whole:
        return None
    options: dict[Option, TrainRef] = {}
    for tile, ref in entry.plays.plays:
        value = view.spot(ref).value
        if value is not None:
            options[Option(tile, say_train(ref, translate), value, own=ref.owner.player == player)] = ref
    until = monotonic() + SECONDS_FOR_ADVICE
    advice = best_play(
        view.hand.known, options, own, toes=state.rules.chicken_foot, out_of_time=lambda: monotonic() > until
    )
    if advice is None:
        return None
    ref = options[advice.option]
    return {"tile": str(advice.option.tile), "train": str(ref), "reason": advice.sentence(translate)}


def audit_of(state: RoundState, translate: Translate) -> list[dict[str, str]]:
    """What is wrong or owed on the table, as plain data."""
    return [
        {"kind": str(finding.anomaly), "rule": finding.told.rule, "message": say(finding.told, translate)}
        for finding in audit(state)
    ]


def audit_in_words(found: list[dict[str, str]], translate: Translate) -> str:
    """The same for people."""
    lines = [f"      {finding['rule']}  {finding['message']}" for finding in found]
    return "\n".join(
        [
            translate("On the table at the end:"),
            *(lines or ["      " + translate("Nothing is wrong and nothing is owed.")]),
        ]
    )


def scores_of(state: RoundState) -> dict[str, int | None]:
    """What everybody scores if the round ends in this state."""
    hands = {
        player: LeftHand(
            tiles=state.hands[seat].known if state.hands[seat].whole else None,
            out=seat in state.out,
            marker=state.trains[seat].marker,
        )
        for seat, player in enumerate(state.players)
    }
    return round_scores(hands, state.rules, blocked=is_blocked(state) is not Answer.NO)


def in_words(answer: dict[str, Any], translate: Translate) -> str:
    """A line's answer for people."""
    words = {
        Verdict.LEGAL: translate("legal"),
        Verdict.ILLEGAL: translate("illegal"),
        Verdict.DEPENDS: translate("depends"),
    }
    lines = [f"{answer['line']:>4}  {answer['text']}: {words[Verdict(answer['ruling'])]}"]
    lines += [f"      {broken['rule']}  {broken['message']}" for broken in answer["violations"]]
    if answer["violations"] and "happens" in answer:
        lines.append("      " + translate("It stands as it was seen." if answer["happens"] else "It does not happen."))
    if "asks" in answer:
        lines.append("      " + translate("It depends on: {facts}.").format(facts=", ".join(answer["asks"])))
    if answer["legal_under"]:
        lines.append("      " + translate("Legal under: {names}.").format(names=", ".join(answer["legal_under"])))
    if answer["legal_with"]:
        lines.append("      " + translate("Legal here with: {names}.").format(names=", ".join(answer["legal_with"])))
    if answer["plays"] is not None:
        plays = ", ".join(f"{tile} ({answer['trains'][train]})" for tile, train in answer["plays"])
        lines.append("      " + (plays or translate("No play.")))
        lines += ["      " + answer["best"]["reason"]] if answer["best"] else []
    for player, score in answer.get("scores", {}).items():
        lines.append(f"      {player}: {'?' if score is None else score}")
    return "\n".join(lines)
