"""An evening in a real browser: Chromium against the server that `companion serve` uses."""

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from browsing import CHROMIUM, LAPTOP, PHONE, chromium, serving, write_video
from conftest import SAMPLE, FakeLearning, FakeReader, FakeWatcher, sample_reading
from every_page import pages_of
from playwright.sync_api import Page, expect
from rendered_table import sorted_doubles, write_film
from test_table_page import EMPTY

from companion.session.events import Command
from companion.vision.learning_desk import LearningDesk
from companion.vision.photo_pool import PhotoPool
from companion.vision.table_pool import TablePool
from companion.web import Addresses, Parts, create_app
from companion.web.languages import LANGUAGES
from companion.web.live import LiveTables

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt-get install chromium"),
]
expect.set_options(timeout=30_000)
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
MODELS = Path(__file__).parents[2] / "models"


class Table:
    """A served table and a browser: `open` gives a page of a new phone or laptop that has joined."""

    def __init__(self, browser, address, given):
        self.browser, self.address, self.given, self.session = browser, address, given, given.session
        self.script_errors = []

    def open(self, path="/", size=PHONE, **options) -> Page:
        context = self.browser.new_context(viewport=size, **options)
        page = context.new_page()
        # kept, not raised: what a callback raises ends Playwright's event loop, and nobody hears what failed
        page.on("pageerror", lambda error: self.script_errors.append(error.stack or str(error)))
        page.goto(f"{self.address}/j/{self.given.keys.keys.code}")
        page.goto(self.address + path)
        return page


@pytest.fixture
def make_table(session, keys):
    """Serve a table with this reader and watcher, and open a browser for it."""
    import contextlib

    tables = []
    with contextlib.ExitStack() as stack:

        def make(reader=None, watcher=None, camera=None, learning=None) -> Table:
            live = LiveTables(session, watcher or FakeWatcher(EMPTY))
            addresses = Addresses("http://192.168.1.7:8080", "https://192.168.1.7:8081", b"pem")
            given = Parts(
                session,
                reader or FakeReader(sample_reading()),
                live,
                learning or FakeLearning(),
                keys,
                lambda: addresses,
            )
            address = stack.enter_context(serving(create_app(given), given.ended))
            tables.append(Table(stack.enter_context(chromium(camera=camera)), address, given))
            return tables[-1]

        yield make
    failed = [error for table in tables for error in table.script_errors]
    assert not failed, "scripts failed:\n" + "\n".join(failed)


@pytest.fixture
def photo_pool() -> Iterator[PhotoPool]:
    pool = PhotoPool(MODELS)
    pool.warm_up()
    yield pool
    pool.close()


@pytest.fixture
def table_pool() -> Iterator[TablePool]:
    pool = TablePool(MODELS)
    yield pool
    pool.close()


def expect_tiles(page, count):
    """So many outlined tiles, or what the page says instead."""
    try:
        expect(page.locator(".stage .quad")).to_have_count(count)
    except AssertionError as error:
        raise AssertionError(f"{error}\nThe page says: {page.locator('main').inner_text()}") from error


def expect_loaded(image):
    """A picture that has come, perhaps after one that the page is still loading.

    Playwright's own `wait_for_function` asks a second time by `eval`, which the pages' content security policy forbids.
    """
    expect(image).not_to_have_js_property("naturalWidth", 0)


def begin(page, names):
    page.get_by_role("link", name="New game").click()
    for number, name in enumerate(names, start=1):
        page.get_by_label(f"Name at seat {number}").fill(name)
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_text("Round 1 of 13")).to_be_visible()


def photograph(page, player, tiles):
    page.locator("main .list").get_by_text(player).click()
    page.locator("form[data-camera] input[type=file]").first.set_input_files(SAMPLE)
    expect_tiles(page, tiles)


def first_round(page):
    """The page of round 1, where Cy is out."""
    begin(page, ["Ann", "Ben", "Cy"])
    page.get_by_role("link", name="Count round 1").click()
    page.get_by_role("button", name="Cy", exact=True).click()
    expect(page.get_by_role("button", name="Cy ✓")).to_be_visible()


