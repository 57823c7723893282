#!/usr/bin/env python3
"""Bring every sentence of the core and the commands into the template and the catalogues of companion/translations.

A sentence that is new has no translation yet, one that is gone leaves the catalogues; what is translated stays.

    python scripts/extract_messages.py [--check]

--check writes nothing: it lists what is not translated, and exits with 1 if anything is missing or out of date.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from companion.rules.presets import standard_book
from companion.rules.switches import SWITCHES
from companion.rules.wording import BRANCH_OF, FACTS, MEXICAN_TRAIN, OTHER_MEXICAN_TRAIN, SENTENCES, TRAIN_OF
from companion.scoring.advice import REASONS
from companion.session import wording as session
from companion.store.errors import DISK_FULL
from companion.translations import LANGUAGES

FOLDER = Path(__file__).parent.parent / "companion" / "translations"

OF_THE_COMMANDS = (
    "legal",
    "illegal",
    "depends",
    "It does not happen.",
    "It stands as it was seen.",
    "It depends on: {facts}.",
    "Legal under: {names}.",
    "Legal here with: {names}.",
    "No play.",
    "No difference.",
    "On the table at the end:",
    "Nothing is wrong and nothing is owed.",
    "Tiles each: {deal}.",
    "{players} players {tiles}",
)


def messages() -> list[str]:
    """Every source sentence once, in the order in which they stand in the code."""
    found = [*SENTENCES.values(), *FACTS.values(), TRAIN_OF, MEXICAN_TRAIN, OTHER_MEXICAN_TRAIN, BRANCH_OF]
    for switch in SWITCHES:
        found += [switch.group, switch.about, *(about for _, about in switch.values)]
    for preset in standard_book():
        found += [preset.title, preset.about]
    found += [*REASONS.values(), *OF_THE_COMMANDS]
    found += [*session.REASONS.values(), *session.REMARKS.values(), session.HOST_WORD, DISK_FULL]
    return list(dict.fromkeys(found))


def catalogue(language: str | None) -> bytes:
    """The text of a catalogue (of the template without a language), with the translations that there are."""
    path = FOLDER / f"{language}.po"
    known = read_po(path.open("rb"), locale=language) if language and path.exists() else Catalog()
    fresh = Catalog(locale=language)
    for text in messages():
        old = known.get(text)
        fresh.add(text, string=old.string if old is not None else "")
    body = BytesIO()
    write_po(body, fresh, width=120, omit_header=True)
    head = ['msgid ""', 'msgstr ""', r'"Content-Type: text/plain; charset=UTF-8\n"']
    head += [rf'"Language: {language}\n"'] if language else []
    return "\n".join([*head, "", ""]).encode() + body.getvalue().lstrip()


def written() -> Iterator[tuple[Path, bytes]]:
    """Every file as it should be."""
    yield FOLDER / "companion.pot", catalogue(None)
    for language in LANGUAGES[1:]:
        yield FOLDER / f"{language}.po", catalogue(language)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    bad = False
    for path, data in written():
        if args.check and (not path.exists() or path.read_bytes() != data):
            bad = True
            print(f"{path.name} is out of date: run python scripts/extract_messages.py")
        elif not args.check:
            path.write_bytes(data)
        missing = [message.id for message in read_po(BytesIO(data)) if message.id and not message.string]
        if path.suffix == ".po" and missing:
            bad = True
            print(f"{path.name}: {len(missing)} sentences are not translated, such as: {missing[0]}", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
