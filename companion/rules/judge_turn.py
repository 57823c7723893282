"""Whether a turn may go on with a draw or end with a pass or a "done": R-03, R-14, R-15, R-16, R-23, R-24."""

from __future__ import annotations

from companion.dominoes import Tile
from companion.rules.judge_play import lay_drawn, where_is
from companion.rules.moves import Done, Draw, Pass
from companion.rules.rulings import Violation, drawn_by, hand_of
from companion.rules.turns import Case, bad_chain_end
from companion.rules.view import Answer, TurnView


def judge_draw(case: Case, draw: Draw) -> None:
    """R-14 to R-16, and R-03 for a tile that cannot have been in the boneyard."""
    if turn_has_ended(case):
        case.out_of_turn(draw.player)
    view = case.view
    if draw.tile is not None:
        case.violations += _not_in_boneyard(case, draw)
    _judge_able(case, view)
    if view.rules.draw == "until_playable" or view.drawn is Answer.YES:
        _judge_drawn(case, view)
    reason = no_draw(case, view)
    if reason is not None:
        case.violations.append(Violation.of("R-16", reason, player=draw.player))
    elif _hangs_on_drawn(view):
        case.needs.append(drawn_by(draw.player))


def judge_pass(case: Case, move: Pass | Done) -> None:
    """R-14, R-15, R-24: nobody passes who can play, holds a drawn tile that fits, or may still draw."""
    if turn_has_ended(case):
        case.out_of_turn(move.player)
    view = case.view
    _judge_able(case, view)
    fitted = view.rules.draw == "until_playable" and view.drawn is Answer.YES
    if no_draw(case, view) is not None or fitted:
        _judge_drawn(case, view)
    elif _hangs_on_drawn(view):
        case.needs.append(drawn_by(move.player))
    else:
        # Under until_playable an unseen drawn tile makes the pass wrong either way: if it fits it would have to be laid,
        # if it does not, another one drawn.
        case.violations.append(Violation.of("R-24", "draw_first", player=move.player))


def _hangs_on_drawn(view: TurnView) -> bool:
    """Whether a further draw is due or over by a tile that nobody saw and that may be kept though it fits."""
    rules = view.rules
    return rules.draw == "until_playable" and not rules.must_play_drawn and view.drawn is Answer.MAYBE


def judge_done(case: Case, done: Done) -> None:
    """A chain may stop after any tile, but for R-23; a "done" that says what is so already is no breach."""
    before = case.state.before
    if case.turn.chain:
        if (bad := bad_chain_end(case.state)) is not None:
            case.violations.append(bad)
    elif case.violations and before is not None and before.seat == case.seat and not case.state.turn.acted:
        case.violations = [found for found in case.violations if found.rule != "R-12"]
    else:
        judge_pass(case, done)


def turn_has_ended(case: Case) -> bool:
    """Whether the turn, though nobody said so, has nothing left but its end.

    A chain with a tile in it can only go on or be done; a double need not be followed under the rules; or it cannot be
    followed and the rules end the turn there.
    """
    turn = case.turn
    if turn.chain:
        return not (case.seat in case.state.stranded and case.state.hands[case.seat].size == 0)
    if turn.following:
        return case.state.rules.double_follow == "none" or not case.view.following
    return False


def no_draw(case: Case, view: TurnView) -> str | None:
    """Why there is no (further) draw in this turn, as the id of a message; None if there is one (R-16)."""
    rules, turn = view.rules, case.turn
    stuck_first = turn.first and not turn.following and not turn.laid
    reasons = {
        "no_draws": rules.draw == "none",
        "no_draw_after_double": turn.following and rules.double_stuck != "draw_then_mark",
        "no_draw_in_first_turn": stuck_first and rules.first_turn_stuck == "mark",
        "one_draw": rules.draw == "one" and turn.drew > 0,
        "boneyard_empty": case.state.boneyard <= 0,
    }
    for reason, holds in reasons.items():
        if holds:
            return reason
    until_fit = rules.draw == "until_playable" and not rules.must_play_drawn
    return "drawn_until_playable" if until_fit and view.drawn is Answer.YES else None


def _judge_able(case: Case, view: TurnView) -> None:
    """R-14, judged by the hand before the draw."""
    if not view.rules.must_play:
        return
    player = case.state.players[case.seat]
    match view.before_draw:
        case Answer.YES:
            able = [tile for tile in view.hand.known if tile not in case.turn.kept and view.lays(tile)]
            if able:
                case.violations.append(Violation.of("R-14", "can_play", player=player, tile=max(able)))
            else:
                case.violations.append(Violation.of("R-14", "must_hold_a_play", player=player))
        case Answer.MAYBE:
            case.needs.append(hand_of(player))
        case Answer.NO:
            pass


def _judge_drawn(case: Case, view: TurnView) -> None:
    """R-15 for the tile drawn in this turn."""
    if not view.rules.must_play_drawn:
        return
    player = case.state.players[case.seat]
    if view.drawn is Answer.YES:
        case.violations.append(lay_drawn(player, _fitting(case, view)))
    elif view.drawn is Answer.MAYBE:
        case.needs.append(drawn_by(player))


def _fitting(case: Case, view: TurnView) -> Tile | None:
    return next((tile for tile in case.turn.kept if tile is not None and view.lays(tile)), None)


def _not_in_boneyard(case: Case, draw: Draw) -> list[Violation]:
    """R-03 for a drawn tile: one that lies or is held somewhere, the own hand too."""
    tile = draw.tile
    assert tile is not None
    if tile in case.state.hands[case.seat].known:
        return [Violation.of("R-03", "tile_in_hand", tile=tile, player=draw.player)]
    return [found for found in where_is(case.state, case.seat, tile) if found.message != "tile_not_held"]
