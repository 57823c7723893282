import csv
import io

import pytest
from every_page import pages_of

from companion.session.events import Command


@pytest.fixture
def played(session, game):
    for player, points in (("Ben", 20), ("Cy", 20)):
        session.hands.enter(Command(f"enter-{player}"), game.id, player=player, points=points)
    session.rounds.end(Command("end-round-1"), game.id, out=["Ann"])
    return game


def test_who_went_out_needs_no_hand_and_the_round_ends(phone, game, session):
    base = f"/games/{game.id}/rounds/1"
    phone.get(base)
    assert "Count Ann's hand" in phone.page
    phone.post(f"{base}/out", out="0")
    phone.post(f"{base}/hands/1/typed", points="33")
    phone.post(f"{base}/hands/2/typed", points="7")
    assert "End round 1" in phone.page
    phone.post(f"{base}/end")
    assert phone.path == f"/games/{game.id}" and "Round 2 of 13" in phone.page and "Ben starts" in phone.page


def test_a_round_with_a_hand_missing_does_not_end(phone, game):
    phone.get(f"/games/{game.id}/rounds/1")
    phone.post(f"/games/{game.id}/rounds/1/end", status=409)
    assert "still waits for the hand of Ann, Ben, Cy" in phone.page


def test_two_phones_end_one_round_once(phone, played, session):
    phone.get(f"/games/{played.id}")
    phone.post(f"/games/{played.id}/rounds/1/end", status=409)
    assert session.games.get(played.id).current == 2


def test_out_and_blocked_can_be_taken_back(phone, game, session):
    base = f"/games/{game.id}/rounds/1"
    phone.get(base)
    phone.post(f"{base}/out", out="0")
    assert session.games.get(game.id).round(1).told.out == ("Ann",)
    phone.post(f"{base}/out", out="")
    assert session.games.get(game.id).round(1).told.out == ()
    phone.post(f"{base}/out", out="blocked")
    assert session.games.get(game.id).round(1).told.blocked


def test_the_sheet_has_rounds_totals_places_and_a_tie(phone, played):
    phone.get(f"/games/{played.id}")
    assert phone.page.index(">2<br>") < phone.page.index(">1<br>")
    assert phone.page.count("place 2") == 2 and "place 1" in phone.page
    assert "polyline" in phone.page


def test_a_correction_keeps_what_was_there(phone, played, session):
    phone.get(f"/games/{played.id}/rounds/1/cells/1")
    phone.post(f"/games/{played.id}/rounds/1/hands/1/typed", tiles="5-4", replace="1")
    assert "no longer counts" in phone.page
    assert [line.points for line in session.games.get(played.id).round(1).scores["Ben"].history] == [20, None]
    assert session.rounds.sheet(played.id).totals()["Ben"] == 9


def test_what_was_confirmed_can_be_taken_back(phone, played, session):
    phone.get(f"/games/{played.id}/journal")
    ended = session.games.journal(played.id)[-1].sequence
    phone.post(f"/games/{played.id}/undo", sequence=str(ended))
    assert session.games.get(played.id).current == 1


def test_an_undo_that_cannot_be_is_told_where_it_was_asked(phone, played):
    phone.get(f"/games/{played.id}/journal")
    phone.post(f"/games/{played.id}/undo", status=409, sequence="1", back="journal")
    assert "Everything that happened" in phone.page and "cannot be taken back" in phone.page


def test_a_game_that_ends_early_names_its_winner(phone, played):
    phone.get(f"/games/{played.id}")
    phone.post(f"/games/{played.id}/end")
    assert "Ann wins with 0" in phone.page
    phone.get(f"/games/{played.id}/score")
    assert phone.path == f"/games/{played.id}"


def test_a_shared_win_is_told(phone, session, game):
    for player in game.names:
        session.hands.enter(Command(f"enter-{player}"), game.id, player=player, points=20)
    session.rounds.end(Command("end-it"), game.id, blocked=True, out=[])
    session.games.end(Command("end-game"), game.id)
    phone.get(f"/games/{game.id}")
    assert "Ann, Ben, Cy share the win with 20" in phone.page


def test_the_sheet_as_a_table_opens_in_a_spreadsheet(phone, played):
    answer = phone.client.get(f"/games/{played.id}/sheet.csv")
    rows = list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig"))))
    assert rows == [
        ["Round", "Engine", "Ann", "Ben", "Cy"],
        ["1", "12-12", "0", "20", "20"],
        ["Total", "", "0", "20", "20"],
    ]
    assert "attachment" in answer.headers["Content-Disposition"]


def test_a_name_never_becomes_a_formula(phone, session):
    game = session.games.start(Command("formula"), players=["+1", "Ben"], preset="casual").game
    text = phone.client.get(f"/games/{game.id}/sheet.csv").data.decode("utf-8-sig")
    assert "'+1" in text


def test_the_sheet_as_text_and_as_a_picture(phone, played):
    text = phone.client.get(f"/games/{played.id}/sheet.txt").text
    assert "1. Ann  0" in text and "After 1 of 13 rounds" in text
    answer = phone.client.get(f"/games/{played.id}/sheet.svg")
    assert answer.content_type == "image/svg+xml" and answer.text.strip().endswith("</svg>")


def test_the_journal_tells_everything(phone, played):
    phone.get(f"/games/{played.id}/journal")
    for sentence in ("The game begins: Ann, Ben, Cy", "Ben scores 20", "Ann went out", "Round 1 ended"):
        assert sentence in phone.page


def test_a_game_that_ends_before_a_round_was_counted_still_has_all_its_pages(phone, session, game):
    pages = pages_of(session, game)
    phone.post(f"/games/{game.id}/end")
    assert "The game ended before a round was counted." in phone.page
    for name, address in pages.items():
        answer = phone.client.get(address, follow_redirects=True)
        assert answer.status_code in (200, 404), f"{name}: {answer.text}"
    for end in ("csv", "txt", "svg"):
        assert phone.client.get(f"/games/{game.id}/sheet.{end}").status_code == 200
    assert phone.client.get(f"/api/v1/games/{game.id}").status_code == 200
