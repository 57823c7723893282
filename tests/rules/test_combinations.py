"""Positions in which several switches meet; what the referee must answer stands in combinations.txt, worked out from the text
of the rules before the referee was asked.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from expecting import check

TEXT = Path(__file__).with_name("combinations.txt").read_text(encoding="utf-8")
CASES: list[tuple[str, str]] = re.findall(r"^== ([^\n]+)\n(.*?)(?=^== |\Z)", TEXT, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=[name for name, _ in CASES])
def test_where_switches_meet(case: str) -> None:
    assert check(case)


def test_every_position_has_a_name_of_its_own() -> None:
    assert len({name for name, _ in CASES}) == len(CASES) == TEXT.count("\n== ") + 1
