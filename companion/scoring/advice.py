"""The best tile to play now, with the reason in a sentence.

Which plays are legal is the referee's business; they come in as options. A play is worth what it leaves: the pips that no
train from the own open end could get rid of, if all went well. Among equals the heavier tile goes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from companion.dominoes import Tile
from companion.scoring.solver import LongTrain, longest_train


@dataclass(frozen=True, slots=True)
class Option:
    """A legal play: the tile, where (as people call it), the value asked for there, and whether that is the own train."""

    tile: Tile
    place: str
    value: int
    own: bool


@dataclass(frozen=True, slots=True)
class Advice:
    """A play and why.

    Attributes:
        option: the play.
        reason: the id of a sentence in `REASONS`.
        arguments: what the sentence names.
    """

    option: Option
    reason: str
    arguments: tuple[tuple[str, str], ...]

    def sentence(self, translate: Callable[[str], str] = str) -> str:
        """The reason in words."""
        return translate(REASONS[self.reason]).format(**dict(self.arguments))


def _(text: str) -> str:
    """Mark a source sentence for translation."""
    return text


REASONS: dict[str, str] = {
    "goes_out": _("The {tile} on {place} is your last tile: you go out."),
    "only_play": _("The {tile} on {place} is the only play."),
    "starts_train": _("The {tile} begins your longest train: {tiles} tiles, {pips} pips."),
    "keeps_train": _("The {tile} on {place} is not needed for your own train of {tiles} tiles, which stays whole."),
    "heaviest": _("The {tile} on {place} gets rid of most pips ({pips}), and nothing better is lost by it."),
}


def best_play(
    hand: Iterable[Tile],
    options: Iterable[Option],
    own_end: int,
    *,
    toes: int = 0,
    out_of_time: Callable[[], bool] | None = None,
) -> Advice | None:
    """The best of the options, or None if there is none.

    Args:
        hand: the whole hand.
        options: the legal plays.
        own_end: the value that the own train asks for now (the engine's if it has not started).
        toes: how many tiles a double wants before its train goes on.
        out_of_time: ends the search for the longest train of a large hand.
    """
    held = frozenset(hand)
    choices = list(options)
    if not choices:
        return None

    @cache
    def rest_of(rest: frozenset[Tile], end: int) -> LongTrain:
        return longest_train(rest, end, toes=toes, out_of_time=out_of_time)

    best = min(choices, key=lambda option: _cost(held, option, own_end, rest_of))
    return _explain(held, best, choices, rest_of(*_after(held, best, own_end)))


def _after(held: frozenset[Tile], option: Option, own_end: int) -> tuple[frozenset[Tile], int]:
    """The hand and the own open end after a play."""
    return held - {option.tile}, option.tile.other(option.value) if option.own else own_end


def _cost(
    held: frozenset[Tile], option: Option, own_end: int, rest_of: Callable[[frozenset[Tile], int], LongTrain]
) -> tuple[int, int, bool, Tile]:
    """What a play leaves behind; less is better."""
    rest, end = _after(held, option, own_end)
    stranded = sum(tile.pips for tile in rest) - rest_of(rest, end).pips
    return stranded, -option.tile.pips, not option.own, option.tile


def _explain(held: frozenset[Tile], best: Option, choices: list[Option], train: LongTrain) -> Advice:
    """The reason: what the play is, or what the train after it still holds."""
    named = {"tile": str(best.tile), "place": best.place, "tiles": str(len(train.tiles)), "pips": str(best.tile.pips)}
    if held == {best.tile}:
        reason = "goes_out"
    elif len(choices) == 1:
        reason = "only_play"
    elif best.own and len(train.tiles) > 0:
        reason = "starts_train"
        named |= {"tiles": str(len(train.tiles) + 1), "pips": str(train.pips + best.tile.pips)}
    elif not best.own and len(train.tiles) > 1:
        reason = "keeps_train"
    else:
        reason = "heaviest"
    return Advice(best, reason, tuple(sorted(named.items())))
