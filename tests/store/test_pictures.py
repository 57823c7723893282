"""Pictures as files: named by their bytes, whole or not there, nothing from outside in a path."""

from __future__ import annotations

import hashlib
import os
import threading
from pathlib import Path

import pytest

from companion.store.errors import StoreUnusable
from companion.store.pictures import FolderPictures


@pytest.fixture
def pictures(tmp_path: Path) -> FolderPictures:
    return FolderPictures(tmp_path)


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_a_picture_is_kept_under_its_sha256(pictures: FolderPictures, tmp_path: Path) -> None:
    name = pictures.put(b"a photo")
    assert name == hashlib.sha256(b"a photo").hexdigest()
    assert pictures.get(name) == b"a photo"
    assert files(tmp_path) == [name]


def test_the_same_picture_is_kept_once(pictures: FolderPictures, tmp_path: Path) -> None:
    assert pictures.put(b"a photo") == pictures.put(b"a photo")
    assert len(files(tmp_path)) == 1


def test_threads_that_put_one_picture_at_once(pictures: FolderPictures, tmp_path: Path) -> None:
    data = os.urandom(200_000)
    threads = [threading.Thread(target=pictures.put, args=(data,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert pictures.get(hashlib.sha256(data).hexdigest()) == data
    assert len(files(tmp_path)) == 1


@pytest.mark.parametrize(
    "name", ["", "..", "../../etc/passwd", "a" * 63, "A" * 64, "a" * 64 + "/../x", "\0" * 64, "a" * 64, "g" * 64]
)
def test_what_names_no_picture_is_not_there(pictures: FolderPictures, name: str) -> None:
    with pytest.raises(KeyError):
        pictures.get(name)


def test_leftovers_of_a_crash_are_removed_once_they_are_old(pictures: FolderPictures, tmp_path: Path) -> None:
    name = pictures.put(b"a photo")
    leftover = tmp_path / name[:2] / "tmp123.part"
    leftover.write_bytes(b"half a ph")
    written_s = leftover.stat().st_mtime
    assert pictures.tidy(now_s=written_s + 60) == 0
    assert pictures.tidy(now_s=written_s + 7200) == 1
    assert files(tmp_path) == [name]


def test_a_folder_that_is_gone_is_said_in_words(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="Everything confirmed before is safe"):
        FolderPictures(tmp_path / "gone").put(b"a photo")
