"""Translations of the sentences of the core and of the commands. English is the source; catalogues lie beside this file.

A catalogue is a text file, ``LANGUAGE.po``, read when a sentence of that language is first asked for. Nothing is compiled, so
nothing stale can be shipped. ``scripts/extract_messages.py`` brings new sentences into them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import resources

LANGUAGES: tuple[str, ...] = ("en", "da", "nl", "nb", "sk")
"""The languages there are sentences in, the source first."""


@cache
def translator(language: str | None) -> Callable[[str], str]:
    """A translator into a language; sentences that it lacks, and languages without a catalogue, stay English."""
    catalogue = resources.files("companion.translations") / f"{language}.po"
    if language not in LANGUAGES or not catalogue.is_file():
        return _as_it_is
    from babel.messages.pofile import read_po

    with catalogue.open("rb") as file:
        messages = {message.id: message.string for message in read_po(file, locale=language) if message.string}
    return lambda text: str(messages.get(text, text))


def _as_it_is(text: str) -> str:
    return text
