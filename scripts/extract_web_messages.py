#!/usr/bin/env python3
"""Bring every sentence of the pages into the catalogues of companion/web/translations.

A sentence that is new has no translation yet, one that is gone leaves the catalogues; what is translated stays.

    python scripts/extract_web_messages.py [--check]

--check writes nothing: it lists what is not translated, and exits with 1 if anything is missing or out of date.
"""

from __future__ import annotations

import argparse
import sys
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from companion.web.languages import LANGUAGES

WEB = Path(__file__).parent.parent / "companion" / "web"
FOLDER = WEB / "translations"
METHODS = [("**.py", "python"), ("templates/**", "jinja2")]
KEYWORDS = {"_": None, "ngettext": (1, 2)}


def template() -> Catalog:
    """Every source sentence of the pages, in the order in which they are found."""
    catalogue = Catalog(charset="utf-8")
    found = extract_from_dir(WEB, METHODS, keywords=KEYWORDS)
    for _file, _line, message, _comments, _context in sorted(found, key=lambda row: (row[0], row[1])):
        catalogue.add(message)
    return catalogue


def updated(language: str, source: Catalog) -> Catalog:
    """The language's catalogue with the sentences of today."""
    path = FOLDER / f"{language}.po"
    catalogue = Catalog(locale=language)
    if path.exists():
        with path.open("rb") as file:
            catalogue = read_po(file, locale=language)
    catalogue.update(source, no_fuzzy_matching=True, update_header_comment=False)
    catalogue.obsolete.clear()
    catalogue.fuzzy = False
    return catalogue


def is_translated(message: Message) -> bool:
    """Whether every form of the sentence has words."""
    return all(message.string) if isinstance(message.string, tuple) else bool(message.string)


def as_bytes(catalogue: Catalog) -> bytes:
    """The catalogue as its file; without dates and line numbers, which would change it every day."""
    target = BytesIO()
    write_po(target, catalogue, width=120, no_location=True, omit_header=False, ignore_obsolete=True)
    lines = target.getvalue().decode().splitlines(keepends=True)
    dated = (
        '"POT-Creation-Date',
        '"PO-Revision-Date',
        '"Generated-By',
        '"Project-Id',
        '"Report-Msgid',
        '"Last-Translator',
    )
    return "".join(line for line in lines if not line.startswith(dated) and not line.startswith("# ")).encode()


def main() -> int:
    """Update or check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if something is missing")
    check = parser.parse_args().check
    source, troubles = template(), 0
    for language in LANGUAGES:
        if language == "en":
            continue
        catalogue = updated(language, source)
        missing = [str(message.id) for message in catalogue if message.id and not is_translated(message)]
        path, data = FOLDER / f"{language}.po", as_bytes(catalogue)
        stale = not path.exists() or path.read_bytes() != data
        for sentence in missing:
            print(f"{language}: not translated: {sentence}")
        if check and stale:
            print(f"{language}: out of date, run scripts/extract_web_messages.py")
        elif stale:
            path.write_bytes(data)
        troubles += len(missing) + (check and stale)
    return 1 if troubles and check else 0


if __name__ == "__main__":
    sys.exit(main())
