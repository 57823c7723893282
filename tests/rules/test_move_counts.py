"""Golden move counts: how many legal continuations there are to depth 3, against a second referee written apart."""

from __future__ import annotations

from pathlib import Path
from random import Random

import naive_referee as naive
import pytest

from companion.dominoes import Tile
from companion.rules.moves import Done, Draw, LayEngine, Pass, Play
from companion.rules.presets import standard_book
from companion.rules.referee import legal_moves
from companion.rules.state import RoundState
from companion.rules.transition import begin_with, happen

PLAYERS = ("Ann", "Ben", "Cy")
PRESETS = ("tournament", "spruce", "casual")
POSITIONS = range(12)
GOLDEN = Path(__file__).with_name("move_counts.txt")


def position(preset: str, number: int) -> tuple[RoundState, list[Tile], naive.State]:
    """A fixed position in both referees: a deal of double-six and a few legal deeds."""
    rng = Random(number)
    rules = standard_book()[preset].for_set(6)
    tiles = [tile for tile in rules.tile_set if tile != Tile(6, 6)]
    rng.shuffle(tiles)
    hands = {player: frozenset(tiles[seat * 5 : seat * 5 + 5]) for seat, player in enumerate(PLAYERS)}
    boneyard = tiles[15:]
    state = RoundState.opening(rules, PLAYERS, hands=hands, tiles_each=5)
    state = happen(begin_with(state, number % 3), LayEngine(None, Tile(6, 6)))
    plain = naive.start(
        preset,
        [[tile.ends for tile in tiles[seat * 5 : seat * 5 + 5]] for seat in range(3)],
        [tile.ends for tile in boneyard],
        6,
        number % 3,
    )
    for _ in range(number):
        moves = own_moves(state)
        if not moves:
            break
        move = moves[rng.randrange(len(moves))]
        plain = naive.do(plain, as_naive(move))
        state, boneyard = step(state, boneyard, move)
    return state, boneyard, plain


def own_moves(state: RoundState) -> list[Play | Draw | Pass | Done]:
    assert state.turn.seat is not None
    mover = state.players[state.turn.seat]
    return [move for move in legal_moves(state).in_turn() if move.player == mover]


def as_naive(move: Play | Draw | Pass | Done) -> tuple[object, ...]:
    if isinstance(move, Play):
        owner = move.train.owner.player
        return ("lay", move.tile.ends, "m" if owner is None else PLAYERS.index(owner))
    return ({Draw: "draw", Pass: "pass", Done: "done"}[type(move)],)


def step(state: RoundState, boneyard: list[Tile], move: Play | Draw | Pass | Done) -> tuple[RoundState, list[Tile]]:
    if isinstance(move, Draw):
        return happen(state, Draw(move.player, boneyard[-1])), boneyard[:-1]
    return happen(state, move), boneyard


def count(state: RoundState, boneyard: list[Tile], depth: int) -> int:
    if depth == 0:
        return 1
    return sum(count(*step(state, boneyard, move), depth - 1) for move in own_moves(state))


@pytest.mark.parametrize("preset", PRESETS)
def test_moves_equal_those_of_the_second_referee(preset: str) -> None:
    for number in POSITIONS:
        state, _, plain = position(preset, number)
        assert sorted(map(str, map(as_naive, own_moves(state)))) == sorted(map(str, naive.moves(plain))), number


@pytest.mark.parametrize("preset", PRESETS)
def test_counts_are_the_golden_ones(preset: str) -> None:
    golden = dict(line.rsplit(" ", 1) for line in GOLDEN.read_text().splitlines())
    for number in POSITIONS:
        state, boneyard, plain = position(preset, number)
        counted = count(state, boneyard, 3)
        assert counted == naive.count(plain, 3), number
        assert counted == int(golden[f"{preset} {number}"]), number


@pytest.mark.parametrize("preset", PRESETS)
def test_whole_rounds_agree_with_the_second_referee(preset: str) -> None:
    for number in range(12):
        rng = Random(100 + number)
        state, boneyard, plain = position(preset, 0 if number % 2 else 12)
        while moves := own_moves(state):
            assert sorted(map(str, map(as_naive, moves))) == sorted(map(str, naive.moves(plain))), (number, state.laid)
            playing = [move for move in moves if not isinstance(move, Pass | Done)] or moves
            if state.passes > len(PLAYERS):
                break
            move = playing[rng.randrange(len(playing))]
            plain = naive.do(plain, as_naive(move))
            state, boneyard = step(state, boneyard, move)
        assert plain["over"] == state.over
