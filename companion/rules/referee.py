"""One checker, three doors: `rule_on` says what the rules say, `legal_moves` lists what is legal, `apply` does it.

>>> from companion.rules.presets import standard_book
>>> from companion.rules.moves import parse_move
>>> state = RoundState.opening(standard_book().rules("tournament"), ("Ann", "Ben"), round_number=1)
>>> state, _ = apply(state, parse_move("engine 12-12"))
>>> rule_on(state, parse_move("Ann 6-5")).rules
('R-04',)
>>> parse_move("Ann 12-5") in legal_moves(state)
True
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.dominoes import Tile
from companion.rules.engines import judge_engine, judge_engine_draw
from companion.rules.errors import IllegalMove
from companion.rules.events import Event
from companion.rules.judge_play import judge_play
from companion.rules.judge_table import (
    judge_catch,
    judge_end,
    judge_knock,
    judge_mark,
    judge_seen_unmarked,
    judge_unmark,
)
from companion.rules.judge_turn import judge_done, judge_draw, judge_pass
from companion.rules.moves import (
    Catch,
    Done,
    Draw,
    End,
    Knock,
    LayEngine,
    Mark,
    Move,
    Pass,
    Play,
    SeenUnmarked,
    Unmark,
)
from companion.rules.rulings import WHOSE_TURN, Ruling, Violation, ruling
from companion.rules.state import RoundState
from companion.rules.trains import TrainRef
from companion.rules.transition import happen
from companion.rules.turns import Case, next_in_turn, settled
from companion.rules.view import TurnView

BASIC_FIRST: tuple[str, ...] = (
    *("R-02", "R-23", "R-01", "R-12", "R-22", "R-03", "R-06", "R-05", "R-08", "R-07", "R-25"),
    *("R-09", "R-10", "R-11", "R-20", "R-13", "R-15", "R-14", "R-16", "R-24"),
    *("R-17", "R-18", "R-19", "R-21", "R-04"),
)
"""The order in which broken rules are told: turn, tile, train, double, then the rest, and the fit at last."""

_RANK = {rule: rank for rank, rule in enumerate(BASIC_FIRST)}


def rule_on(state: RoundState, move: Move) -> Ruling:
    """Whether a move is legal in a state: every rule that it breaks, or every fact that is missing.

    Raises:
        ValueError: if the move names a player who does not play.
    """
    if isinstance(move, SeenUnmarked):
        return judge_seen_unmarked(state, move)
    if not state.begun and not state.over:
        return _before_engine(state, move)
    if isinstance(move, End) and not state.counted:
        return judge_end(settled(state, -1))
    return _over(state) or _in_round(state, move)


def _before_engine(state: RoundState, move: Move) -> Ruling:
    match move:
        case LayEngine():
            return judge_engine(state, move)
        case Draw():
            return judge_engine_draw(state, move)
    return Ruling(violations=(Violation.of("R-02", "not_begun"),))


def _in_round(state: RoundState, move: Move) -> Ruling:
    """A deed in a round that has begun and is not over."""
    found: Ruling
    match move:
        case Play() | Draw() | Pass() | Done():
            found = _judge(Case(state, move.player), move)
        case Mark():
            found = judge_mark(state, move)
        case Unmark():
            found = judge_unmark(state, move)
        case SeenUnmarked():
            found = judge_seen_unmarked(state, move)
        case Knock():
            found = judge_knock(state, move)
        case Catch():
            found = judge_catch(state, move)
        case LayEngine():
            found = judge_engine(state, move)
        case End():
            found = judge_end(settled(state, -1))
    return found


def _over(state: RoundState) -> Ruling | None:
    return Ruling(violations=(Violation.of("R-02", "round_over"),)) if state.over else None


def _judge(case: Case, move: Play | Draw | Pass | Done) -> Ruling:
    """A deed that belongs to a turn; another player's deed may have ended a first chain, and with it the round."""
    if case.state.over:
        return Ruling(violations=(Violation.of("R-02", "round_over"),))
    match move:
        case Play():
            judge_play(case, move)
        case Draw():
            judge_draw(case, move)
        case Pass():
            judge_pass(case, move)
        case Done():
            judge_done(case, move)
    if len(case.violations) > 1:
        case.violations.sort(key=lambda found: _RANK[found.rule])
    return ruling(case.violations, case.needs)


def is_legal(state: RoundState, move: Move) -> bool:
    """Whether a move is legal for certain."""
    return rule_on(state, move).is_legal


def apply(state: RoundState, move: Move) -> tuple[RoundState, tuple[Event, ...]]:
    """The state after a move that is not illegal, and what happened.

    Raises:
        IllegalMove: carries the ruling.
    """
    found = rule_on(state, move)
    if found.violations:
        raise IllegalMove(found)
    after = happen(state, move)
    return after, (Event.between(state, move, after),)


@dataclass(frozen=True, slots=True)
class Plays:
    """What a player may lay now.

    Attributes:
        ruling: legal; R-01 if it is not that player's turn; R-02 without a turn; depends if nobody knows whose it is.
        plays: every tile with every train on which it could be laid.
    """

    ruling: Ruling
    plays: tuple[tuple[Tile, TrainRef], ...]


