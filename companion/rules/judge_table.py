"""Markers, knocks, catches and the end of a round: R-16 to R-19 and R-21."""

from __future__ import annotations

from companion.rules.blocked import is_blocked
from companion.rules.judge_play import where_is
from companion.rules.moves import Catch, Knock, Mark, SeenUnmarked, Unmark
from companion.rules.rulings import Ruling, Violation, hand_of, ruling
from companion.rules.state import RoundState, Turn
from companion.rules.turns import bad_chain_end, let_end, turn_may_be_over
from companion.rules.view import Answer


def ended_turn(state: RoundState, seat: int) -> Turn | None:
    """That seat's turn if it is over, or can be over, and nobody has acted since; None otherwise."""
    turn = state.turn
    if turn.seat == seat:
        if turn.chain and bad_chain_end(state) is None:
            return turn
        return turn if turn_may_be_over(state, turn) is not Answer.NO else None
    before = state.before
    return before if before is not None and before.seat == seat and not turn.acted else None


def keeps_marker_down(state: RoundState, seat: int) -> bool:
    """Whether that seat's marker never goes up yet (``first_turn_stuck = draw_only``, own train not started)."""
    return state.rules.first_turn_stuck == "draw_only" and not state.trains[seat].started


def judge_mark(state: RoundState, move: Mark) -> Ruling:
    """R-17: only by choice where the rules allow it, and only at the end of the own turn."""
    seat = state.seat(move.player)
    if not state.rules.marker_voluntary:
        return _broken("R-17", "marker_by_rules_only", player=move.player)
    if ended_turn(state, seat) is None:
        return _broken("R-17", "marker_at_turn_end", player=move.player)
    if keeps_marker_down(state, seat):
        return _broken("R-17", "marker_needs_train", player=move.player)
    return Ruling()


def judge_unmark(state: RoundState, move: Unmark) -> Ruling:
    """R-18: only where the owner chooses, after a play on the own train in the turn that has just ended."""
    seat = state.seat(move.player)
    if state.rules.marker_clears != "owner_choice":
        return _broken("R-18", "marker_falls_by_itself", player=move.player)
    if not state.trains[seat].marker:
        return _broken("R-18", "marker_not_up", player=move.player)
    turn = ended_turn(state, seat)
    if turn is None or not turn.own_play:
        return _broken("R-18", "marker_after_own_play", player=move.player)
    return Ruling()


def judge_seen_unmarked(state: RoundState, move: SeenUnmarked) -> Ruling:
    """R-17: the marker is seen not to be up although it must be, and its owner could not take it down just now."""
    if state.trains[state.seat(move.player)].marker and not judge_unmark(state, Unmark(move.player)).is_legal:
        return _broken("R-17", "marker_missing", player=move.player)
    return Ruling()


def judge_knock(state: RoundState, move: Knock) -> Ruling:
    """R-21: one tile must be left, and the next player must not have acted."""
    seat = state.seat(move.player)
    size = state.hands[seat].size
    if size != 1:
        return _broken("R-21", "not_one_left", player=move.player, tiles=size)
    turn = state.turn
    mid_turn = turn.seat == seat and turn.laid > 0
    just_over = state.before is not None and state.before.seat == seat and not turn.acted
    if not (mid_turn or just_over):
        return _broken("R-21", "knock_too_late", player=move.player)
    return Ruling()


def judge_catch(state: RoundState, move: Catch) -> Ruling:
    """R-21 for the claim itself; R-03 and R-16 for the tiles that were drawn for it."""
    if state.rules.knock != "penalty":
        return _broken("R-21", "no_catching", player=move.player)
    caught = state.seat(move.caught)
    state, turn_over = let_end(state, caught)
    violations: list[Violation] = []
    if move.player == move.caught or turn_over is Answer.NO or state.silent != caught:
        violations.append(Violation.of("R-21", "nothing_to_catch", player=move.caught))
    elif state.rules.knock_window == "next_acts" and state.turn.acted:
        violations.append(Violation.of("R-21", "catch_too_late", player=move.caught))
    for tile in move.tiles:
        if tile in state.hands[caught].known:
            violations.append(Violation.of("R-03", "tile_in_hand", tile=tile, player=move.caught))
        violations += [found for found in where_is(state, caught, tile) if found.message != "tile_not_held"]
    penalty = penalty_tiles(state)
    if len(move.tiles) > penalty or len(set(move.tiles)) < len(move.tiles):
        violations.append(Violation.of("R-16", "penalty_draw", player=move.caught, tiles=penalty))
    return ruling(violations, [hand_of(move.caught)] if turn_over is Answer.MAYBE else [])


def penalty_tiles(state: RoundState) -> int:
    """How many tiles a caught player draws: as the rules say, fewer if the boneyard has fewer."""
    return min(state.rules.knock_draw, max(0, state.boneyard))


def judge_end(state: RoundState) -> Ruling:
    """R-19: the table may stop when it likes, but not because a double emptied a hand that may not go out so."""
    if state.out or state.rules.out_on_double != "must_cover" or is_blocked(state) is Answer.YES:
        return Ruling()
    for seat in sorted(state.stranded):
        if state.hands[seat].size == 0:
            return _broken("R-19", "out_on_double", player=state.players[seat])
    return Ruling()


def _broken(rule: str, message: str, **arguments: object) -> Ruling:
    return Ruling(violations=(Violation.of(rule, message, **arguments),))
