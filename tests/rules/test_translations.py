"""The catalogues have every sentence in every language, and a translation reaches what is printed."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from companion.cli.rules import shown
from companion.rules.presets import standard_book
from companion.rules.rulings import Violation, hand_of
from companion.rules.wording import SENTENCES, say, say_fact
from companion.translations import LANGUAGES, translator

ROOT = Path(__file__).parents[2]
OTHERS = LANGUAGES[1:]


def load_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("extract_messages", ROOT / "scripts" / "extract_messages.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCRIPT = load_script()
MESSAGES: list[str] = SCRIPT.messages()


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", text))


def test_the_template_and_the_catalogues_are_as_the_script_writes_them() -> None:
    for path, data in SCRIPT.written():
        assert path.read_bytes() == data, f"{path.name}: run python scripts/extract_messages.py"


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_is_translated_and_names_the_same_things(language: str) -> None:
    translate = translator(language)
    same = [message for message in MESSAGES if translate(message) == message and placeholders(message)]
    assert same == []
    texts = [message for message in MESSAGES if not message.isdigit()]
    # Two languages may share a short word; a catalogue that is mostly English is none.
    assert sum(translate(message) == message for message in texts) < 5
    for message in MESSAGES:
        assert placeholders(translate(message)) == placeholders(message), message


@pytest.mark.parametrize("language", OTHERS)
def test_every_ruling_can_be_said(language: str) -> None:
    named = ("player", "turn", "tile", "set", "train", "value", "players", "where", "toes", "tiles", "round", "engine")
    for message in SENTENCES:
        arguments = dict.fromkeys((*named, "better", "times"), "Ann")
        sentence = say(Violation.of("R-01", message, **arguments), translator(language))
        assert sentence.endswith(".") and "{" not in sentence and sentence[0].isupper()


def test_a_preset_is_explained_in_danish() -> None:
    told = shown(standard_book(), "casual", translator("da"))
    assert told["title"] == "Afslappet: anden brik hvor som helst, ingen skylder"
    english = shown(standard_book(), "casual", str)
    assert all(
        ours["about"] != theirs["about"] for ours, theirs in zip(told["switches"], english["switches"], strict=True)
    )


def test_a_language_without_a_catalogue_stays_english() -> None:
    for language in (None, "en", "xx", "../rules"):
        assert translator(language)("The round is over.") == "The round is over."


def test_facts_are_translated_with_their_player() -> None:
    assert say_fact(hand_of("Cy"), translator("nb")) == "hånden til Cy"
