"""The text form of events: everything reads back, old text reads in a newer program, nonsense is refused."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.dominoes import Tile, TrainOwner
from companion.rules.moves import Catch, Draw, End, Knock, LayEngine, Mark, Move, Pass, Play
from companion.rules.presets import standard_book
from companion.rules.trains import TrainRef
from companion.session import events
from companion.session.event_text import EventText, UnreadableEvent, read_move, write_move
from companion.session.events import Event, GameStarted, HandProposed, HandTile, MoveMade, ScoreGiven
from companion.session.players import Player
from companion.sightings import Alternative, Doubt, DoubtKind, PhotoReading, ReadTile

BOOK = standard_book()
TEXT = EventText(BOOK["base"].rules)

names = st.sampled_from(["Ann", "Aunt May", "Åse", "Ľubomír", "x y z"])
ends = st.tuples(st.integers(0, 18), st.integers(0, 18))
tiles = ends.map(lambda pair: Tile.of(*pair))
numbers = st.floats(-1e4, 1e4, allow_nan=False)
quads = st.tuples(*[st.tuples(numbers, numbers)] * 4)
pictures = st.text("0123456789abcdef", min_size=64, max_size=64)
shares = st.floats(0, 1)
doubts = st.builds(
    Doubt,
    tile=st.integers(0, 20),
    kinds=st.lists(st.sampled_from(DoubtKind), min_size=1, max_size=3).map(tuple),
    why=st.text(),
    alternatives=st.lists(st.builds(Alternative, ends, shares), max_size=2).map(tuple),
)
readings = st.builds(
    PhotoReading,
    size_wh=st.tuples(st.integers(1, 9999), st.integers(1, 9999)),
    set_highest=st.sampled_from([6, 9, 12, 15, 18]),
    tiles=st.lists(st.builds(ReadTile, ends, quads, shares), max_size=4).map(tuple),
    face_down=st.integers(0, 9),
    doubts=st.lists(doubts, max_size=2).map(tuple),
)
hand_tiles = st.builds(
    HandTile,
    ends,
    st.none() | pictures,
    st.none() | quads,
    shares,
    st.none() | doubts,
    st.booleans(),
)
owners = names.map(TrainOwner) | st.integers(1, 3).map(TrainOwner.mexican)
trains = st.builds(TrainRef, owners, st.integers(0, 3))


@st.composite
def plays(draw: st.DrawFn) -> Play:
    tile = draw(tiles)
    return Play(draw(names), tile, draw(trains), draw(st.sampled_from(tile.ends)))


moves: st.SearchStrategy[Move] = (
    plays()
    | st.builds(Draw, names, st.none() | tiles)
    | st.builds(Pass, names)
    | st.builds(Mark, names)
    | st.builds(Knock, names)
    | st.builds(Catch, names, names, st.lists(tiles, max_size=2).map(tuple))
    | st.builds(LayEngine, st.none() | names, tiles)
    | st.just(End())
)
KNOWN: dict[type, st.SearchStrategy[Any]] = {
    Player: st.builds(Player, names, st.just("#123456")),
    PhotoReading: readings,
    HandTile: hand_tiles,
}


def _strategy(kind: type) -> st.SearchStrategy[Any]:
    """Events of a kind, their fields by name where the type does not say enough."""
    by_name: dict[str, st.SearchStrategy[Any]] = {
        "rules": st.sampled_from([preset.rules for preset in BOOK]),
        "move": moves,
        "tiles": st.lists(hand_tiles, max_size=3).map(tuple),
        "reading": readings,
        "players": st.lists(KNOWN[Player], max_size=3).map(tuple),
    }
    if kind is ScoreGiven:
        by_name["tiles"] = st.none() | by_name["tiles"]
    used = {name: value for name, value in by_name.items() if name in kind.__dataclass_fields__}  # type: ignore[attr-defined]
    return st.builds(kind, **used)


anything: st.SearchStrategy[Event] = st.one_of(*map(_strategy, get_args(Event)))


@given(anything)
def test_every_event_reads_back(event: Event) -> None:
    text = TEXT.write(event)
    assert "\n" not in text
    assert TEXT.read(text) == event


@given(moves)
def test_every_move_reads_back_with_names_of_several_words(move: Move) -> None:
    again = read_move(write_move(move))
    if isinstance(move, Play) and move.outward is None:
        assert str(again) == str(move)
    else:
        assert again == move


def test_the_text_is_what_people_can_read() -> None:
    event = MoveMade(2, Play("Aunt May", Tile(12, 5), TrainRef.parse("mexican"), 5))
    assert json.loads(TEXT.write(event)) == {"kind": "MoveMade", "round": 2, "move": "Aunt%20May 12-5 @mexican"}


def test_a_rule_set_that_lacks_a_switch_has_the_bases_value() -> None:
    event = GameStarted("", (), "casual", BOOK["casual"].rules)
    data = json.loads(TEXT.write(event))
    data["rules"] = " ".join(word for word in data["rules"].split() if not word.startswith("knock="))
    data["added_by_a_newer_program"] = 1
    again = TEXT.read(json.dumps(data))
    assert isinstance(again, GameStarted)
    assert again.rules.differences(BOOK["casual"].rules) in ((), ("knock",))
    assert again.rules.knock == BOOK["base"].rules.knock


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        '"RoundEnded"',
        '{"kind":"Nothing"}',
        '{"kind":"RoundEnded"}',
        '{"kind":"MoveMade","round":1,"move":"Ann flies"}',
        '{"kind":"GameStarted","name":"","players":[],"preset":"x","rules":"set=7"}',
    ],
)
def test_what_is_no_event_is_refused(text: str) -> None:
    with pytest.raises(UnreadableEvent):
        TEXT.read(text)


@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
def test_any_text_is_an_event_or_refused(text: str) -> None:
    try:
        TEXT.read(text)
    except UnreadableEvent as error:
        assert text[:20] in str(error)


def test_every_kind_of_event_is_in_the_union() -> None:
    kinds = {
        value
        for name, value in vars(events).items()
        if isinstance(value, type) and value.__module__ == events.__name__ and name not in NOT_EVENTS
    }
    assert kinds == set(get_args(Event))


NOT_EVENTS = {"Source", "Command", "HandTile", "JournalEntry"}


def test_a_photo_reading_keeps_every_digit() -> None:
    quad = ((0.1, 1 / 3), (2.0, 3.0), (4.25, 5.0), (1e-9, 7.0))
    event = HandProposed(1, "Ann", "p", PhotoReading((1, 1), 12, (ReadTile((1, 2), quad, 0.1),), 0, ()))
    assert TEXT.read(TEXT.write(event)) == event
