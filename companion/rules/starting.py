"""Who starts: the seat that moves on, the draw for the highest tile."""

from __future__ import annotations

from collections.abc import Mapping

from companion.dominoes import Tile
from companion.rules.house_rules import HouseRules


def rotating_seat(round_number: int, players: int) -> int:
    """The seat that begins a round where the first turn moves on by one seat each round; round 1 is seat 0's."""
    return (round_number - 1) % players


def highest_draw(drawn: Mapping[str, Tile]) -> tuple[str, ...]:
    """Who drew the tile with most pips; several if they are equal, and then these draw again."""
    most = max((tile.pips for tile in drawn.values()), default=None)
    return tuple(player for player, tile in drawn.items() if tile.pips == most)


def starter(rules: HouseRules, players: tuple[str, ...], round_number: int, *, opener: str | None = None) -> str | None:
    """Who takes the first turn of a round; None where the table has to draw or choose.

    Args:
        rules: what the table plays.
        players: their names, clockwise.
        round_number: which round.
        opener: who laid the engine from the hand.
    """
    if rules.first_player == "rotate":
        return players[rotating_seat(round_number, len(players))]
    if rules.first_player == "opener" and opener is not None:
        seat = players.index(opener)
        return players[seat if rules.opener_plays else (seat + 1) % len(players)]
    return None
