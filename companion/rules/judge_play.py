"""Whether a tile may be laid: rules R-03 to R-11, R-13, R-15, R-20, R-23 and R-25.

R-15 and R-25 say which of several good plays must be chosen, so they are told only of a play that nothing else bars.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.dominoes import Tile
from companion.rules.moves import Play
from companion.rules.rulings import ORDER_OF_DOUBLES, Fact, Violation, drawn_by, hand_of
from companion.rules.state import RoundState
from companion.rules.turns import Case
from companion.rules.view import Answer, Spot, TurnView


def judge_play(case: Case, play: Play) -> None:
    """Note everything that is wrong with a play, and what would have to be known."""
    if is_after_chain(case, play):
        case.out_of_turn(play.player)
    about_turn = len(case.violations)
    case.violations += where_is(case.state, case.seat, play.tile)
    view = case.view
    spot, barriers = view.look(play.train)
    case.violations += barriers
    case.needs += missing_order(view, spot)
    if view.second_double(play.tile):
        case.violations.append(Violation.of("R-13", "one_double", player=play.player, tile=play.tile))
    misfit = view.misfit(play.tile, spot)
    if misfit is not None:
        case.violations.append(misfit)
    elif view.ends_chain_badly(play.tile, spot):
        case.violations.append(Violation.of("R-23", "chain_ends_in_double", player=play.player, tile=play.tile))
    if len(case.violations) == about_turn:
        _judge_drawn(case, view, play)
        _judge_preferred(case, view, play.tile, spot)


def is_after_chain(case: Case, play: Play) -> bool:
    """Whether the player's turn was over already: a chain goes on only on the own train, a covered double nowhere."""
    turn = case.turn
    rules = case.state.rules
    if turn.chain:
        return rules.first_turn != "chain" or play.train.owner.player != play.player
    if turn.following:
        return rules.double_follow == "none" or not case.view.following
    return False


def where_is(state: RoundState, seat: int, tile: Tile) -> Iterator[Violation]:
    """R-03: the set has no such tile, or it lies or is held somewhere else."""
    if tile.high > state.rules.set:
        yield Violation.of("R-03", "no_such_tile", tile=tile, set=state.rules.set)
    elif tile in state.table:
        yield Violation.of("R-03", "tile_on_table", tile=tile)
    elif tile not in state.hands[seat].known:
        for other, hand in enumerate(state.hands):
            if tile in hand.known:
                yield Violation.of("R-03", "tile_in_hand", tile=tile, player=state.players[other])
                return
        if state.hands[seat].whole:
            yield Violation.of("R-03", "tile_not_held", tile=tile, player=state.players[seat])


def missing_order(view: TurnView, spot: Spot) -> list[Fact]:
    """The order of the doubles, where it decides and a double lies there that nobody saw being laid."""
    if view.rules.double_order == "any" or len(view.owed) < 2 or spot.double not in view.owed:
        return []
    return [ORDER_OF_DOUBLES] if any(double.laid.order is None for double in view.owed) else []


def _judge_drawn(case: Case, view: TurnView, play: Play) -> None:
    """R-15: a tile drawn in this turn that fits goes down before any other."""
    kept = case.turn.kept
    if not view.rules.must_play_drawn or not kept or play.tile in kept:
        return
    if None in kept and play.tile not in view.hand.known:
        return  # the tile laid is taken to be the one that was not seen when it was drawn
    if view.drawn is Answer.YES:
        tile = next((tile for tile in kept if tile is not None and view.lays(tile)), None)
        case.violations.append(lay_drawn(play.player, tile))
    elif view.drawn is Answer.MAYBE:
        case.needs.append(drawn_by(play.player))


def lay_drawn(player: str, tile: Tile | None) -> Violation:
    """R-15, naming the drawn tile where it is known."""
    if tile is None:
        return Violation.of("R-15", "drawn_unseen_fits", player=player)
    return Violation.of("R-15", "drawn_fits", player=player, tile=tile)


def _judge_preferred(case: Case, view: TurnView, tile: Tile, spot: Spot) -> None:
    """R-25: who can play on the own train plays there (where the rules prefer it)."""
    if not view.rules.own_train_preferred or view.is_own(spot) or not view.own_values:
        return
    player = view.state.players[view.seat]
    drawn = [kept for kept in case.turn.kept if kept is not None and view.lays(kept)]
    if view.rules.must_play_drawn and drawn:
        known, unknown = frozenset(drawn), 0  # no other tile may be laid now, so no other is a choice
    else:
        assumed = tile not in view.hand.known
        known, unknown = view.hand.known | {tile}, view.hand.unknown - assumed
    match view.can_lay(known, unknown, view.own_values):
        case Answer.YES:
            better = next((one for one in sorted(known) if view.lays(one, view.own_values)), tile)
            case.violations.append(Violation.of("R-25", "own_train_preferred", player=player, tile=better))
        case Answer.MAYBE:
            case.needs.append(hand_of(player))
        case Answer.NO:
            pass
