import io
from itertools import pairwise

import pytest
from conftest import JPEG, FakeWatcher

from companion.dominoes import Tile, TrainOwner
from companion.rules.moves import Play
from companion.rules.rulings import Ruling, Violation
from companion.rules.trains import TrainRef
from companion.session.events import Command, Source
from companion.table.look import LyingTile, TableLook, Trouble
from companion.table.watch_events import (
    AskAbout,
    DoubleOwed,
    Evidence,
    PlayRetracted,
    PlaySeen,
    QuestionAsked,
    RulingGiven,
    StateSeen,
    TrainSeen,
    Why,
)
from companion.web.board import LAST_TILES, board_of, code_of, ref_of
from companion.web.live import LiveTable, LiveTables, OtherCamera
from companion.web.live_drawing import draw_live

QUAD = ((100.0, 100.0), (140.0, 100.0), (140.0, 180.0), (100.0, 180.0))
NEXT_QUAD = ((100.0, 190.0), (140.0, 190.0), (140.0, 270.0), (100.0, 270.0))


@pytest.fixture
def table(phone, game):
    phone.base = f"/games/{game.id}/table"
    phone.get(phone.base)
    return phone


def lay(table, seat, train, open_end, end, *, status=200, **more):
    fields = {"seat": str(seat), "deed": "play", "train": train, "open": str(open_end), "end": str(end), **more}
    return table.post(f"{table.base}/moves", status=status, **fields)


def test_two_taps_lay_a_tile(table, session, game):
    table.get(f"{table.base}?train=s0")
    assert 'id="pad"' in table.page
    lay(table, 0, "s0", 12, 5)
    state = session.table.state(game.id)
    assert [str(laid) for laid in state.trains[0]] == ["12-5"] and state.turn.seat == 1
    assert "Ann lays 12-5" in table.page and "Ben plays" in table.page


def test_an_illegal_play_is_refused_with_its_rule_and_may_stand_anyway(table, session, game):
    lay(table, 0, "s0", 6, 5, status=409)
    assert "R-04" in table.page and "does not fit" in table.page
    assert session.table.plays(game.id) == ()
    lay(table, 0, "s0", 6, 5, anyway="1")
    assert [ruling.rules for _, ruling in session.table.plays(game.id)] == [("R-04",)]


def test_draw_pass_knock_and_marker_are_a_tap(table, session, game):
    for deed in ("draw", "pass"):
        table.post(f"{table.base}/moves", seat="0", deed=deed)
    assert [str(play.move) for play, _ in session.table.plays(game.id)] == ["Ann draw", "Ann pass"]
    assert session.table.state(game.id).trains[0].marker
    table.get(f"{table.base}?seat=0")
    assert "Marker down" in table.page


def test_a_play_is_taken_back_where_it_shows(table, session, game):
    lay(table, 0, "s0", 12, 5)
    ((play, _),) = session.table.plays(game.id)
    table.post(f"{table.base}/plays/{play.id}", right="no")
    assert session.table.plays(game.id) == ()


def test_a_play_that_was_another_is_put_right_by_a_tap(table, session, game):
    lay(table, 0, "s0", 12, 5)
    lay(table, 1, "s1", 12, 3)
    ((first, _), _) = session.table.plays(game.id)
    table.get(f"{table.base}?change={first.id}")
    assert "What was it really?" in table.page and 'name="seat" value="0"' in table.page
    table.post(f"{table.base}/plays/{first.id}/change", seat="0", train="s0", end="7")
    plays = session.table.plays(game.id)
    assert [str(play.move.tile) for play, _ in plays] == ["12-7", "12-3"]
    assert plays[0][0].id == first.id and plays[0][0].source is Source.PERSON


def test_it_can_have_been_somebody_else_on_another_train(table, session, game):
    lay(table, 0, "s0", 12, 5)
    ((first, _),) = session.table.plays(game.id)
    table.get(f"{table.base}?change={first.id}&seat=1&train=m1")
    assert 'name="seat" value="1"' in table.page and 'name="train" value="m1"' in table.page
    table.post(f"{table.base}/plays/{first.id}/change", seat="1", train="m1", end="5")
    ((changed, _),) = session.table.plays(game.id)
    assert str(changed.move).startswith("Ben") and changed.move.train.owner.player is None


