"""Ask the referee: rulings on what somebody would play or has played, with evidence; what may I play; what should I play."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from companion.dominoes import Tile
from companion.rules.moves import Move, Play
from companion.rules.presets import RuleBook
from companion.rules.referee import Plays, rule_on, what_may
from companion.rules.rulings import Ruling
from companion.rules.state import Hand, RoundState
from companion.rules.trains import TrainRef
from companion.rules.view import TurnView
from companion.rules.what_if import OneSwitch, legal_under, legal_with
from companion.rules.wording import say_train
from companion.scoring.advice import Advice, Option, best_play
from companion.scoring.solver import LongTrain, longest_train
from companion.session.answers import Translate
from companion.session.desk import Desk
from companion.session.game import TablePlay


@dataclass(frozen=True, slots=True)
class Answer:
    """What the referee says to a move.

    Attributes:
        move: what was asked about.
        ruling: yes, no or depends, with the rules that are broken or the facts that are missing.
        legal_under: presets under which it would be legal, where it is not.
        legal_with: single switches that would make it legal.
        state: the table as it was ruled on.
        play: the play that is appealed to, where it is one.
        evidence: ids of the pictures that show it, newest last.
    """

    move: Move
    ruling: Ruling
    legal_under: tuple[str, ...]
    legal_with: tuple[OneSwitch, ...]
    state: RoundState
    play: TablePlay | None = None
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Counsel:
    """What a hand can do now.

    Attributes:
        plays: what may be played, and the ruling if nothing may.
        best: the best of these plays and why; None if there is none or the hand is not known.
        train: the longest train of the hand from the own open end.
    """

    plays: Plays
    best: Advice | None
    train: LongTrain | None


class Referee:
    """Answers questions; writes nothing."""

    def __init__(self, desk: Desk, book: RuleBook) -> None:
        self._desk = desk
        self._book = book

    def rule(self, game_id: str, move: Move, *, hand: Iterable[Tile] = ()) -> Answer | None:
        """Whether a move would be legal now; None if no round is played.

        Args:
            game_id: which game.
            move: what somebody would do. A `ValueError` if it names nobody who plays.
            hand: the tiles of that player as far as they are shown.
        """
        state = self._state(game_id, move.player, hand)
        if state is None:
            return None
        tile = move.tile if isinstance(move, Play) else None
        return self._answer(state, move, evidence=self._evidence(game_id, state, move, tile))

    def appeal(self, game_id: str, play: int) -> Answer | None:
        """Whether a play of the list was legal when it was made; None if there is no such play."""
        game = self._desk.game(game_id)
        found = None if game is None else game.find_play(play)
        if game is None or found is None:
            return None
        here, made = found
        state = self._desk.replays.of(game, here.number).before(play)
        assert state is not None  # the play was found just now
        return replace(self._answer(state, made.move, evidence=made.pictures), play=made)

    def counsel(
        self,
        game_id: str,
        player: str,
        hand: Iterable[Tile],
        *,
        translate: Translate = str,
        out_of_time: Callable[[], bool] | None = None,
    ) -> Counsel | None:
        """What a player with this hand may and should play now; None if no round is played.

        Args:
            game_id: which game.
            player: who asks.
            hand: all tiles of the hand.
            translate: for the names of trains in the reason.
            out_of_time: ends the search for the longest train of a hand beyond 20 tiles.
        """
        held = frozenset(hand)
        state = self._state(game_id, player, held)
        if state is None:
            return None
        seat = state.seat(player)
        whole = state.with_hand(seat, Hand(held, len(held)))
        plays = what_may(whole, player)
        view = TurnView(whole, seat, whole.turn if whole.turn.seat == seat else whole.fresh_turn(seat))
        own = view.spot(TrainRef.of(player)).value
        if own is None:
            return Counsel(plays, None, None)
        options = [_option(view, player, tile, ref, translate) for tile, ref in plays.plays]
        train = longest_train(held, own, toes=whole.rules.chicken_foot, out_of_time=out_of_time)
        return Counsel(plays, best_play(held, options, own), train)

    def _state(self, game_id: str, player: str | None, hand: Iterable[Tile]) -> RoundState | None:
        """The table now, with what is shown of a hand."""
        game = self._desk.game(game_id)
        if game is None or game.current is None:
            return None
        state = self._desk.replays.of(game, game.current).now
        shown = frozenset(hand)
        if player is None or not shown:
            return state
        seat = state.seat(player)
        before = state.hands[seat]
        return state.with_hand(seat, Hand(before.known | shown, max(before.size, len(before.known | shown))))

    def _answer(self, state: RoundState, move: Move, *, evidence: tuple[str, ...]) -> Answer:
        ruling = rule_on(state, move)
        if ruling.is_legal:
            return Answer(move, ruling, (), (), state, evidence=evidence)
        return Answer(
            move, ruling, legal_under(state, move, self._book), legal_with(state, move), state, evidence=evidence
        )

    def _evidence(self, game_id: str, state: RoundState, move: Move, tile: Tile | None) -> tuple[str, ...]:
        """The pictures that show what the question is about: the tile where it lies, the train's last tile."""
        game = self._desk.game(game_id)
        if game is None or not isinstance(move, Play):
            return ()
        index = state.train_index(move.train.owner)
        tips = [] if index is None else [b.tip.tile for b in state.trains[index].branches if b.tip is not None]
        wanted = {tile, *tips}
        found: list[str] = []
        for play in game.round(state.round_number or 0).plays:
            if isinstance(play.move, Play) and play.move.tile in wanted:
                found += play.pictures
        return tuple(dict.fromkeys(found))


def _option(view: TurnView, player: str, tile: Tile, ref: TrainRef, translate: Translate) -> Option:
    value = view.spot(ref).value
    assert value is not None  # what may be played fits somewhere
    return Option(tile, say_train(ref, translate), value, own=ref.owner.player == player)
