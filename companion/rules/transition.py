"""What a deed changes. `happen` never asks whether the deed is legal: it also takes what was seen to happen anyway.

A state is the fold of `happen` over the deeds of a round, so a replay gives the same state and undo is a shorter fold.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from companion.dominoes import Tile
from companion.rules.doubles import is_dead
from companion.rules.judge_table import keeps_marker_down, penalty_tiles
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
from companion.rules.starting import starter
from companion.rules.state import EngineDraws, RoundState, Turn
from companion.rules.trains import LaidTile, Train
from companion.rules.turns import Case, finish_turn, let_end, settled
from companion.rules.view import Spot, TurnView


def happen(state: RoundState, move: Move) -> RoundState:
    """The state after a deed, legal or not."""
    after: RoundState
    match move:
        case Play():
            after = _play(_take_turn(state, move.player), move)
        case Draw():
            after = _draw(state, move)
        case Pass():
            after = _pass(_take_turn(state, move.player))
        case Done():
            after = _done(state, move)
        case Mark() | Unmark():
            seat = state.seat(move.player)
            after = _ended(state, seat).with_marker(seat, up=isinstance(move, Mark))
        case SeenUnmarked():
            after = state.with_marker(state.seat(move.player), up=False)
        case Knock():
            after = _knock(state, state.seat(move.player))
        case Catch():
            after = _catch(state, move)
        case LayEngine():
            after = _lay_engine(state, move)
        case End():
            after = replace(state, over=True, counted=True)
    return after


def replay(opening: RoundState, moves: Iterable[Move]) -> RoundState:
    """The state after all these deeds."""
    return reduce(happen, moves, opening)


def begin_with(state: RoundState, seat: int) -> RoundState:
    """The state in which the table has named the player who begins."""
    state = replace(state, start=seat)
    return replace(state, turn=state.fresh_turn(seat)) if state.begun else state


# -- turns


def _take_turn(state: RoundState, player: str) -> RoundState:
    """The state in which it is that player's turn: as it is, or because the player acts all the same."""
    seat = state.seat(player)
    if state.over or not state.begun:
        return state if state.turn.seat == seat else replace(state, turn=state.fresh_turn(seat))
    state = settled(state, seat)
    if state.turn.seat == seat:
        return state
    if state.turn.seat is None:
        return replace(state, turn=state.fresh_turn(seat))
    return replace(Case(state, player).state, turn=state.fresh_turn(seat))


def _ended(state: RoundState, seat: int) -> RoundState:
    """A marker moved by choice ends a first chain."""
    return finish_turn(state) if state.turn.chain and state.turn.seat == seat else state


def _finish(state: RoundState) -> RoundState:
    """The end of a turn; before the engine lies there, and after the round, there is none."""
    return finish_turn(state) if state.begun and not state.over else state


# -- plays


def _play(state: RoundState, play: Play) -> RoundState:
    seat = state.seat(play.player)
    turn = state.turn
    if turn.chain and play.train.owner.player != play.player:
        state = _finish(state)
        turn = replace(state.fresh_turn(seat), first=False)
    view = TurnView(state, seat, turn)
    spot = view.spot(play.train)
    own = view.is_own(spot)
    laid = LaidTile(play.tile, _outward(play, spot.value), play.player, state.laid, turn.first and own)
    table = state.table | {play.tile}
    live_double = play.tile.is_double and not (
        state.rules.double_dead == "dropped" and is_dead(state.rules, table, laid)
    )
    chained = turn.first and own and state.rules.first_turn == "chain"
    hand = state.hands[seat]
    turn = replace(
        turn,
        chain=chained,
        laid=turn.laid + 1,
        doubles=turn.doubles + play.tile.is_double,
        kept=_kept_after(turn, play.tile, known=play.tile in hand.known),
        own_play=turn.own_play or own,
        following=live_double and not chained and state.rules.double_follow != "none",
    )
    after = replace(
        state,
        table=table,
        laid=state.laid + 1,
        hands=(*state.hands[:seat], hand.without(play.tile), *state.hands[seat + 1 :]),
        trains=_trains_after(state, spot, laid, seat, own=own),
        turn=turn,
        passes=0,
    )
    if after.hands[seat].size == 0:
        return _emptied(after, seat, uncovered=live_double)
    if chained and not _foot_stops_chain(view, spot):
        return after
    return after if turn.following else _finish(after)


