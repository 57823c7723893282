"""``companion rules``: presets, their switches, and where two differ."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from companion.cli.rules import rules
from companion.rules.presets import standard_book
from companion.rules.switches import SWITCHES


def run(*arguments: str) -> Result:
    return CliRunner().invoke(rules, list(arguments))


def test_all_presets_are_listed() -> None:
    out = run().stdout
    assert all(preset.name in out and preset.title in out for preset in standard_book())


def test_a_preset_is_shown_with_every_switch_explained() -> None:
    out = run("casual").stdout
    assert all(f" {switch.name} = " in out and switch.about in out for switch in SWITCHES)
    assert "* double_owed_by = nobody: nobody, but the train waits" in out
    assert "[next | player | nobody]" in out
    assert "Tiles each: 2 players 15, 3 players 15" in out


def test_a_preset_is_shown_in_another_language() -> None:
    out = run("casual", "--lang", "nl").stdout
    assert "niemand, maar de trein wacht" in out and "Stenen per speler: 2 spelers 15" in out
    assert run("--diff", "pagat", "pagat", "--lang", "sk").stdout.strip() == "Žiadny rozdiel."


def test_switches_that_differ_can_be_added() -> None:
    answer = json.loads(run("casual double_blank=30", "--json").stdout)
    values = {switch["name"]: switch["value"] for switch in answer["switches"]}
    assert values["double_blank"] == 30 and values["double_owed_by"] == "nobody"
    assert answer["deal"]["8"] == 10


def test_two_presets_differ_where_they_differ() -> None:
    told = json.loads(run("--diff", "pagat", "cardinal", "--json").stdout)
    assert told == [
        {"name": "first_chain_double", "pagat": "owed_after_first_turns", "cardinal": "owed_next"},
        {"name": "mexican_start", "pagat": "after_first_turns", "cardinal": "any_turn"},
    ]
    assert "the next player owes the cover at once" in run("--diff", "pagat", "cardinal").stdout
    assert run("--diff", "pagat", "pagat").stdout.strip() == "No difference."


@pytest.mark.parametrize("arguments", [["nobody"], ["casual nothing=1"], ["--diff", "pagat", "nobody"]])
def test_what_does_not_exist_is_an_error(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2 and "there is no" in result.stderr
