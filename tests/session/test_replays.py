"""Kept replays are what a replay from the start gives, whatever was told, undone or corrected in between."""

from __future__ import annotations

import random

from companion.rules.moves import parse_move
from companion.rules.referee import rule_on
from companion.session.playing import round_state
from companion.session.replays import Replays

from .evening import Evening, done

MOVES = (
    "Ann 12-5",
    "Ben 12-3",
    "Cy 12-1",
    "Ann 5-4",
    "Ben draw",
    "Ben pass",
    "Cy 1-1",
    "Ann 4-3",
    "Ben 3-3",
    "Cy pass",
)


def test_a_kept_replay_is_a_fresh_one_after_every_change() -> None:
    chance = random.Random(4)
    evening = Evening(first_player="chosen")
    kept = Replays()
    for number in range(40):
        plays = evening.game.round(1).plays
        what = chance.choice(["tell", "tell", "tell", "before", "undo", "correct", "reject", "starter"])
        if what == "tell" or not plays:
            done(evening.tell(chance.choice(MOVES), anyway=True))
        elif what == "before":
            done(evening.tell(chance.choice(MOVES), anyway=True, before=chance.choice(plays).id))
        elif what == "undo":
            evening.session.games.undo(evening.wish(), evening.id, chance.choice(plays).id)
        elif what == "correct":
            move = parse_move(chance.choice(MOVES))
            done(evening.session.table.correct(evening.wish(), evening.id, chance.choice(plays).id, move))
        elif what == "reject":
            done(evening.session.table.reject(evening.wish(), evening.id, chance.choice(plays).id))
        else:
            done(evening.session.rounds.begin_with(evening.wish(), evening.id, ("Ann", "Ben", "Cy")[number % 3]))
        _check(evening, kept)


def _check(evening: Evening, kept: Replays) -> None:
    game = evening.game
    replayed = kept.of(game, 1)
    assert replayed.plays == game.round(1).plays
    assert replayed.now == round_state(game, 1)
    for play, ruling in zip(replayed.plays, replayed.rulings, strict=True):
        before = round_state(game, 1, before=play.id)
        assert replayed.before(play.id) == before
        assert ruling == rule_on(before, play.move)
    assert replayed.before(-1) is None


def test_what_did_not_change_is_not_worked_out_again() -> None:
    evening = Evening()
    kept = Replays()
    done(evening.tell("Ann 12-5"))
    first = kept.of(evening.game, 1)
    done(evening.tell("Ben 12-3"))
    second = kept.of(evening.game, 1)
    assert second.states[1] is first.states[1]
    assert len(second.states) == 3