def first_hand(page):
    """The page of Ann's hand in it, as it opens."""
    first_round(page)
    page.locator("main .list").get_by_text("Ann").click()
    expect(page.locator("form[data-camera] input[type=file]").first).to_be_attached()


def test_a_photo_chosen_before_the_scripts_run_is_read(make_table):
    page = make_table().open()
    first_hand(page)
    held = []

    def hold(route):
        held.append(route)

    page.route("**/static/camera.js", hold)
    page.reload(wait_until="commit")
    page.locator("form[data-camera] input[type=file]").first.set_input_files(SAMPLE)
    page.wait_for_timeout(200)
    assert held
    held[0].continue_()
    expect_tiles(page, 8)


def test_a_photo_chosen_as_the_page_is_put_in_place_is_read(make_table):
    page = make_table().open()
    first_round(page)
    # htmx tells the scripts of a new page some 20 ms after it is there; here the photo comes within the same turn
    page.evaluate(
        """(bytes) => new MutationObserver((changes, observer) => {
        const input = document.querySelector("form[data-camera] input[type=file]");
        if (!input) return;
        observer.disconnect();
        const chosen = new DataTransfer();
        chosen.items.add(new File([Uint8Array.from(bytes)], "photo.jpg", { type: "image/jpeg" }));
        input.files = chosen.files;
        input.dispatchEvent(new Event("change", { bubbles: true }));
    }).observe(document.body, { childList: true, subtree: true })""",
        list(SAMPLE.read_bytes()),
    )
    page.locator("main .list").get_by_text("Ann").click()
    expect_tiles(page, 8)
    page.wait_for_timeout(500)
    assert page.locator(".stage[data-photo]").count() == 1


def test_an_older_page_never_takes_the_place_of_what_was_read(make_table):
    page = make_table().open()
    first_hand(page)
    older = []
    page.route(page.url, lambda route: older.append((route, route.fetch())), times=1)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_timeout(300)
    assert older
    page.locator("form[data-camera] input[type=file]").first.set_input_files(SAMPLE)
    expect_tiles(page, 8)
    route, response = older[0]
    route.fulfill(response=response)
    page.wait_for_timeout(500)
    expect_tiles(page, 8)


def test_a_lesson_from_the_photo_to_its_end(make_table, session, tmp_path):
    learned = tmp_path / "learned" / "set.npz"
    pool = PhotoPool(MODELS, learned=learned)
    try:
        page = make_table(reader=pool, learning=LearningDesk(MODELS, learned, session.pictures.get)).open("/learn")
        photo = cv2.imencode(".png", sorted_doubles())[1].tobytes()
        page.locator("form[data-camera] input[type=file]").set_input_files(
            {"name": "doubles.png", "mimeType": "image/png", "buffer": photo}
        )
        expect_tiles(page, 13)
        page.get_by_role("button", name="All are right").click()
        page.get_by_role("button", name="Learn now").click()
        told = page.locator(".say", has_text="Photos are read as before").or_(
            page.get_by_text("from the next photo on")
        )
        expect(told).to_be_visible(timeout=240_000)
        expect(page.get_by_role("alert")).to_have_count(0)
        used = page.get_by_role("button", name="Forget what was learned")
        expect(used).to_have_count(int(learned.exists()))
    finally:
        pool.close()


