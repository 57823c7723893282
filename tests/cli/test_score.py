"""`companion score` with a reader that answers from a list: what is printed, saved, refused, and with which status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from numpy.typing import NDArray

from companion.cli import main
from companion.cli.score_forms import reading_order
from companion.errors import ModelMissing, UnusablePhoto
from companion.settings import Settings
from companion.sightings import Alternative, Doubt, DoubtKind, PhotoReading, Quad, ReadTile
from companion.wiring import ReadsPhotos, Workshop


def quad_at(x: float, y: float, wide: float = 100, high: float = 50) -> Quad:
    """A lying tile whose half a is on the left."""
    return ((x, y + high), (x, y), (x + wide, y), (x + wide, y + high))


HAND = PhotoReading(
    size_wh=(640, 480),
    set_highest=12,
    tiles=(
        ReadTile((4, 9), quad_at(300, 200), 0.71),
        ReadTile((12, 5), quad_at(20, 20), 0.99),
        ReadTile((0, 0), quad_at(150, 28), 0.98),
    ),
    face_down=2,
    doubts=(Doubt(0, (DoubtKind.VALUE,), "the 9 could be an 8: look at it", (Alternative((4, 8), 0.25),)),),
)


class FakeReader:
    """Answers every picture with the same reading; a nearly black one is too dark, as for the real reader."""

    def __init__(self, reading: PhotoReading = HAND) -> None:
        self.reading = reading
        self.sets_asked: list[int | None] = []

    def read(self, image_bgr: NDArray[np.uint8], *, set_highest: int | None) -> PhotoReading:
        self.sets_asked.append(set_highest)
        if image_bgr.max() < 10:
            raise UnusablePhoto("too_dark", "The photo is too dark to read. Turn on a lamp.")
        return self.reading


@pytest.fixture
def reader() -> FakeReader:
    return FakeReader()


@pytest.fixture
def score(reader: FakeReader) -> Callable[..., Result]:
    workshop = Workshop(Settings(models_dir=Path.cwd()), load_reader=lambda _: reader)

    def run(*arguments: object) -> Result:
        return CliRunner().invoke(main, ["score", *map(str, arguments)], obj=workshop)

    return run


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    return make_photo(tmp_path / "hand.jpg")


def make_photo(path: Path, level: int = 120) -> Path:
    path.parent.mkdir(exist_ok=True, parents=True)
    cv2.imwrite(str(path), np.full((480, 640, 3), level, np.uint8))
    return path


def records(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_text_lists_the_tiles_as_one_reads_a_page(score: Callable[..., Result], photo: Path) -> None:
    result = score(photo)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        f"{photo}: 30",
        "  12-5  0-0  9-4?",
        "  3 tiles of a double-12 set, 2 face down",
        "  Look: 9-4: the 9 could be an 8: look at it",
    ]


def test_json_is_one_object_a_line_in_the_readers_order(score: Callable[..., Result], photo: Path) -> None:
    result = score("--json", photo, photo)
    assert result.exit_code == 0
    first, second = records(result)
    assert first == second
    assert first == {
        "photo": str(photo),
        "size": [640, 480],
        "set": 12,
        "tiles": [
            {"ends": [4, 9], "quad": [[300, 250], [300, 200], [400, 200], [400, 250]], "confidence": 0.71},
            {"ends": [12, 5], "quad": [[20, 70], [20, 20], [120, 20], [120, 70]], "confidence": 0.99},
            {"ends": [0, 0], "quad": [[150, 78], [150, 28], [250, 28], [250, 78]], "confidence": 0.98},
        ],
        "face_down": 2,
        "score": 30,
        "doubts": [
            {
                "tile": 0,
                "why": "the 9 could be an 8: look at it",
                "alternatives": [{"ends": [4, 8], "probability": 0.25}],
            }
        ],
    }


def test_double_blank_counts_as_told(score: Callable[..., Result], photo: Path) -> None:
    assert records(score("--json", "--double-blank", 50, photo))[0]["score"] == 80
    assert "30 pips, and 50 for 0-0" in score("--double-blank", 50, photo).stdout


@pytest.mark.parametrize(("name", "asked"), [("6", 6), ("9", 9), ("12", 12), ("15", 15), ("18", 18), ("auto", None)])
def test_the_set_reaches_the_reader(
    score: Callable[..., Result], reader: FakeReader, photo: Path, name: str, asked: int | None
) -> None:
    assert score("--set", name, photo).exit_code == 0
    assert reader.sets_asked == [asked]


@pytest.mark.parametrize(
    "arguments",
    [[], ["--set", "7", "x"], ["--double-blank", "-1", "x"], ["--double-blank", "many", "x"], ["--no-such", "x"]],
)
def test_a_wrong_call_has_status_2(score: Callable[..., Result], arguments: list[str]) -> None:
    result = score(*arguments)
    assert result.exit_code == 2
    assert "Usage:" in result.stderr


def test_a_bad_photo_does_not_stop_the_others(score: Callable[..., Result], photo: Path, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("no picture")
    dark = make_photo(tmp_path / "dark.png", level=2)
    result = score("--json", tmp_path / "gone.jpg", note, tmp_path, dark, photo)
    assert result.exit_code == 1
    *bad, good = records(result)
    assert [row["error"]["code"] for row in bad] == ["not_found", "not_a_picture", "is_folder", "too_dark"]
    assert all(set(row) == {"photo", "error"} and set(row["error"]) == {"code", "message"} for row in bad)
    assert good["score"] == 30
    complaints = result.stderr.splitlines()
    assert [line.split(":")[0] for line in complaints] == ["companion"] * 4
    assert str(note) in complaints[1]


def test_without_json_a_bad_photo_is_a_sentence_on_standard_error(score: Callable[..., Result], tmp_path: Path) -> None:
    result = score(tmp_path / "gone.jpg")
    assert (result.exit_code, result.stdout) == (1, "")
    assert (
        result.stderr == f"companion: {tmp_path / 'gone.jpg'}: There is no such file. Check the name and the folder.\n"
    )


def test_missing_weights_are_said_once_and_for_each_photo_in_json(photo: Path, tmp_path: Path) -> None:
    def no_weights(_: Path) -> ReadsPhotos:
        raise ModelMissing("The weights are missing.")

    workshop = Workshop(Settings(models_dir=tmp_path), load_reader=no_weights)
    result = CliRunner().invoke(main, ["score", "--json", str(photo), str(photo)], obj=workshop)
    assert result.exit_code == 1
    assert [row["error"]["code"] for row in records(result)] == ["model_missing"] * 2
    assert result.stderr == "Error: The weights are missing.\n"


def test_no_weights_folder_is_an_error_that_says_what_to_do(photo: Path, tmp_path: Path) -> None:
    workshop = Workshop(Settings(models_dir=tmp_path / "none"))
    result = CliRunner().invoke(main, ["score", str(photo)], obj=workshop)
    assert result.exit_code == 1
    assert "COMPANION_MODELS_DIR" in result.stderr


def test_an_empty_hand_is_told_as_one(photo: Path) -> None:
    empty = FakeReader(PhotoReading((640, 480), 12, (), 3, ()))
    workshop = Workshop(Settings(models_dir=Path.cwd()), load_reader=lambda _: empty)
    result = CliRunner().invoke(main, ["score", str(photo)], obj=workshop)
    assert result.stdout.splitlines() == [f"{photo}: 0", "  0 tiles of a double-12 set, 3 face down"]


def test_saved_photos_keep_apart_and_leave_the_sources_alone(score: Callable[..., Result], tmp_path: Path) -> None:
    photos = [make_photo(tmp_path / name) for name in ("a/hand.jpg", "b/hand.jpg", "b/hand-read.jpg", "b/HAND.png")]
    before = [path.read_bytes() for path in photos]
    result = score("--save", tmp_path / "b", *photos)
    assert result.exit_code == 0, result.stderr
    assert [path.read_bytes() for path in photos] == before
    written = {path.name for path in (tmp_path / "b").iterdir()} - {path.name for path in photos[1:]}
    assert written == {"hand-read-2.jpg", "hand-read-3.jpg", "hand-read-read.jpg", "HAND-read-4.jpg"}
    drawn = cv2.imread(str(tmp_path / "b" / "hand-read-2.jpg"))
    assert drawn is not None
    assert drawn.shape[1] == 640
    assert drawn.shape[0] > 480
    assert np.abs(drawn[:480].astype(int) - 120).max() > 60


def test_a_second_run_replaces_its_own_drawings(score: Callable[..., Result], photo: Path, tmp_path: Path) -> None:
    for _ in range(2):
        assert score("--save", tmp_path / "new" / "deep", photo).exit_code == 0
    assert [path.name for path in (tmp_path / "new" / "deep").iterdir()] == ["hand-read.jpg"]


def test_a_folder_that_cannot_be_made_costs_the_drawings_and_not_the_scores(
    score: Callable[..., Result], photo: Path
) -> None:
    result = score("--json", "--save", photo / "inside", photo)
    assert result.exit_code == 1
    assert records(result)[0]["score"] == 30
    assert "cannot be made" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_drawing_that_cannot_be_written_is_said_and_leaves_nothing_behind(
    score: Callable[..., Result], photo: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    (folder / "hand-read.jpg").mkdir(parents=True)
    result = score("--save", folder, photo)
    assert result.exit_code == 1
    assert f"{photo}: 30" in result.stdout
    assert "cannot be written" in result.stderr
    assert [path.name for path in folder.iterdir()] == ["hand-read.jpg"]


def test_the_samples_are_scored_when_asked(tmp_path: Path, reader: FakeReader) -> None:
    make_photo(tmp_path / "samples" / "b.jpg")
    make_photo(tmp_path / "samples" / "a.png")
    (tmp_path / "samples" / "README.md").write_text("no picture")
    settings = Settings(models_dir=tmp_path, samples_dir=tmp_path / "samples")
    workshop = Workshop(settings, load_reader=lambda _: reader)
    result = CliRunner().invoke(main, ["score", "--sample", "--json"], obj=workshop)
    assert [Path(row["photo"]).name for row in records(result)] == ["a.png", "b.jpg"]
    empty = Workshop(Settings(models_dir=tmp_path, samples_dir=tmp_path / "none"))
    result = CliRunner().invoke(main, ["score", "--sample"], obj=empty)
    assert result.exit_code == 1
    assert "no sample pictures" in result.stderr


def test_results_come_as_they_are_read(photo: Path) -> None:
    printed_before: list[str] = []

    class Slow(FakeReader):
        def read(self, image_bgr: NDArray[np.uint8], *, set_highest: int | None) -> PhotoReading:
            sys.stdout.flush()
            printed_before.append(sys.stdout.buffer.getvalue().decode())  # type: ignore[attr-defined]
            return HAND

    workshop = Workshop(Settings(models_dir=Path.cwd()), load_reader=lambda _: Slow())
    CliRunner().invoke(main, ["score", "--json", str(photo), str(photo)], obj=workshop)
    assert printed_before[0] == ""
    assert printed_before[1].count('"score": 30') == 1


def test_reading_order_goes_by_rows() -> None:
    quads = [quad_at(300, 12), quad_at(10, 210), quad_at(200, 0), quad_at(0, 20), quad_at(150, 195)]
    assert reading_order(quads) == [3, 2, 0, 1, 4]
    assert reading_order([]) == []


# --- as a person's shell runs it -------------------------------------------------------------------------------------

FAKE_DOOR = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_score import FakeReader
from pathlib import Path
from companion.cli import main
from companion.settings import Settings
from companion.wiring import Workshop
main(obj=Workshop(Settings(models_dir=Path('.')), load_reader=lambda _: FakeReader()))
"""


