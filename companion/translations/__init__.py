"""Translations of the sentences that people read. English is the source; catalogues lie beside this file.

A catalogue for a language is ``LANG/LC_MESSAGES/companion.mo``, made from a ``.po`` file of the same name.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable
from functools import cache
from importlib import resources

DOMAIN = "companion"


@cache
def translator(language: str | None) -> Callable[[str], str]:
    """A translator into a language; sentences that it lacks, and languages without a catalogue, stay English."""
    if language is None or language == "en":
        return _as_it_is
    folder = str(resources.files("companion.translations"))
    return gettext.translation(DOMAIN, folder, languages=[language], fallback=True).gettext


def _as_it_is(text: str) -> str:
    return text
