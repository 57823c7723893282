"""What a wheel carries, and what importing the door brings in."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import COMMANDS, main

ROOT = Path(__file__).parent.parent


def modules_after(code: str) -> set[str]:
    """Names of the modules that are loaded after `code` ran in a fresh Python."""
    script = f"{code}\nimport sys\nprint(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(result.stdout.split())


def test_the_door_is_light() -> None:
    loaded = modules_after("import companion.cli")
    assert "companion.cli" in loaded
    heavy = {"torch", "ultralytics", "cv2", "numpy", "onnxruntime", "PIL", "companion.rules", "companion.wiring"}
    assert not loaded & heavy
    assert not {name for name in loaded if name.startswith("companion.cli.")}


def test_scoring_loads_neither_the_rules_nor_anything_that_trains() -> None:
    loaded = modules_after("import companion.cli.score, companion.vision.reader")
    assert "companion.vision.reader" in loaded
    assert not loaded & {"companion.rules", "companion.training", "torch", "ultralytics"}


def test_the_help_lists_every_command_without_importing_one() -> None:
    loaded = modules_after("from companion.cli import main\nmain(['--help'], standalone_mode=False)")
    assert not {name for name in loaded if name.startswith("companion.cli.")}
    result = CliRunner().invoke(main, ["--help"])
    here = [name for name in COMMANDS if (ROOT / "companion" / "cli" / f"{name}.py").exists()]
    assert "score" in here
    for name in here:
        assert f"  {name}" in result.output
        assert CliRunner().invoke(main, [name, "--help"]).exit_code == 0


def test_a_command_without_its_module_breaks_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "nowhere", "Not there.")
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    assert "nowhere" not in result.output
    missing = CliRunner().invoke(main, ["nowhere"])
    assert missing.exit_code == 2
    assert "No such command 'nowhere'" in missing.output


@pytest.mark.skipif(find_spec("hatchling") is None, reason="hatchling, of the [dev] extra, is not installed")
def test_the_wheel_carries_the_weights_and_the_samples(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"companion/cli/score.py", "companion/py.typed", "companion/_samples/hand.jpg"} <= names
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert not [name for name in names if name.startswith(("tests/", "scripts/", "docs/")) or name.endswith(".pt")]
    manifest = ROOT / "models" / "manifest.toml"
    if not manifest.exists():
        pytest.skip("models/manifest.toml is not there yet: no weights to look for")
    assert "companion/_models/manifest.toml" in names
    for weights in (ROOT / "models").glob("*.onnx"):
        assert f"companion/_models/{weights.name}" in names
    assert not [name for name in names if name.startswith("companion/_models/base")], "these are only to train on from"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert not [need for need in project["dependencies"] if need.startswith(("torch", "ultralytics"))]
