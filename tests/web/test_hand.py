import io

import pytest
from conftest import SAMPLE

from companion.session.events import Command, HandProposed


@pytest.fixture
def hand(phone, game):
    phone.base = f"/games/{game.id}/rounds/1/hands/0"
    phone.get(phone.base)
    return phone


def photo(data=None, name="photo.jpg"):
    return (io.BytesIO(SAMPLE.read_bytes() if data is None else data), name)


def tiles(session, game, player="Ann"):
    return [tile.ends for tile in session.games.get(game.id).round(1).open_hand(player).tiles]


@pytest.fixture
def photographed(hand):
    hand.post(f"{hand.base}/photos", photo=photo())
    return hand


def score(session, game, player="Ann"):
    return session.rounds.sheet(game.id).rows[0].cells[game.names.index(player)].points


def test_a_photo_comes_back_with_its_tiles_and_their_sum(photographed):
    page = photographed.page
    assert page.count('class="quad') == 8
    assert ">85</output>" in page
    assert "1-0? Look: 1 or 2." in page
    assert "Ann scores 85, one tile not checked" in page


def test_two_taps_change_a_value(photographed, session, game):
    photographed.get(f"{photographed.base}?tile=0")
    assert 'id="pad"' in photographed.page
    photographed.post(f"{photographed.base}/tiles/0", set="0:9", was="1-0")
    assert tiles(session, game)[0] == (9, 0)
    assert "Ann scores 93" in photographed.page or 'id="pad"' in photographed.page
    photographed.get(photographed.base)
    assert "Ann scores 93" in photographed.page and "not checked" not in photographed.page


def test_yes_it_is_so_needs_one_tap(photographed, session, game):
    photographed.post(f"{photographed.base}/tiles/0", ends="1-0", was="1-0")
    assert "not checked" not in photographed.page
    assert tiles(session, game)[0] == (1, 0)


def test_a_thing_that_is_no_tile_goes(photographed, session, game):
    photographed.post(f"{photographed.base}/tiles/0", remove="1", was="1-0")
    assert len(tiles(session, game)) == 7


def test_a_tap_on_the_table_adds_a_tile_there_and_opens_its_pad(photographed, session, game):
    picture = session.games.get(game.id).round(1).open_hand("Ann").photos[0].picture
    photographed.post(f"{photographed.base}/tiles", picture=picture, x="700", y="900")
    added = session.games.get(game.id).round(1).open_hand("Ann").tiles[-1]
    assert added.wants_look and added.picture == picture
    assert min(x for x, _ in added.quad_px) < 700 < max(x for x, _ in added.quad_px)
    assert 'id="pad"' in photographed.page


def test_what_somebody_else_changed_meanwhile_is_not_changed_blindly(photographed, session, game):
    photographed.post(f"{photographed.base}/tiles/0", set="0:5", was="1-0")
    photographed.post(f"{photographed.base}/tiles/0", status=409, set="0:9", was="1-0")
    assert tiles(session, game)[0] == (5, 0)
    assert "Somebody else changed this hand" in photographed.page


def test_confirm_writes_the_score_and_the_photo_stays_as_proof(photographed, session, game):
    hand_id = session.games.get(game.id).round(1).open_hand("Ann").id
    photographed.post(f"{photographed.base}/confirm", hand=str(hand_id))
    assert score(session, game) == 85
    photographed.get(f"/games/{game.id}/rounds/1/cells/0")
    picture = session.games.get(game.id).round(1).scores["Ann"].now.pictures[0]
    assert f"/pictures/{picture}.jpg" in photographed.page
    answer = photographed.client.get(f"/pictures/{picture}.jpg")
    assert answer.data == SAMPLE.read_bytes() and answer.content_type == "image/jpeg"
    assert "sandbox" in answer.headers["Content-Security-Policy"]


def test_a_double_tap_scores_once(photographed, session, game):
    hand_id = str(session.games.get(game.id).round(1).open_hand("Ann").id)
    for _ in range(2):
        photographed.post(f"{photographed.base}/confirm", hand=hand_id, command="one-and-the-same")
    assert len(session.games.get(game.id).round(1).scores["Ann"].history) == 1