def test_an_engine_can_have_been_another_double(table, session, game):
    table.post(f"{table.base}/moves", seat="0", deed="engine", end="12", anyway="1")
    ((engine, _),) = session.table.plays(game.id)
    table.get(f"{table.base}?change={engine.id}")
    assert "Which double?" in table.page
    table.post(f"{table.base}/plays/{engine.id}/change", seat="0", end="11")
    assert str(session.table.plays(game.id)[0][0].move.tile) == "11-11"


@pytest.mark.parametrize("fields", [{}, {"end": "77"}, {"end": "5", "train": "m9"}, {"end": "5", "train": "x"}])
def test_a_change_that_cannot_be_changes_nothing(table, session, game, fields):
    lay(table, 0, "s0", 12, 5)
    ((first, _),) = session.table.plays(game.id)
    table.post(f"{table.base}/plays/{first.id}/change", **{"seat": "0", **fields})
    assert [str(play.move.tile) for play, _ in session.table.plays(game.id)] == ["12-5"]


def test_a_play_that_is_gone_has_no_pad(table):
    table.get(f"{table.base}?change=999")
    assert "What was it really?" not in table.page


def test_an_owed_double_is_told_with_who_owes_it(table, session, game):
    lay(table, 0, "s0", 12, 5)
    lay(table, 1, "s1", 12, 3)
    lay(table, 2, "m1", 12, 1)
    lay(table, 0, "s0", 5, 5)
    assert "The 5-5 on Ann's train is open" in table.page.replace("&#39;", "'")
    assert "double to cover" in table.page


def test_a_long_train_shows_its_last_tiles(session, game):
    values = [12, 5, 3, 8, 2, 9, 1]
    for inward, outward in pairwise(values):
        play = Play("Ann", Tile.of(inward, outward), TrainRef.of("Ann"), outward)
        session.table.tell(Command(f"lay-{inward}"), game.id, play, anyway=True)
    line = board_of(game, session.table.state(game.id)).lines[0]
    assert line.tiles == ((3, 8), (8, 2), (2, 9), (9, 1))
    assert (line.hidden, line.open_end, len(line.tiles)) == (2, 1, LAST_TILES)


def test_trains_in_addresses_read_back(session, game):
    state = session.table.state(game.id)
    for ref in (TrainRef.of("Ben"), TrainRef(TrainOwner.mexican(2)), TrainRef(TrainOwner("Cy"), 2)):
        assert ref_of(state, code_of(state, ref)) == ref
    for nonsense in (None, "", "s9", "m0", "x1", "s", "s1.x", "s-1", "s999999999"):
        assert ref_of(state, nonsense) is None


def seen(track, ends, train, frame, before=None):
    tile = Tile.of(*ends)
    return PlaySeen(track, frame, tile, ends, train, None, Evidence(before, frame, QUAD, 0.99))


def state_of(*trains, frame=0):
    return StateSeen(frame, 12, trains, (), None, 0)


def train(name, *tiles, double=False):
    return TrainSeen(name, tiles, tiles[-1][1], double, False, name == "mexican")


EMPTY = TableLook((640, 480), (), ())
ONE = TableLook(
    (640, 480), (LyingTile((12, 5), QUAD),), (seen(1, (12, 5), "Ann", 1, 0), state_of(train("Ann", (12, 5)), frame=1))
)


def send(phone, game, data=JPEG + b"x", camera="camera-one", status=200):
    answer = phone.client.post(
        f"/games/{game.id}/table/frames?camera={camera}", data=data,
        headers={"Content-Type": "image/jpeg", "X-CSRFToken": phone.token(), "Accept": "application/json"},
    )  # fmt: skip
    assert answer.status_code == status, answer.text
    return answer.json


def test_what_the_camera_sees_comes_into_the_game_with_its_pictures(table, session, game, watcher):
    watcher.looks = [EMPTY, ONE]
    send(table, game, JPEG + b"before")
    drawn = send(table, game, JPEG + b"after")
    ((play, ruling),) = session.table.plays(game.id)
    assert (str(play.move), play.source, ruling.is_legal) == ("Ann 12-5", Source.CAMERA, True)
    assert [session.pictures.get(picture) for picture in play.pictures] == [JPEG + b"before", JPEG + b"after"]
    assert drawn["trains"][0]["colour"] == "#4e79a7"
    assert [(chip["text"], chip["state"]) for chip in drawn["chips"]] == [("5", "end")]
    table.get(table.base)
    assert "seen by the camera" in table.page and "Right" in table.page


