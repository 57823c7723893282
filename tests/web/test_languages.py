import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from conftest import Phone
from every_page import pages_of
from markupsafe import escape

from companion.web.languages import FOLDER, LANGUAGES

OTHERS = [language for language in LANGUAGES if language != "en"]
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%%")


def catalogue(language):
    with (Path(FOLDER) / f"{language}.po").open("rb") as file:
        return [message for message in read_po(file, locale=language) if message.id]


def forms(value):
    return value if isinstance(value, tuple) else (value,)


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_is_translated_with_the_same_placeholders(language):
    messages = catalogue(language)
    assert len(messages) > 350
    for message in messages:
        wanted = set(PLACEHOLDER.findall(forms(message.id)[-1]))
        for form in forms(message.string):
            assert form, message.id
            found = set(PLACEHOLDER.findall(form))
            assert found <= wanted and (found == wanted or isinstance(message.id, tuple)), message.id


def test_the_catalogues_have_the_sentences_of_today():
    """As `scripts/extract_web_messages.py --check` says it."""
    import importlib.util

    path = Path(__file__).parents[2] / "scripts" / "extract_web_messages.py"
    spec = importlib.util.spec_from_file_location("extract_web_messages", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    source = script.template()
    stale = [
        language
        for language in OTHERS
        if (FOLDER / f"{language}.po").read_bytes() != script.as_bytes(script.updated(language, source))
    ]
    assert stale == [], "run scripts/extract_web_messages.py"


@pytest.mark.parametrize("language", OTHERS)
def test_no_english_sentence_is_left_on_any_page(app, keys, session, game, language):
    phone = Phone(app).join(keys)
    phone.get("/")
    phone.post("/language", language=language, next="/")
    english = [
        str(escape(message.id))
        for message in catalogue(language)
        if isinstance(message.id, str) and " " in message.id and "%" not in message.id and message.id != message.string
    ]
    for name, path in pages_of(session, game).items():
        page = phone.client.get(path).text
        left = [sentence for sentence in english if f">{sentence}<" in page or f'"{sentence}"' in page]
        assert left == [], name


@pytest.mark.parametrize("language", OTHERS)
def test_problems_are_told_in_the_persons_language(stranger, language):
    answer = stranger.client.get("/nosuch", headers={"Accept-Language": language})
    assert answer.status_code == 404
    assert "There is no such page" not in answer.text
