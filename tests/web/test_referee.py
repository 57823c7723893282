from urllib.parse import urlencode

import pytest

from companion.dominoes import Tile
from companion.rules.moves import Draw, Pass, Play
from companion.rules.rulings import RULE_NUMBERS
from companion.rules.trains import TrainRef
from companion.session.events import Command
from companion.web.rule_words import RULES


@pytest.fixture
def referee(phone, game):
    phone.base = f"/games/{game.id}/referee"
    return phone


def ask(referee, **query):
    return referee.get(f"{referee.base}?{urlencode(query)}")


def play(player, inward, outward):
    return Play(player, Tile.of(inward, outward), TrainRef.of(player), outward)


def told(session, game, *moves):
    for number, move in enumerate(moves):
        session.table.tell(Command(f"told-{number}-{move}"), game.id, move, anyway=True)


def test_yes(referee):
    ask(referee, seat=0, hand="12-5", tile="12-5", train="s0")
    assert "Yes." in referee.page


def test_no_with_the_rule_and_what_it_says(referee):
    ask(referee, seat=0, hand="9-5", tile="9-5", train="s0")
    assert "No." in referee.page and "#R-04" in referee.page
    assert "does not fit" in referee.page


def test_depends_names_the_missing_fact(phone, session):
    game = session.games.start(
        Command("preferred"), players=["Ann", "Ben"], preset="tournament", switches={"own_train_preferred": True}
    ).game
    told(session, game, play("Ann", 12, 5), play("Ben", 12, 3))
    phone.get(f"/games/{game.id}/referee?seat=0&tile=12-1&train=m1")
    assert "Depends." in phone.page and "hand of Ann" in phone.page and "Photograph Ann's hand" in phone.page


def test_no_is_told_with_where_it_would_be_legal(referee, session, game):
    told(session, game, play("Ann", 12, 5), play("Ben", 12, 3), play("Cy", 12, 1), play("Ann", 5, 5))
    told(session, game, Draw("Ann"), Pass("Ann"))
    ask(referee, seat=1, hand="3-2.9-4", tile="3-2", train="s1")
    assert "No." in referee.page and "Where it would be legal" in referee.page and "nobody owes" in referee.page


def test_a_hand_gets_its_plays_the_best_and_the_longest_train(referee):
    ask(referee, seat=0, hand="12-5.5-3.9-8")
    assert "What Ann may play" in referee.page
    assert "begins your longest train: 2 tiles" in referee.page


def test_a_played_tile_can_be_appealed(referee, session, game):
    told = session.table.tell(Command("appealed-play"), game.id, play("Ann", 9, 5), anyway=True)
    referee.get(f"/games/{game.id}/plays/{told.sequence}/appeal")
    assert "No." in referee.page and "R-04" in referee.page
    referee.get(f"/games/{game.id}/plays/999/appeal", status=404)


def test_every_rule_has_its_words(phone):
    assert tuple(RULES) == RULE_NUMBERS
    phone.get("/rules")
    assert all(f'id="{number}"' in phone.page for number in RULE_NUMBERS)


@pytest.mark.parametrize(
    "query", ["seat=99", "tile=99-99", "hand=x.y", "first=77", "train=s9&tile=12-5", "hand=" + "9-9." * 500]
)
def test_nonsense_in_an_address_is_left_out(referee, query):
    referee.get(f"{referee.base}?{query}")
