"""The whole reader with the weights that ship, on the picture that ships."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from shaking import shaken

from companion.errors import ModelMissing, UnusablePhoto
from companion.sightings import DoubtKind, PhotoReading
from companion.training.scenes import tileless_scene
from companion.vision import candidates
from companion.vision.candidates import if_sure_of_some
from companion.vision.concluding import conclude, explain
from companion.vision.corners import lie_just_there
from companion.vision.decode import Decoded
from companion.vision.locate import Located
from companion.vision.pips import nothing_counted
from companion.vision.read_parameters import ReadParameters
from companion.vision.reader import PhotoReader
from companion.vision.rectify import TILE_CUT, Pyramid
from companion.vision.seen import SeenTile
from companion.vision.values import ValueReading, read_values

ROOT = Path(__file__).parent.parent.parent
SAMPLE = ROOT / "datasets/samples/hand.jpg"
TRUTH = json.loads(SAMPLE.with_suffix(".json").read_text())


@pytest.fixture(scope="module")
def reader() -> PhotoReader:
    return PhotoReader.load(ROOT / "models")


def hand_of(reading: PhotoReading) -> Counter[tuple[int, ...]]:
    return Counter(tuple(sorted(t.ends)) for t in reading.tiles)


TRUE_HAND = Counter(tuple(sorted(t["ends"])) for t in TRUTH["tiles"])


def test_the_sample_is_read_tile_for_tile(reader: PhotoReader) -> None:
    image = cv2.imread(str(SAMPLE))
    reading = reader.read(image)
    assert hand_of(reading) == TRUE_HAND
    assert reading.pips == 85
    assert reading.set_highest == 12
    assert reading.size_wh == (image.shape[1], image.shape[0])
    for true in TRUTH["tiles"]:
        quad = np.array(true["quad"])
        width = np.linalg.norm(quad[0] - quad[1])
        near = [t for t in reading.tiles if np.linalg.norm(np.mean(t.quad_px, 0) - quad.mean(0)) < width / 2]
        assert len(near) == 1
        # a double reads the same either way round
        turns = {k for k in (0, 2) if tuple(np.roll(true["ends"], k // 2)) == near[0].ends}
        off = [np.linalg.norm(np.array(near[0].quad_px) - np.roll(quad, k, axis=0), axis=1).max() for k in turns]
        assert min(off) < 0.2 * width


@pytest.mark.parametrize("turn", [cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE])
def test_a_turned_photo_reads_the_same(reader: PhotoReader, turn: int) -> None:
    assert hand_of(reader.read(cv2.rotate(cv2.imread(str(SAMPLE)), turn))) == TRUE_HAND


def test_a_photo_that_a_hand_shook_is_sharpened_and_read(reader: PhotoReader) -> None:
    image = shaken(cv2.imread(str(SAMPLE)), 42, 130)
    once = conclude(*reader.see(image), image.shape[1::-1], None, reader.parameters)
    assert hand_of(once) != TRUE_HAND
    assert hand_of(reader.read(image)) == TRUE_HAND
    assert "steady" in reader.timings


@pytest.mark.parametrize("scale", [0.35, 2.0])
def test_smaller_and_larger_photos_read_the_same(reader: PhotoReader, scale: float) -> None:
    image = cv2.resize(cv2.imread(str(SAMPLE)), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    assert hand_of(reader.read(image)) == TRUE_HAND


def test_a_table_without_tiles_is_told_apart(reader: PhotoReader) -> None:
    with pytest.raises(UnusablePhoto) as caught:
        reader.read(np.random.default_rng(0).integers(90, 140, (480, 640, 3)).astype(np.uint8))
    assert caught.value.code in ("no_tiles", "blurred")
    with pytest.raises(UnusablePhoto) as caught:
        reader.read(np.full((480, 640, 3), 2, np.uint8))
    assert caught.value.code == "too_dark"


def test_stages_are_timed(reader: PhotoReader) -> None:
    reader.read(cv2.imread(str(SAMPLE)))
    assert set(reader.timings) == {"locate", "corners", "values", "look again", "pips", "inks", "decode"}
    assert all(seconds >= 0 for seconds in reader.timings.values())


def test_the_pip_counter_is_asked_about_tiles_that_the_first_reader_is_not_sure_of(reader: PhotoReader) -> None:
    def asked_and_sure(image: np.ndarray) -> list[tuple[bool, bool]]:
        return [
            (bool(np.ptp(tile.pips[0].values) > 0), bool(np.exp(tile.values.values).max(1).min() >= sure))
            for tile in reader.see(image)[0]
        ]

    sure = reader.parameters.sure_alone
    image = cv2.imread(str(SAMPLE))
    clear, blurred = asked_and_sure(image), asked_and_sure(cv2.GaussianBlur(image, (0, 0), 9))
    assert not any(asked for asked, _ in clear) or any(not is_sure for _, is_sure in clear)
    assert any(not is_sure for _, is_sure in blurred)
    assert all(asked for asked, is_sure in clear + blurred if not is_sure)


def test_weights_that_are_not_those_of_the_manifest_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing):
        PhotoReader.load(tmp_path)
    for path in filter(Path.is_file, (ROOT / "models").iterdir()):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "pips.onnx").write_bytes(b"not these")
    with pytest.raises(ModelMissing, match="pips"):
        PhotoReader.load(tmp_path)


def test_doubts_are_said_in_words() -> None:
    found = Decoded((9, 4), 0.7, (((8, 4), 0.25),), False)
    assert explain(found, (DoubtKind.VALUE,), 12) == "the 9 of 9-4 could be a 8: look at it"
    twice = Decoded((5, 6), 0.99, (), True)
    assert "DUPLICATE" in explain(twice, (DoubtKind.DUPLICATE,), 12)
    beyond = explain(Decoded((13, 1), 0.99, (), False), (DoubtKind.NOT_IN_SET, DoubtKind.CUT), 12)
    assert "double-12" in beyond and "cut" in beyond


def believed(*beliefs: float, read: float = 0.9) -> list[SeenTile]:
    """Tiles of which only the belief matters, and how surely both halves are read."""
    shares = np.full((2, 19), (1 - read) / 18)
    shares[:, 3] = read
    blank = ValueReading(np.log(shares), np.log([0.9, 0.05, 0.05]))
    count = nothing_counted(np.zeros((0, 3)))
    quad = np.array([[0, 0], [10, 0], [10, 20], [0, 20]], np.float64)
    return [SeenTile(quad, 0.5, np.exp(blank.kind), belief, blank, (count, count)) for belief in beliefs]


def test_a_picture_in_which_nothing_is_surely_a_tile_shows_none() -> None:
    parameters = ReadParameters()
    back = np.zeros((4, 2))
    assert if_sure_of_some(believed(0.9, 0.7, 0.95), [back], parameters) == ([], [])
    sure = believed(0.7, 0.99)
    assert if_sure_of_some(sure, [back], parameters) == (sure, [back])  # beside a sure tile the doubtful ones stay
    assert if_sure_of_some(believed(0.99, 0.99, read=0.6), [], parameters) == ([], [])  # a keyboard's keys, or letters


def test_a_boneyard_alone_is_one() -> None:
    backs = [np.zeros((4, 2))] * 6
    assert if_sure_of_some([], backs, ReadParameters()) == ([], backs)


@pytest.mark.parametrize(("burnt", "doubted"), [(0.0, False), (0.8, True)])
def test_a_half_that_looks_blank_where_light_burns_the_picture_out_is_doubted(burnt: float, doubted: bool) -> None:
    shares = np.full((2, 19), 1e-4)
    shares[0, 5] = shares[1, 0] = 1.0
    reading = ValueReading(
        np.log(shares / shares.sum(1, keepdims=True)), np.log([0.98, 0.01, 0.01]), np.array([0.0, burnt])
    )
    count = nothing_counted(np.zeros((0, 3)))
    quad = np.array([[100, 100], [140, 100], [140, 180], [100, 180]], np.float64)
    tile = SeenTile(quad, 0.99, np.array([0.98, 0.01, 0.01]), 0.99, reading, (count, count))
    doubts = conclude([tile], [], (640, 480), 12, ReadParameters()).doubts
    assert [doubt.kinds for doubt in doubts] == ([(DoubtKind.BURNT_OUT,)] if doubted else [])
    assert [doubt.why for doubt in doubts] == (["light may hide pips of the 5-0: look at it"] if doubted else [])


@pytest.mark.parametrize(
    ("ends", "sure", "doubted"), [((5, 0), 0.99, False), ((5, 0), 0.9, True), ((0, 0), 0.99, True)]
)
def test_what_surely_has_pips_is_no_back(ends: tuple[int, int], sure: float, doubted: bool) -> None:
    shares = np.full((2, 19), (1 - sure) / 18)
    shares[0, ends[0]] = shares[1, ends[1]] = sure
    kind = np.array([0.7, 0.29, 0.01])
    count = nothing_counted(np.zeros((0, 3)))
    quad = np.array([[100, 100], [140, 100], [140, 180], [100, 180]], np.float64)
    tile = SeenTile(quad, 0.99, kind, 0.99, ValueReading(np.log(shares), np.log(kind)), (count, count))
    (reading,) = conclude([tile], [], (640, 480), 12, ReadParameters()).doubts or (None,)
    assert (reading is not None and DoubtKind.MAYBE_FACE_DOWN in reading.kinds) is doubted


def test_light_that_burns_a_half_out_is_measured(reader: PhotoReader) -> None:
    image = (cv2.imread(str(SAMPLE)) * 0.8).astype(np.uint8)
    quad = np.array(TRUTH["tiles"][0]["quad"], np.float64)
    glare = quad.copy()
    glare[2:] = (quad[2:] + quad[[1, 0]]) / 2  # the half of end a
    cv2.fillConvexPoly(image, np.round(glare).astype(np.int32), (255, 255, 255))
    (reading,) = read_values(reader.values, Pyramid(image), [quad])
    assert reading.burnt[0] > 0.9
    assert reading.burnt[1] < 0.2
    assert reading.darkest[0] > 240 > reading.darkest[1]


def bright_tile(a: int, b: int, *, burnt: tuple[float, float], darkest: tuple[float, float], x: int) -> SeenTile:
    shares = np.full((2, 19), 1e-4)
    shares[0, a] = shares[1, b] = 1.0
    kind = np.array([0.98, 0.01, 0.01])
    logs = np.log(shares / shares.sum(1, keepdims=True))
    reading = ValueReading(logs, np.log(kind), np.array(burnt), np.array(darkest))
    count = nothing_counted(np.zeros((0, 3)))
    quad = np.array([[0, 100], [40, 100], [40, 180], [0, 180]], np.float64) + (x, 0)
    return SeenTile(quad, 0.99, kind, 0.99, reading, (count, count))


@pytest.mark.parametrize(("palest", "doubted"), [(110.0, False), (200.0, True)])
def test_in_a_bright_picture_a_blank_is_believed_where_all_pips_are_dark(palest: float, doubted: bool) -> None:
    """Pips that are pale already tell that others may have gone."""
    light = (0.7, 0.6)
    tiles = [bright_tile(k, k + 1, burnt=light, darkest=(90.0, palest), x=100 * k) for k in (1, 2, 3)]
    tiles.append(bright_tile(5, 0, burnt=(0.7, 1.0), darkest=(80.0, 250.0), x=20))
    doubts = conclude(tiles, [], (640, 480), 12, ReadParameters()).doubts
    assert [(doubt.tile, doubt.kinds) for doubt in doubts] == ([(3, (DoubtKind.BURNT_OUT,))] if doubted else [])


def test_glare_on_one_tile_is_no_bright_picture() -> None:
    tiles = [bright_tile(k, k + 1, burnt=(0.0, 0.0), darkest=(40.0, 40.0), x=100 * k) for k in (1, 2, 3)]
    tiles.append(bright_tile(5, 0, burnt=(0.3, 1.0), darkest=(80.0, 250.0), x=20))
    doubts = conclude(tiles, [], (640, 480), 12, ReadParameters()).doubts
    assert [(doubt.tile, doubt.kinds) for doubt in doubts] == [(3, (DoubtKind.BURNT_OUT,))]


def test_a_blank_is_believed_where_as_much_light_left_the_pip_beside_it_dark() -> None:
    """The sample hand's 1-0 lies in such light."""
    tile = bright_tile(1, 0, burnt=(0.92, 1.0), darkest=(93.0, 244.0), x=100)
    assert conclude([tile], [], (640, 480), 12, ReadParameters()).doubts == ()
    paler = bright_tile(1, 0, burnt=(0.92, 1.0), darkest=(150.0, 244.0), x=100)
    assert [d.kinds for d in conclude([paler], [], (640, 480), 12, ReadParameters()).doubts] == [(DoubtKind.BURNT_OUT,)]


