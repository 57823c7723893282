"""Which moves led to what lies there: many stories are told side by side, each a round under the rules, and weighed.

A story says whose each train is and who laid each tile; passes, which no camera sees, are supposed where they are needed.
Legality is evidence: an illegal play makes a story less likely, and never impossible. What nearly all stories that are left
have in common is believed; the rest is a question.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import exp
from typing import TypeVar

from companion.rules.house_rules import HouseRules
from companion.rules.moves import Done, Draw, Pass, Play
from companion.rules.referee import rule_on
from companion.rules.rulings import Ruling
from companion.rules.state import RoundState, Turn
from companion.rules.trains import TrainRef
from companion.rules.transition import happen
from companion.table.seating import Owners, Seating, endless, lay_opening
from companion.table.story import Account, Opening, SeenPlay

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class ExplainingParameters:
    """Costs in logs of odds."""

    illegal: float = 4.0
    """An illegal play: one in fifty or so, at a table that plays in good faith."""
    passed: float = 1.2
    """A player who passed, as every third or fourth turn is."""
    unmarked: float = 0.8
    """More if that player's marker is not seen: markers are forgotten, and not always recognised."""
    first_named: float = 2.0
    """The player who is named first begins, where the watch saw the beginning."""
    told: float = 20.0
    """A person's word."""
    believed: float = 0.8
    """Share of the stories' weight from which a player or an owner is named."""
    stories: int = 40
    """How many are kept."""


@dataclass(frozen=True, slots=True)
class _Chapter:
    """One play in a story, and the story so far."""

    move: Play
    ruling: Ruling
    before: _Chapter | None


@dataclass(frozen=True, slots=True)
class Story:
    """One way in which it may have come about: the round's state, whose each chain is, and a log of odds."""

    state: RoundState
    owners: Owners
    score: float = 0.0
    last: _Chapter | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """Everything that the stories agree on.

    Attributes:
        accounts: one for each play.
        state: the likeliest round, or None without an engine.
        turn: whose turn it is, where the stories agree.
        owners: for each chain where its train is, where they agree.
    """

    accounts: tuple[Account, ...] = ()
    state: RoundState | None = None
    turn: str | None = None
    owners: dict[int, TrainRef] = field(default_factory=dict)


