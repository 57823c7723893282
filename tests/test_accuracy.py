"""What the weights that ship read on labelled photos; the figures may only get better (`benchmarks/floors.toml`).

The photos belong to others and are not part of the project: without them this is skipped.
"""

import os
import tomllib
from pathlib import Path

import pytest

from companion.training.evaluate import Tally, judge
from companion.training.examples import read_shared
from companion.vision.reader import PhotoReader

ROOT = Path(__file__).parent.parent
SHARED = Path(os.environ.get("COMPANION_SHARED") or ROOT.parent / "shared")
FLOORS = tomllib.loads((ROOT / "benchmarks/floors.toml").read_text())

pytestmark = pytest.mark.skipif(
    not (SHARED / "photos/hands/truth").is_dir(), reason="no labelled photos: set COMPANION_SHARED to their folder"
)


@pytest.fixture(scope="module")
def reader() -> PhotoReader:
    return PhotoReader.load(ROOT / "models")


@pytest.mark.parametrize("part", sorted(FLOORS))
def test_accuracy_does_not_fall(reader: PhotoReader, part: str) -> None:
    tally = Tally()
    for example in read_shared(SHARED, [part])[:: FLOORS[part].get("every", 1)]:
        judge(example, reader.read(example.image(), set_highest=FLOORS[part].get("set")), tally)
    figures = {
        "recall": tally.ratio("found", "true"),
        "precision": tally.ratio("found", "detected"),
        "exact": tally.ratio("right", "true"),
        "hands": tally.ratio("hands", "photos"),
    }
    short = {k: (round(v, 4), FLOORS[part][k]) for k, v in figures.items() if v < FLOORS[part].get(k, 0)}
    assert not short, f"{part}: below the committed floor: {short}\n{tally.line(part)}"
