import io

from conftest import SAMPLE

from companion.session.learning import LearningNow, Stage


def photograph(phone):
    phone.get("/learn")
    phone.post("/learn/photos", set="12", photo=(io.BytesIO(SAMPLE.read_bytes()), "doubles.jpg"))


def test_what_was_read_is_looked_at_mended_and_kept(phone, session):
    photograph(phone)
    assert phone.page.count('class="quad') == 8 and session.examples.all() == ()
    base = phone.path
    phone.post(f"{base}/tiles/0", set="0:7", was="1-0")
    assert 'id="pad"' in phone.page
    phone.post(f"{base}/tiles/1", remove="1", was="0-0")
    phone.get(base)
    phone.post(f"{base}/keep")
    (labelled,) = session.examples.all()
    assert labelled.tiles[0].ends == (7, 0) and len(labelled.tiles) == 7
    assert phone.path == "/learn" and "1 photos with 7 tiles" in phone.page


def test_learning_goes_on_in_the_background_and_can_be_stopped(phone, learning):
    photograph(phone)
    phone.post(f"{phone.path}/keep")
    phone.post("/learn/start")
    assert len(learning.learned) == 1
    assert "Learning: 25 %" in phone.page and "data-refresh" in phone.page
    phone.post("/learn/stop")
    assert "Learning was stopped" in phone.page


def test_it_is_told_whether_it_reads_better(phone, learning):
    learning.state = LearningNow(Stage.DONE, 1.0, used=True, halves=26, wrong=(9, 2))
    phone.get("/learn")
    assert "misread 9 views before and 2 now" in phone.page
    learning.state = LearningNow(Stage.DONE, 1.0, used=True, halves=26, wrong=(2, 2))
    phone.get("/learn")
    assert "surer of them" in phone.page
    learning.state = LearningNow(Stage.DONE, 1.0, used=False, halves=26, wrong=(2, 3))
    phone.get("/learn")
    assert "read as before" in phone.page


def test_the_examples_can_be_taken_away(phone):
    answer = phone.client.get("/learn/examples.zip")
    assert answer.data == b"PK" and answer.content_type == "application/zip"


def test_what_is_no_photo_is_told(phone):
    phone.get("/learn")
    phone.post("/learn/photos", status=422, photo=(io.BytesIO(b"<html>"), "x.jpg"))
    assert "not a photo" in phone.page


def test_a_photo_that_is_forgotten_is_not_there(phone):
    phone.get("/learn/photos/" + "0" * 64, status=404)