class Explainer:
    """Explains the plays of one round. Asked again with more plays, it goes on where the two lists part."""

    def __init__(
        self, rules: HouseRules, players: Sequence[str] = (), *, parameters: ExplainingParameters | None = None
    ) -> None:
        """For a table with these rules; without players every train is anybody's."""
        self.parameters = parameters or ExplainingParameters()
        self.seating = Seating(rules, tuple(players))
        self._opening: Opening | None = None
        self._plays: tuple[SeenPlay, ...] = ()
        self._stories: list[list[Story]] = []

    def explain(self, opening: Opening, plays: Sequence[SeenPlay]) -> Told:
        """An account of every play since the opening."""
        if opening.engine is None:
            return Told(tuple(Account(play, None, None, 0.0, play.player) for play in plays))
        if opening != self._opening:
            self._opening, self._plays = opening, ()
            self._stories = [self._best(self._begin(opening))]
        kept = _common_prefix(self._plays, plays)
        del self._stories[kept + 1 :]
        for play in plays[kept:]:
            grown = [longer for story in self._stories[-1] for longer in self._go_on(story, play)]
            self._stories.append(self._best(grown))
        self._plays = tuple(plays)
        return self._tell()

    # -- telling stories

    def _begin(self, opening: Opening) -> Iterator[Story]:
        """Every way in which the chains that lay there may belong to the players."""
        state = self.seating.begin(opening)
        for owners, score in self.seating.all_owners(opening):
            seated = self.seating.seated(state, owners) if self.seating.anonymous else state
            yield Story(lay_opening(seated, owners, opening), owners, score)

    def _go_on(self, story: Story, play: SeenPlay) -> Iterator[Story]:
        """Every way in which one story may lead to one more play."""
        for owners, score in self.seating.owners_of(play.chain, story.owners):
            owned = replace(story, owners=owners, score=story.score + score)
            yield from self._anybody(owned, play) if self.seating.anonymous else self._somebody(owned, play)

    def _anybody(self, story: Story, play: SeenPlay) -> Iterator[Story]:
        """Without players: what bars the tile whoever laid it.

        It may be the second tile of a turn that began with a double, or another player's: the milder ruling counts.
        """
        state = self.seating.seated(story.state, story.owners)
        ref = story.owners.ref(play.chain.number)
        assert ref is not None
        judged = []
        for turn in dict.fromkeys([Turn(), state.turn]):
            player = state.players[0 if turn.seat is None else turn.seat]
            move = Play(player, play.tile, ref, play.outward)
            now = replace(state, turn=turn)
            judged.append((rule_on(now, move), now, move))
        ruling, state, move = min(judged, key=lambda one: len(one[0].violations))
        after = happen(state, move)
        yield self._next(story, after if after.turn.following else replace(after, turn=Turn()), move, ruling, 0.0)

    def _somebody(self, story: Story, play: SeenPlay) -> Iterator[Story]:
        """With players: each of them, those between having passed."""
        ref = story.owners.ref(play.chain.number)
        assert ref is not None
        for seat, player in enumerate(story.state.players):
            state, passed = self._reach(story.state, seat)
            score = -self.parameters.told if play.player not in (None, player) else 0.0
            score -= sum(self._pass_cost(story.owners, who, play) for who in passed)
            if story.state.turn.seat is None and not story.state.had_first and seat == 0:
                score += self.parameters.first_named
            move = Play(player, play.tile, ref, play.outward)
            yield self._next(story, happen(state, move), move, rule_on(state, move), score)

    def _reach(self, state: RoundState, seat: int) -> tuple[RoundState, list[str]]:
        """The round in which it is that seat's turn, and who passed for it."""
        if state.turn.seat is None:
            return replace(state, turn=state.fresh_turn(seat)), []
        passed: list[str] = []
        while (now := state.turn.seat) is not None and now != seat and len(passed) < len(state.players):
            player = state.players[now]
            if state.turn.chain and state.turn.laid:
                state = happen(state, Done(player))
                continue
            if state.rules.draw != "none" and state.boneyard:
                state = happen(state, Draw(player))
            state = happen(state, Pass(player))
            passed.append(player)
        return state, passed

    def _pass_cost(self, owners: Owners, player: str, play: SeenPlay) -> float:
        chain = owners.chain_of(player)
        seen = chain is None or chain in play.marked
        return self.parameters.passed + (0.0 if seen else self.parameters.unmarked)

    def _next(self, story: Story, after: RoundState, move: Play, ruling: Ruling, score: float) -> Story:
        if ruling.violations:
            score -= self.parameters.illegal
        return Story(endless(after), story.owners, story.score + score, _Chapter(move, ruling, story.last))

    def _best(self, stories: Iterable[Story]) -> list[Story]:
        """The likeliest ones, scores relative to the best."""
        best = sorted(stories, key=lambda story: -story.score)[: self.parameters.stories]
        return [replace(story, score=story.score - best[0].score) for story in best]

    # -- what they agree on

    def _tell(self) -> Told:
        stories = self._stories[-1]
        weights = _shares([story.score for story in stories])
        chapters = [story.last for story in stories]
        accounts: list[Account] = []
        for play in reversed(self._plays):
            here = [chapter for chapter in chapters if chapter is not None]
            accounts.append(self._account(play, here, weights))
            chapters = [chapter.before for chapter in here]
        seats = [story.state.turn.seat for story in stories]
        seat = None if self.seating.anonymous else self._agreed(seats, weights)
        numbers = sorted({chain for story in stories for chain in story.owners.chains})
        refs = {chain: self._agreed([story.owners.ref(chain) for story in stories], weights) for chain in numbers}
        return Told(
            accounts=tuple(reversed(accounts)),
            state=stories[0].state,
            turn=None if seat is None else stories[0].state.players[seat],
            owners={chain: ref for chain, ref in refs.items() if ref is not None},
        )

    def _account(self, play: SeenPlay, chapters: Sequence[_Chapter], weights: Sequence[float]) -> Account:
        illegal = sum(weight for chapter, weight in zip(chapters, weights, strict=True) if chapter.ruling.violations)
        best = next(chapter for chapter in chapters if bool(chapter.ruling.violations) == (illegal >= 0.5))
        if self.seating.anonymous:
            return Account(play, best.move, best.ruling, illegal, None)
        names = [chapter.move.player for chapter in chapters]
        shares = sorted(_sums(names, weights).items(), key=lambda row: -row[1])
        return Account(play, best.move, best.ruling, illegal, self._agreed(names, weights), tuple(shares))

    def _agreed(self, values: Sequence[T], weights: Sequence[float]) -> T | None:
        value, share = max(_sums(values, weights).items(), key=lambda row: row[1])
        return value if share >= self.parameters.believed else None


def _common_prefix(one: Sequence[SeenPlay], two: Sequence[SeenPlay]) -> int:
    return next((k for k, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))


def _shares(scores: Sequence[float]) -> list[float]:
    """Weights of stories that sum to 1."""
    raw = [exp(score - max(scores)) for score in scores]
    return [weight / sum(raw) for weight in raw]


def _sums(values: Iterable[T], weights: Iterable[float]) -> dict[T, float]:
    shares: dict[T, float] = defaultdict(float)
    for value, weight in zip(values, weights, strict=True):
        shares[value] += weight
    return shares
