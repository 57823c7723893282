"""What has been chosen for a new game so far, and the page that shows it: players, set, preset, changed switches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from werkzeug.datastructures import MultiDict

from companion.dominoes import SET_SIZES, TileSet
from companion.rules.errors import HouseRulesError
from companion.rules.house_rules import HouseRules
from companion.rules.presets import Preset, standard_book
from companion.rules.state import FEWEST_PLAYERS, MOST_PLAYERS
from companion.rules.switches import SWITCHES, Switch, Value
from companion.session.answers import Refused
from companion.session.players import COLOURS, LONGEST_NAME
from companion.web.asking import core, number_in, why
from companion.web.languages import translate as _
from companion.web.parts import parts

SWITCH_FIELD = "rule-"
"""Form fields of switches are called so, and the switch's name."""

FIRST_PRESETS = ("tournament", "casual", "column")
"""The three cards that are shown at once; the others are one tap away."""

EMPTY_SEATS = 4
"""Name fields on an empty page."""

MOST_NUMBERS = 37
"""Numbers offered where a word is a choice too: a double-18 game down and up again has so many rounds."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A game that is being set up. `changed` are the switches whose value is not the preset's."""

    names: tuple[str, ...]
    colours: tuple[str, ...]
    preset: str
    set_highest: int
    title: str = ""
    changed: Mapping[str, Value] = field(default_factory=dict)
    fields: int = EMPTY_SEATS


@dataclass(frozen=True, slots=True)
class PlayerField:
    """A seat's fields."""

    number: int
    name: str
    colour: str


@dataclass(frozen=True, slots=True)
class SetChoice:
    """A set to choose."""

    highest: int
    tiles: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class PresetChoice:
    """A preset to choose."""

    name: str
    title: str
    about: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class ValueChoice:
    """One value of a switch."""

    text: str
    meaning: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class SwitchField:
    """A switch: what it decides, whether it differs from the preset, and its values, or the number that it is now."""

    name: str
    about: str
    values: tuple[ValueChoice, ...]
    changed: bool
    number: str | None = None
    least: int | None = None


@dataclass(frozen=True, slots=True)
class SwitchGroup:
    """Switches under one heading."""

    title: str
    switches: tuple[SwitchField, ...]
    changed: int


@dataclass(frozen=True, slots=True)
class NewGamePage:
    """Everything that the page shows."""

    players: tuple[PlayerField, ...]
    recent: tuple[str, ...]
    title: str
    sets: tuple[SetChoice, ...]
    first_presets: tuple[PresetChoice, ...]
    more_presets: tuple[PresetChoice, ...]
    groups: tuple[SwitchGroup, ...]
    changes: tuple[str, ...]
    deal: str
    refused: str | None
    colours: tuple[str, ...] = COLOURS
    most_players: int = MOST_PLAYERS
    longest_name: int = LONGEST_NAME


def draft_of(form: MultiDict[str, str]) -> Draft:
    """Read a draft from a form or an address; what makes no sense in it is left at what the preset says."""
    book = standard_book()
    preset = form.get("preset", FIRST_PRESETS[0])
    if preset not in book.presets:
        preset = FIRST_PRESETS[0]
    rules = book[preset].rules
    highest = number_in(form.get("set"), 0, 99)
    given = [" ".join(name.split())[: LONGEST_NAME + 1] for name in form.getlist("name")][:MOST_PLAYERS]
    colours = form.getlist("colour")[: len(given)]
    seats = [(name, colours[n] if n < len(colours) else COLOURS[n]) for n, name in enumerate(given) if name]
    return Draft(
        names=tuple(name for name, _colour in seats),
        colours=tuple(colour for _name, colour in seats),
        preset=preset,
        set_highest=highest if highest in SET_SIZES else rules.set,
        title=form.get("title", "")[:60],
        changed=_changed(form, rules),
        fields=max(len(given), 0 if given else EMPTY_SEATS),
    )


