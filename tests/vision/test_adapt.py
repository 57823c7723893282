"""Learning a set: it helps where the reader fails, is used only then, and leaves alone what nobody showed."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import CompanionError
from companion.session.examples import LabelledPicture, LabelledTile
from companion.sightings import Quad
from companion.vision.adapt import VALUES, AdaptParameters, Comparison, Seen, compare, fit_head, folds, missing_values
from companion.vision.adapt_export import export_examples
from companion.vision.adapt_file import LearnedSet, Lesson
from companion.vision.adapt_set import LearningStopped, SetLearning, TooFewExamples, look
from companion.vision.adapt_views import ViewParameters, views_of
from companion.vision.models import load_network
from companion.vision.rectify import Pyramid, half_crops
from companion.vision.values import SetHead, log_softmax

MODELS = Path(__file__).parents[2] / "models"
HIGHEST = 6
TILE_PX = 60
FEW_VIEWS = ViewParameters(views=4)


def seen(rng: np.random.Generator, *, wrong: bool, halves: int = 6, views: int = 3) -> Seen:
    """Features that tell seven values apart; the network's logits are right, or take each value for the next."""
    middles = rng.normal(0, 1, (HIGHEST + 1, 24))
    values = np.repeat(np.tile(np.arange(HIGHEST + 1), halves), views)
    half = np.repeat(np.arange((HIGHEST + 1) * halves), views)
    features = np.maximum(middles[values] + rng.normal(0, 0.2, (len(values), 24)), 0)
    logits = rng.normal(0, 0.1, (len(values), VALUES))
    said = (values + 1) % (HIGHEST + 1) if wrong else values
    logits[np.arange(len(values)), said] += 6.0
    return Seen(logits, features, values, half)


def draw_set(rng: np.random.Generator, *, light: float, turned: bool) -> tuple[np.ndarray, LabelledPicture]:
    """The sorted doubles of a set that no reader knows: a value is a ring with as many spokes."""
    picture = np.full((480, 640, 3), (70, 90, 80), np.uint8)
    tiles: list[LabelledTile] = []
    for value in range(HIGHEST + 1):
        x, y = 30.0 + 85 * value, 100.0 + rng.uniform(0, 200)
        quad = np.array([[x, y], [x + TILE_PX, y], [x + TILE_PX, y + 2 * TILE_PX], [x, y + 2 * TILE_PX]])
        cv2.fillConvexPoly(picture, quad.astype(np.int32), (235, 240, 240))
        for side in (0, 1):
            _draw_half(picture, np.array([x + TILE_PX / 2, y + TILE_PX * (side + 0.5)]), value)
        corners = np.roll(quad, 2, axis=0) if turned else quad
        tiles.append(LabelledTile((value, value), _as_quad(corners)))
    dark = np.clip(picture * light + rng.normal(0, 2, picture.shape), 0, 255).astype(np.uint8)
    return dark, LabelledPicture("", (640, 480), HIGHEST, tuple(tiles))


