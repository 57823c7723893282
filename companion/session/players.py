"""Who plays: names that people write, seats clockwise, a colour each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice

from companion.dominoes import is_mexican_name
from companion.rules.notation import RESERVED
from companion.rules.state import FEWEST_PLAYERS, MOST_PLAYERS
from companion.session.answers import Refused

LONGEST_NAME = 24
"""Characters; a score sheet of fourteen columns has no room for more."""

_NOT_IN_NAMES = frozenset("@/#=:,;|[]<>{}%")
_COLOUR = re.compile(r"#[0-9a-f]{6}", re.ASCII)

COLOURS = (
    "#4e79a7", "#d1495b", "#3a9d5d", "#e08a1e", "#8a5fbf", "#2a9d9d", "#b5651d",
    "#c2549d", "#6b8e23", "#5b6abf", "#a63d40", "#2f7f9f", "#9a7d0a", "#7a6f78",
)  # fmt: skip
"""One for each of fourteen seats, told apart on light and dark ground."""


@dataclass(frozen=True, slots=True)
class Player:
    """A name, and the colour (``#rrggbb``) in which the player's train and scores are drawn."""

    name: str
    colour: str


def seated(names: Sequence[str], colours: Sequence[str] = ()) -> tuple[Player, ...] | Refused:
    """Players in the order of their seats, clockwise; or why these cannot play.

    Args:
        names: as people wrote them; spaces at the ends and doubled spaces are dropped.
        colours: ``#rrggbb`` for the first of them; who has none gets one that is free.
    """
    tidy = [" ".join(name.split()) for name in names]
    if not FEWEST_PLAYERS <= len(tidy) <= MOST_PLAYERS:
        return Refused.because("players_count", fewest=FEWEST_PLAYERS, most=MOST_PLAYERS)
    for name in tidy:
        if (wrong := _wrong_name(name)) is not None:
            return wrong
    seen: set[str] = set()
    for name in tidy:
        if name.casefold() in seen:
            return Refused.because("same_name", player=name)
        seen.add(name.casefold())
    chosen = [colour.lower() for colour in colours[: len(tidy)]]
    for colour in chosen:
        if not _COLOUR.fullmatch(colour):
            return Refused.because("no_colour", colour=colour)
    chosen += islice(_free_colours(chosen), len(tidy) - len(chosen))
    return tuple(map(Player, tidy, chosen))


def _wrong_name(name: str) -> Refused | None:
    if not name:
        return Refused.because("empty_name")
    if len(name) > LONGEST_NAME:
        return Refused.because("long_name", player=name, most=LONGEST_NAME)
    reserved = name.casefold() in RESERVED or is_mexican_name(name.casefold())
    if reserved or not name.isprintable() or _NOT_IN_NAMES.intersection(name):
        return Refused.because("bad_name", player=name)
    return None


def _free_colours(taken: Iterable[str]) -> Iterable[str]:
    return cycle([colour for colour in COLOURS if colour not in set(taken)] or COLOURS)
