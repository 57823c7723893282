"""The five languages of the pages. English is the source; a catalogue is read from its `.po` file when it is first needed.

Nothing is compiled in between: a translator edits a text file and restarts, and no stale `.mo` can be shipped.
"""

from __future__ import annotations

from datetime import datetime
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations
from flask import Flask, request, session
from flask_babel import Babel, Domain, format_datetime, get_locale, gettext

LANGUAGES = {"en": "English", "da": "Dansk", "nl": "Nederlands", "nb": "Norsk", "sk": "Slovenčina"}
"""Language codes with their own names, in the order in which they are offered."""

ALIASES = {"no": "nb", "nn": "nb"}
"""What phones ask for, and the nearest language there is."""

FOLDER = Path(__file__).parent / "translations"


def translate(text: str, **named: object) -> str:
    """A sentence in this request's language, with the things that it names filled in (``%(name)s``)."""
    return str(gettext(text, **named))


def moment(at: datetime) -> str:
    """A time as people of this request's language write it."""
    return str(format_datetime(at, "short"))


class PoDomain(Domain):  # type: ignore[misc]  # flask-babel has no types
    """Catalogues as translators write them: ``translations/LANGUAGE.po``."""

    def __init__(self, folder: Path = FOLDER) -> None:
        super().__init__(translation_directories=[str(folder)], domain="web")
        self._folder = folder
        self._catalogues: dict[str, NullTranslations] = {}

    def get_translations(self) -> NullTranslations:
        """The catalogue of this request's language."""
        language = str(get_locale() or "en")
        if language not in self._catalogues:
            self._catalogues[language] = catalogue(self._folder, language)
        return self._catalogues[language]


def catalogue(folder: Path, language: str) -> NullTranslations:
    """The translations of a language; none for English, whose sentences are the source."""
    path = folder / f"{language}.po"
    if not path.exists():
        return NullTranslations()
    with path.open("rb") as file:
        messages = read_po(file, locale=language)
    compiled = BytesIO()
    write_mo(compiled, messages)
    compiled.seek(0)
    return Translations(compiled)


class _Babel(Babel):  # type: ignore[misc]  # flask-babel has no types
    domain_instance = PoDomain()


def speak(app: Flask) -> None:
    """Let an application answer in the language that was chosen, or that the browser asks for."""
    _Babel(app, locale_selector=language_of_request)


def language_of_request() -> str:
    """The language that this person reads."""
    chosen = session.get("language")
    if chosen in LANGUAGES:
        return str(chosen)
    asked = request.accept_languages.best_match([*LANGUAGES, *ALIASES], "en")
    return ALIASES.get(asked, asked)
