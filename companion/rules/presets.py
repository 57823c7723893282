"""Presets: named rule sets, read from text.

`RuleBook.read` is pure. `standard_book` is the one place where the package's own file is opened, once, at the edge; the
core gets a `RuleBook` as an argument.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from companion.rules.errors import HouseRulesError
from companion.rules.house_rules import DealRow, HouseRules

BASE = "base"
"""The name under which the base itself can be asked for."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A rule set with a name.

    Attributes:
        name: one word, as notation writes it.
        title: a few words for a list.
        about: a sentence for people who choose.
        rules: the rule set.
        own_deal: the rows of the deal that are the preset's own.
    """

    name: str
    title: str
    about: str
    rules: HouseRules
    own_deal: tuple[DealRow, ...] = ()

    def for_set(self, highest: int) -> HouseRules:
        """The preset's rules played with another set of tiles."""
        return self.rules.with_switch("set", highest)


@dataclass(frozen=True, slots=True)
class RuleBook:
    """All presets by name, the base among them."""

    presets: Mapping[str, Preset]

    def __iter__(self) -> Iterator[Preset]:
        """The presets a table can choose: all but the base."""
        return (preset for preset in self.presets.values() if preset.name != BASE)

    def __getitem__(self, name: str) -> Preset:
        """The preset of that name; a `HouseRulesError` if there is none."""
        try:
            return self.presets[name]
        except KeyError:
            names = ", ".join(preset.name for preset in self)
            raise HouseRulesError(name, f"there is no preset {name!r}: choose one of {names}") from None

    def rules(self, text: str) -> HouseRules:
        """The rules written as a preset's name and the switches that differ, as in ``casual double_blank=50``."""
        name, *settings = text.split() or [BASE]
        return self[name].rules.with_texts(settings)

    @classmethod
    def read(cls, text: str) -> RuleBook:
        """A book from the text of a presets file.

        Raises:
            HouseRulesError: if the text is no such file, or a preset has a switch or value that does not exist.
        """
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as cause:
            raise HouseRulesError("presets", f"the presets cannot be read: {cause}") from cause
        base_values, base_deal = _split(data.get(BASE, {}))
        base = HouseRules.of({**base_values, "hand_size": base_deal})
        presets = {BASE: Preset(BASE, "Base", "What every preset starts from.", base)}
        for name, table in data.get("preset", {}).items():
            values, deal = _split({key: value for key, value in table.items() if key not in ("title", "about")})
            rules = base.with_values({**values, "hand_size": (*deal, *base_deal)})
            presets[name] = Preset(name, str(table.get("title", name)), str(table.get("about", "")), rules, deal)
        return cls(presets)


def _split(table: Mapping[str, Any]) -> tuple[dict[str, object], tuple[DealRow, ...]]:
    """A preset's switches, and its deal as rows."""
    values = {key: value for key, value in table.items() if key != "deal"}
    rows: list[DealRow] = []
    for highest, spans in table.get("deal", {}).items():
        for span in spans:
            if not (str(highest).isdecimal() and len(span) == 3 and all(isinstance(part, int) for part in span)):
                raise HouseRulesError("hand_size", f"deal.{highest} needs rows of [from, to, tiles]")
            rows.append(DealRow(int(highest), *span))
    return values, tuple(rows)


@cache
def standard_book() -> RuleBook:
    """The presets that come with the package, read once."""
    source = resources.files("companion.rules").joinpath("presets.toml")
    return RuleBook.read(source.read_text(encoding="utf-8"))