def _changed(form: MultiDict[str, str], rules: HouseRules) -> dict[str, Value]:
    """The switches of the form that differ from the preset; those chosen for another preset (`rules-of`) do not count."""
    if form.get("rules-of", form.get("preset")) != form.get("preset"):
        return {}
    changed: dict[str, Value] = {}
    for switch in SWITCHES:
        text = form.get(SWITCH_FIELD + switch.name)
        if text is None or switch.name == "set":
            continue
        try:
            value = switch.read(text.strip())
        except HouseRulesError:
            continue
        if value != rules.value(switch.name):
            changed[switch.name] = value
    return changed


def new_game_page(draft: Draft, *, recent: tuple[str, ...], refused: str | None) -> NewGamePage:
    """The page of a draft."""
    book = standard_book()
    base = book[draft.preset].rules
    presets = [_preset(preset, draft) for preset in book]
    groups = tuple(_groups(draft, base))
    return NewGamePage(
        players=_fields(draft),
        recent=tuple(name for name in recent if name not in draft.names),
        title=draft.title,
        sets=tuple(SetChoice(n, TileSet(n).size, n == draft.set_highest) for n in SET_SIZES),
        first_presets=tuple(
            sorted((p for p in presets if p.name in FIRST_PRESETS), key=lambda p: FIRST_PRESETS.index(p.name))
        ),
        more_presets=tuple(preset for preset in presets if preset.name not in FIRST_PRESETS),
        groups=groups,
        changes=tuple(field.about for group in groups for field in group.switches if field.changed),
        deal=_deal(draft),
        refused=refused,
    )


def _fields(draft: Draft) -> tuple[PlayerField, ...]:
    count = max(draft.fields, len(draft.names), FEWEST_PLAYERS)
    free = [colour for colour in COLOURS if colour not in draft.colours]
    names = [*draft.names, *[""] * (count - len(draft.names))]
    colours = [*draft.colours, *free][:count]
    return tuple(PlayerField(n, name, colour) for n, (name, colour) in enumerate(zip(names, colours, strict=True)))


def _preset(preset: Preset, draft: Draft) -> PresetChoice:
    say = core()
    return PresetChoice(preset.name, say(preset.title), say(preset.about), preset.name == draft.preset)


def _groups(draft: Draft, base: HouseRules) -> list[SwitchGroup]:
    say = core()
    by_title: dict[str, list[SwitchField]] = {}
    for switch in SWITCHES:
        if switch.name != "set":
            by_title.setdefault(switch.group, []).append(_switch(switch, draft, base))
    return [
        SwitchGroup(say(title), tuple(fields), sum(found.changed for found in fields))
        for title, fields in by_title.items()
    ]


def _switch(switch: Switch, draft: Draft, base: HouseRules) -> SwitchField:
    say = core()
    now = draft.changed.get(switch.name, base.value(switch.name))
    if switch.number and not any(isinstance(value, str) for value, _meaning in switch.values):
        return SwitchField(
            switch.name, say(switch.about), (), switch.name in draft.changed, Switch.write(now), switch.least
        )
    listed = [(value, say(meaning)) for value, meaning in switch.values if not switch.number or isinstance(value, str)]
    if switch.number:
        least = switch.least or 0
        listed += [(number, str(number)) for number in range(least, least + MOST_NUMBERS)]
    values = tuple(ValueChoice(Switch.write(value), meaning, value == now) for value, meaning in listed)
    return SwitchField(switch.name, say(switch.about), values, switch.name in draft.changed)


def _deal(draft: Draft) -> str:
    """How many tiles everybody gets, or why these players cannot play so."""
    if len(draft.names) < FEWEST_PLAYERS:
        return ""
    rules = parts().session.games.rules(
        draft.preset, set_highest=draft.set_highest, switches=draft.changed, players=len(draft.names)
    )
    if isinstance(rules, Refused):
        return why(rules)
    each = rules.tiles_each(len(draft.names))
    return _("%(players)d players get %(tiles)d tiles each.", players=len(draft.names), tiles=each)