def test_tiles_that_lay_there_before_the_camera_came_are_taken_over(table, session, game, watcher):
    ben = LyingTile((12, 3), NEXT_QUAD)
    events = (seen(2, (3, 3), "Ben", 1), state_of(train("Ben", (12, 3), (3, 3)), train("train 2", (12, 9))))
    watcher.looks = [TableLook((640, 480), (ben,), events)]
    send(table, game)
    plays = session.table.plays(game.id)
    assert [str(play.move) for play, _ in plays] == ["Ben 12-3", "Ben 3-3"]
    assert all(play.source is Source.CAMERA for play, _ in plays)


def test_the_same_frame_again_changes_nothing_more(table, session, game, watcher):
    watcher.looks = [ONE, TableLook((640, 480), ONE.tiles, ())]
    for _ in range(3):
        send(table, game)
    assert len(session.table.plays(game.id)) == 1


def test_an_owed_double_appears_and_goes(table, session, game, watcher):
    double = LyingTile((5, 5), NEXT_QUAD)
    owed = TableLook(
        (640, 480), (*ONE.tiles, double),
        (state_of(train("Ann", (12, 5), (5, 5), double=True)), DoubleOwed(2, Tile(5, 5), "Ann", ("Ben",))),
    )  # fmt: skip
    covered = TableLook((640, 480), owed.tiles, (state_of(train("Ann", (12, 5), (5, 5), (5, 1))),))
    watcher.looks = [ONE, owed, covered]
    send(table, game)
    drawn = send(table, game)
    assert [outline["state"] for outline in drawn["outlines"]] == ["owed"]
    assert "Ben must cover the 5-5." in [note["text"] for note in drawn["notes"]]
    assert send(table, game)["outlines"] == []


def test_a_hidden_tile_is_asked_about_until_it_is_read(table, game, watcher):
    asked = TableLook((640, 480), ONE.tiles, (QuestionAsked(2, AskAbout.HIDDEN, None, None, (), "Ann"),))
    other = TableLook((640, 480), ONE.tiles, (state_of(train("Ann", (12, 5)), train("Ben", (12, 3)), frame=3),))
    read = TableLook((640, 480), ONE.tiles, (state_of(train("Ann", (12, 5), (5, 1)), frame=4),))
    watcher.looks = [ONE, asked, other, read]
    notes = [[note["text"] for note in send(table, game)["notes"]] for _ in range(4)]
    hidden = "Ann's train: something hides a tile at its end. Move it aside for a moment."
    assert [hidden in said for said in notes] == [False, True, True, False]


def test_a_fault_is_drawn_with_its_rule_and_a_sentence(table, game, watcher):
    ruling = Ruling((Violation.of("R-04", "no_match", tile="12-5", train="Ann", value=9),))
    watcher.looks = [TableLook((640, 480), ONE.tiles, (RulingGiven(1, 1, Tile(12, 5), "Ann", "Ann", ruling),))]
    drawn = send(table, game)
    assert [chip["text"] for chip in drawn["chips"]] == ["R-04"]
    assert drawn["notes"][0]["text"] == "Ann: The 12-5 does not fit: Ann's train asks for 9."


def test_what_a_person_took_back_the_camera_does_not_bring_again(table, session, game, watcher):
    watcher.looks = [ONE]
    send(table, game)
    ((play, _),) = session.table.plays(game.id)
    table.get(table.base)
    table.post(f"{table.base}/plays/{play.id}", right="no")
    send(table, game)
    assert session.table.plays(game.id) == ()


def test_the_camera_takes_back_what_it_saw_but_not_what_a_person_said(table, session, game, watcher):
    gone = TableLook((640, 480), (), (PlayRetracted(1, 2, Tile(12, 5), Why.TAKEN_BACK),))
    watcher.looks = [ONE, gone, ONE, gone]
    send(table, game)
    send(table, game)
    assert session.table.plays(game.id) == ()
    send(table, game)
    ((play, _),) = session.table.plays(game.id)
    session.table.confirm(Command("person-says-yes"), game.id, play.id)
    send(table, game)
    assert len(session.table.plays(game.id)) == 1


