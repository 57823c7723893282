"""Stories that explain plays: random legal rounds are told as a camera sees them, without turns, passes and owners."""

from __future__ import annotations

import math
from random import Random

import pytest

from companion.dominoes import Tile
from companion.rules.moves import LayEngine, Play
from companion.rules.presets import standard_book
from companion.rules.rulings import Verdict
from companion.rules.selfplay import NobodyOpens, deal, play_round
from companion.rules.trains import TrainRef
from companion.rules.transition import happen
from companion.table.explaining import Explainer, Told
from companion.table.story import Opening, SeenChain, SeenPlay

NAMES = ("Ann", "Ben", "Cy", "Dee")


def seen_round(seed: int, preset: str, players: tuple[str, ...]) -> tuple[Opening, list[SeenPlay], list[str]]:
    """A random legal round as it is seen: the engine, the plays with the markers that stand then, and who laid them."""
    rng = Random(seed)
    while True:
        try:
            table = play_round(deal(standard_book().rules(preset), players, 1, rng), rng)
            break
        except NobodyOpens:
            continue
    state, engine = table.opening, None
    chains: dict[TrainRef, SeenChain] = {}
    plays: list[SeenPlay] = []
    by: list[str] = []
    for move in table.moves:
        state = happen(state, move)
        if isinstance(move, LayEngine):
            engine = move.tile
        if not isinstance(move, Play):
            continue
        owner, trunk = move.train.owner, TrainRef(move.train.owner)
        if move.train not in chains:
            angle = None if owner.player is None else 2 * math.pi * players.index(owner.player) / len(players) - 3
            parent = chains[trunk].number if move.train.branch else None
            at_engine = owner.player is not None and parent is None
            chains[move.train] = SeenChain(len(chains) + 1, at_engine, parent, angle)
        index = state.train_index(owner)
        assert index is not None
        (laid,) = [tile for tile in state.trains[index] if tile.order == state.laid - 1]
        marked = {chains[TrainRef(t.owner)].number for t in state.trains if t.marker and TrainRef(t.owner) in chains}
        plays.append(SeenPlay(len(plays), move.tile, laid.outward, chains[move.train], len(plays), frozenset(marked)))
        by.append(move.player)
    return Opening(engine), plays, by


@pytest.mark.parametrize("preset", ["base", "casual", "tournament", "chicken-foot", "wikihow"])
def test_no_legal_play_is_called_illegal_where_nobody_is_named(preset: str) -> None:
    for seed in range(3):
        opening, plays, _ = seen_round(seed, preset, NAMES[: 2 + seed])
        told = Explainer(standard_book().rules(preset)).explain(opening, plays)
        assert [str(account.ruling) for account in told.accounts if account.illegal > 0.5] == []
        assert {account.player for account in told.accounts} == {None}


def test_players_and_owners_come_out_of_turns_passes_and_markers() -> None:
    named = right = 0
    for seed in (1, 3, 4, 8):
        opening, plays, by = seen_round(seed, "base", NAMES[:3])
        first = NAMES.index(by[0])
        players = (*NAMES[first:3], *NAMES[:first])
        told = Explainer(standard_book().rules("base"), players).explain(opening, plays)
        named += sum(account.player is not None for account in told.accounts)
        right += sum(account.player == who for account, who in zip(told.accounts, by, strict=True))
        assert sum(account.illegal >= 0.9 for account in told.accounts) == 0
    assert named > 100
    assert right >= 0.75 * named


def test_asked_again_with_more_plays_it_tells_the_same_as_at_once() -> None:
    opening, plays, _ = seen_round(3, "base", NAMES[:3])
    step_by_step = Explainer(standard_book().rules("base"), NAMES[:3])
    for count in range(0, 24, 3):
        step_by_step.explain(opening, plays[:count])
    step_by_step.explain(opening, [*plays[:5], plays[7]])  # a tile was read better, and back
    assert answers(step_by_step.explain(opening, plays[:24])) == answers(
        Explainer(standard_book().rules("base"), NAMES[:3]).explain(opening, plays[:24])
    )


def answers(told: Told) -> list[tuple[object, ...]]:
    return [(account.play.tile, account.player, account.ruling) for account in told.accounts]


def chain(number: int, degrees: float | None) -> SeenChain:
    angle = None if degrees is None else math.radians(degrees)
    return SeenChain(number, degrees is not None, None, angle)


def laid(number: int, tile: str, outward: int, on: SeenChain, *, player: str | None = None) -> SeenPlay:
    return SeenPlay(number, Tile.parse(tile), outward, on, number, player=player)


ANNS, BENS = chain(1, 0), chain(2, 180)


def test_a_tile_on_another_player_s_train_without_a_marker_is_illegal_when_it_is_known_who_laid_it() -> None:
    mexican = chain(3, None)
    plays = [
        laid(0, "12-5", 5, ANNS, player="Ann"),
        laid(1, "12-6", 6, BENS, player="Ben"),
        laid(2, "12-3", 3, mexican, player="Ann"),
        laid(3, "3-1", 1, mexican, player="Ben"),
        laid(4, "6-4", 4, BENS, player="Ann"),
    ]
    told = Explainer(standard_book().rules("base"), NAMES[:2]).explain(Opening(Tile(12, 12)), plays)
    (account,) = [account for account in told.accounts if account.illegal > 0.5]
    assert account.play.tile == Tile(6, 4)
    assert account.ruling is not None
    assert "R-05" in account.ruling.rules
    assert account.player == "Ann"


def test_who_laid_it_is_open_where_two_stories_are_as_good() -> None:
    """The same tile without a word: Ann may have passed."""
    plays = [laid(0, "12-5", 5, ANNS), laid(1, "12-6", 6, BENS), laid(2, "6-4", 4, BENS)]
    told = Explainer(standard_book().rules("base"), NAMES[:2]).explain(Opening(Tile(12, 12)), plays)
    last = told.accounts[-1]
    assert last.illegal < 0.5
    assert dict(last.players)["Ben"] > 0.5


def test_a_mismatch_is_illegal_in_every_story() -> None:
    plays = [laid(0, "12-5", 5, ANNS), laid(1, "12-6", 6, BENS), laid(2, "9-4", 4, ANNS)]
    for players in ((), NAMES[:2], NAMES[:3]):
        told = Explainer(standard_book().rules("base"), players).explain(Opening(Tile(12, 12)), plays)
        assert told.accounts[-1].illegal > 0.99
        assert told.accounts[-1].ruling is not None
        assert told.accounts[-1].ruling.rules == ("R-04",)


def test_without_an_engine_nothing_is_ruled_on() -> None:
    told = Explainer(standard_book().rules("base")).explain(Opening(None), [laid(0, "9-4", 4, ANNS)])
    assert told.state is None
    assert [account.ruling for account in told.accounts] == [None]


def test_trains_that_lay_there_are_an_opening_of_nobody_s() -> None:
    there = (laid(0, "12-5", 5, ANNS), laid(1, "12-6", 6, BENS))
    told = Explainer(standard_book().rules("base"), NAMES[:2]).explain(
        Opening(Tile(12, 12), there), [laid(2, "5-4", 4, ANNS)]
    )
    assert told.state is not None
    assert len(told.state.table) == 4
    assert [account.ruling.verdict for account in told.accounts if account.ruling] == [Verdict.LEGAL]