def run_door(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", FAKE_DOOR, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600, **options)


def test_in_a_process_of_its_own(photo: Path) -> None:
    result = run_door("score", "--json", photo.name, "gone.jpg", cwd=photo.parent)
    assert result.returncode == 1
    assert [json.loads(line)["photo"] for line in result.stdout.splitlines()] == [photo.name, "gone.jpg"]
    assert "Traceback" not in result.stderr


def test_a_reader_of_the_pipe_that_leaves_early_causes_no_traceback(photo: Path) -> None:
    arguments = [sys.executable, "-c", FAKE_DOOR, "score", "--json", *[str(photo)] * 20]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=600) in (0, 1)
    process.stderr.close()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_name_that_is_no_utf8(photo: Path) -> None:
    odd = os.fsencode(photo.parent) + b"/caf\xe9.jpg"
    Path(os.fsdecode(odd)).write_bytes(photo.read_bytes())
    command = [sys.executable, "-c", FAKE_DOOR, "score"]
    result = subprocess.run([*command, "--json", odd], capture_output=True, check=False, timeout=600)
    assert result.returncode == 0, result.stderr
    assert os.fsencode(json.loads(result.stdout)["photo"]) == odd


def test_stopping_by_ctrl_c_is_quiet(photo: Path) -> None:
    class Stopped(FakeReader):
        def read(self, image_bgr: NDArray[np.uint8], *, set_highest: int | None) -> PhotoReading:
            raise KeyboardInterrupt

    workshop = Workshop(Settings(models_dir=Path.cwd()), load_reader=lambda _: Stopped())
    result = CliRunner().invoke(main, ["score", str(photo)], obj=workshop)
    assert result.exit_code == 1
    assert result.stderr.strip() == "Aborted!"


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in [name for name in os.environ if name.startswith("COMPANION_")]:
        monkeypatch.delenv(name)
    yield
