"""Reading in another process: what comes back, what goes wrong, what happens when that process dies."""

import json
import os
from pathlib import Path

import pytest

from companion.errors import ModelMissing, UnusablePhoto
from companion.rules.presets import standard_book
from companion.session.examples import LabelledPicture, LabelledTile
from companion.table.look import WatchSetting
from companion.vision.learning_desk import LearningDesk
from companion.vision.photo_pool import PhotoPool
from companion.vision.table_pool import TablePool
from companion.vision.worker import ReaderStopped, Worker

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "datasets" / "samples" / "hand.jpg"


def answer():
    return 42


def die():
    os._exit(3)


def refuse():
    raise UnusablePhoto("too_dark", "too dark")


@pytest.fixture(scope="module")
def worker():
    made = Worker(ROOT / "models")
    yield made
    made.close()


def test_work_is_done_elsewhere_and_its_refusals_come_back_whole(worker):
    assert worker.run(answer) == 42
    with pytest.raises(UnusablePhoto) as caught:
        worker.run(refuse)
    assert (caught.value.code, caught.value.message) == ("too_dark", "too dark")


def test_a_process_that_dies_takes_nothing_along_and_is_started_again(worker):
    with pytest.raises(ReaderStopped, match="once more"):
        worker.run(die)
    assert worker.run(answer) == 42


def test_missing_weights_are_told_when_a_photo_comes(tmp_path):
    pool = PhotoPool(tmp_path)
    try:
        with pytest.raises(ModelMissing):
            pool.read(SAMPLE.read_bytes(), set_highest=12)
    finally:
        pool.close()


def test_a_photo_is_read_and_comes_back_without_what_else_the_file_held():
    truth = {tuple(sorted(tile["ends"])) for tile in json.loads(SAMPLE.with_suffix(".json").read_text())["tiles"]}
    pool = PhotoPool(ROOT / "models")
    try:
        jpeg, reading = pool.read(SAMPLE.read_bytes() + b"and a secret", set_highest=12)
        assert {tuple(sorted(tile.ends)) for tile in reading.tiles} == truth
        assert jpeg.startswith(b"\xff\xd8\xff") and b"secret" not in jpeg
        with pytest.raises(UnusablePhoto) as caught:
            pool.read(b"<html></html>", set_highest=12)
        assert caught.value.code == "not_a_picture"
    finally:
        pool.close()


def test_a_table_is_watched_frame_by_frame():
    setting = WatchSetting("table", standard_book().rules("tournament"), ("Ann", "Ben"), 12)
    pool = TablePool(ROOT / "models")
    try:
        looks = [pool.look(setting, SAMPLE.read_bytes(), frame=number, time_s=number * 0.3) for number in range(4)]
    finally:
        pool.close()
    assert looks[-1].size_wh == (1600, 1200)
    assert len(looks[-1].tiles) == 8
    assert sum(len(look.events) for look in looks) > 0


def test_values_that_are_not_shown_twice_are_missing(tmp_path):
    desk = LearningDesk(ROOT / "models", tmp_path / "set.npz", lambda picture: b"")
    quad = ((0.0, 0.0), (1.0, 0.0), (1.0, 2.0), (0.0, 2.0))
    doubles = tuple(LabelledTile((value, value), quad) for value in range(6))
    assert desk.missing([LabelledPicture("p", (10, 10), 6, (*doubles, LabelledTile((6, 5), quad)))]) == (6,)
    assert desk.missing([]) == () and not desk.in_use()