def test_nothing_is_doubted_on_the_sample_hand(reader: PhotoReader) -> None:
    assert reader.read(cv2.imread(str(SAMPLE))).doubts == ()


def shows(face: float, down: float, value: int, burnt: float = 0.0) -> candidates.Candidate:
    """What lies somewhere and shows a double `value`, a face up with the given probability, so much of it burnt out by light."""
    kind = np.log(np.array([face, down, 1 - face - down]))
    values = np.full((2, 19), np.log(0.001))
    values[:, value] = np.log(0.98)
    quad = np.array([[0, 0], [10, 0], [10, 20], [0, 20]], np.float64)
    return candidates.Candidate(Located(quad, 0.9, False), quad, ValueReading(values, kind, np.full(2, burnt)))


def test_the_coarse_network_tells_a_tile_from_half_of_one_and_half_of_what_lies_beside(reader: PhotoReader) -> None:
    picture = Pyramid(cv2.imread(str(SAMPLE)))
    quads = [np.array(tile["quad"], np.float64) for tile in TRUTH["tiles"]]
    assert lie_just_there(reader.coarse, picture, quads).min() > 2
    for start, end in (((0, 1), (2, 3)), ((0, 3), (1, 2))):  # along, and across
        off = [quad + (quad[list(end)].mean(0) - quad[list(start)].mean(0)) / 2 for quad in quads]
        assert lie_just_there(reader.coarse, picture, off).max() < -5