def _outward(play: Play, value: int | None) -> int:
    """The end that points outward: across from the value asked for, or the half written second where nothing fits."""
    if value is not None and play.tile.has(value):
        return play.tile.other(value)
    return play.tile.low if play.outward is None else play.outward


def _kept_after(turn: Turn, tile: Tile, *, known: bool) -> tuple[Tile | None, ...]:
    """The drawn tiles still held after a tile is laid; an unknown tile is taken to be one that was drawn unseen."""
    if not turn.kept:
        return ()
    gone: Tile | None = tile if tile in turn.kept else None
    if gone is None and (known or None not in turn.kept):
        return turn.kept
    place = turn.kept.index(gone)
    return turn.kept[:place] + turn.kept[place + 1 :]


def _foot_stops_chain(view: TurnView, spot: Spot) -> bool:
    """Whether a chain ends because its tile is a toe of a foot that wants more (one toe a turn)."""
    double = spot.double
    return double is not None and view.rules.chicken_foot > double.toes + 1


def _trains_after(state: RoundState, spot: Spot, laid: LaidTile, seat: int, *, own: bool) -> tuple[Train, ...]:
    """The trains with the tile in its place and the player's marker down where the play takes it down."""
    trains = list(state.trains)
    if spot.train is None:
        trains.append(Train(spot.ref.owner).with_tile(laid, branch=0))
    else:
        trains[spot.train] = _with_tile(trains[spot.train], spot, laid)
    clears = state.rules.marker_clears
    if trains[seat].marker and (clears == "any_play" or (own and clears == "own_play")):
        trains[seat] = replace(trains[seat], marker=False)
    return tuple(trains)


def _with_tile(train: Train, spot: Spot, laid: LaidTile) -> Train:
    """The tile at the tip of a branch, or as a further toe; one that fits a toe only (R-20) lies on that toe."""
    double = spot.double
    if double is None or not double.toes:
        return train.with_tile(laid, branch=spot.branch)
    if not laid.tile.has(double.value):
        for branch, value in train.toe_ends(double.branch, double.place):
            if laid.tile.has(value):
                return train.with_tile(replace(laid, outward=laid.tile.other(value)), branch=branch)
    return train.with_tile(laid, branch=spot.branch, root=(double.branch, double.place))


def _emptied(state: RoundState, seat: int, *, uncovered: bool) -> RoundState:
    """A hand is empty: its player is out, or (``out_on_double = must_cover``) stays in because of a bare double."""
    if uncovered and state.rules.out_on_double == "must_cover":
        state = replace(state, stranded=state.stranded | {seat})
        return state if state.turn.following or state.turn.chain else _finish(state)
    state = replace(state, out=state.out | {seat}, stranded=state.stranded - {seat})
    if not state.begun:
        return state
    others = frozenset(range(len(state.players))) - state.had_first - {seat}
    if state.turn.first and state.rules.first_turn_out == "others_finish" and others:
        return _finish(state)
    return replace(state, over=True, had_first=state.had_first | {seat})


# -- the rest


def _draw(state: RoundState, draw: Draw) -> RoundState:
    seat = state.seat(draw.player)
    if not state.begun:
        state = _draw_for_engine(state, seat, draw)
    else:
        state = _take_turn(state, draw.player)
        turn = state.turn
        state = replace(state, turn=replace(turn, drew=turn.drew + 1, kept=(*turn.kept, draw.tile)))
    state = state.with_hand(seat, state.hands[seat].with_drawn(draw.tile))
    return replace(state, boneyard=max(0, state.boneyard - 1))


