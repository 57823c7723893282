"""Engines: which double opens which round, who may lay it, and the draws for one that nobody holds (R-22, R-02)."""

from __future__ import annotations

from companion.dominoes import Tile
from companion.rules.house_rules import HouseRules
from companion.rules.judge_play import where_is
from companion.rules.moves import Draw, LayEngine
from companion.rules.rulings import Fact, Ruling, Violation, drawn_by, hand_of, ruling
from companion.rules.state import RoundState


def engine_sequence(rules: HouseRules) -> tuple[Tile, ...]:
    """The engines of a game, round by round, as ``engine_order`` says and before ``rounds`` cuts it short."""
    down = rules.tile_set.doubles
    match rules.engine_order:
        case "down":
            return down
        case "up":
            return down[::-1]
        case "down_up":
            return down + down[::-1]


def round_count(rules: HouseRules) -> int:
    """How many rounds a game has."""
    longest = len(engine_sequence(rules))
    return longest if rules.rounds == "all" else min(rules.rounds, longest)


def engine_of_round(rules: HouseRules, number: int) -> Tile | None:
    """The double that opens a round; None if the game has no such round."""
    return engine_sequence(rules)[number - 1] if 1 <= number <= round_count(rules) else None


def has_round(state: RoundState) -> bool:
    """Whether the game has the round that this is said to be.

    Where the highest double held opens, no round has an engine of its own, so only an agreed number of rounds counts.
    """
    number = state.round_number
    if number is None:
        return True
    if state.rules.engine == "highest_held":
        return state.rules.rounds == "all" or number <= state.rules.rounds
    return number <= round_count(state.rules)


def due_engine(state: RoundState) -> Tile | None:
    """The double that this round asks for; None where the round is not told or the hands decide."""
    if state.round_number is None or state.rules.engine == "highest_held":
        return None
    return engine_of_round(state.rules, state.round_number)


def judge_engine(state: RoundState, move: LayEngine) -> Ruling:
    """R-22 (that tile, that player, that round) and R-03 (no such tile, or one that a hand holds)."""
    violations: list[Violation] = []
    needs: list[Fact] = []
    tile = move.tile
    if tile not in state.rules.tile_set:
        violations.append(Violation.of("R-03", "no_such_tile", tile=tile, set=state.rules.set))
        violations.append(Violation.of("R-22", "engine_not_in_set", tile=tile))
    elif state.begun:
        violations.append(Violation.of("R-22", "engine_lies", tile=state.engine))
    elif not has_round(state):
        violations.append(Violation.of("R-22", "no_such_round", round=state.round_number))
    elif not tile.is_double:
        violations.append(Violation.of("R-22", "engine_no_double", tile=tile))
    elif state.rules.engine == "set_aside":
        _judge_set_aside(state, move, violations)
    else:
        _judge_from_hand(state, move, violations, needs)
    return ruling(violations, needs)


def _judge_set_aside(state: RoundState, move: LayEngine, violations: list[Violation]) -> None:
    due = due_engine(state)
    if due is not None and move.tile != due:
        violations.append(Violation.of("R-22", "other_engine", tile=move.tile, engine=due, round=state.round_number))
    if move.player is not None:
        violations.append(Violation.of("R-22", "engine_set_aside", player=move.player))
        return
    for seat, hand in enumerate(state.hands):
        if move.tile in hand.known:
            violations.append(Violation.of("R-03", "tile_in_hand", tile=move.tile, player=state.players[seat]))


def _judge_from_hand(state: RoundState, move: LayEngine, violations: list[Violation], needs: list[Fact]) -> None:
    """The engine is dealt, or the highest double held: is it this one, and does this player hold it?"""
    due = due_engine(state)
    falls = state.rules.engine == "highest_held" or state.rules.engine_missing == "next_lower"
    ceiling = state.rules.set if due is None else due.high
    bound = due is not None or state.rules.engine == "highest_held"
    if (bound and move.tile.high > ceiling) or (due is not None and not falls and move.tile != due):
        violations.append(Violation.of("R-22", "other_engine", tile=move.tile, engine=due, round=state.round_number))
        return
    if move.player is not None:
        seat = state.seat(move.player)
        where = list(where_is(state, seat, move.tile))
        if where:
            violations.append(Violation.of("R-22", "not_the_holder", player=move.player, tile=move.tile))
            return
    elif all(hand.whole and move.tile not in hand.known for hand in state.hands):
        violations.append(Violation.of("R-22", "nobody_holds", tile=move.tile))
        return
    if bound and falls:
        _judge_higher(state, move, ceiling, violations, needs)
    if state.rules.engine_missing == "all_draw" and 0 < len(state.engine_draws.drew) < len(state.players):
        violations.append(Violation.of("R-22", "pass_not_complete", tile=move.tile))


