"""Ask the referee: would this be legal, was that legal, what may I play, what should I play. The answer takes the page."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import Any

from flask import Blueprint, abort, render_template, request, url_for

from companion.dominoes import Tile
from companion.rules.moves import Move, Play
from companion.rules.presets import standard_book
from companion.rules.rulings import RULE_NUMBERS, Ruling, Verdict
from companion.rules.switches import SWITCH_BY_NAME
from companion.rules.wording import say, say_fact
from companion.session.game import Game
from companion.session.referee import Answer, Counsel
from companion.web.asking import GameHead, Seat, core, head_of, number_in, seats_of, the_game, train_name
from companion.web.board import Board, board_of, ref_of
from companion.web.by_hand import text_of, tiles_in
from companion.web.languages import translate as _
from companion.web.parts import parts
from companion.web.rule_words import RuleWords, rule_words
from companion.web.telling import say_move

blueprint = Blueprint("referee", __name__)

THINKS_S = 0.5
"""How long the best train of a very large hand is searched for."""
MOST_SWITCHES = 4
"""Switches told that would make the difference; more are noise."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A broken rule or a missing fact, in a sentence; `rule` is its number."""

    rule: str | None
    sentence: str


@dataclass(frozen=True, slots=True)
class AnswerView:
    """What the referee says. `verdict` is ``legal``, ``illegal`` or ``depends``."""

    verdict: str
    question: str
    reasons: tuple[Reason, ...]
    presets: tuple[str, ...]
    switches: tuple[str, ...]
    pictures: tuple[str, ...]
    needs_hand_of: Seat | None


@dataclass(frozen=True, slots=True)
class CounselView:
    """What a hand can do now."""

    plays: tuple[tuple[tuple[int, int], str], ...]
    nothing: str | None
    best: tuple[int, int] | None
    reason: str | None
    train: tuple[tuple[int, int], ...]
    train_pips: int


@dataclass(frozen=True, slots=True)
class PadKey:
    """A key: a value and the address with it chosen."""

    value: int
    href: str


@dataclass(frozen=True, slots=True)
class HandTileView:
    """A tile of the hand that was shown: the address that chooses it, and the one that takes it away."""

    ends: tuple[int, int]
    chosen: bool
    href: str
    href_without: str


@dataclass(frozen=True, slots=True)
class RefereePage:
    """Everything that the page shows; all of it stands in the address."""

    head: GameHead
    board: Board | None
    seat: Seat | None
    seats: tuple[Seat, ...]
    hand: tuple[HandTileView, ...]
    hand_text: str
    tile: tuple[int, int] | None
    first: int | None
    keys: tuple[PadKey, ...]
    answer: AnswerView | None
    counsel: CounselView | None
    query: dict[str, str]


@dataclass(frozen=True, slots=True)
class AppealPage:
    """The ruling on a play that was made."""

    head: GameHead
    board: Board
    answer: AnswerView
    by: str


@blueprint.get("/games/<game_id>/referee")
def show(game_id: str) -> str:
    """Player, tile, train: then the ruling. With a hand: what may be played, and what is best."""
    return render_template("referee.html", page=_page(the_game(game_id)))


@blueprint.get("/games/<game_id>/plays/<int:play>/appeal")
def appeal(game_id: str, play: int) -> str:
    """Was that legal?"""
    game = the_game(game_id)
    found = parts().session.referee.appeal(game_id, play)
    if found is None:
        abort(404)
    page = AppealPage(
        head_of(game, "referee"), board_of(game, found.state), _answer(game, found), found.play.by if found.play else ""
    )
    return render_template("appeal.html", page=page)


@blueprint.get("/rules")
def rules() -> str:
    """Every numbered rule in plain words."""
    return render_template("rules.html", page=_rules_page())


def _rules_page() -> tuple[RuleWords, ...]:
    return tuple(rule_words(number) for number in RULE_NUMBERS)


