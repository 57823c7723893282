"""Every value has a text form that reads back."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.dominoes import Tile, TrainOwner
from companion.rules.audit import Anomaly
from companion.rules.errors import HouseRulesError
from companion.rules.events import Event
from companion.rules.house_rules import HouseRules
from companion.rules.moves import parse_move
from companion.rules.presets import RuleBook, standard_book
from companion.rules.rulings import LEGAL, Fact, FactKind, Ruling, Violation, hand_of
from companion.rules.selfplay import random_rules
from companion.rules.trains import LaidTile, Train
from companion.rules.wording import SENTENCES, say

BOOK = standard_book()


RULES = st.integers(0, 2**32).map(lambda seed: random_rules(Random(seed), BOOK["base"].rules))


@given(RULES)
def test_house_rules_read_back(rules: HouseRules) -> None:
    assert HouseRules.parse(str(rules)) == rules


@pytest.mark.parametrize("name", list(BOOK.presets))
def test_presets_read_back(name: str) -> None:
    assert HouseRules.parse(str(BOOK[name].rules)) == BOOK[name].rules


@pytest.mark.parametrize(
    "text",
    [
        "legal",
        "illegal: R-09 cover_first tile=6-6 train=Ann/2 player=Ben; R-04 no_match tile=5-1 train=mexican value=0",
        "depends: hand of Ben; tile drawn by Ann; whose turn it was; order of the doubles",
    ],
)
def test_rulings_read_back(text: str) -> None:
    assert str(Ruling.parse(text)) == text


def test_the_simplest_rulings() -> None:
    assert LEGAL.is_legal and Ruling.parse("legal") is LEGAL
    assert Fact.parse("hand of Cy") == hand_of("Cy") == Fact(FactKind.HAND, "Cy")


@pytest.mark.parametrize("text", ["", "perhaps", "illegal: R-99 x", "depends: the weather"])
def test_no_ruling(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no|not a valid"):
        Ruling.parse(text)


@pytest.mark.parametrize("text", ["Ann: 12-6 6-6 6-1 | 0.1 6-2 2-2 | 0.1 6-3", "mexican2*:", "Ben*: 12-0"])
def test_trains_read_back(text: str) -> None:
    assert str(Train.parse(text)) == text


def test_a_train_knows_its_toes() -> None:
    train = Train.parse("Ann: 12-6 6-6 6-1 1-4 | 0.1 6-2")
    assert train.toes(0, 1) == 2
    assert train.toe_ends(0, 1) == ((0, 4), (1, 2))
    assert LaidTile.parse("6-1") == LaidTile(Tile(6, 1), 1)
    assert train.owner == TrainOwner("Ann") and train.started


@given(st.sets(st.sampled_from(list(Anomaly)), min_size=1))
def test_anomalies_read_back(parts: set[Anomaly]) -> None:
    both = Anomaly(0)
    for part in parts:
        both |= part
    assert Anomaly.parse(str(both)) == both


@pytest.mark.parametrize(
    "event",
    [
        Event(parse_move("Ann 12-5 @mexican"), ("Ann marker down", "turn of Ben"), 12.5, "f01.jpg"),
        Event(parse_move("end")),
        Event(parse_move("Cy catch Ben 1-0"), at=0.25),
        Event(parse_move("Ben pass"), ("Ben marker up",), picture="a_b-1.png"),
    ],
)
def test_events_read_back(event: Event) -> None:
    assert Event.parse(str(event)) == event


def test_every_sentence_can_be_said() -> None:
    named = ("player", "turn", "tile", "set", "train", "value", "players", "where", "toes", "tiles", "round", "engine")
    for message in SENTENCES:
        arguments = dict.fromkeys((*named, "better", "times"), "Ann")
        sentence = say(Violation.of("R-01", message, **arguments))
        assert sentence.endswith(".") and "{" not in sentence


def test_a_translator_is_asked_for_every_sentence() -> None:
    violation = Violation.of("R-04", "no_match", tile="6-5", train="mexican", value=3)
    asked: list[str] = []
    assert (
        say(violation, lambda text: asked.append(text) or text) == "The 6-5 does not fit: the Mexican train asks for 3."
    )
    assert asked == ["the Mexican train", SENTENCES["no_match"]]


@pytest.mark.parametrize(
    ("text", "switch"),
    [
        ("set=12", "engine"),
        ("nothing=1", "nothing"),
        ("hand_size=12:2:400", "hand_size"),
        ("hand_size=12-2-4", "hand_size"),
        ("set=7", "set"),
    ],
)
def test_rules_that_cannot_be_name_the_switch(text: str, switch: str) -> None:
    with pytest.raises(HouseRulesError) as refused:
        HouseRules.parse(text)
    assert refused.value.switch == switch


def test_a_preset_is_searched_before_the_base() -> None:
    spruce = BOOK["spruce"]
    assert spruce.for_set(12).tiles_each(4) == 12 and spruce.for_set(12).tiles_each(3) == 15
    assert spruce.for_set(9).tiles_each(3) == 8 and spruce.for_set(9).tiles_each(4) == 10
    with pytest.raises(HouseRulesError, match="no deal for 9 players"):
        spruce.rules.tiles_each(9)


@pytest.mark.parametrize("text", ["[base", "[base]\nset = 12", "[base.deal]\n6 = [[2, 9]]", "[base]\nweather = 1"])
def test_a_presets_file_that_cannot_be(text: str) -> None:
    with pytest.raises(HouseRulesError):
        RuleBook.read(text)