def _draw_half(picture: np.ndarray, middle: np.ndarray, value: int) -> None:
    centre = (int(middle[0]), int(middle[1]))
    cv2.circle(picture, centre, TILE_PX // 3, (40, 40, 160), 2, cv2.LINE_AA)
    for spoke in range(value):
        angle = 2 * np.pi * spoke / value
        tip = middle + TILE_PX / 3 * np.array([np.cos(angle), np.sin(angle)])
        cv2.line(picture, centre, (int(tip[0]), int(tip[1])), (40, 40, 160), 2, cv2.LINE_AA)


def _as_quad(corners: np.ndarray) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return (a, b, c, d)


class Album:
    """Photos of a drawn set by their ids."""

    def __init__(self, count: int) -> None:
        rng = np.random.default_rng(3)
        self.bytes: dict[str, bytes] = {}
        self.labelled: list[LabelledPicture] = []
        for number in range(count):
            picture, shown = draw_set(rng, light=1.0 - 0.15 * number, turned=bool(number % 2))
            name = f"{number:064x}"
            self.bytes[name] = cv2.imencode(".png", picture)[1].tobytes()
            self.labelled.append(replace(shown, picture=name))


@pytest.fixture(scope="module")
def album() -> Album:
    return Album(3)


def learning(album: Album, folder: Path, network: str = "n") -> SetLearning:
    return SetLearning(
        network=lambda: load_network(MODELS, "values"),
        learned=LearnedSet(folder / "set.npz", network),
        picture=album.bytes.__getitem__,
        views=FEW_VIEWS,
    )


def wrong_halves(album: Album, shown: LabelledPicture, head: SetHead | None) -> int:
    """How many halves of a drawn photo are read wrong."""
    picture = Pyramid(cv2.imdecode(np.frombuffer(album.bytes[shown.picture], np.uint8), cv2.IMREAD_COLOR))
    tiles = [(np.array(tile.quad_px), tile.ends) for tile in shown.tiles]
    views = views_of([(picture, tiles)], np.random.default_rng(0), ViewParameters(views=1))
    logits, features = look(load_network(MODELS, "values"), views)
    tuned = logits if head is None else head.tuned(logits, features)
    return int((tuned.argmax(1) != views.values).sum())


@pytest.fixture(scope="module")
def taught(album: Album, tmp_path_factory: pytest.TempPathFactory) -> tuple[SetLearning, Lesson, list[float]]:
    """The set learned from two photos, and the progress that was told."""
    steps: list[float] = []
    task = learning(album, tmp_path_factory.mktemp("learned"))
    return task, task.learn(album.labelled[:2], set_name="spokes", progress=steps.append), steps


def test_a_set_that_the_reader_does_not_know_is_learned_from_two_photos(
    album: Album, taught: tuple[SetLearning, Lesson, list[float]]
) -> None:
    task, lesson, steps = taught
    assert lesson.used
    assert lesson.comparison.wrong[1] < lesson.comparison.wrong[0] / 3
    assert steps == sorted(steps)
    assert steps[-1] == 1.0
    other = album.labelled[2]
    assert wrong_halves(album, other, None) > len(other.tiles)  # more than half of all halves
    assert wrong_halves(album, other, task.learned.head()) <= 1
    assert task.learned.lesson() == lesson


def test_the_same_photos_always_teach_the_same(
    album: Album, taught: tuple[SetLearning, Lesson, list[float]], tmp_path: Path
) -> None:
    first, lesson, _ = taught
    second = learning(album, tmp_path)
    assert second.learn(album.labelled[:2], set_name="spokes") == lesson
    one, two = first.learned.head(), second.learned.head()
    assert one is not None
    assert two is not None
    assert np.array_equal(one.weights, two.weights)


def test_learning_stops_when_it_is_told_to(album: Album, tmp_path: Path) -> None:
    task = learning(album, tmp_path)
    with pytest.raises(LearningStopped):
        task.learn(album.labelled[:2], stopped=lambda: True)
    assert task.learned.head() is None


def test_values_that_are_not_shown_twice_are_named(album: Album, tmp_path: Path) -> None:
    lacking = [replace(shown, tiles=shown.tiles[:4]) for shown in album.labelled]
    with pytest.raises(TooFewExamples, match=r"4, 5, 6") as caught:
        learning(album, tmp_path).learn(lacking)
    assert caught.value.values == (4, 5, 6)
    assert learning(album, tmp_path).missing(album.labelled) == ()
    assert missing_values(np.array([0, 0, 1, 2, 2]), 2) == (1,)


def test_what_helps_is_better_and_what_does_not_is_not() -> None:
    rng = np.random.default_rng(0)
    mistaken = compare(seen(rng, wrong=True))
    assert mistaken.better
    assert mistaken.wrong[1] < mistaken.wrong[0] == mistaken.views
    noise = seen(rng, wrong=False)
    shuffled = Seen(noise.logits, rng.permutation(noise.features), noise.values, noise.half)
    shuffled.logits[:] = log_softmax(shuffled.logits * 100)  # sure and right: nothing is left to learn
    assert not compare(shuffled).better


def test_a_value_that_nobody_showed_keeps_its_logits() -> None:
    rng = np.random.default_rng(1)
    head = fit_head(seen(rng, wrong=True))
    assert not head.weights[:, HIGHEST + 1 :].any()
    assert not head.bias[HIGHEST + 1 :].any()
    np.testing.assert_allclose(head.weights.sum(1), 0, atol=1e-9)
    np.testing.assert_allclose(head.bias.sum(), 0, atol=1e-9)


def test_a_stronger_hold_learns_less() -> None:
    views = seen(np.random.default_rng(2), wrong=True)
    sizes = [np.abs(fit_head(views, AdaptParameters(hold=hold)).weights).sum() for hold in (10.0, 0.1, 0.001)]
    assert sizes == sorted(sizes)
    assert sizes[0] < 0.1 * sizes[-1]


def test_every_half_is_held_back_once_with_all_its_views_and_values_are_spread() -> None:
    views = seen(np.random.default_rng(2), wrong=True, halves=3)
    part = folds(views, 3)
    assert len(part) == len(np.unique(views.half))
    for value in range(HIGHEST + 1):
        assert sorted(part[np.unique(views.half[views.values == value])]) == [0, 1, 2]


def test_the_first_view_is_the_crop_as_it_is(album: Album) -> None:
    shown = album.labelled[0]
    picture = Pyramid(cv2.imdecode(np.frombuffer(album.bytes[shown.picture], np.uint8), cv2.IMREAD_COLOR))
    quad = np.array(shown.tiles[5].quad_px)
    views = views_of([(picture, [(quad, (5, 3))])], np.random.default_rng(0), FEW_VIEWS)
    assert views.crops.shape == (8, 48, 48, 3)
    assert views.values.tolist() == [5] * 4 + [3] * 4
    assert views.half.tolist() == [0] * 4 + [1] * 4
    assert views.as_is.tolist() == [True, False, False, False] * 2
    np.testing.assert_array_equal(views.crops[views.as_is], half_crops(picture, [quad]))
    assert len({crop.tobytes() for crop in views.crops}) == 8  # each view is another one


# -- the file

LESSON = Lesson("ours", 2, Comparison(14, 56, (20, 1), (2.0, 0.25), True), True)
HEAD = SetHead(np.ones((4, VALUES)), np.zeros(VALUES))


def test_a_lesson_reads_back_and_every_process_sees_a_new_one(tmp_path: Path) -> None:
    mine, other = (LearnedSet(tmp_path / "learned" / "set.npz", "abc") for _ in range(2))
    assert other.head() is None
    mine.keep(HEAD, LESSON)
    assert other.lesson() == LESSON
    head = other.head()
    assert head is not None
    np.testing.assert_array_equal(head.weights, HEAD.weights)
    mine.forget()
    assert other.head() is None
    mine.forget()  # again, and nothing happens


def test_a_lesson_of_another_network_or_a_damaged_one_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "set.npz"
    LearnedSet(path, "abc").keep(HEAD, LESSON)
    assert LearnedSet(path, "another").head() is None
    whole = path.read_bytes()
    for damaged in (whole[: len(whole) // 2], b"", b"not a lesson", whole[:200] + b"\0" * 50 + whole[250:]):
        path.write_bytes(damaged)
        found = LearnedSet(path, "abc").lesson()
        assert found is None or found == LESSON


def test_a_lesson_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(CompanionError, match="could not be written"):
        LearnedSet(tmp_path / "file" / "set.npz", "abc").keep(HEAD, LESSON)


# -- the export


def test_labelled_pictures_are_exported_as_a_data_set(album: Album) -> None:
    target = io.BytesIO()
    incomplete = replace(album.labelled[1], complete=False)
    assert export_examples([album.labelled[0], incomplete], album.bytes.__getitem__, target) == 1
    with zipfile.ZipFile(target) as archive:
        names = sorted(archive.namelist())
        name = album.labelled[0].picture[:16]
        assert names == ["README.md", f"photos/{name}.jpg", f"truth/{name}.json"]
        truth = json.loads(archive.read(f"truth/{name}.json"))
        assert archive.read(f"photos/{name}.jpg") == album.bytes[album.labelled[0].picture]
    assert truth["set"] == HIGHEST
    assert [tile["ends"] for tile in truth["tiles"]] == [[value, value] for value in range(HIGHEST + 1)]
    assert len(truth["tiles"][0]["quad"]) == 4
