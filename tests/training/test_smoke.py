"""The whole training path, tiny: scenes, detector data, detector, small networks, export, a reader that loads them."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the [train] extra")
pytest.importorskip("ultralytics", reason="needs the [train] extra")

from companion.errors import UnusablePhoto
from companion.vision.reader import PhotoReader


def run(*words: str, cwd: Path) -> str:
    root = Path(__file__).parent.parent.parent
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.slow
def test_from_scenes_to_a_reader(tmp_path: Path) -> None:
    run("companion.training.make_scenes", "--out", "scenes", "--count", "160", cwd=tmp_path)
    assert len(list((tmp_path / "scenes/truth").glob("*.json"))) == 160
    run("companion.training.detector_data", "--out", "views", "--scenes", "scenes", "--most-scenes", "16", cwd=tmp_path)
    labels = list((tmp_path / "views/labels").glob("*.txt"))
    assert len(labels) == 16
    assert any(len(line.split()) == 9 for path in labels for line in path.read_text().splitlines())
    train = ("companion.training.train_detector", "--data", "views", "--name", "tiny", "--side", "128", "--batch", "8")
    run(*train, "--epochs", "1", "--runs", "runs", cwd=tmp_path)
    imitate = (
        "companion.training.imitate",
        "runs/tiny/weights/last.pt",
        "runs/fast.pt",
        "--data",
        "views",
        "--side",
        "128",
    )
    run(*imitate, "--batch", "4", "--steps", "50", "--keep", "25", cwd=tmp_path)
    assert "step 100" in run(*imitate, "--batch", "4", "--steps", "100", "--resume", cwd=tmp_path)
    run("companion.training.export", "detector", "runs/fast.pt", cwd=tmp_path)
    for network in ("coarse", "corners", "values", "pips", "markers"):
        words = (
            "companion.training.train_readers",
            network,
            "--scenes",
            "scenes",
            "--runs",
            "runs",
            "--batch",
            "8",
            "--keep",
            "2",
        )
        first = run(*words, "--steps", "2", cwd=tmp_path)
        assert "step 2" in first
        again = run(*words, "--steps", "4", "--resume", cwd=tmp_path)
        assert "from step 2 to 4" in again
        run("companion.training.export", network, f"runs/{network}.pt", "--command", "smoke", cwd=tmp_path)
    for network in ("coarse", "corners", "values"):
        exact = (tmp_path / f"models/{network}.onnx").rename(tmp_path / f"{network}.onnx")
        run("companion.training.quantize", network, str(exact), "--scenes", "scenes", "--batches", "2", cwd=tmp_path)
        assert (tmp_path / f"models/{network}.onnx").stat().st_size < exact.stat().st_size
    exact = (tmp_path / "models/detector.onnx").rename(tmp_path / "detector.onnx")
    run("companion.training.quantize", "detector", str(exact), "--views", "views", "--batches", "4", cwd=tmp_path)
    assert (tmp_path / "models/detector.onnx").stat().st_size < exact.stat().st_size
    reader = PhotoReader.load(tmp_path / "models")
    assert all(network.takes_bytes for network in (reader.detector, reader.coarse, reader.corners, reader.values))
    with pytest.raises(UnusablePhoto):
        reader.read(np.full((480, 640, 3), 127, np.uint8))