@pytest.mark.parametrize(("logit", "times"), [(2.0, np.exp(1.0)), (-2.0, np.exp(-1.0)), (40.0, np.exp(2.5))])
def test_whether_a_tile_lies_just_there_goes_into_its_odds(logit: float, times: float) -> None:
    parameters = ReadParameters().just_there
    plain = shows(0.4, 0.05, 3)
    asked = replace(plain, just_there=parameters.told(logit, candidates.odds_of(plain)))
    assert candidates.odds_of(asked) == pytest.approx(times * candidates.odds_of(plain))
    assert parameters.asks(1.0)
    assert not parameters.asks(1e3)  # what is clear is not asked about


def test_what_had_to_be_asked_about_is_not_likelier_than_what_had_not() -> None:
    """A quad that reaches over the next tile: it was asked about, and won over better quads that were too sure to be."""
    parameters = ReadParameters().just_there
    doubtful, clear = shows(0.87, 0.03, 12), shows(0.98, 0.005, 9)
    assert parameters.asks(candidates.odds_of(doubtful)) and not parameters.asks(candidates.odds_of(clear))
    asked = replace(doubtful, just_there=parameters.told(9.0, candidates.odds_of(doubtful)))
    assert parameters.odds[1] < candidates.odds_of(asked) < candidates.odds_of(clear)


