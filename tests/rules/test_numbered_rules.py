"""docs/rules.md: every numbered rule has examples there, and the referee answers each as the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from expecting import check

from companion.rules.rulings import RULE_NUMBERS

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### (R-\d\d) [^\n]*\n(.*?)(?=^##|\Z)", PAGE, flags=re.MULTILINE | re.DOTALL))


def examples(section: str) -> list[str]:
    return re.findall(r"^```round\n(.*?)^```", section, flags=re.MULTILINE | re.DOTALL)


def test_every_rule_has_a_section_with_an_example_that_cites_it() -> None:
    assert set(SECTIONS) == set(RULE_NUMBERS)
    for rule, section in SECTIONS.items():
        assert any(re.search(rf"# illegal.*{rule}", example) for example in examples(section)), rule


@pytest.mark.parametrize("rule", RULE_NUMBERS)
def test_examples_of_the_rule_hold(rule: str) -> None:
    for example in examples(SECTIONS[rule]):
        check(example)
