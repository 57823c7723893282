"""The template for translators has every sentence, and a translation reaches what is printed."""

from __future__ import annotations

import re
from pathlib import Path

from companion.cli.rules import shown
from companion.rules.presets import standard_book
from companion.rules.rulings import hand_of
from companion.rules.wording import SENTENCES, say_fact
from companion.scoring.advice import REASONS
from companion.translations import translator

TEMPLATE = Path(__file__).parents[2] / "companion" / "translations" / "companion.pot"


def test_the_template_has_every_sentence() -> None:
    known = {
        message.replace('\\"', '"') for message in re.findall(r'^msgid "(.*)"$', TEMPLATE.read_text(), re.MULTILINE)
    }
    assert {*SENTENCES.values(), *REASONS.values()} <= known
    told = shown(standard_book(), "casual", str)
    assert {told["title"], told["about"], *(switch["about"] for switch in told["switches"])} <= known


def test_a_language_without_a_catalogue_stays_english() -> None:
    for language in (None, "en", "xx"):
        assert translator(language)("The round is over.") == "The round is over."


def test_facts_are_translated_with_their_player() -> None:
    assert say_fact(hand_of("Cy"), {"hand of {player}": "Hand von {player}"}.__getitem__) == "Hand von Cy"
