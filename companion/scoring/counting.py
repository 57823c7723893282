"""What tiles count that are left in a hand, and what a round scores for everybody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from companion.dominoes import Tile


class Counting(Protocol):
    """The counting switches of a rule set; any object that has them will do."""

    @property
    def double_blank(self) -> int:
        """What 0-0 counts."""

    @property
    def blank_half(self) -> int:
        """What every other blank half adds."""

    @property
    def doubles_count(self) -> Literal["face", "twice"]:
        """Whether doubles count their pips once or twice."""

    @property
    def out_bonus(self) -> int:
        """What who went out scores."""

    @property
    def marker_penalty(self) -> int:
        """What a marker costs that is still up."""

    @property
    def blocked(self) -> Literal["all_count", "lowest_zero"]:
        """Whether the lowest hands of a blocked round count nothing."""


@dataclass(frozen=True, slots=True)
class LeftHand:
    """A hand when the round ends.

    Attributes:
        tiles: its tiles; None if it is not wholly known.
        out: whether its player went out.
        marker: whether its player's marker is still up.
        count: what it counts, where that was told or counted already; it then goes before the tiles.
    """

    tiles: frozenset[Tile] | None
    out: bool = False
    marker: bool = False
    count: int | None = None


def tile_count(tile: Tile, rules: Counting) -> int:
    """What one tile counts: 0-0 by itself; else the pips (of doubles perhaps twice) and something for a blank half."""
    if tile.high == 0:
        return rules.double_blank
    pips = tile.pips * 2 if tile.is_double and rules.doubles_count == "twice" else tile.pips
    return pips + (rules.blank_half if tile.low == 0 else 0)


def hand_count(tiles: Iterable[Tile], rules: Counting) -> int:
    """What a hand counts."""
    return sum(tile_count(tile, rules) for tile in tiles)


def round_scores(hands: Mapping[str, LeftHand], rules: Counting, *, blocked: bool = False) -> dict[str, int | None]:
    """What everybody scores in a round; None for a hand that is not wholly known.

    Where the lowest hands of a blocked round count nothing, an unknown hand may be the lowest: then only a hand that is
    certainly not the lowest has a score.
    """
    counts = {player: _count(hand, rules) for player, hand in hands.items()}
    if blocked and rules.blocked == "lowest_zero":
        known = [count for count in counts.values() if count is not None]
        lowest = min(known, default=None)
        for player, count in counts.items():
            if count is not None and count == lowest:
                counts[player] = 0 if len(known) == len(counts) else None
    return {player: _score(counts[player], hand, rules) for player, hand in hands.items()}


def _count(hand: LeftHand, rules: Counting) -> int | None:
    if hand.count is not None or hand.tiles is None:
        return hand.count
    return hand_count(hand.tiles, rules)


def _score(count: int | None, hand: LeftHand, rules: Counting) -> int | None:
    base = rules.out_bonus if hand.out else count
    if base is None:
        return None
    return base + (rules.marker_penalty if hand.marker else 0)
