"""`companion watch` over folders of painted pictures: lines for programs and people, evidence, and wrong calls."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from numpy.typing import NDArray

from companion.cli import main
from companion.cli.watch import Watching, WatchOptions
from companion.rules.presets import standard_book
from companion.settings import Settings
from companion.sightings import PhotoReading
from companion.table.layout import Layout
from companion.table.seen import MarkerSighting, SeenTable
from companion.vision.feed_capture import Frame, Notice
from companion.vision.pips import PipCount
from companion.vision.read_parameters import ReadParameters
from companion.vision.seen import SeenTile
from companion.vision.values import ValueReading
from companion.wiring import Workshop

Array = NDArray[np.float64]

ENGINE, TRAIN = (12, 12), [(12, 5), (5, 8), (7, 3), (3, 3)]
"""An engine and a train whose third tile does not fit."""


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
        quad, 0.95, np.array([0.98, 0.01, 0.01]), 0.95, ValueReading(values, np.log([0.98, 0.01, 0.01])), counts
    )


def where(k: int) -> float:
    return 165.0 + 84 * k


class CountingReader:
    """Sees the engine and so many tiles of the train as the picture has white fields."""

    parameters = ReadParameters()

    def see(self, image_bgr: NDArray[np.uint8]) -> tuple[list[SeenTile], list[Array]]:
        tiles = [lying(100, 200, ENGINE, upright=True)]
        if image_bgr.shape[:2] != (480, 640):
            return [], []  # a closer look at a part: nothing more to be seen
        for k, ends in enumerate(TRAIN):
            if image_bgr[200, int(where(k)) + 30].min() > 200:
                tiles.append(lying(where(k) - (20 if k == 3 else 0), 200, ends, upright=k == 3))
        return tiles, []

    def see_markers(self, image_bgr: NDArray[np.uint8], table: SeenTable, layout: Layout) -> tuple[MarkerSighting, ...]:
        return ()

    def read(self, image_bgr: NDArray[np.uint8], *, set_highest: int | None = None) -> PhotoReading:
        raise AssertionError("the watch sees, it does not read whole photos")


def painted(count: int) -> NDArray[np.uint8]:
    """A table with the engine and the first `count` tiles of the train."""
    picture = np.full((480, 640, 3), (70, 100, 130), np.uint8)
    cv2.rectangle(picture, (80, 160), (120, 240), (250, 250, 250), -1)
    for k in range(count):
        cv2.rectangle(picture, (int(where(k)) - 40, 180), (int(where(k)) + 40, 220), (250, 250, 250), -1)
    return picture


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "pictures"
    path.mkdir()
    for number, count in enumerate([0, 1, 2, 3, 3]):
        assert cv2.imwrite(str(path / f"{number}.png"), painted(count))
    return path


@pytest.fixture
def watch() -> Callable[..., Result]:
    workshop = Workshop(Settings(models_dir=Path.cwd()), load_reader=lambda _: CountingReader())

    def run(*arguments: object) -> Result:
        return CliRunner().invoke(main, ["watch", *map(str, arguments)], obj=workshop)

    return run


def records(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_json_lines_tell_plays_and_rulings(watch: Callable[..., Result], folder: Path) -> None:
    result = watch(folder, "--json", "--set", 12)
    assert result.exit_code == 0, result.output
    lines = records(result)
    played = [line for line in lines if line["event"] == "play"]
    assert [(line["frame"], line["tile"], line["train"]) for line in played] == [
        (1, [12, 5], "train 1"), (2, [5, 8], "train 1"), (3, [7, 3], "train 1"),
    ]  # fmt: skip
    assert played[0]["evidence"]["before"] == 0  # type: ignore[index]
    broken = [line for line in lines if line["event"] == "ruling" and line["ruling"] == "illegal"]
    assert [line["tile"] for line in broken] == [[7, 3]]
    (violation,) = broken[0]["violations"]  # type: ignore[misc]
    assert violation["rule"] == "R-04"
    assert violation["message"] == "The 7-3 does not fit: train 1 asks for 8."
    assert lines[0]["event"] == "state"
    assert lines[0]["engine"] == 12


def test_sentences_for_people(watch: Callable[..., Result], folder: Path) -> None:
    result = watch(folder, "--set", 12, "--players", "Ann, Ben,Cy")
    assert "Ann lays 12-5 on " in result.stdout
    assert "ILLEGAL: 7-3: The 7-3 does not fit" in result.stdout


def test_without_rules(watch: Callable[..., Result], folder: Path) -> None:
    lines = records(watch(folder, "--json", "--set", 12, "--free"))
    assert {line["event"] for line in lines} == {"play", "state"}
    assert {line["train"] for line in lines if line["event"] == "play"} == {"table"}


def test_save_keeps_the_pictures_before_and_after(watch: Callable[..., Result], folder: Path, tmp_path: Path) -> None:
    kept = tmp_path / "evidence"
    lines = records(watch(folder, "--json", "--set", 12, "--save", kept))
    pictures = [line["pictures"] for line in lines if line["event"] == "play"]
    before, after = (cv2.imread(pictures[0][moment]) for moment in ("before", "after"))  # type: ignore[index]
    x = int(where(0)) + 30
    assert before is not None
    assert after is not None
    assert before[200, x].max() < 160
    assert after[200, x].min() > 200
    assert sorted(path.name for path in kept.iterdir())[0] == "0001-play-12-5-after.jpg"
    assert any("illegal-7-3" in path.name for path in kept.iterdir())


def test_the_set_is_found_out(watch: Callable[..., Result], folder: Path) -> None:
    lines = records(watch(folder, "--json"))
    assert [line["tile"] for line in lines if line["event"] == "play"] == [[12, 5], [5, 8], [7, 3]]


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("not-there",), 1, "is not there"),
        (("FOLDER", "--players", "Ann"), 2, "2 to 14 players"),
        (("FOLDER", "--players", "Ann,Ann"), 2, "named twice"),
        (("FOLDER", "--players", "Ann,mexican"), 2, "cannot be a player's name"),
        (("FOLDER", "--set", "9", "--engine", "12-12"), 2, "no 12-12 in a double-9 set"),
        (("FOLDER", "--rules", "nobody-plays-so"), 1, "there is no preset"),
        (("FOLDER", "--save", "FILE"), 1, "cannot be made"),
    ],
)
def test_wrong_calls(
    watch: Callable[..., Result], folder: Path, arguments: tuple[str, ...], status: int, words: str
) -> None:
    (folder.parent / "file").write_text("a file")
    named = {"FOLDER": folder, "FILE": folder.parent / "file"}
    result = watch(*(named.get(part, part) for part in arguments))
    assert result.exit_code == status, result.output
    assert words in result.output
    assert "Traceback" not in result.output


class ScriptedFeed:
    """Pictures, a notice, and then Ctrl-C."""

    stills = True

    def frames(self) -> Iterator[Frame | Notice]:
        for number, count in enumerate([0, 1]):
            yield Frame(number, float(number), painted(count))
        yield Notice("Camera 0 gives no picture; waiting for it.")
        raise KeyboardInterrupt

    def close(self) -> None:
        pass


class PressedAfter:
    """Somebody presses q after so many frames."""

    def __init__(self, frames: int) -> None:
        self.frames = frames

    def quit_pressed(self) -> bool:
        self.frames -= 1
        return self.frames < 0


def options() -> WatchOptions:
    return WatchOptions(standard_book().rules("base"), (), 12, None, True, None)


def test_control_c_ends_cleanly(capsys: pytest.CaptureFixture[str]) -> None:
    Watching(options(), CountingReader(), ScriptedFeed(), PressedAfter(99), None).run()
    out, err = capsys.readouterr()
    assert '"event": "play"' in out
    assert "waiting for it" in err


def test_q_ends_it(capsys: pytest.CaptureFixture[str]) -> None:
    Watching(options(), CountingReader(), ScriptedFeed(), PressedAfter(1), None).run()
    out, err = capsys.readouterr()
    assert '"event": "play"' not in out
    assert err == ""