def test_two_people_confirming_one_hand_score_it_once(photographed, session, game):
    hand_id = session.games.get(game.id).round(1).open_hand("Ann").id
    session.hands.confirm(Command("somebody-else", "Ben"), game.id, hand_id)
    photographed.post(f"{photographed.base}/confirm", status=409, hand=str(hand_id))
    assert "Ben confirmed this hand already" in photographed.page
    assert len(session.games.get(game.id).round(1).scores["Ann"].history) == 1


def test_a_score_that_is_there_is_replaced_only_on_a_second_word(photographed, session, game):
    session.hands.enter(Command("typed"), game.id, player="Ann", points=12)
    hand_id = str(session.games.get(game.id).round(1).open_hand("Ann").id)
    photographed.post(f"{photographed.base}/confirm", status=409, hand=hand_id)
    assert "Write 85 instead" in photographed.page and score(session, game) == 12
    photographed.post(f"{photographed.base}/confirm", hand=hand_id, replace="1")
    assert score(session, game) == 85


def test_several_photos_make_one_hand_and_again_begins_anew(photographed, session, game):
    photographed.post(f"{photographed.base}/photos", photo=photo(SAMPLE.read_bytes() + b" "), more="1")
    hand = session.games.get(game.id).round(1).open_hand("Ann")
    assert len(hand.photos) == 2 and len(hand.tiles) == 8
    photographed.post(f"{photographed.base}/photos", photo=photo(SAMPLE.read_bytes() + b"  "))
    assert len(session.games.get(game.id).round(1).open_hand("Ann").photos) == 1


def test_the_same_upload_sent_again_is_one_photo(hand, session, game):
    for _ in range(2):
        hand.post(f"{hand.base}/photos", photo=photo(), command="sent-twice-over")
    proposed = [entry for entry in session.games.journal(game.id) if isinstance(entry.event, HandProposed)]
    assert len(proposed) == 1


def test_a_tile_that_is_in_another_hand_is_told(photographed, session, game):
    hand_id = session.games.get(game.id).round(1).open_hand("Ann").id
    session.hands.confirm(Command("confirm-ann"), game.id, hand_id)
    other = f"/games/{game.id}/rounds/1/hands/1"
    photographed.post(f"{other}/photos", photo=photo())
    assert "is in the hand of Ann" in photographed.page and "See the photo" in photographed.page


@pytest.mark.parametrize("data", [b"", b"<html></html>", b"PK\x03\x04zip", b"%PDF-1.7"])
def test_what_is_no_photo_is_refused_and_nothing_is_lost(photographed, session, game, data):
    photographed.post(f"{photographed.base}/photos", status=422, photo=photo(data))
    assert "not a photo" in photographed.page
    assert len(tiles(session, game)) == 8


def test_no_photo_and_too_many_are_told(hand):
    hand.post(f"{hand.base}/photos", status=422)
    assert "No photo arrived" in hand.page
    hand.post(f"{hand.base}/photos", status=422, photo=[photo() for _ in range(7)])
    assert "at most 6" in hand.page


def test_typed_tiles_stand_in_the_address(hand, session, game):
    hand.get(f"{hand.base}/typed?tiles=12-5.3-3&first=4")
    assert ">23</output>" in hand.page and "tiles=12-5.3-3.4-9" in hand.page
    hand.post(f"{hand.base}/typed", tiles="12-5.3-3.4-9")
    assert score(session, game) == 36


def test_a_number_alone_will_do(hand, session, game):
    hand.post(f"{hand.base}/typed", points="57")
    assert score(session, game) == 57


@pytest.mark.parametrize("points", ["many", "", "1e3", "99999", "٣"])
def test_a_number_that_is_none_is_told(hand, session, game, points):
    hand.post(f"{hand.base}/typed", status=409, points=points)
    assert score(session, game) is None


def test_there_is_no_such_seat_or_round(phone, game):
    phone.get(f"/games/{game.id}/rounds/1/hands/3", status=404)
    phone.get(f"/games/{game.id}/rounds/2/hands/0", status=404)
