"""The text form of events: one JSON object each, that reads back to an equal event.

Tiles, moves and rule sets stand in it as notation writes them; a player's name that has a space is written with ``%20`` in a
move, so that the line can be read back. Fields with their default are left out, so that an old journal reads in a newer
program and fields can be added.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from cattrs import Converter
from cattrs.errors import BaseValidationError
from cattrs.strategies import configure_tagged_union

from companion.dominoes import Tile, TrainOwner
from companion.rules.errors import HouseRulesError
from companion.rules.house_rules import HouseRules
from companion.rules.moves import Catch, Move, Play, parse_move
from companion.rules.trains import TrainRef
from companion.session.events import Event

_KIND = "kind"
_SPACE = "%20"


class UnreadableEvent(ValueError):
    """A line of a journal that this program cannot read: damaged, or written by a newer one."""


class EventText:
    """Writes and reads events.

    A rule set is written in full; a switch that did not exist then has the value of `base`, which is what every table
    played before there was a choice.
    """

    def __init__(self, base: HouseRules) -> None:
        self._converter = _converter(base)

    def write(self, event: Event) -> str:
        """The event as one line of JSON."""
        data = self._converter.unstructure(event, unstructure_as=Event)
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))

    def read(self, text: str) -> Event:
        """An event from its text.

        Raises:
            UnreadableEvent: if it is none.
        """
        try:
            event: Event = self._converter.structure(json.loads(text), Event)  # type: ignore[arg-type]
        except (ValueError, KeyError, TypeError, BaseValidationError, HouseRulesError) as error:
            raise UnreadableEvent(f"this is no event that can be read: {text[:200]}") from error
        return event


def write_move(move: Move) -> str:
    """A move as notation writes it, with names that are one word each."""
    return str(_renamed(move, lambda name: name.replace(" ", _SPACE)))


def read_move(text: str) -> Move:
    """Read a move as `write_move` writes it; a `ValueError` if it is none."""
    return _renamed(parse_move(text), lambda name: name.replace(_SPACE, " "))


def _renamed(move: Move, change: Callable[[str], str]) -> Move:
    if move.player is not None:
        move = replace(move, player=change(move.player))
    if isinstance(move, Catch):
        return replace(move, caught=change(move.caught))
    if isinstance(move, Play) and move.train.owner.player is not None:
        return replace(move, train=TrainRef(TrainOwner(change(move.train.owner.player)), move.train.branch))
    return move


def _converter(base: HouseRules) -> Converter:
    converter = Converter(omit_if_default=True, forbid_extra_keys=False)
    converter.register_unstructure_hook(Tile, str)
    converter.register_structure_hook(Tile, lambda text, _: Tile.parse(text))
    converter.register_unstructure_hook(HouseRules, str)
    converter.register_structure_hook(HouseRules, lambda text, _: base.with_texts(text.split()))
    converter.register_unstructure_hook_func(lambda kind: kind == Move, write_move)
    converter.register_structure_hook_func(lambda kind: kind == Move, lambda text, _: read_move(text))
    configure_tagged_union(Event, converter, tag_name=_KIND)
    return converter