def what_may(state: RoundState, player: str) -> Plays:
    """The plays of a player: of the hand, or of every unseen tile where the hand is not wholly known.

    A play that is barred for certain is left out; one that hangs on the rest of an unknown hand is told.
    """
    if not state.begun or state.over:
        message = "round_over" if state.over else "not_begun"
        return Plays(Ruling(violations=(Violation.of("R-02", message),)), ())
    case = Case(state, player)
    if case.state.over:
        return Plays(Ruling(violations=(Violation.of("R-02", "round_over"),)), ())
    if any(found.rule in ("R-01", "R-12") for found in case.violations):
        now = case.state.turn.seat
        turn = "" if now is None else state.players[now]
        return Plays(Ruling(violations=(Violation.of("R-01", "not_your_turn", player=player, turn=turn),)), ())
    found = ruling(case.violations, case.needs)
    if case.violations:
        return Plays(found, ())
    plays = tuple(
        (play.tile, play.train)
        for play in _plays(case.view, player, playable(case.state, case.seat))
        if not rule_on(state, play).violations
    )
    return Plays(found, plays)


def playable(state: RoundState, seat: int) -> list[Tile]:
    """The tiles that a seat could lay: its hand, or where that is not wholly known every unseen tile as well."""
    hand = state.hands[seat]
    return sorted(hand.known if hand.whole else {*hand.known, *state.unseen()}, key=hash)


def _plays(view: TurnView, player: str, tiles: list[Tile]) -> Iterator[Play]:
    """The plays that fit somewhere nothing bars."""
    spots = view.open_spots
    for tile in tiles:
        for spot in spots:
            if spot.value is not None and tile.has(spot.value):
                yield Play(player, tile, spot.ref, tile.other(spot.value))


class legal_moves:  # noqa: N801 - it reads as the function it stands for
    """The legal moves of a state, lazily: ask ``move in legal_moves(state)``, or go through them.

    Going through them gives every legal play, the draw (its tile not named), pass and done of whose turn it is; and of
    every player the marker, the knock and the catch (its tiles not named). While nobody knows whose turn it is, and
    before the engine lies there, everybody's are given. Moves that depend on something unknown are not among them.
    """

    __slots__ = ("_state",)

    def __init__(self, state: RoundState) -> None:
        self._state = state

    def __contains__(self, move: object) -> bool:
        """Whether a move is legal for certain."""
        return is_legal(self._state, move)  # type: ignore[arg-type]  # a move of another type is a mistake and may crash

    def __iter__(self) -> Iterator[Move]:
        """Every legal move, plays first."""
        yield from self.in_turn()
        yield from (move for move in self._others() if is_legal(self._state, move))

    def in_turn(self) -> Iterator[Play | Draw | Pass | Done]:
        """The legal moves that belong to a turn: plays, draw, pass, done."""
        state = self._state
        if state.over:
            return
        if not state.begun:
            yield from (draw for draw in map(Draw, state.players) if is_legal(state, draw))
            return
        for player in self._actors():
            case = Case(state, player)
            if case.violations or case.needs or case.state.over:
                continue
            yield from _legal_in(case, player)

    def _actors(self) -> tuple[str, ...]:
        """Who may act in turn: whose turn it is, and others where that turn may be over without a word."""
        state = self._state
        if state.turn.seat is None:
            return state.players
        seats = [state.turn.seat]
        silent = state.turn.following and state.rules.double_stuck == "turn_ends"
        if state.turn.chain or silent:
            seats.append(next_in_turn(state, state.turn.seat)[0])
        return tuple(state.players[seat] for seat in dict.fromkeys(seats))

    def _others(self) -> Iterator[Move]:
        state = self._state
        if state.before is not None and state.before.seat is not None:
            player = state.players[state.before.seat]
            if player not in self._actors():
                yield Done(player)  # says what is so already
        for player in state.players:
            yield from (Mark(player), Unmark(player), Knock(player))
            yield from (Catch(player, caught) for caught in state.players if caught != player)
        if not state.begun:
            for tile in state.rules.tile_set.doubles:
                yield LayEngine(None, tile)
                yield from (LayEngine(player, tile) for player in state.players)
        yield End()


def _legal_in(case: Case, player: str) -> Iterator[Play | Draw | Pass | Done]:
    """The legal moves of one turn, all judged by the same view of it."""
    for play in _plays(case.view, player, playable(case.state, case.seat)):
        if _judge(case.again(), play).is_legal:
            yield play
    if _judge(case.again(), Draw(player)).is_legal:
        yield Draw(player)
    passes = _judge(case.again(), Pass(player)).is_legal
    if passes:
        yield Pass(player)
    # Outside a first chain "done" is judged as a pass.
    if _judge(case.again(), Done(player)).is_legal if case.turn.chain else passes:
        yield Done(player)


def whose_turn_is_unknown(state: RoundState) -> bool:
    """Whether nobody knows who begins."""
    return state.begun and not state.over and state.turn.seat is None


__all__ = ["WHOSE_TURN", "Plays", "apply", "is_legal", "legal_moves", "rule_on", "what_may", "whose_turn_is_unknown"]