def test_a_blank_double_that_may_be_no_tile_is_doubted_sooner_than_others() -> None:
    """A square of a score sheet is plain, too."""
    doubts = {}
    for value in (0, 3):
        seen = shows(0.95, 0.02, value)
        tile = SeenTile(
            seen.quad + 50, 0.9, np.exp(seen.values.kind), 0.8, seen.values, (nothing_counted(np.zeros((0, 3))),) * 2
        )
        reading = conclude([tile], [], (640, 480), 12, ReadParameters())
        doubts[value] = {kind for doubt in reading.doubts for kind in doubt.kinds}
    assert DoubtKind.MAYBE_NOT_A_TILE in doubts[0]
    assert DoubtKind.MAYBE_NOT_A_TILE not in doubts[3]


def test_of_several_blank_doubles_the_surest_is_one() -> None:
    """A set has one; blank things that are none come in numbers: cards, backs of tiles."""
    found = [shows(0.9, 0.08, 0), shows(0.95, 0.01, 0), shows(0.88, 0.02, 0), shows(0.9, 0.05, 5)]
    rows = [(k, candidates.FACE_UP, 0.9) for k in range(4)]
    kept = candidates.with_one_blank(rows, found, ReadParameters())
    assert [(k, kind) for k, kind, _ in kept] == [
        (0, candidates.FACE_DOWN), (1, candidates.FACE_UP), (3, candidates.FACE_UP),
    ]  # fmt: skip


def test_a_second_blank_double_beyond_doubt_is_one_too() -> None:
    """Some tables mix two sets."""
    rows = [(k, candidates.FACE_UP, 0.9) for k in range(2)]
    found = [shows(0.99, 0.005, 0), shows(0.98, 0.005, 0)]
    assert candidates.with_one_blank(rows, found, ReadParameters()) == rows


def test_what_light_burnt_out_stays_to_be_doubted() -> None:
    rows = [(k, candidates.FACE_UP, 0.9) for k in range(2)]
    found = [shows(0.95, 0.01, 0), shows(0.9, 0.05, 0, burnt=0.9)]
    assert candidates.with_one_blank(rows, found, ReadParameters()) == rows


def test_of_several_quads_about_one_tile_the_likeliest_stays_not_the_largest() -> None:
    """One that reaches over half of the next tile is larger, and nearly as surely a tile."""
    long = np.array([[0, 0], [10, 0], [10, 25], [0, 25]], np.float64)
    right, wrong = shows(0.999, 0.0005, 5), replace(shows(0.98, 0.001, 5), quad=long)
    for found in ([right, wrong], [wrong, right]):
        ((k, _, _),) = candidates.believed(found, ReadParameters())
        assert found[k] is right


