import io
import threading

import pytest
from conftest import SAMPLE, Phone

from companion.errors import CompanionError
from companion.session.events import Command
from companion.web.events import changes


def test_a_full_disk_is_told_on_a_page_and_loses_nothing(phone, session, game):
    session.hands.enter(Command("before-it"), game.id, player="Ben", points=7)

    def full(data):
        raise CompanionError("The disk is full. What was confirmed is safe. Make room, then send the photo again.")

    session.pictures.put = full
    base = f"/games/{game.id}/rounds/1/hands/0"
    phone.get(base)
    phone.post(f"{base}/photos", status=503, photo=(io.BytesIO(SAMPLE.read_bytes()), "photo.jpg"))
    assert "The disk is full" in phone.page and "Traceback" not in phone.page
    assert session.games.get(game.id).round(1).scores["Ben"].now.points == 7
    phone.get(f"/games/{game.id}")


def test_a_mistake_of_the_program_is_told_without_its_entrails(app, phone, session, game):
    app.config["PROPAGATE_EXCEPTIONS"] = False
    session.rounds.sheet = None  # whatever is broken
    answer = phone.client.get("/")
    assert answer.status_code == 500
    assert "Nothing that was confirmed is lost" in answer.text and "NoneType" not in answer.text


def test_a_clock_that_goes_back_changes_no_order(phone, session, game):
    clock = session.games._desk.clock
    session.hands.enter(Command("first-score"), game.id, player="Ben", points=7)
    clock.move(-3600)
    session.hands.enter(Command("second-score"), game.id, player="Ben", points=9, replace=True)
    phone.get(f"/games/{game.id}/rounds/1/cells/1")
    assert phone.page.index(">9") < phone.page.index(">7")
    assert session.rounds.sheet(game.id).rows[0].cells[1].points == 9


def test_followers_hear_of_every_change_once(session, game):
    ended = threading.Event()
    stream = changes(session, game.id, game.version, ended=ended)
    assert next(stream).startswith("retry")
    session.hands.enter(Command("a-change"), game.id, player="Ben", points=7)
    told = next(stream)
    assert "event: change" in told and '"version": 2' in told and "ScoreGiven" in told
    ended.set()
    session.hands.enter(Command("another"), game.id, player="Cy", points=7)
    assert list(stream) == []


def test_who_reconnects_hears_what_was_missed(phone, session, game):
    for number in range(3):
        session.hands.enter(Command(f"change-{number}"), game.id, player="Ben", points=number, replace=True)
    answer = phone.client.get(f"/games/{game.id}/events", headers={"Last-Event-ID": "2"}, buffered=False)
    chunks = iter(answer.response)
    next(chunks)
    assert '"version": 4' in str(next(chunks))
    answer.close()


@pytest.mark.parametrize(
    "path", ["/games/{id}", "/games/{id}/events", "/games/{id}/table/live", "/learn", "/learn/examples.zip"]
)
def test_strangers_get_nothing_of_a_game(app, game, path):
    answer = Phone(app).client.get(path.format(id=game.id))
    assert answer.status_code == 302 and answer.headers["Location"].startswith("/join")
