"""``companion rules``: the presets, one of them with every switch explained, or the differences between two."""

from __future__ import annotations

import json
from typing import Any

import click

from companion.rules.errors import HouseRulesError
from companion.rules.house_rules import HouseRules
from companion.rules.presets import Preset, RuleBook, standard_book
from companion.rules.switches import SWITCH_BY_NAME, SWITCHES, Switch, Value
from companion.rules.wording import Translate
from companion.translations import LANGUAGES, translator


@click.command("rules")
@click.argument("preset", required=False)
@click.option("--diff", nargs=2, metavar="A B", help="Show only where two presets differ.")
@click.option(
    "--lang", "language", type=click.Choice(LANGUAGES), default="en", help="The language of the explanations."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def rules(preset: str | None, diff: tuple[str, str] | None, language: str, as_json: bool) -> None:
    """List the presets, or show PRESET with every switch explained.

    PRESET may carry switches that differ, in quotes: "casual double_blank=50".
    """
    book = standard_book()
    translate = translator(language)
    try:
        if diff is not None:
            answer: Any = difference(book, *diff)
            lines = difference_lines(answer, translate)
        elif preset is not None:
            answer = shown(book, preset, translate)
            lines = shown_lines(answer, translate)
        else:
            answer = [{"name": one.name, "title": translate(one.title), "about": translate(one.about)} for one in book]
            lines = [f"{one['name']:<14}{one['title']}\n{'':<14}{one['about']}" for one in answer]
    except HouseRulesError as error:
        raise click.BadParameter(str(error)) from error
    click.echo(json.dumps(answer, ensure_ascii=False, indent=1) if as_json else "\n".join(lines))


command = rules


def meaning(switch: Switch, value: Value) -> str:
    """What a value of a switch means; an open number is its own meaning."""
    return next((about for known, about in switch.values if known == value), str(value))


def shown(book: RuleBook, text: str, translate: Translate) -> dict[str, Any]:
    """A preset with every switch, as plain data."""
    house = book.rules(text)
    preset: Preset = book[text.partition(" ")[0]]
    base = book["base"].rules
    return {
        "name": preset.name,
        "title": translate(preset.title),
        "about": translate(preset.about),
        "switches": [
            {
                "name": switch.name,
                "group": translate(switch.group),
                "value": house.value(switch.name),
                "about": translate(switch.about),
                "meaning": translate(meaning(switch, house.value(switch.name))),
                "own": house.value(switch.name) != base.value(switch.name),
                "values": {switch.write(value): translate(about) for value, about in switch.values},
            }
            for switch in SWITCHES
        ],
        "deal": deal(house),
    }


def deal(house: HouseRules) -> dict[str, int]:
    """How many tiles each of so many players gets with the rules' own set."""
    dealt: dict[str, int] = {}
    for players in range(2, 15):
        try:
            dealt[str(players)] = house.tiles_each(players)
        except HouseRulesError:
            continue
    return dealt


def shown_lines(answer: dict[str, Any], translate: Translate) -> list[str]:
    """The same for people."""
    lines = [f"{answer['name']}: {answer['title']}", answer["about"]]
    group = None
    for switch in answer["switches"]:
        if switch["group"] != group:
            group = switch["group"]
            lines += ["", group]
        value = Switch.write(switch["value"])
        lines.append(f"  {'*' if switch['own'] else ' '} {switch['name']} = {value}: {switch['meaning']}")
        lines.append(f"      {switch['about']} [{' | '.join(switch['values'])}]")
    dealt = translate("{players} players {tiles}")
    rows = ", ".join(dealt.format(players=players, tiles=tiles) for players, tiles in answer["deal"].items())
    return [*lines, "", translate("Tiles each: {deal}.").format(deal=rows)]


def difference(book: RuleBook, first: str, second: str) -> list[dict[str, Any]]:
    """The switches in which two presets differ, as plain data."""
    one, other = book.rules(first), book.rules(second)
    return [{"name": name, first: one.value(name), second: other.value(name)} for name in one.differences(other)]


def difference_lines(answer: list[dict[str, Any]], translate: Translate) -> list[str]:
    """The same for people: the switch, and what each table does."""
    lines: list[str] = []
    for row in answer:
        switch = SWITCH_BY_NAME[row["name"]]
        lines.append(f"{switch.name}: {translate(switch.about)}")
        for preset, value in row.items():
            if preset != "name":
                lines.append(f"  {preset}: {switch.write(value)} ({translate(meaning(switch, value))})")
    return lines or [translate("No difference.")]