@pytest.mark.parametrize(
    ("down", "value", "probability", "kind"),
    [
        (0.02, 5, 0.98, candidates.FACE_UP),
        (0.02, 5, 0.4, candidates.NO_TILE),  # both halves: 0.16
        (0.02, 0, 0.98, candidates.NO_TILE),
        (0.85, 0, 0.98, candidates.FACE_DOWN),
    ],
)
def test_a_guessed_tile_must_show_what_can_be_read_or_be_a_back(
    down: float, value: int, probability: float, kind: int
) -> None:
    """The bare table has no pips either."""
    seen = shows(0.97 - down, down, value)
    values = np.full((2, 19), np.log((1 - probability) / 18))
    values[:, value] = np.log(probability)
    guessed = replace(seen, box=replace(seen.box, guessed=True), values=replace(seen.values, values=values))
    assert candidates.kind_of(guessed, ReadParameters()) == kind


@pytest.mark.parametrize(("x", "believed"), [(60.0, True), (66.0, False)])
def test_a_tile_nearly_believed_is_one_where_it_lies_in_a_hand(x: float, believed: bool) -> None:
    """Side by side with sure ones, and not a little apart from them."""
    quad = np.array([[0, 0], [10, 0], [10, 20], [0, 20]], np.float64)
    sure = [replace(shows(0.99, 0.005, 4), quad=quad + (10 * k, 0)) for k in range(6)]
    unsure = replace(shows(0.11, 0.01, 5), quad=quad + (x, 0))
    kept = candidates.believed([*sure, unsure], ReadParameters())
    assert len(kept) == 6 + believed


def test_backs_are_of_one_colour() -> None:
    """A shadow may lie on some; keys of a remote control have any colour."""
    parameters = ReadParameters()
    rng = np.random.default_rng(0)
    backs = np.array([60.0, 120, 140]) + rng.normal(0, 3, (20, 3))
    backs[:4, 0] -= 25
    assert candidates.of_one_colour(backs, parameters)
    assert not candidates.of_one_colour(rng.uniform(40, 200, (20, 3)), parameters)
    assert candidates.of_one_colour(np.zeros((0, 3)), parameters)


def a_row_of_two() -> tuple[Pyramid, list[np.ndarray]]:
    """Tiles of the sample, seen from above, on a plain table: two end to end, the others apart; and their quads."""
    tiles = [np.array(true["quad"], np.float64) for true in sorted(TRUTH["tiles"], key=lambda true: -sum(true["ends"]))]
    crops = Pyramid(cv2.imread(str(SAMPLE))).cut(tiles, TILE_CUT)[:, 4:-4, 4:-4]
    table = np.full((700, 900, 3), (70, 110, 60), np.uint8)
    corners = [(100, 100), (100, 228), *((x, y) for x in (300, 480, 660) for y in (80, 400))]
    quads = []
    for crop, (x, y) in zip(crops, corners, strict=True):
        table[y : y + 128, x : x + 64] = crop
        quads.append(np.array([[x, y], [x + 64, y], [x + 64, y + 128], [x, y + 128]], np.float64) - 0.5)
    return Pyramid(table), quads


def test_a_tile_cut_out_of_two_gives_way_to_both(reader: PhotoReader) -> None:
    picture, quads = a_row_of_two()
    across = quads[0] + (0, 64)
    boxes = [Located(quad, 0.9, False) for quad in (across, *quads[2:])]
    found = reader._valued(picture, boxes, [box.quad for box in boxes])
    assert len(found) == 7
    found[0] = replace(found[0], values=shows(0.99, 0.005, 4).values)  # however sure the first reader may be of it
    kept = candidates.believed(found, reader.parameters)
    assert len(kept) == 7
    found, kept = reader._recut(picture, found, kept)
    now = [found[k].quad for k, _, _ in kept]
    for quad in quads:
        assert any(np.abs(quad - np.roll(other, turn, axis=0)).max() < 6 for other in now for turn in (0, 2))
    assert len(now) == 8


def test_a_tile_with_nothing_beyond_its_ends_stays(reader: PhotoReader) -> None:
    picture, quads = a_row_of_two()
    boxes = [Located(quad, 0.9, False) for quad in quads]
    found = reader._valued(picture, boxes, quads)
    kept = candidates.believed(found, reader.parameters)
    assert reader._recut(picture, found, kept) == (found, kept)


def test_keys_of_a_remote_control_are_no_backs_when_the_picture_is_sharpened(reader: PhotoReader) -> None:
    with pytest.raises(UnusablePhoto):
        reader.read(tileless_scene(152))
