"""Standings: totals, places and ties, round by round. The lowest total wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Tie = Literal["zero_rounds", "shared"]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a player stands.

    Attributes:
        player: who.
        total: all rounds together.
        place: 1 for the lowest total; equal places are shared, and the next place is as far down as players are above.
        zero_rounds: how many rounds scored exactly 0.
        lowest_above_zero: the lowest round above 0, where there is one.
    """

    player: str
    total: int
    place: int
    zero_rounds: int
    lowest_above_zero: int | None

    def __str__(self) -> str:
        return f"{self.place}. {self.player} {self.total}"


def standings(rounds: Sequence[Mapping[str, int]], tie: Tie) -> tuple[Standing, ...]:
    """The standings after these rounds, best first; equal places in the order in which the players are named.

    With ``tie = zero_rounds`` equal totals are parted by most rounds at 0, then by the lowest round above 0; who is still
    equal shares the place. With ``shared`` equal totals share it at once.

    Raises:
        ValueError: if the rounds do not name the same players.
    """
    if not rounds:
        return ()
    players = list(rounds[0])
    if any(set(scores) != set(players) for scores in rounds):
        raise ValueError("every round names the same players")
    ranks = {player: _rank([scores[player] for scores in rounds], tie) for player in players}
    ordered = sorted(players, key=lambda player: ranks[player])
    return tuple(
        _standing(
            player, [scores[player] for scores in rounds], 1 + sum(ranks[player] > rank for rank in ranks.values())
        )
        for player in ordered
    )


def progress(rounds: Sequence[Mapping[str, int]], tie: Tie) -> list[tuple[Standing, ...]]:
    """The standings after each of the rounds."""
    return [standings(rounds[: number + 1], tie) for number in range(len(rounds))]


def winners(rounds: Sequence[Mapping[str, int]], tie: Tie) -> tuple[str, ...]:
    """Who is first: one player, or several who share the place."""
    return tuple(standing.player for standing in standings(rounds, tie) if standing.place == 1)


def _rank(scores: list[int], tie: Tie) -> tuple[int, int, int]:
    """What players are sorted by; less is better. Who has no round above 0 is best where that is asked."""
    if tie == "shared":
        return sum(scores), 0, 0
    return sum(scores), -scores.count(0), min((score for score in scores if score > 0), default=0)


def _standing(player: str, scores: list[int], place: int) -> Standing:
    lowest = min((score for score in scores if score > 0), default=None)
    return Standing(player, sum(scores), place, scores.count(0), lowest)
