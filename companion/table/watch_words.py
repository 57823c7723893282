"""The watch's events in plain English, as somebody who looks on would tell them. Sentences are translated when shown."""

from __future__ import annotations

from companion.dominoes import Tile
from companion.rules.rulings import Ruling, Verdict, Violation
from companion.rules.trains import TrainRef
from companion.rules.wording import SENTENCES, Translate, say, say_fact, say_train
from companion.table.seating import SOMEBODY
from companion.table.watch_events import (
    AnomalySeen,
    AskAbout,
    DoubleOwed,
    MarkerSeen,
    PlayRetracted,
    PlaySeen,
    QuestionAsked,
    RulingGiven,
    StateSeen,
    TableCleared,
    WatchEvent,
    Why,
)


def _(text: str) -> str:
    """Mark a source sentence for translation; the translating is done when it is shown."""
    return text


PLAY = _("{tile} on {train}")
PLAY_BY = _("{player} lays {tile} on {train}")
PLAY_LOOSE = _("{tile} on the table")
ENGINE = _("{tile} goes into the middle as the engine")
ILLEGAL = _("ILLEGAL: {tile}: {why}")
DEPENDS = _("{tile}: depends on {facts}.")
RETRACTED = {
    Why.TAKEN_BACK: _("{tile} is taken back"),
    Why.REREAD: _("not {tile} after all"),
    Why.FOUND_EARLIER: _("{tile} lay there from the beginning"),
    Why.TOLD: _("{tile} is taken back, as told"),
}
MARKER_UP = _("Marker up on {train}")
MARKER_DOWN = _("Marker down on {train}")
OWED = _("{double} on {train} must be covered")
OWED_BY = _("{double} on {train} must be covered; {players} owes it")
ASKED = {
    AskAbout.VALUE: _("LOOK: is it {choices}?"),
    AskAbout.MATCH: _("LOOK: the tile that reads {tile} does not match its neighbour: is it {choices}?"),
    AskAbout.PLAYER: _("WHO laid {tile}: {choices}?"),
    AskAbout.FRAME: _("LOOK: the camera shows nothing that is known; point it at the table."),
    AskAbout.HIDDEN: _("LOOK: at the end of {train} something hides a tile; move it aside for a moment."),
}
CLEARED = _("The table is cleared; the next round may begin.")
WRONG = _("WRONG: {message}")
NAMELESS = _("train {number}")
NEXT_PLAYER = _("whoever is next")


def tell(event: WatchEvent, translate: Translate = _) -> str | None:  # noqa: PLR0911 - one return for each event
    """An event in a sentence; None for one that other sentences have told."""
    match event:
        case PlaySeen():
            return _tell_play(event, translate)
        case RulingGiven():
            return _tell_ruling(event, translate)
        case PlayRetracted():
            return translate(RETRACTED[event.why]).format(tile=event.tile)
        case MarkerSeen():
            return translate(MARKER_UP if event.up else MARKER_DOWN).format(train=train_words(event.train, translate))
        case DoubleOwed():
            train, players = train_words(event.train, translate), ", ".join(event.by)
            return translate(OWED_BY if players else OWED).format(double=event.double, train=train, players=players)
        case QuestionAsked():
            train = "" if event.train is None else train_words(event.train, translate)
            return translate(ASKED[event.about]).format(tile=event.tile, choices=" / ".join(event.choices), train=train)
        case AnomalySeen():
            return translate(WRONG).format(message=event.message)
        case TableCleared():
            return translate(CLEARED)
        case StateSeen():
            return None


def _tell_play(event: PlaySeen, translate: Translate) -> str:
    tile = f"{event.ends[0]}-{event.ends[1]}"
    if event.train == "engine":
        return translate(ENGINE).format(tile=tile)
    if event.train == "table":
        return translate(PLAY_LOOSE).format(tile=Tile.of(*event.ends))
    train = train_words(event.train, translate)
    return translate(PLAY_BY if event.player else PLAY).format(tile=tile, train=train, player=event.player)


def _tell_ruling(event: RulingGiven, translate: Translate) -> str | None:
    ruling = event.ruling
    if ruling.violations:
        why = " ".join(violation_words(violation, translate) for violation in ruling.violations)
        return translate(ILLEGAL).format(tile=event.tile, why=why)
    if ruling.verdict is Verdict.DEPENDS and event.player is not None:
        facts = ", ".join(say_fact(fact, translate) for fact in ruling.needs)
        return translate(DEPENDS).format(tile=event.tile, facts=facts)
    return None


def violations_record(ruling: Ruling, translate: Translate = _) -> list[dict[str, str]]:
    """A ruling's violations with their sentences, for JSON."""
    return [{"rule": found.rule, "message": violation_words(found, translate)} for found in ruling.violations]


def violation_words(violation: Violation, translate: Translate = _) -> str:
    """How a rule is broken. Where nobody named the players, trains have numbers and players no names."""
    given = dict(violation.arguments)
    nameless = "train" in given and given["train"].partition("/")[0].isdecimal()
    if not nameless and not set(SOMEBODY) & set(given.values()):
        return say(violation, translate)
    shown = {
        name: translate(NEXT_PLAYER)
        if value in SOMEBODY
        else train_words(value, translate)
        if name == "train"
        else value
        for name, value in given.items()
    }
    return translate(SENTENCES[violation.message]).format(**shown)


def train_words(name: str, translate: Translate = _) -> str:
    """A train's name as people say it: a player's, the Mexican one, or one with a number."""
    number = name.removeprefix("train ").partition("/")[0]
    if number.isdecimal():
        return translate(NAMELESS).format(number=number)
    return say_train(TrainRef.parse(name), translate)
