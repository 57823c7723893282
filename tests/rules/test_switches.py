"""Every value of every switch that matters to a ruling has a round in switch_cases.txt in which it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from expecting import check

from companion.rules.switches import SWITCHES, Switch

TEXT = Path(__file__).with_name("switch_cases.txt").read_text(encoding="utf-8")
CASES = dict(re.findall(r"^== (\S+)\n(.*?)(?=^== |\Z)", TEXT, flags=re.MULTILINE | re.DOTALL))

RULED = [(switch, value) for switch in SWITCHES if switch.name != "tie" for value, _ in switch.values]
NAMES = [f"{switch.name}={switch.write(value)}" for switch, value in RULED]


@pytest.mark.parametrize(("switch", "value"), RULED, ids=NAMES)
def test_switch(switch: Switch, value: str | int | bool) -> None:
    check(CASES[f"{switch.name}={switch.write(value)}"])


def test_every_value_has_a_case_and_no_case_is_left_over() -> None:
    assert sorted(CASES) == sorted(NAMES)
