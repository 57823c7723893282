"""`companion table` with a reader that saw a round drawn in the plane: what is printed, saved and refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from numpy.typing import NDArray

from companion.cli import main
from companion.errors import UnusablePhoto
from companion.settings import Settings
from companion.sightings import PhotoReading
from companion.table.layout import Layout
from companion.table.seen import MarkerSighting, SeenTable
from companion.vision.pips import PipCount
from companion.vision.read_parameters import ReadParameters
from companion.vision.seen import SeenTile
from companion.vision.values import ValueReading
from companion.wiring import Workshop

Array = NDArray[np.float64]

TRAIN = [(12, 12), (12, 5), (6, 8), (8, 8)]
"""An engine, and a train with a wrong second tile that ends in an uncovered double."""


def surely(value: int) -> Array:
    chances = np.full(19, 0.001)
    chances[value] = 1 - 0.018
    return np.log(chances)


def lying(x: float, y: float, ends: tuple[int, int], *, upright: bool = False) -> SeenTile:
    """A tile of 80 x 40 pixels; half a on the left, or on top of an upright one."""
    wide, high = (20, 40) if upright else (40, 20)
    quad = np.array([[x - wide, y + high], [x - wide, y - high], [x + wide, y - high], [x + wide, y + high]], float)
    quad = np.roll(quad, -1, axis=0) if upright else quad
    values = np.stack([surely(value) for value in ends])
    counts = (PipCount(values[0], np.zeros((0, 3)), True), PipCount(values[1], np.zeros((0, 3)), True))
    return SeenTile(
        quad, 0.95, np.array([0.98, 0.01, 0.01]), 0.98, ValueReading(values, np.log([0.98, 0.01, 0.01])), counts
    )


class FakeReader:
    """Sees the same table in every picture, and nothing in a black one."""

    parameters = ReadParameters()

    def see_whole(self, image_bgr: NDArray[np.uint8]) -> tuple[list[SeenTile], list[Array]]:
        if image_bgr.max() < 10:
            return [], []
        tiles = [
            lying(100, 200, TRAIN[0], upright=True),
            lying(165, 200, TRAIN[1]),
            lying(250, 200, TRAIN[2]),
            lying(315, 200, TRAIN[3], upright=True),
        ]
        return tiles, [np.array([[500, 400], [500, 360], [580, 360], [580, 400]], float)]

    def see_markers(self, image_bgr: NDArray[np.uint8], table: SeenTable, layout: Layout) -> tuple[MarkerSighting, ...]:
        """A red thing in the picture is a marker."""
        red = np.argwhere((image_bgr[..., 2] > 200) & (image_bgr[..., 1] < 80))
        return (MarkerSighting((float(red[:, 1].mean()), float(red[:, 0].mean())), 0.9),) if len(red) else ()

    def read(self, image_bgr: NDArray[np.uint8], *, set_highest: int | None = None) -> PhotoReading:
        raise UnusablePhoto("too_dark", "The photo is too dark to read.")


@pytest.fixture
def table() -> Callable[..., Result]:
    workshop = Workshop(Settings(models_dir=Path.cwd()), load_reader=lambda _: FakeReader())

    def run(*arguments: object) -> Result:
        return CliRunner().invoke(main, ["table", *map(str, arguments)], obj=workshop)

    return run


def make_photo(path: Path, level: int = 120) -> Path:
    assert cv2.imwrite(str(path), np.full((480, 640, 3), level, np.uint8))
    return path


def test_json_has_tiles_joins_engine_trains_and_anomalies(table: Callable[..., Result], tmp_path: Path) -> None:
    result = table(make_photo(tmp_path / "t.png"), "--json", "--set", 12)
    assert result.exit_code == 0, result.output
    record = json.loads(result.output)
    assert [tile["ends"] for tile in record["tiles"]] == [list(ends) for ends in TRAIN]
    assert record["engine"] == 0
    (train,) = record["trains"]
    assert train["tiles"] == [1, 2, 3]
    assert train["open_end"] == 8
    assert train["open_double"]
    assert {frozenset((join[0], join[2])) for join in record["joins"]} == {
        frozenset(p) for p in ((0, 1), (1, 2), (2, 3))
    }
    assert all(join[k] in ("a", "b", "side") for join in record["joins"] for k in (1, 3))
    assert {anomaly["code"] for anomaly in record["anomalies"]} >= {"MISMATCHED_JOIN", "UNCOVERED_DOUBLE"}
    assert record["face_down"] == 1


def test_a_marker_that_is_seen_marks_its_train(table: Callable[..., Result], tmp_path: Path) -> None:
    plain = make_photo(tmp_path / "plain.png")
    picture = cv2.imread(str(plain))
    cv2.circle(picture, (370, 200), 10, (20, 20, 230), -1)
    marked = tmp_path / "marked.png"
    cv2.imwrite(str(marked), picture)
    records = [json.loads(table(path, "--json", "--set", 12).output) for path in (plain, marked)]
    assert [record["trains"][0]["marker"] for record in records] == [False, True]


def test_lines_for_people(table: Callable[..., Result], tmp_path: Path) -> None:
    result = table(make_photo(tmp_path / "t.png"), "--engine", "12-12")
    assert "Engine 12-12" in result.output
    assert "12-5 6-8 8-8" in result.output
    assert "OWED: 8-8 on train 1 is not covered" in result.output
    assert "WRONG: " in result.output


def test_the_rules_say_who_owes(table: Callable[..., Result], tmp_path: Path) -> None:
    told = {
        table(make_photo(tmp_path / "t.png"), "--rules", name).output for name in ("base", "casual", "chicken-foot")
    }
    assert all("OWED" in output for output in told)
    refused = table(make_photo(tmp_path / "t.png"), "--rules", "nobody-plays-so")
    assert refused.exit_code == 1
    assert "there is no preset" in refused.output


def test_save_draws_and_keeps_the_photo(table: Callable[..., Result], tmp_path: Path) -> None:
    photo = make_photo(tmp_path / "t.png")
    before = photo.read_bytes()
    result = table(photo, "--save", tmp_path)
    assert result.exit_code == 0, result.output
    assert photo.read_bytes() == before
    drawn = cv2.imread(str(tmp_path / "t-read.jpg"))
    assert drawn is not None
    assert drawn.shape[1] == 640
    assert drawn.shape[0] > 480
    red = (drawn[..., 2] > 180) & (drawn[..., 1] < 90) & (drawn[..., 0] < 90)
    assert red[:480].sum() > 500  # the wrong join cannot be missed


def test_what_cannot_be_used_does_not_stop_the_rest(table: Callable[..., Result], tmp_path: Path) -> None:
    result = table(
        make_photo(tmp_path / "dark.png", 0), tmp_path / "none.jpg", make_photo(tmp_path / "t.png"), "--json"
    )
    assert result.exit_code == 1
    records = [json.loads(line) for line in result.output.splitlines() if line.startswith("{")]
    assert ["error" in record for record in records] == [True, True, False]


@pytest.mark.parametrize("engine", ["12-11", "twelve", "13"])
def test_a_wrong_engine_is_refused(table: Callable[..., Result], tmp_path: Path, engine: str) -> None:
    assert table(make_photo(tmp_path / "t.png"), "--set", 12, "--engine", engine).exit_code == 2