def _judge_higher(
    state: RoundState, move: LayEngine, ceiling: int, violations: list[Violation], needs: list[Fact]
) -> None:
    """Does anybody hold a higher double that would have to open instead?"""
    higher = [Tile.double(value) for value in range(move.tile.high + 1, ceiling + 1)]
    for seat, hand in enumerate(state.hands):
        better = max((tile for tile in higher if tile in hand.known), default=None)
        if better is not None:
            violations.append(
                Violation.of("R-22", "higher_double", tile=move.tile, better=better, player=state.players[seat])
            )
            return
    hidden = set(state.unseen())
    if not any(tile in hidden for tile in higher):
        return
    for seat, hand in enumerate(state.hands):
        spare = hand.unknown - (state.players[seat] == move.player and move.tile not in hand.known)
        if spare > 0:
            needs.append(hand_of(state.players[seat]))


def judge_engine_draw(state: RoundState, move: Draw) -> Ruling:
    """A draw before the engine lies there: R-02 unless nobody holds it, R-01 out of order, R-16 twice in a pass."""
    rules = state.rules
    if rules.engine == "set_aside" or rules.engine_missing == "next_lower":
        return Ruling(violations=(Violation.of("R-02", "not_begun"),))
    needs: list[Fact] = []
    complete = not 0 < len(state.engine_draws.drew) < len(state.players) or rules.engine_missing == "draw_in_turn"
    wanted = wanted_engines(state)
    if complete and wanted:
        if any(tile in hand.known for tile in wanted for hand in state.hands):
            return Ruling(violations=(Violation.of("R-02", "engine_is_held"),))
        needs += _hidden_holders(state, wanted)
    seat = state.seat(move.player)
    violations: list[Violation] = []
    if rules.engine_missing == "draw_in_turn":
        first = state.start or 0
        due = first if state.engine_draws.next_seat is None else state.engine_draws.next_seat
        if seat != due:
            violations.append(Violation.of("R-01", "not_your_turn", player=move.player, turn=state.players[due]))
    elif seat in state.engine_draws.drew and not complete:
        violations.append(Violation.of("R-16", "one_draw_a_pass", player=move.player))
    if move.tile is not None:
        held = move.tile in state.hands[seat].known
        violations += [found for found in where_is(state, seat, move.tile) if found.message != "tile_not_held"]
        if held:
            violations.append(Violation.of("R-03", "tile_in_hand", tile=move.tile, player=move.player))
    if state.boneyard <= 0:
        violations.append(Violation.of("R-16", "boneyard_empty", player=move.player))
    return ruling(violations, needs)


def wanted_engines(state: RoundState) -> tuple[Tile, ...]:
    """The doubles that would open the round: the one that is due, or any; none where the round is not told."""
    if state.rules.engine == "highest_held":
        return state.rules.tile_set.doubles
    due = due_engine(state)
    return () if due is None else (due,)


def _hidden_holders(state: RoundState, wanted: tuple[Tile, ...]) -> list[Fact]:
    """Whose hands could hold the engine, so that no draw would be needed."""
    hidden = set(state.unseen())
    if not any(tile in hidden for tile in wanted):
        return []
    facts: list[Fact] = []
    for seat, hand in enumerate(state.hands):
        unseen_draws = state.engine_draws.unseen.count(seat)
        if hand.unknown - unseen_draws > 0 and not state.engine_draws.any:
            facts.append(hand_of(state.players[seat]))
        if unseen_draws:
            facts.append(drawn_by(state.players[seat]))
    return facts