def _page(game: Game) -> RefereePage:
    state = parts().session.table.state(game.id) if not game.over else None
    seats = seats_of(game)
    asked = number_in(request.args.get("seat"), 0, len(seats) - 1)
    turn = state.turn.seat if state else None
    seat = seats[asked if asked is not None else turn if turn is not None else 0]
    held, first = tiles_in(request.args.get("hand", "")), number_in(request.args.get("first"), 0, game.rules.set)
    chosen = tiles_in(request.args.get("tile", ""))[:1]
    code = request.args.get("train") if chosen else None
    query = {"seat": str(seat.number)}
    if held:
        query["hand"] = text_of(held)
    if chosen:
        query["tile"] = text_of(chosen)

    def href(**changed: Any) -> str:
        return url_for(".show", game_id=game.id, **{**query, **changed})

    keys = tuple(
        PadKey(
            value, href(first=value, tile=None) if first is None else href(**_with_tile(held, chosen, (first, value)))
        )
        for value in range(game.rules.set + 1)
    )
    ref = ref_of(state, code) if state else None
    answer = None
    if state is not None and ref is not None and chosen:
        found = parts().session.referee.rule(game.id, Play(seat.name, Tile.of(*chosen[0]), ref), hand=_tiles(held))
        answer = _answer(game, found) if found else None
    return RefereePage(
        head=head_of(game, "referee"),
        board=board_of(game, state, code) if state else None,
        seat=seat,
        seats=seats,
        hand=tuple(
            HandTileView(
                ends,
                ends in chosen,
                href(tile=text_of([ends])),
                href(hand=text_of([*held[:n], *held[n + 1 :]]) or None),
            )
            for n, ends in enumerate(held)
        ),
        hand_text=query.get("hand", ""),
        tile=chosen[0] if chosen else None,
        first=first,
        keys=keys,
        answer=answer,
        counsel=_counsel(game, seat, held) if held else None,
        query=query,
    )


def _with_tile(held: list[tuple[int, int]], chosen: list[tuple[int, int]], ends: tuple[int, int]) -> dict[str, object]:
    """The tile joins the hand where one is shown, and becomes the one that is asked about."""
    known = {Tile.of(*pair) for pair in held}
    hand = held if Tile.of(*ends) in known else [*held, ends]
    return {"hand": text_of(hand), "tile": text_of([ends])}


def _tiles(held: list[tuple[int, int]]) -> frozenset[Tile]:
    return frozenset(Tile.of(*ends) for ends in held)


def _answer(game: Game, found: Answer) -> AnswerView:
    book = standard_book()
    return AnswerView(
        verdict=found.ruling.verdict.value,
        question=_question(found.move),
        reasons=_reasons(found.ruling),
        presets=tuple(core()(book[name].title) for name in found.legal_under),
        switches=tuple(
            f"{core()(SWITCH_BY_NAME[change.name].about)} {_meaning(change.name, change.value)}"
            for change in found.legal_with[:MOST_SWITCHES]
        ),
        pictures=found.evidence,
        needs_hand_of=_needs_hand_of(game, found.ruling),
    )


def _question(move: Move) -> str:
    if isinstance(move, Play):
        return _("%(name)s: %(tile)s on %(train)s", name=move.player, tile=move.tile, train=train_name(move.train))
    return say_move(move)


def _reasons(ruling: Ruling) -> tuple[Reason, ...]:
    if ruling.verdict is Verdict.ILLEGAL:
        return tuple(Reason(found.rule, say(found, core())) for found in ruling.violations)
    return tuple(Reason(None, say_fact(fact, core())) for fact in ruling.needs)


def _meaning(name: str, value: object) -> str:
    meanings = {known: meaning for known, meaning in SWITCH_BY_NAME[name].values if type(known) is type(value)}
    return core()(meanings.get(value, str(value)))  # type: ignore[call-overload]  # a value of this switch


def _needs_hand_of(game: Game, ruling: Ruling) -> Seat | None:
    names = {fact.player for fact in ruling.needs if fact.player is not None}
    return next((seat for seat in seats_of(game) if seat.name in names), None)


def _counsel(game: Game, seat: Seat, held: list[tuple[int, int]]) -> CounselView | None:
    until = monotonic() + THINKS_S
    found: Counsel | None = parts().session.referee.counsel(
        game.id, seat.name, _tiles(held), translate=core(), out_of_time=lambda: monotonic() > until
    )
    if found is None:
        return None
    plays = tuple((tile.ends, train_name(ref)) for tile, ref in found.plays.plays)
    ruling = found.plays.ruling
    nothing = None
    if not plays:
        nothing = say(ruling.violations[0], core()) if ruling.violations else _("No tile of this hand fits. Draw.")
    train = found.train
    return CounselView(
        plays=plays,
        nothing=nothing,
        best=found.best.option.tile.ends if found.best else None,
        reason=found.best.sentence(core()) if found.best else None,
        train=tuple(tile.ends for tile in train.tiles) if train else (),
        train_pips=train.pips if train else 0,
    )
