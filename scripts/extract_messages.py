#!/usr/bin/env python3
"""Write the template for translators: every sentence that the referee and the rules command can say.

python scripts/extract_messages.py > companion/translations/companion.pot
"""

from __future__ import annotations

from companion.rules.presets import standard_book
from companion.rules.switches import SWITCHES
from companion.rules.wording import BRANCH_OF, FACTS, MEXICAN_TRAIN, OTHER_MEXICAN_TRAIN, SENTENCES, TRAIN_OF
from companion.scoring.advice import REASONS

OF_THE_COMMANDS = (
    "legal",
    "illegal",
    "depends",
    "It depends on: {facts}.",
    "Legal under: {names}.",
    "Legal here with: {names}.",
    "No play.",
    "No difference.",
)


def messages() -> list[str]:
    """Every source sentence once, in the order in which they stand in the code."""
    found = [*SENTENCES.values(), *FACTS.values(), TRAIN_OF, MEXICAN_TRAIN, OTHER_MEXICAN_TRAIN, BRANCH_OF]
    for switch in SWITCHES:
        found += [switch.group, switch.about, *(about for _, about in switch.values)]
    for preset in standard_book():
        found += [preset.title, preset.about]
    return list(dict.fromkeys([*found, *REASONS.values(), *OF_THE_COMMANDS]))


def template() -> str:
    """The text of the template."""
    head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
    escaped = (message.replace("\\", "\\\\").replace('"', '\\"') for message in messages())
    return head + "".join(f'\nmsgid "{message}"\nmsgstr ""\n' for message in escaped)


if __name__ == "__main__":
    print(template(), end="")