def _draw_for_engine(state: RoundState, seat: int, draw: Draw) -> RoundState:
    draws = state.engine_draws
    in_turn = state.rules.engine_missing == "draw_in_turn"
    new_pass = in_turn or len(draws.drew) == len(state.players)
    unseen = (seat,) if draw.tile is None else ()
    return replace(
        state,
        engine_draws=EngineDraws(
            next_seat=state.next_seat(seat),
            drew=frozenset({seat}) if new_pass else draws.drew | {seat},
            unseen=unseen if new_pass else draws.unseen + unseen,
            any=True,
        ),
    )


def _pass(state: RoundState) -> RoundState:
    turn = state.turn
    seat = turn.seat
    assert seat is not None
    marks = state.rules.double_stuck == "draw_then_mark" if turn.following else not turn.chain
    if marks and not keeps_marker_down(state, seat):
        # An earlier play of this turn no longer lets the owner take the marker down: it went up after that.
        state = replace(state.with_marker(seat, up=True), turn=replace(turn, own_play=False))
    return _finish(state)


def _done(state: RoundState, done: Done) -> RoundState:
    """The end of a chain, or of a turn without a play; after a turn that is over anyway nothing happens."""
    seat = state.seat(done.player)
    before = state.before
    if state.turn.seat != seat and before is not None and before.seat == seat and not state.turn.acted:
        return state
    state = _take_turn(state, done.player)
    return _finish(state) if state.turn.chain else _pass(state)


def _knock(state: RoundState, seat: int) -> RoundState:
    if state.turn.seat == seat:
        state = replace(state, turn=replace(state.turn, knocked=True))
    return replace(state, silent=None) if state.silent == seat else state


def _catch(state: RoundState, catch: Catch) -> RoundState:
    """The penalty: tiles, the next turn, the marker, as the rules say."""
    caught = state.seat(catch.caught)
    if state.begun:
        state, _ = let_end(state, caught)
    penalty = max(penalty_tiles(state), len(catch.tiles))
    hand = state.hands[caught]
    for number in range(penalty):
        hand = hand.with_drawn(catch.tiles[number] if number < len(catch.tiles) else None)
    state = replace(state.with_hand(caught, hand), boneyard=max(0, state.boneyard - penalty), silent=None)
    if state.rules.knock_lose_turn:
        state = replace(state, loses_turn=state.loses_turn | {caught})
    if state.rules.knock_mark and not keeps_marker_down(state, caught):
        state = state.with_marker(caught, up=True)
    return state


def _lay_engine(state: RoundState, move: LayEngine) -> RoundState:
    """The engine lies in the middle, and the first turn is whose it is: the named one's, the opener's, the seat's."""
    seat = state.seat(move.player) if move.player is not None else _holder(state, move.tile)
    if seat is not None:
        state = state.with_hand(seat, state.hands[seat].without(move.tile))
    state = replace(state, engine=move.tile, opener=seat, table=state.table | {move.tile})
    if state.start is not None:
        return replace(state, turn=state.fresh_turn(state.start))
    opener = None if seat is None else state.players[seat]
    number = state.round_number
    if state.rules.first_player == "opener" and seat is not None and not state.rules.opener_plays:
        state = replace(state, before=state.fresh_turn(seat))
    if state.rules.first_player == "rotate" and number is None:
        return state
    first = starter(state.rules, state.players, number or 1, opener=opener)
    return state if first is None else replace(state, turn=state.fresh_turn(state.seat(first)))


def _holder(state: RoundState, tile: Tile) -> int | None:
    """Who must have laid an engine that nobody was seen to lay: whose known hand has it, or the only one not known."""
    if state.rules.engine == "set_aside":
        return None
    known = [seat for seat, hand in enumerate(state.hands) if tile in hand.known]
    possible = known or [seat for seat, hand in enumerate(state.hands) if not hand.whole]
    return possible[0] if len(possible) == 1 else None
