#!/usr/bin/env python3
"""Take the pictures of the pages in docs/pages: a phone's screen (390 x 844) of each, and one of the laptop.

    python scripts/page_screenshots.py [NAME...]

Serves a table in memory with a made-up evening and the project's own sample photo, and lets Chromium look at it.
"""

from __future__ import annotations

import io
import random
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "web"))

import browsing  # noqa: E402
import conftest  # noqa: E402
import rendered_table  # noqa: E402

from companion.dominoes import Tile  # noqa: E402
from companion.rules.moves import Draw, Pass, Play  # noqa: E402
from companion.rules.presets import standard_book  # noqa: E402
from companion.rules.trains import TrainRef  # noqa: E402
from companion.session.events import Command  # noqa: E402
from companion.session.in_memory import memory_session  # noqa: E402
from companion.vision.table_pool import TablePool  # noqa: E402
from companion.web import Addresses, Parts, create_app  # noqa: E402
from companion.web.keys import KeyRing  # noqa: E402
from companion.web.live import LiveTables  # noqa: E402

FOLDER = ROOT / "docs" / "pages"
NAMES = ["Ann", "Ben", "Cy", "Dorte"]
COLOURS = 256
"""Of each picture's palette: enough for a photo of four square centimetres."""


def evening(session):
    """Four rounds that are over, and a fifth under way."""
    chance = random.Random(4)
    game = session.games.start(Command("evening-of-pages"), players=NAMES, preset="tournament").game
    for number in range(1, 5):
        out = NAMES[number % 4]
        for name in NAMES:
            if name != out:
                points = chance.randint(4, 66)
                session.hands.enter(Command(f"enter-{number}-{name}"), game.id, player=name, points=points)
        session.rounds.end(Command(f"end-{number}-x"), game.id, out=[out])
    plays = [("Ann", 8, 5, None), ("Ben", 8, 3, None), ("Cy", 8, 1, "mexican"), ("Dorte", 8, 2, None)]
    plays += [
        ("Ann", 5, 12, None),
        ("Ben", 3, 7, None),
        ("Cy", 1, 6, "mexican"),
        ("Dorte", 2, 9, None),
        ("Ann", 12, 12, None),
    ]
    moves = [
        Play(name, Tile.of(a, b), TrainRef.of(name) if train is None else TrainRef.parse(train), b)
        for name, a, b, train in plays
    ]
    for number, move in enumerate([*moves, Draw("Ann"), Pass("Ann")]):
        session.table.tell(Command(f"play-{number}-x"), game.id, move, anyway=True)
    picture = session.pictures.put(conftest.SAMPLE.read_bytes())
    reading = conftest.sample_reading()
    session.hands.propose(Command("propose-ben"), game.id, player="Ben", picture=picture, reading=reading)
    return game


def addresses_of(session, game):
    """What is photographed: a name, an address, whether the laptop looks, and the theme."""
    base = f"/games/{game.id}"
    return {
        "first": ("/", False, "light"),
        "new": (
            "/games/new?name=Ann&name=Ben&name=Cy&preset=casual&rules-of=casual&rule-double_blank=50",
            False,
            "light",
        ),
        "join": ("/table-code", False, "light"),
        "camera": ("/camera", False, "light"),
        "round": (f"{base}/score", False, "light"),
        "photograph": (f"{base}/rounds/5/hands/0", False, "dark"),
        "hand": (f"{base}/rounds/5/hands/1", False, "light"),
        "pad": (f"{base}/rounds/5/hands/1?tile=3", False, "light"),
        "typed": (f"{base}/rounds/5/hands/2/typed?tiles=12-5.3-3.9-0&first=4", False, "light"),
        "sheet": (base, False, "dark"),
        "cell": (f"{base}/rounds/3/cells/1", False, "light"),
        "table": (f"{base}/table?train=s1&seat=1", False, "dark"),
        "change": (f"{base}/table?change={session.table.plays(game.id)[0][0].id}", False, "light"),
        "referee": (f"{base}/referee?seat=1&hand=12-4.7-1.9-9&tile=7-1&train=s1", False, "light"),
        "rules": ("/rules", False, "light"),
        "journal": (f"{base}/journal", False, "light"),
        "learn": ("/learn", False, "light"),
        "laptop": (base, True, "light"),
        "laptop-table": (f"{base}/table", True, "dark"),
    }


def take_live(session, keys) -> None:
    """The live table while a double waits for its cover, as the laptop's camera shows it."""
    game = session.games.start(Command("live-of-pages"), players=NAMES[:3], preset="tournament").game
    pool = TablePool(ROOT / "models")
    learning, reader = conftest.FakeLearning(), conftest.FakeReader(conftest.sample_reading())
    given = Parts(
        session, reader, LiveTables(session, pool), learning, keys, lambda: Addresses("http://192.168.1.7:8080")
    )
    with tempfile.TemporaryDirectory() as folder:
        film = rendered_table.write_film(Path(folder))
        with browsing.serving(create_app(given), given.ended) as base, browsing.chromium(camera=film) as browser:
            context = browser.new_context(viewport=browsing.PHONE, color_scheme="dark", reduced_motion="reduce")
            page = context.new_page()
            page.goto(f"{base}/j/{keys.keys.code}")
            page.goto(f"{base}/games/{game.id}/table")
            page.get_by_role("button", name="Let this camera watch").click()
            page.get_by_text("must cover the 5-5").wait_for(timeout=120_000)
            page.get_by_text("Ann lays 5-5").wait_for(timeout=60_000)
            page.evaluate("window.scrollTo(0, 0)")
            (FOLDER / "live.png").write_bytes(small_png(page.screenshot()))
    pool.close()
    print("live")


def small_png(data: bytes) -> bytes:
    """The picture with a palette; photos keep their colours by dithering."""
    target = io.BytesIO()
    Image.open(io.BytesIO(data)).convert("RGB").quantize(COLOURS).save(target, "PNG", optimize=True)
    return target.getvalue()


def main() -> int:
    """Take them all, or those that are named."""
    wanted = sys.argv[1:]
    session, keys = memory_session(standard_book()), KeyRing()
    addresses = Addresses("http://192.168.1.7:8080", "https://192.168.1.7:8081", b"pem")
    live = LiveTables(session, conftest.FakeWatcher(conftest.TableLook((640, 480), (), ())))
    reader = conftest.FakeReader(conftest.sample_reading())
    given = Parts(session, reader, live, conftest.FakeLearning(), keys, lambda: addresses)
    game = evening(session)
    FOLDER.mkdir(exist_ok=True)
    with browsing.serving(create_app(given), given.ended) as base, browsing.chromium() as browser:
        for name, (path, on_laptop, theme) in addresses_of(session, game).items():
            if wanted and name not in wanted:
                continue
            size = browsing.LAPTOP if on_laptop else browsing.PHONE
            context = browser.new_context(viewport=size, color_scheme=theme, reduced_motion="reduce")
            page = context.new_page()
            page.goto(f"{base}/j/{keys.keys.code}")
            page.goto(base + path, wait_until="load")
            time.sleep(0.5)  # drawings in other files arrive after the page
            (FOLDER / f"{name}.png").write_bytes(small_png(page.screenshot()))
            context.close()
            print(name)
    if not wanted or "live" in wanted:
        take_live(session, keys)
    return 0


if __name__ == "__main__":
    sys.exit(main())
