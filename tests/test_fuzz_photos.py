"""A small run of the fuzzer, and that it would notice."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "fuzz_photos.py"


@pytest.fixture(scope="module")
def fuzz() -> ModuleType:
    spec = spec_from_file_location("fuzz_photos", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_sixty_damaged_photos_are_opened_or_refused() -> None:
    command = [sys.executable, str(SCRIPT), "--count", "60", "--limit", "60"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "60 damaged photos, 0 failures" in result.stdout
    assert "refused truncated" in result.stdout


def test_the_same_seed_gives_the_same_photos(fuzz: ModuleType) -> None:
    for index in (0, 14, 25):
        assert fuzz.damaged_photo(3, index) == fuzz.damaged_photo(3, index)
        assert fuzz.damaged_photo(3, index) != fuzz.damaged_photo(4, index)


def test_every_kind_meets_every_damage(fuzz: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "whole_photo", lambda seed, kind, variant: bytes(2000))
    count = len(fuzz.SAVERS) * len(fuzz.DAMAGES)
    names = {fuzz.damaged_photo(0, index)[0].split("-", 1)[1] for index in range(count)}
    assert len(names) == count


def test_a_reader_that_raises_is_noticed(fuzz: ModuleType) -> None:
    def broken(picture: object) -> None:
        raise IndexError("out of range")

    whole = fuzz.SAVERS["png"](fuzz.drawn_photo(fuzz.np.random.default_rng(0)))
    assert fuzz.try_photo(whole, None) == ("opened", "")
    assert fuzz.try_photo(whole, broken) == ("raised", "IndexError: out of range")
    assert fuzz.try_photo(b"no picture", broken) == ("refused", "not_a_picture")
