"""A table that plays by itself: random legal moves with all hands known. For tests, benchmarks and demonstrations.

Randomness comes in as an argument. Nobody here is clever; the point is that every rule set can be played to its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from companion.dominoes import Tile
from companion.rules.blocked import is_blocked
from companion.rules.engines import due_engine, engine_of_round, wanted_engines
from companion.rules.house_rules import HouseRules
from companion.rules.judge_table import penalty_tiles
from companion.rules.moves import Catch, Done, Draw, End, Knock, LayEngine, Mark, Move, Pass, Play, Unmark
from companion.rules.referee import apply, is_legal, legal_moves
from companion.rules.state import Hand, RoundState
from companion.rules.switches import SWITCHES
from companion.rules.transition import begin_with, happen, replay
from companion.rules.view import Answer

LONGEST_ROUND = 5000
"""A round with more deeds than this does not end; real ones have a tenth of it."""


class DeadEnd(Exception):
    """A round that cannot go on although it is neither out nor blocked, or that does not end."""


class NobodyOpens(DeadEnd):
    """No hand has a double that may open and nobody draws for one: the table shuffles and deals again."""


@dataclass
class Table:
    """A round under way with its boneyard, face up for the one who simulates it.

    Attributes:
        opening: the state before the first deed.
        state: the state now.
        boneyard: the tiles nobody has drawn, in the order in which they will be.
        moves: the deeds so far.
        takebacks: how many doubles were taken back because a first chain may not end in one.
    """

    opening: RoundState
    state: RoundState
    boneyard: list[Tile]
    moves: list[Move]
    takebacks: int = 0

    def do(self, move: Move) -> None:
        """Let a move happen; an `IllegalMove` if the referee forbids it."""
        self.state, _ = apply(self.state, move)
        self.moves.append(move)

    def do_legal(self, move: Move) -> None:
        """Let a move happen that the referee has just called legal."""
        self.state = happen(self.state, move)
        self.moves.append(move)

    def take_back(self) -> None:
        """Undo the last deed: the fold over all deeds but that one."""
        last = self.moves.pop()
        assert isinstance(last, Play)
        self.state = replay(self.opening, self.moves)
        self.takebacks += 1


def random_rules(rng: Random, base: HouseRules) -> HouseRules:
    """The base with every switch but the set thrown by dice."""
    return base.with_values({switch.name: rng.choice(switch.values)[0] for switch in SWITCHES if switch.name != "set"})


def deal(
    rules: HouseRules, players: tuple[str, ...], round_number: int, rng: Random, *, tiles_each: int | None = None
) -> Table:
    """Shuffle and deal a round, as the rules deal or so many tiles each; the engine lies aside where the rules say so."""
    tiles = list(rules.tile_set)
    engine = engine_of_round(rules, round_number)
    if rules.engine == "set_aside":
        assert engine is not None
        tiles.remove(engine)
    rng.shuffle(tiles)
    size = rules.tiles_each(len(players)) if tiles_each is None else tiles_each
    hands = {player: frozenset(tiles[seat * size : (seat + 1) * size]) for seat, player in enumerate(players)}
    opening = RoundState.opening(rules, players, hands=hands, tiles_each=size, round_number=round_number)
    return Table(opening, opening, tiles[len(players) * size :], [])


def play_round(table: Table, rng: Random) -> Table:
    """Play a dealt round to its end by random legal moves.

    Raises:
        DeadEnd: if there is no legal move left in a round that is not over, or no end to it.
    """
    _open(table, rng)
    while not table.state.over:
        if len(table.moves) > LONGEST_ROUND:
            raise DeadEnd(f"no end after {LONGEST_ROUND} deeds")
        _chat(table, rng)
        moves = list(legal_moves(table.state).in_turn())
        if moves and not (_only_passing(moves) and is_blocked(table.state) is Answer.YES):
            _choose(table, moves, rng)
        elif is_blocked(table.state) is Answer.YES:
            break
        else:
            _give_back_double(table)
    table.do(End())
    return table


def _open(table: Table, rng: Random) -> None:
    """Settle who begins where the rules leave it to the table, and get the engine into the middle, by draws if need be."""
    state = table.state
    nobody_opens = state.rules.first_player == "opener" and state.rules.engine == "set_aside"
    if nobody_opens or state.rules.first_player in ("draw_highest", "chosen"):
        table.opening = table.state = state = begin_with(state, rng.randrange(len(state.players)))
    if state.rules.engine == "set_aside":
        due = due_engine(state)
        assert due is not None
        table.do(LayEngine(None, due))
    else:
        while (opener := _opener(table.state)) is None or not is_legal(table.state, LayEngine(*opener)):
            drawing = [player for player in state.players if is_legal(table.state, Draw(player))]
            if not drawing or not table.boneyard:
                raise NobodyOpens("nobody can open and nobody can draw")
            _draw(table, rng.choice(drawing))
        table.do(LayEngine(*opener))


def _opener(state: RoundState) -> tuple[str, Tile] | None:
    """Who holds the double that opens."""
    wanted = wanted_engines(state)
    if state.rules.engine_missing == "next_lower" and wanted:
        wanted = tuple(tile for tile in state.rules.tile_set.doubles if tile.high <= wanted[0].high)
    for tile in wanted:
        for seat, hand in enumerate(state.hands):
            if tile in hand.known:
                return state.players[seat], tile
    return None


def _only_passing(moves: list[Play | Draw | Pass | Done]) -> bool:
    return not any(isinstance(move, Play | Draw) for move in moves)


def _choose(table: Table, moves: list[Play | Draw | Pass | Done], rng: Random) -> None:
    move = rng.choice(moves)
    if isinstance(move, Draw):
        table.do_legal(Draw(move.player, table.boneyard.pop()))
    else:
        table.do_legal(move)


def _draw(table: Table, player: str) -> None:
    table.do(Draw(player, table.boneyard.pop()))


def _give_back_double(table: Table) -> None:
    """A first chain that may not end in its double and cannot go on: the double goes back into the hand, once for all."""
    last = table.moves[-1] if table.moves else None
    if not (table.state.turn.chain and isinstance(last, Play) and last.tile.is_double):
        raise DeadEnd("no legal move, and neither out nor blocked")
    table.take_back()
    others = [move for move in legal_moves(table.state).in_turn() if move != last]
    if others:
        first = others[0]
        if isinstance(first, Draw):
            _draw(table, first.player)
        else:
            table.do(first)
    else:
        raise DeadEnd("nothing but a double that may not end the first chain")


def _chat(table: Table, rng: Random) -> None:
    """Now and then somebody knocks, catches, or moves a marker by choice, where that is legal."""
    state = table.state
    if state.before is None or state.before.seat is None or rng.random() < 0.5:
        return
    player = state.players[state.before.seat]
    others = [name for name in state.players if name != player]
    said: list[Move] = [Mark(player), Unmark(player), Knock(player), Catch(rng.choice(others), player)]
    move = rng.choice(said)
    if is_legal(state, move):
        if isinstance(move, Catch):
            drawn = tuple(table.boneyard.pop() for _ in range(penalty_tiles(state)))
            move = replace(move, tiles=drawn)
        table.do(move)


def tiles_in_play(state: RoundState, boneyard: list[Tile]) -> Iterator[Tile]:
    """Every tile wherever it is: on the table, in a hand, in the boneyard; a set comes out each once."""
    yield from state.table
    for hand in state.hands:
        yield from hand.known
    yield from boneyard


def whole(hand: Hand) -> bool:
    """Whether a hand is wholly known, as all are here."""
    return hand.whole and len(hand.known) == hand.size