def middle_of(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def names_in_order(page):
    return [field.input_value() for field in page.locator("#seats input[name=name]").all()]


def test_names_are_dragged_round_the_drawn_table(make_table, session):
    page = make_table().open("/games/new", reduced_motion="reduce")
    expect(page.locator("#round-table")).to_be_hidden()
    for number, name in enumerate(["Ann", "Ben", "Cy", "Dorte"], start=1):
        page.get_by_label(f"Name at seat {number}").fill(name)
    chips = {name: page.locator(".seat-chip", has_text=name) for name in ("Ann", "Ben", "Cy", "Dorte")}
    places = {name: middle_of(chip) for name, chip in chips.items()}
    # Ann sits nearest, then clockwise: left, across, right
    assert places["Ann"][1] > places["Ben"][1] > places["Cy"][1]
    assert places["Ben"][0] < places["Ann"][0] < places["Dorte"][0]

    page.mouse.move(*places["Ann"])
    page.mouse.down()
    page.mouse.move(*places["Ben"], steps=8)
    page.mouse.move(*places["Cy"], steps=8)
    page.mouse.up()
    assert names_in_order(page) == ["Ben", "Cy", "Ann", "Dorte"]
    expect(page.locator(".seat-chip.dragged")).to_have_count(0)
    assert middle_of(chips["Ann"]) == pytest.approx(places["Cy"], abs=2)

    page.get_by_label("Name at seat 2").fill("Carl")
    expect(page.locator(".seat-chip")).to_have_text(["Ann", "Ben", "Carl", "Dorte"])
    page.get_by_label("Name at seat 2").fill("")
    expect(page.locator(".seat-chip")).to_have_text(["Ann", "Ben", "Dorte"])
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_text("Round 1 of 13")).to_be_visible()
    (game,) = session.games.list()
    assert [player.name for player in game.players] == ["Ben", "Ann", "Dorte"]


def test_a_table_of_fourteen_fits_a_narrow_phone(make_table):
    page = make_table().open("/games/new", {"width": 360, "height": 740})
    for number in range(1, 15):
        if number > 4:
            page.get_by_role("link", name="One more player").click()
        page.get_by_label(f"Name at seat {number}", exact=True).fill(f"Longname {number}")
    colours = [field.input_value() for field in page.locator("#seats input[name=colour]").all()]
    assert len(set(colours)) == 14
    chips = page.locator(".seat-chip")
    expect(chips).to_have_count(14)
    for chip in chips.all():
        box = chip.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 360
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def type_points(page, player, points):
    page.locator("main .list").get_by_text(player).click()
    page.get_by_role("link", name="Type it in").click()
    page.get_by_text("Only the number").click()
    page.get_by_label("Points").fill(str(points))
    page.get_by_role("button", name="Write it down").click()


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_an_evening_of_three_rounds(make_table, photo_pool, session, size):
    truth = json.loads(SAMPLE.with_suffix(".json").read_text())["tiles"]
    pips = sum(sum(tile["ends"]) for tile in truth)
    table = make_table(reader=photo_pool if size == PHONE else None)
    page = table.open(size=size)
    begin(page, ["Ann", "Ben", "Cy"])
    for number, out in enumerate(("Ann", "Ben", "Cy"), start=1):
        page.get_by_role("link", name=f"Count round {number}").click()
        page.get_by_role("button", name=out, exact=True).click()
        expect(page.get_by_role("button", name=f"{out} ✓")).to_be_visible()
        scorer, typed = [name for name in ("Ann", "Ben", "Cy") if name != out]
        photograph(page, scorer, len(truth))
        if number == 2:  # one correction, by two taps: the tile, then the value of one end
            was = session.games.list()[0].round(2).open_hand(scorer).tiles[3].ends
            page.locator(".stage a").nth(3).click()
            keys = page.locator("#pad .keys").first
            keys.get_by_role("button", name="12" if was[0] != 12 else "11", exact=True).click()
            page.get_by_role("button", name="Done").click()
            expect(page.locator("#pad")).to_have_count(0)
        page.locator(".act button").click()
        expect(page.get_by_role("heading", name=f"Round {number}")).to_be_visible()
        type_points(page, typed, 30)
        page.get_by_role("button", name=f"End round {number}").click()
        expect(page.get_by_text(f"Round {number + 1} of 13")).to_be_visible()
    sheet = session.rounds.sheet(session.games.list()[0].id)
    first = {cell.player: cell.points for cell in sheet.rows[0].cells}
    assert first == {"Ann": 0, "Ben": pips, "Cy": 30}
    corrected = session.games.list()[0].round(2).scores["Ann"].now
    assert any(tile.checked for tile in corrected.tiles)
    expect(page.locator("svg.chart polyline")).to_have_count(3)
    page.get_by_role("link", name="Ben, round 1").click()
    expect(page.locator("img.proof")).to_be_visible()
    expect_loaded(page.locator("img.proof"))
    assert page.locator("img.proof").evaluate("image => image.naturalWidth") > 100


