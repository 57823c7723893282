"""What is mined from made scenes: quads where no tile lies, for the networks to learn from."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from companion.training import make_scenes, mine
from companion.training.examples import read_folder
from companion.training.tile_crops import coarse_samples
from companion.vision.locate import intersection_over_union
from companion.vision.rectify import width_of

MODELS = Path(__file__).parents[2] / "models"


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two made scenes."""
    folder = tmp_path_factory.mktemp("scenes")
    made = CliRunner().invoke(
        make_scenes.main, ["--out", str(folder), "--count", "2", "--first", "70", "--workers", "1"]
    )
    assert made.exit_code == 0, made.output
    return folder


@pytest.mark.parametrize(("option", "key"), [("--vain", "vain"), ("--least-score=0.03", "decoys")])
def test_what_is_mined_lies_where_no_tile_lies(scenes: Path, option: str, key: str) -> None:
    arguments = [str(scenes), "--models", str(MODELS), "--most", "9", option]
    mined = CliRunner().invoke(mine.main, arguments)
    assert mined.exit_code == 0, mined.output
    before = [path.read_text() for path in sorted((scenes / "truth").glob("*.json"))]
    quads = [np.array(quad) for text in before for quad in json.loads(text)[key]]
    assert 0 < len(quads) <= 18
    for example in read_folder(scenes / "truth", scenes / "pictures"):
        found = example.vain_px if key == "vain" else example.decoys_px
        for quad in found:
            assert width_of(quad) > mine.LEAST_PX
            assert all(intersection_over_union(quad, tile.quad_px) < mine.NEAR + 0.01 for tile in example.tiles)
    assert CliRunner().invoke(mine.main, arguments).exit_code == 0
    assert [path.read_text() for path in sorted((scenes / "truth").glob("*.json"))] == before  # not mined twice


def test_the_coarse_network_learns_from_what_was_looked_at_in_vain(scenes: Path) -> None:
    CliRunner().invoke(mine.main, [str(scenes), "--models", str(MODELS), "--most", "9", "--vain"])
    for example in read_folder(scenes / "truth", scenes / "pictures"):
        samples = list(coarse_samples(np.random.default_rng(0), example, example.image()))
        assert sum(not sample.is_tile for sample in samples) >= len(example.vain_px)
