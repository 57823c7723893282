import pytest

from companion.rules.presets import standard_book


def start(phone, **fields):
    phone.get("/games/new")
    return phone.post("/games", **{"name": ["Ann", "Ben", "Cy"], "preset": "casual", "set": "12", **fields})


def the_game(session):
    (game,) = session.games.list()
    return game


def test_a_game_begins_with_its_players_in_order(phone, session):
    start(phone, name=["Ann", "", "Ben", " Cy  Young "], colour=["#112233", "#000000", "#445566", "#778899"])
    game = the_game(session)
    assert game.names == ("Ann", "Ben", "Cy Young")
    assert [player.colour for player in game.players] == ["#112233", "#445566", "#778899"]
    assert game.preset == "casual" and phone.path == f"/games/{game.id}"


def test_switches_that_differ_from_the_preset_are_played_and_shown(phone, session):
    query = {"preset": "casual", "rules-of": "casual", "rule-double_blank": "50", "rule-double_owed_by": "nobody"}
    page = phone.client.get("/games/new", query_string=query).text
    assert page.count("(changed)") == 1
    start(phone, **query)
    rules = the_game(session).rules
    assert rules.double_blank == 50
    assert rules.differences(standard_book()["casual"].rules) == ("double_blank",)


def test_switches_of_the_preset_before_do_not_stick_to_the_next(phone):
    query = {"preset": "tournament", "rules-of": "casual", "rule-knock": "courtesy", "rule-double_follow": "anywhere"}
    assert "(changed)" not in phone.client.get("/games/new", query_string=query).text


def test_sent_twice_it_is_one_game(phone, session):
    start(phone, command="the-same-one")
    start(phone, command="the-same-one")
    assert len(session.games.list()) == 1


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["Ann"], "2 to 14 players"),
        (["Ann", "ann"], "Two players are called"),
        (["Ann", "x" * 25], "too long"),
        (["Ann", "mexican"], "cannot be a player"),
        (["Ann", "<b>Ben</b>"], "cannot be a player"),
    ],
)
def test_names_that_will_not_do_are_told_and_what_was_typed_stays(phone, session, names, sentence):
    start(phone, status=409, name=names, title="Our evening")
    assert sentence in phone.page and 'value="Our evening"' in phone.page
    assert "<b>Ben" not in phone.page
    assert session.games.list() == ()


def test_too_many_players_for_a_set_is_told_before_the_game_begins(phone, session):
    start(phone, status=409, name=["A", "B", "C", "D", "E"], set="6")
    assert "These rules do not work" in phone.page


def test_nonsense_in_an_address_is_left_out(phone):
    phone.get("/games/new?preset=nosuch&set=99&rule-knock=maybe&rule-rounds=-3&colour=red")
    assert "New game" in phone.page


def test_the_first_page_goes_on_with_a_game(phone, game):
    phone.get("/")
    assert f"/games/{game.id}" in phone.page and "Round 1 of 13" in phone.page


def test_names_of_earlier_games_are_offered(phone, game):
    phone.get("/games/new")
    assert 'data-recent="Cy"' in phone.page


def test_whose_phone_it_is_stands_in_the_journal(phone, game, session):
    phone.get(f"/games/{game.id}")
    phone.post(f"/games/{game.id}/me", seat="1")
    phone.post(f"/games/{game.id}/rounds/1/hands/0/typed", points="12")
    assert session.games.journal(game.id)[-1].by == "Ben"


def test_there_is_no_such_game(phone):
    phone.get("/games/nosuch", status=404)
    assert "There is no such page" in phone.page