def test_a_tie_is_told(make_table, session):
    game = session.games.start(Command("tie-game"), players=["Ann", "Ben"], preset="casual").game
    table = make_table()
    page = table.open(f"/games/{game.id}/score")
    page.get_by_role("button", name="Nobody, it is blocked").click()
    for player in ("Ann", "Ben"):
        type_points(page, player, 25)
    page.get_by_role("button", name="End round 1").click()
    expect(page.get_by_text("Level in front: Ann, Ben.")).to_be_visible()
    assert page.locator(".scores .total.best").all_inner_texts() == ["25", "25"]


def test_two_phones_and_a_laptop_see_each_others_changes(make_table, session, game):
    table = make_table()
    laptop = table.open(f"/games/{game.id}", size=LAPTOP)
    one, two = table.open(f"/games/{game.id}/score"), table.open(f"/games/{game.id}")
    one.get_by_role("button", name="Ann", exact=True).click()
    type_points(one, "Ben", 41)
    for page in (laptop, two):
        expect(page.get_by_role("link", name="Ben, round 1: 41")).to_be_visible()
    two.get_by_role("link", name="Count round 1").click()
    type_points(two, "Cy", 17)
    expect(laptop.get_by_role("link", name="Cy, round 1: 17")).to_be_visible()
    expect(one.get_by_role("button", name="End round 1")).to_be_visible()
    one.get_by_role("button", name="End round 1").click()
    expect(laptop.get_by_text("Round 2 of 13")).to_be_visible()


def test_what_somebody_types_survives_the_others_changes(make_table, session, game):
    table = make_table()
    page = table.open(f"/games/{game.id}/rounds/1/hands/0/typed")
    page.get_by_text("Only the number").click()
    page.get_by_label("Points").fill("5")
    session.hands.enter(Command("from-elsewhere"), game.id, player="Ben", points=9)
    expect(page.locator("#page")).to_have_attribute("data-version", "2")
    expect(page.get_by_label("Points")).to_have_value("5")


def test_a_double_tap_and_the_back_button_lose_and_double_nothing(make_table, session, game):
    table = make_table()
    page = table.open(f"/games/{game.id}/score")
    photograph(page, "Ben", 8)
    page.locator(".act button").dblclick()
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    assert len(session.games.get(game.id).round(1).scores["Ben"].history) == 1
    page.go_back()
    expect(page.get_by_text("On the sheet: 85")).to_be_visible()
    page.reload()
    assert len(session.games.get(game.id).round(1).scores["Ben"].history) == 1


def test_a_tap_beside_the_tiles_adds_one(make_table, session, game):
    page = make_table().open(f"/games/{game.id}/score")
    photograph(page, "Ben", 8)
    box = page.locator("[data-photo]").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.1, box["y"] + box["height"] * 0.15)
    expect_tiles(page, 9)
    expect(page.locator("#pad")).to_be_visible()


def test_the_camera_takes_a_hand_with_its_shutter(make_table, session, game, tmp_path):
    page = make_table(camera=write_video(tmp_path)).open(f"/games/{game.id}/rounds/1/hands/1")
    page.get_by_text("Photograph Ben's hand").click()
    page.get_by_role("button", name="Take the photo").click()
    expect_tiles(page, 8)


