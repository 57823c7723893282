"""How turns begin and end: who is next, what a finished turn leaves behind, when a round is over."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.rulings import WHOSE_TURN, Fact, Violation, hand_of
from companion.rules.state import RoundState, Turn
from companion.rules.view import Answer, TurnView


def finish_turn(state: RoundState) -> RoundState:
    """The state after the turn under way is over and the next one begins.

    Who is left with one tile and has not said so can be caught from now on (R-21); who loses a turn is passed over;
    where the others finish their first turns after a hand was emptied, the round ends with the last of those.
    """
    turn = state.turn
    seat = turn.seat
    assert seat is not None
    had_first = state.had_first | {seat} if turn.first else state.had_first
    over = bool(state.out) and len(had_first) == len(state.players)
    next_seat, losing = (seat, state.loses_turn) if over else next_in_turn(state, seat)
    return replace(
        state,
        turn=turn if over else Turn(next_seat, since=state.laid, first=next_seat not in had_first),
        before=turn,
        had_first=had_first,
        silent=seat if state.hands[seat].size == 1 and turn.laid and not turn.knocked else None,
        passes=0 if turn.laid else state.passes + 1,
        loses_turn=losing,
        over=over,
    )


def next_in_turn(state: RoundState, seat: int) -> tuple[int, frozenset[int]]:
    """The next seat after that one which has a turn, and the seats that have yet to lose theirs."""
    losing = state.loses_turn
    following = state.next_seat(seat)
    if not losing and not state.out:
        return following, losing
    for _ in range(2 * len(state.players)):
        if following in losing:
            losing = losing - {following}
        elif following not in state.out:
            break
        following = state.next_seat(following)
    return following, losing


def settled(state: RoundState, seat: int) -> RoundState:
    """The state once that seat acts: a first chain of somebody else's is then over ("done" is implied)."""
    turn = state.turn
    if turn.chain and turn.seat != seat and not state.over:
        return finish_turn(state)
    return state


def let_end(state: RoundState, seat: int) -> tuple[RoundState, Answer]:
    """The state once that seat's turn is over, where it can end without a word, and whether it is over.

    A first chain may stop after any tile; a double that cannot be followed may end the turn by itself.
    """
    turn = state.turn
    if turn.seat != seat or state.over:
        return state, Answer.YES
    if turn.chain:
        return (state, Answer.NO) if bad_chain_end(state) else (finish_turn(state), Answer.YES)
    over = turn_may_be_over(state, turn)
    return (state, over) if over is Answer.NO else (finish_turn(state), over)


def bad_chain_end(state: RoundState) -> Violation | None:
    """R-23: the first chain under way ends in a double and may not."""
    turn = state.turn
    rules = state.rules
    if not turn.chain or turn.seat is None:
        return None
    if rules.first_turn != "chain" or rules.first_chain_double != "forbidden":
        return None
    for laid in state.trains[turn.seat]:
        if laid.order == state.laid - 1 and laid.tile.is_double:
            return Violation.of("R-23", "chain_ends_in_double", player=state.players[turn.seat], tile=laid.tile)
    return None


def turn_may_be_over(state: RoundState, turn: Turn) -> Answer:
    """Whether a turn has ended without a word: ``double_stuck = turn_ends`` and the double cannot be followed."""
    if not turn.following or turn.seat is None or state.rules.double_stuck != "turn_ends":
        return Answer.NO
    view = TurnView(state, turn.seat, turn)
    hand = view.hand
    match view.can_lay(hand.known, hand.unknown):
        case Answer.YES:
            return Answer.NO
        case Answer.NO:
            return Answer.YES
        case Answer.MAYBE:
            return Answer.MAYBE


class Case:
    """The turn in which a deed is judged, and what was found about it.

    A deed out of turn is judged as if it were that player's turn; the breach (R-01 or R-12) is noted here.

    Attributes:
        state: the state once that player acts.
        seat: who acts.
        turn: that player's turn, supposed where it is not.
        violations: what is wrong; at first only what is wrong about the turn (R-01, R-12, R-23).
        needs: what would have to be known; at first only whose turn it is.
    """

    __slots__ = ("_view", "needs", "seat", "state", "turn", "violations")

    def __init__(self, state: RoundState, player: str) -> None:
        self.seat = state.seat(player)
        self.violations: list[Violation] = []
        self.needs: list[Fact] = []
        self._view: TurnView | None = None
        if state.turn.chain and state.turn.seat != self.seat and (bad := bad_chain_end(state)):
            self.violations.append(bad)
        self.state = settled(state, self.seat)
        self.turn = self._find_turn(player)

    def again(self) -> Case:
        """The same turn for another deed: what was found about the turn stays, the rest is forgotten."""
        case: Case = object.__new__(Case)
        case.state, case.seat, case.turn, case._view = self.state, self.seat, self.turn, self.view
        case.violations, case.needs = list(self.violations), list(self.needs)
        return case

    def _find_turn(self, player: str) -> Turn:
        turn = self.state.turn
        if turn.seat is None:
            self.needs.append(WHOSE_TURN)
            return self.state.fresh_turn(self.seat)
        if turn.seat == self.seat:
            return turn
        maybe = turn_may_be_over(self.state, turn)
        if maybe is not Answer.NO:
            waiting = self.state.players[turn.seat]
            self.state = finish_turn(self.state)
            if maybe is Answer.MAYBE and self.state.turn.seat == self.seat:
                self.needs.append(hand_of(waiting))
            return self._find_turn(player)
        before = self.state.before
        if before is not None and before.seat == self.seat and not turn.acted:
            self.out_of_turn(player)
            return self.turn
        self.violations.append(Violation.of("R-01", "not_your_turn", player=player, turn=self.state.players[turn.seat]))
        return self.state.fresh_turn(self.seat)

    def out_of_turn(self, player: str) -> None:
        """Note R-12 and suppose a new turn of the same player."""
        self.violations.append(Violation.of("R-12", "turn_is_over", player=player))
        fresh = self.state.fresh_turn(self.seat)
        self.turn = replace(fresh, first=False) if self.state.turn.seat == self.seat else fresh
        self._view = None

    @property
    def view(self) -> TurnView:
        """What that player may do in that turn."""
        if self._view is None:
            self._view = TurnView(self.state, self.seat, self.turn)
        return self._view
