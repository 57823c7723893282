"""`companion table`: photos of a table in, trains out: where each stands, what is owed, what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol, runtime_checkable

import click
import numpy as np
from numpy.typing import NDArray

from companion.cli.photo_by_photo import do_photos, print_record, tell_drawn
from companion.cli.saving import ReadPhotosFolder
from companion.cli.score_forms import as_record
from companion.dominoes import SET_SIZES, parse_ends
from companion.rules.house_rules import HouseRules
from companion.rules.presets import standard_book
from companion.sightings import PhotoReading, ReadTile
from companion.table.layout import Layout, LayoutParameters, lay_out, with_toes
from companion.table.record import layout_record
from companion.table.seen import MarkerSighting, SeenTable
from companion.table.words import layout_lines
from companion.vision.concluding import conclude, halves_of
from companion.vision.decode import within_set
from companion.vision.drawing_trains import draw_trains
from companion.vision.neighbours import open_table
from companion.vision.opening import Picture, open_picture
from companion.vision.read_parameters import ReadParameters
from companion.vision.seen import SeenTile
from companion.wiring import ReadsPhotos, Workshop


@runtime_checkable
class SeesTables(Protocol):
    """What laying out needs from a reader of photos: everything that was seen, before values are decided."""

    parameters: ReadParameters

    def read(self, image_bgr: NDArray[np.uint8], *, set_highest: int | None = None) -> PhotoReading:
        """Read an upright picture; raises UnusablePhoto where nothing can be seen."""
        ...

    def see_whole(self, image_bgr: NDArray[np.uint8]) -> tuple[list[SeenTile], list[NDArray[np.float64]]]:
        """Face-up tiles, and the quads of face-down ones."""
        ...

    def see_markers(self, image_bgr: NDArray[np.uint8], table: SeenTable, layout: Layout) -> tuple[MarkerSighting, ...]:
        """What may be markers at the ends of the trains."""
        ...


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What the person asked for: None as `set_highest` or `engine` finds it out, as `save` draws nothing."""

    set_highest: int | None
    engine: int | None
    rules: HouseRules
    as_json: bool
    save: Path | None


class EngineType(click.ParamType[int]):
    """A double, written 12-12, or its value alone."""

    name = "double"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The value of the double."""
        text = str(value)
        try:
            high, low = parse_ends(text if "-" in text else f"{text}-{text}")
        except ValueError as error:
            self.fail(str(error), param, ctx)
        if high != low:
            self.fail(f"{text} is no double", param, ctx)
        return high


@click.command("table")
@click.argument("photos", metavar="PHOTO...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--set", "set_name", type=click.Choice([*map(str, SET_SIZES), "auto"]), default="auto", show_default=True,
    help="Highest double of the set.",
)  # fmt: skip
@click.option("--rules", "preset", default="base", show_default=True, metavar="PRESET", help="House rules to go by.")
@click.option(
    "--engine", type=EngineType(), metavar="12-12", help="The round's engine, where the photo leaves it open."
)
@click.option("--json", "json_wanted", is_flag=True, help="One JSON object a line, a photo each.")
@click.option(
    "--save", type=click.Path(path_type=Path), metavar="DIR",
    help="Also write each photo to DIR with the trains drawn on it.",
)  # fmt: skip
@click.pass_context
def command(
    ctx: click.Context,
    photos: tuple[str, ...],
    set_name: str,
    preset: str,
    engine: int | None,
    json_wanted: bool,
    save: Path | None,
) -> None:
    """Find the trains in each PHOTO of a table: open ends, markers, uncovered doubles, wrong joins.

    Exit status: 0 when every photo was laid out, 1 when one could not be (the others still are), 2 for a wrong call.
    """
    options = TableOptions(
        set_highest=None if set_name == "auto" else int(set_name),
        engine=engine,
        rules=standard_book()[preset].rules,
        as_json=json_wanted,
        save=save,
    )
    if engine is not None and options.set_highest is not None and engine > options.set_highest:
        raise click.UsageError(f"There is no {engine}-{engine} in a double-{set_name} set.")
    workshop: Workshop = ctx.obj or Workshop.from_environment()
    ctx.exit(0 if lay_out_photos(photos, workshop, options=options) else 1)


def lay_out_photos(photos: Sequence[str], workshop: Workshop, *, options: TableOptions) -> bool:
    """Lay out and print; True when nothing failed."""
    return do_photos(photos, workshop, partial(_one, options=options), as_json=options.as_json, save=options.save)


def _one(photo: str, reader: ReadsPhotos, folder: ReadPhotosFolder | None, *, options: TableOptions) -> bool:
    """Open, read, lay out, print, draw. False when only the drawing failed; raises UnusablePhoto when the photo did."""
    if not isinstance(reader, SeesTables):
        raise TypeError("this reader tells only what it decided, not what it saw")
    picture = open_picture(photo)
    reading, layout = lay_out_picture(picture, reader, options=options)
    lines = layout_lines(layout, owed_by=options.rules.double_owed_by)
    if options.as_json:
        record = as_record(photo, reading, score=reading.pips)
        print_record({**record, **layout_record(layout)})
    else:
        click.echo(f"{click.format_filename(photo)}: {lines[0]}")
        for line in lines[1:]:
            click.echo(f"  {line}")
    if folder is None:
        return True
    quads = [tile.quad_px for tile in reading.tiles]
    drawn = draw_trains(picture, quads, layout, lines=lines)
    return tell_drawn(photo, lambda: folder.write_drawing(photo, drawn), as_json=options.as_json)


def lay_out_picture(picture: Picture, reader: SeesTables, *, options: TableOptions) -> tuple[PhotoReading, Layout]:
    """See a picture once, decide values and layout together; the reading has the values that the neighbours settled.

    Raises:
        UnusablePhoto: nothing can be seen.
    """
    tiles, backs = reader.see_whole(picture)
    size_wh = (int(picture.shape[1]), int(picture.shape[0]))
    if not tiles and not backs:
        reading = reader.read(picture, set_highest=options.set_highest)  # says why nothing was seen
    else:
        reading = conclude(tiles, backs, size_wh, options.set_highest, reader.parameters, neighbours=False)
    decode = reader.parameters.decode
    logs = within_set(halves_of(tiles, decode), reading.set_highest, decode)
    seen = open_table(tiles, backs, logs, [tile.ends for tile in reading.tiles], size_wh)
    parameters = with_toes(LayoutParameters(), options.rules.chicken_foot)
    layout = lay_out(seen, highest=reading.set_highest, engine=options.engine, parameters=parameters)
    markers = reader.see_markers(picture, seen, layout)
    if markers:
        layout = layout.marked_by(markers)
    decided = tuple(
        ReadTile(ends, tile.quad_px, tile.confidence) for tile, ends in zip(reading.tiles, layout.ends, strict=True)
    )
    return replace(reading, tiles=decided, doubts=reading.doubts + layout.doubts), layout