def test_an_uncovered_double_appears_on_the_live_table_and_goes(make_table, table_pool, session, game, tmp_path):
    """The whole way: Chromium's camera, frames, the networks, the watch, the game, and every phone."""
    table = make_table(watcher=table_pool, camera=write_film(tmp_path))
    page, other = table.open(f"/games/{game.id}/table", size=LAPTOP), table.open(f"/games/{game.id}/table")
    page.get_by_role("button", name="Let this camera watch").click()
    for shown_on in (page, other):
        expect(shown_on.get_by_text("Ann must cover the 5-5.")).to_be_visible(timeout=180_000)
        expect(shown_on.get_by_text("Ann lays 5-5 on Ann's train.")).to_be_visible()
    for shown_on in (page, other):
        expect(shown_on.get_by_text("Ann lays 5-1 on Ann's train.")).to_be_visible(timeout=180_000)
        expect(shown_on.get_by_text("Ann must cover the 5-5.")).to_have_count(0)
    pictures = {str(play.move): play.pictures for play, _ in session.table.plays(game.id)}
    assert pictures["Ann 5-5"] and pictures["Ann 5-1"]
    assert pictures["Ann 12-5"] == ()  # it lay there before the camera came
    page.get_by_role("button", name="Stop watching").click()
    expect_loaded(other.locator("#live img"))


def test_a_play_that_was_another_is_put_right(make_table, session, game):
    page = make_table().open(f"/games/{game.id}/table")
    for player, end in (("Ann", 5), ("Ben", 3)):
        page.get_by_role("link", name=f"{player}'s train").click()
        page.locator("#pad").get_by_role("button", name=str(end), exact=True).click()
    page.locator("li", has_text="Ann lays 12-5").get_by_role("link", name="It was another").click()
    pad = page.locator("#pad")
    expect(pad.get_by_role("button", name="5", exact=True)).to_have_attribute("aria-pressed", "true")
    pad.get_by_role("link", name="Mexican train").click()
    pad.get_by_role("link", name="Cy", exact=True).click()
    pad.get_by_role("button", name="7", exact=True).click()
    expect(page.get_by_text("Cy lays 12-7")).to_be_visible()
    expect(page.locator("#pad")).to_have_count(0)
    expect(page.get_by_text("Ann lays 12-5")).to_have_count(0)


def test_an_appeal_to_the_referee(make_table, session, game):
    page = make_table().open(f"/games/{game.id}/table")
    page.get_by_role("link", name="Ann's train").click()
    page.locator("#pad").get_by_role("button", name="5", exact=True).click()
    page.get_by_role("link", name="Ben's train").click()
    page.locator("#pad").get_by_role("button", name="3", exact=True).click()
    page.get_by_role("link", name="Ann's train").click()  # it is Cy's turn, who plays on a closed train
    page.locator("#pad").get_by_role("button", name="1", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("closed")
    page.get_by_role("button", name="Let it stand anyway").click()
    page.get_by_role("link", name="Was that legal?").first.click()
    expect(page.get_by_text("No.", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="R-05")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_barrier_on_any_page(make_table, session, game, theme):
    table = make_table()
    page = table.open(color_scheme=theme, bypass_csp=True, reduced_motion="reduce")
    found = {}
    for name, path in pages_of(session, game).items():
        page.goto(table.address + path)
        page.add_script_tag(path=AXE)
        violations = page.evaluate("axe.run().then((result) => result.violations)")
        if violations:
            found[name] = [(v["id"], [node["html"][:120] for node in v["nodes"][:3]]) for v in violations]
    assert found == {}


def test_no_page_scrolls_sideways_on_a_narrow_phone(make_table, session, game):
    table = make_table()
    page = table.open(size={"width": 360, "height": 740})
    wide = {}
    for name, path in pages_of(session, game).items():
        page.goto(table.address + path)
        if (width := page.evaluate("document.documentElement.scrollWidth")) > 360:
            wide[name] = width
    assert wide == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_once(make_table, session, game, language):
    table = make_table()
    page = table.open(locale={"nb": "nb-NO"}.get(language, language))
    for path in pages_of(session, game).values():
        page.goto(table.address + path)
        assert page.locator("html").get_attribute("lang") == language
        text = page.locator("body").inner_text()
        assert not [word for word in ("undefined", "NaN", "None", "%(") if word in text]
