"""What every command over photos does: load the reader once, go on after a bad photo, tell what was wrong, draw if asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from companion.cli.saving import ReadPhotosFolder
from companion.cli.score_forms import error_record
from companion.errors import CompanionError, ModelMissing, UnusablePhoto
from companion.wiring import ReadsPhotos, Workshop

DoOne = Callable[[str, ReadsPhotos, ReadPhotosFolder | None], bool]
"""Opens, reads and prints one photo; False when only the drawing failed; raises UnusablePhoto when the photo did."""


def do_photos(photos: Sequence[str], workshop: Workshop, do_one: DoOne, *, as_json: bool, save: Path | None) -> bool:
    """Do all photos, one after the other; True when nothing failed."""
    try:
        reader = workshop.reader()
    except ModelMissing as error:
        for photo in photos if as_json else ():
            print_record(error_record(photo, "model_missing", str(error)))
        raise
    folder, all_good = _folder(photos, save)
    for photo in photos:
        try:
            all_good = do_one(photo, reader, folder) and all_good
        except UnusablePhoto as error:
            all_good = False
            if as_json:
                print_record(error_record(photo, error.code, error.message))
            complain(photo, error.message)
    return all_good


def _folder(photos: Sequence[str], save: Path | None) -> tuple[ReadPhotosFolder | None, bool]:
    """The folder to draw into, if one was wanted and can be had, and whether what was wanted can be had."""
    if save is None:
        return None, True
    try:
        return ReadPhotosFolder.open(save, sources=photos), True
    except CompanionError as error:
        complain(str(save), f"{error} What was read follows without pictures.")
        return None, False


def tell_drawn(photo: str, write: Callable[[], Path], *, as_json: bool) -> bool:
    """Write a drawing and say where; False, and a sentence, when it cannot be written."""
    try:
        written = write()
    except CompanionError as error:
        complain(photo, str(error))
        return False
    if not as_json:
        click.echo(f"  Drawn: {click.format_filename(written)}")
    return True


def print_record(record: dict[str, object]) -> None:
    """One JSON object on a line of its own."""
    # ASCII only: a file name that is no UTF-8, or a terminal that knows none, must not end the run
    click.echo(json.dumps(record, allow_nan=False))


def complain(what: str, message: str) -> None:
    """A sentence on standard error about a photo or a folder."""
    click.echo(f"companion: {click.format_filename(what)}: {message}", err=True)
