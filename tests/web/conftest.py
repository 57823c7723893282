"""A table in memory: session and pictures of fakes, a reader that knows the sample hand, the app's own test client."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.errors import UnusablePhoto
from companion.rules.presets import standard_book
from companion.session.in_memory import memory_session
from companion.session.learning import LearningNow, Stage
from companion.sightings import Alternative, Doubt, DoubtKind, PhotoReading, ReadTile
from companion.table.look import TableLook
from companion.web import Addresses, Parts, create_app
from companion.web.keys import KeyRing
from companion.web.live import LiveTables

SAMPLE = Path(__file__).parents[2] / "datasets" / "samples" / "hand.jpg"
JPEG = b"\xff\xd8\xff"
PNG = b"\x89PNG"


def sample_reading(*, doubtful: int | None = 0) -> PhotoReading:
    """What the sample's truth says; one tile is doubted, as a reader would."""
    truth = json.loads(SAMPLE.with_suffix(".json").read_text())
    tiles = tuple(
        ReadTile(tuple(tile["ends"]), tuple(tuple(corner) for corner in tile["quad"]), 0.99) for tile in truth["tiles"]
    )
    doubts = ()
    if doubtful is not None:
        a, b = tiles[doubtful].ends
        doubts = (Doubt(doubtful, (DoubtKind.VALUE,), "look", (Alternative((a + 1, b), 0.3),)),)
    return PhotoReading(tuple(truth["size"]), truth["set"], tiles, 0, doubts)


@dataclass
class FakeReader:
    """Reads every JPEG and PNG as the hand it was told; refuses the rest."""

    reading: PhotoReading
    asked: int = 0

    def read(self, data, *, set_highest):
        self.asked += 1
        if not data.startswith((JPEG, PNG)):
            raise UnusablePhoto("not_a_picture", "no picture")
        return data, self.reading


class FakeWatcher:
    """Gives one look after another, as it was told; the last one again and again."""

    def __init__(self, *looks):
        self.looks = list(looks)
        self.settings = []

    def look(self, setting, jpeg, *, frame, time_s):
        self.settings.append(setting)
        if not jpeg.startswith(JPEG):
            raise UnusablePhoto("not_a_picture", "no picture")
        return self.looks[min(frame, len(self.looks) - 1)]


class FakeLearning:
    """Learns nothing and says so."""

    def __init__(self):
        self.state, self.learned, self.used = LearningNow(), (), False

    def now(self):
        return self.state

    def in_use(self):
        return self.used

    def missing(self, labelled):
        return () if labelled else (0, 1)

    def start(self, labelled):
        self.learned, self.state = labelled, LearningNow(Stage.RUNNING, 0.25)
        return True

    def stop(self):
        self.state = LearningNow(Stage.STOPPED)

    def forget(self):
        self.used = False

    def export(self, labelled, target):
        target.write(b"PK")
        return len(labelled)


@pytest.fixture
def learning():
    return FakeLearning()


@pytest.fixture
def watcher():
    return FakeWatcher(TableLook((640, 480), (), ()))


@pytest.fixture
def session():
    return memory_session(standard_book())


@pytest.fixture
def reader():
    return FakeReader(sample_reading())


@pytest.fixture
def keys():
    return KeyRing()


@pytest.fixture
def given(session, reader, watcher, learning, keys):
    addresses = Addresses("http://192.168.1.7:8080", "https://192.168.1.7:8081", b"-----BEGIN CERTIFICATE-----")
    return Parts(session, reader, LiveTables(session, watcher), learning, keys, lambda: addresses)


@pytest.fixture
def app(given):
    app = create_app(given)
    app.config["TESTING"] = True
    return app


class Phone:
    """A browser without scripts: follows redirects, fills in the tokens of the form that it was shown."""

    def __init__(self, app):
        self.client = app.test_client()
        self.page = ""

    def get(self, path, status=200):
        answer = self.client.get(path, follow_redirects=True)
        return self._shown(answer, status)

    def _shown(self, answer, status):
        assert answer.status_code == status, answer.text
        assert answer.content_type.startswith("text/html"), "people get pages, also when something is wrong"
        self.page, self.path = answer.text, answer.request.path
        return answer

    def token(self):
        if 'name="csrf_token"' not in self.page:
            self.get("/table-code" if "csrf-token" not in self.page else "/")
        return re.search(r'name="csrf-token" content="([^"]+)"', self.page)[1]

    def post(self, path, status=200, **fields):
        data = {"csrf_token": self.token(), **fields}
        kind = "multipart/form-data" if "photo" in fields else None
        answer = self.client.post(path, data=data, follow_redirects=True, content_type=kind)
        return self._shown(answer, status)

    def join(self, keys):
        self.get(f"/j/{keys.keys.code}")
        return self


@pytest.fixture
def phone(app, keys):
    return Phone(app).join(keys)


@pytest.fixture
def stranger(app):
    return Phone(app)


@pytest.fixture
def game(session):
    from companion.session.events import Command

    return session.games.start(Command("start"), players=["Ann", "Ben", "Cy"], preset="tournament").game
