"""`companion score`: photos in, pip sums out, one photo at a time and as soon as each is read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from companion.cli.photo_by_photo import do_photos, print_record, tell_drawn
from companion.cli.saving import ReadPhotosFolder
from companion.cli.score_forms import PipCounting, as_record, as_text, hand_score
from companion.dominoes import SET_SIZES
from companion.vision.photos import read_photo
from companion.wiring import ReadsPhotos, Workshop


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """What the person asked for: None as `set_highest` finds the set out, as `save` draws nothing."""

    set_highest: int | None
    double_blank: int
    as_json: bool
    save: Path | None


@click.command("score")
@click.argument("photos", metavar="PHOTO...", nargs=-1, type=click.Path())
@click.option(
    "--set", "set_name", type=click.Choice([*map(str, SET_SIZES), "auto"]), default="auto", show_default=True,
    help="Highest double of the set.",
)  # fmt: skip
@click.option(
    "--double-blank", type=click.IntRange(min=0), default=0, show_default=True, metavar="N",
    help="What a 0-0 left in the hand counts.",
)  # fmt: skip
@click.option("--json", "json_wanted", is_flag=True, help="One JSON object a line, a photo each.")
@click.option(
    "--save", type=click.Path(path_type=Path), metavar="DIR",
    help="Also write each photo to DIR with what was read drawn on it.",
)  # fmt: skip
@click.option("--sample", is_flag=True, help="Score the sample pictures that came with the program.")
@click.pass_context
def command(
    ctx: click.Context,
    photos: tuple[str, ...],
    set_name: str,
    double_blank: int,
    json_wanted: bool,
    save: Path | None,
    sample: bool,
) -> None:
    """Score each PHOTO of a hand: the tiles that were read, their sum, and what to look at again.

    Exit status: 0 when every photo was scored, 1 when one could not be (the others still are), 2 for a wrong call.
    """
    if not photos and not sample:
        raise click.UsageError("Name at least one photo, or try --sample.")
    workshop: Workshop = ctx.obj or Workshop.from_environment()
    if sample:
        photos += tuple(str(path) for path in workshop.sample_photos())
    options = ScoreOptions(
        set_highest=None if set_name == "auto" else int(set_name),
        double_blank=double_blank,
        as_json=json_wanted,
        save=save,
    )
    ctx.exit(0 if score_photos(photos, workshop, options=options) else 1)


def score_photos(photos: Iterable[str], workshop: Workshop, *, options: ScoreOptions) -> bool:
    """Score and print; True when nothing failed."""
    return do_photos(
        tuple(photos), workshop, partial(_score_one, options=options), as_json=options.as_json, save=options.save
    )


def _score_one(photo: str, reader: ReadsPhotos, folder: ReadPhotosFolder | None, *, options: ScoreOptions) -> bool:
    """Open, read, print, draw. False when only the drawing failed; raises UnusablePhoto when the photo did."""
    read = read_photo(reader, photo, set_highest=options.set_highest)
    total = hand_score(read.reading.tiles, PipCounting(options.double_blank))
    if options.as_json:
        print_record(as_record(photo, read.reading, score=total))
    else:
        click.echo(as_text(click.format_filename(photo), read.reading, score=total))
    if folder is None:
        return True
    return tell_drawn(
        photo, lambda: folder.write(photo, read.picture, read.on_picture, score=total), as_json=options.as_json
    )
