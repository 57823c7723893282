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

    illegal: float = 5.0
    """An illegal play: one in a hundred and fifty, at a table that plays in good faith."""
    illegal_more: float = 2.5
    """For each further rule that it breaks."""
    passed: float = 1.2
    """A player who passed, as every third or fourth turn is."""
    passed_first_turn: float = 2.2
    """In the first turn: of 15 tiles in a double-12 set one fits the engine in nine deals of ten."""
    first_passed: float = 1.0
    """More for a pass before the first tile: who names the players begins with the one who lays it."""
    marker: float = 1.5
    """A train whose marker is seen and should not be up, or the other way round."""
    marker_unseen: float = 1.0
    """The same at a table where no marker was ever seen: they may be of a kind that is not recognised, or not used."""
    told: float = 20.0
    """A person's word."""
    believed: float = 0.8
    """Share of the stories' weight from which a player or an owner is named."""
    stories: int = 24
    """How many are kept."""
    judged: int = 60
    """How many of the ways to go on are judged by the referee: the likeliest before a word from it."""
    hopeless: float = 9.0
    """Ways that are so much less likely than the best are not followed up."""


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
        self._markers_seen = False

    def explain(self, opening: Opening, plays: Sequence[SeenPlay]) -> Told:
        """An account of every play since the opening."""
        if opening.engine is None:
            return Told(tuple(Account(play, None, None, 0.0, play.player) for play in plays))
        if opening != self._opening:
            self._opening, self._plays = opening, ()
            self._stories = [self._best(self._begin(opening))]
        markers_seen = any(play.marked for play in plays)
        kept = _common_prefix(self._plays, plays) if markers_seen == self._markers_seen else 0
        self._markers_seen = markers_seen
        del self._stories[kept + 1 :]
        for play in plays[kept:]:
            self._stories.append(self._best(self._go_on(self._stories[-1], play)))
        self._plays = tuple(plays)
        return self._tell()

    # -- telling stories

    def _begin(self, opening: Opening) -> Iterator[Story]:
        """Every way in which the chains that lay there may belong to the players."""
        state = self.seating.begin(opening)
        for owners, score in self.seating.all_owners(opening):
            seated = self.seating.seated(state, owners) if self.seating.anonymous else state
            lying = lay_opening(seated, owners, opening)
            turn = Turn() if self.seating.anonymous else lying.fresh_turn(0)
            yield Story(replace(lying, turn=turn), owners, score)

    def _go_on(self, stories: Sequence[Story], play: SeenPlay) -> Iterator[Story]:
        """Every way in which the stories may lead to one more play."""
        owned = [
            replace(story, owners=owners, score=story.score + score)
            for story in stories
            for owners, score in self.seating.owners_of(play.chain, story.owners)
        ]
        if self.seating.anonymous:
            yield from (self._anybody(story, play) for story in owned)
            return
        ways = sorted(
            ((self._supposed(story, seat, play), number, seat) for number, story in enumerate(owned)
             for seat in range(len(story.state.players))),
            reverse=True,
        )[: self.parameters.judged]  # fmt: skip
        for score, number, seat in ways:
            if score > ways[0][0] - self.parameters.hopeless:
                yield self._somebody(owned[number], seat, play, score)

    def _supposed(self, story: Story, seat: int, play: SeenPlay) -> float:
        """How likely it is that this seat plays, before the referee is asked: others must have passed, a person may know."""
        p, state = self.parameters, story.state
        score = story.score
        if play.player not in (None, state.players[seat]):
            score -= p.told
        if state.turn.seat is None:
            return score
        passing = state.turn.seat
        while passing != seat:
            score -= p.passed if passing in state.had_first else p.passed_first_turn
            score -= p.first_passed * (story.last is None)
            passing = state.next_seat(passing)
        return score

    def _anybody(self, story: Story, play: SeenPlay) -> Story:
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
        return _next(story, after if after.turn.following else replace(after, turn=Turn()), move, ruling, story.score)

    def _somebody(self, story: Story, seat: int, play: SeenPlay, score: float) -> Story:
        """With players: that seat lays it, those between having passed."""
        ref = story.owners.ref(play.chain.number)
        assert ref is not None
        state = _reach(story.state, seat)
        move = Play(state.players[seat], play.tile, ref, play.outward)
        ruling, after = rule_on(state, move), happen(state, move)
        if ruling.violations:
            score -= self.parameters.illegal + self.parameters.illegal_more * (len(ruling.rules) - 1)
        weight = self.parameters.marker if self._markers_seen else self.parameters.marker_unseen
        score -= weight * _other_markers(after, story.owners, play.marked)
        return _next(story, after, move, ruling, score)

    def _best(self, stories: Iterable[Story]) -> list[Story]:
        """The likeliest ones, of those that come to the same the best; scores relative to it."""
        found: dict[object, Story] = {}
        for story in sorted(stories, key=lambda story: -story.score):
            state = story.state
            same = story.owners, state.turn.seat, state.turn.following, tuple(train.marker for train in state.trains)
            found.setdefault(same, story)
            if len(found) == self.parameters.stories:
                break
        best = list(found.values())
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


def _next(story: Story, after: RoundState, move: Play, ruling: Ruling, score: float) -> Story:
    return Story(endless(after), story.owners, score, _Chapter(move, ruling, story.last))


def _reach(state: RoundState, seat: int) -> RoundState:
    """The round in which it is that seat's turn: the others draw and pass until it is."""
    if state.turn.seat is None:
        return replace(state, turn=state.fresh_turn(seat))
    for _ in state.players:
        now = state.turn.seat
        if now is None or now == seat:
            break
        player = state.players[now]
        if state.turn.chain and state.turn.laid:
            state = happen(state, Done(player))
            continue
        if state.rules.draw != "none" and state.boneyard:
            state = happen(state, Draw(player))
        state = happen(state, Pass(player))
    return state


def _other_markers(state: RoundState, owners: Owners, marked: frozenset[int]) -> int:
    """How many trains have a marker in the story and not on the table, or the other way round."""
    return sum(
        (chain in marked) != train.marker
        for train in state.trains
        if train.owner.player is not None and (chain := owners.chain_of(train.owner.player)) is not None
    )


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