def test_a_long_disagreement_of_camera_and_game_is_told(app, session, game):
    times = iter((0.0, 5.0, 25.0))
    other = TableLook((640, 480), ONE.tiles, (state_of(train("Ann", (12, 5))),))
    live = LiveTables(session, FakeWatcher(other), clock=lambda: next(times))
    session.table.tell(Command("a-person-said"), game.id, Play("Ann", Tile(12, 6), TrainRef.of("Ann"), 6))
    told = []
    for _ in range(3):
        table = live.take_in(game, JPEG, camera="one")
        with app.test_request_context("/"):
            told.append([note.text for note in draw_live(game, table).notes])
    assert told[0] == told[1] == []
    assert told[2] == ["The table shows 12-5 where the game has 12-6, on Ann's train."]


def test_trouble_is_told_quietly(table, game, watcher):
    watcher.looks = [TableLook((640, 480), (), (), Trouble.TOO_DARK)]
    assert send(table, game)["notes"] == [{"text": "It is too dark here.", "state": "quiet"}]


def test_one_camera_watches_at_a_time(table, game, session):
    send(table, game)
    answer = send(table, game, camera="camera-two", status=409)
    assert answer["code"] == "other_camera"
    now = 0.0
    live = LiveTables(session, FakeWatcher(EMPTY), clock=lambda: now)
    live.take_in(game, JPEG, camera="one")
    with pytest.raises(OtherCamera):
        live.take_in(game, JPEG, camera="two")
    now = 7.0
    live.take_in(game, JPEG, camera="two")


def test_a_frame_that_is_no_picture_is_refused(table, game):
    assert send(table, game, b"<html>", status=422)["code"] == "not_a_picture"
    assert send(table, game, JPEG, camera="x", status=400)["code"] == "bad_request"


def test_who_looks_on_gets_the_drawing_and_the_frame(table, game, watcher):
    assert table.client.get(f"/games/{game.id}/table/live").json is None
    assert table.client.get(f"/games/{game.id}/table/live.jpg").status_code == 404
    watcher.looks = [ONE]
    send(table, game, JPEG + b"frame")
    assert table.client.get(f"/games/{game.id}/table/live").json["tiles"] == 1
    assert table.client.get(f"/games/{game.id}/table/live.jpg?frame=0").data == JPEG + b"frame"


def test_new_drawings_are_streamed(table, game, watcher, given):
    watcher.looks = [ONE]
    send(table, game)
    answer = table.client.get(f"/games/{game.id}/table/live/events", buffered=False)
    chunks = iter(answer.response)
    assert "retry" in str(next(chunks))
    assert '"tiles": 1' in str(next(chunks))
    given.ended.set()
    answer.close()


def test_a_still_photo_does_too(table, session, game, watcher):
    watcher.looks = [ONE]
    table.get(table.base)
    table.post(f"{table.base}/still", photo=(io.BytesIO(JPEG + b"still"), "table.jpg"))
    assert watcher.settings[0].stills and len(session.table.plays(game.id)) == 1


def test_a_new_round_begins_a_new_watch(table, session, game, watcher):
    send(table, game)
    for player in game.names:
        session.hands.enter(Command(f"enter-{player}"), game.id, player=player, points=3)
    session.rounds.end(Command("end-the-round"), game.id, out=[], blocked=True)
    send(table, game)
    first, second = watcher.settings
    assert first.key != second.key and (first.engine, second.engine) == (12, 11)
    assert (first.players, second.players) == (("Ann", "Ben", "Cy"), ("Ben", "Cy", "Ann"))


def test_what_a_page_is_drawing_is_not_changed_by_the_next_frame():
    table, five, six = LiveTable("key"), Tile.of(5, 5), Tile.of(6, 6)
    hides = QuestionAsked(1, AskAbout.HIDDEN, None, None, (), "Ben")
    table.note(TableLook((640, 480), (), (DoubleOwed(0, five, "Ann", ("Ann",)),)), 0, JPEG)
    drawn = table.owed, table.hidden
    table.note(TableLook((640, 480), (), (DoubleOwed(1, six, "Ben", ("Ben",)), hides)), 1, JPEG)
    assert drawn == ({five: ("Ann",)}, {})
    assert (table.owed, table.hidden) == ({five: ("Ann",), six: ("Ben",)}, {"Ben": 0})
