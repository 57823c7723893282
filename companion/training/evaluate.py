"""Measure the whole reader on labelled pictures: `python -m companion.training.evaluate --shared DIR --part hands`.

Prints a row a group of owners, and with `--out` writes the predictions as `companion score --json` would, for other measuring
scripts. `--list N` tells errors with their kind; `--sheet FILE` writes a contact sheet of them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import click
import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from companion.cli.score_forms import as_record
from companion.sightings import PhotoReading, ReadTile
from companion.training.examples import Example, LabelledTile, read_folder, read_shared
from companion.vision.concluding import conclude
from companion.vision.opening import Picture
from companion.vision.reader import PhotoReader
from companion.vision.rectify import TILE_CUT, Pyramid
from companion.vision.seen import SeenTile

Array = NDArray[np.float64]


@dataclass
class Tally:
    """Counts over photos; `rows` are the errors (photo, kind, what)."""

    counts: Counter[str] = field(default_factory=Counter)
    corner_errors: list[float] = field(default_factory=list)
    rows: list[tuple[str, str, str, Array]] = field(default_factory=list)

    def ratio(self, a: str, b: str) -> float:
        """counts[a] / counts[b], nan without any."""
        return self.counts[a] / self.counts[b] if self.counts[b] else float("nan")

    def line(self, name: str) -> str:
        """One row of figures."""
        c = self.counts
        corner = float(np.median(self.corner_errors)) if self.corner_errors else float("nan")
        return (
            f"{name:24s} photos {c['photos']:4d} tiles {c['true']:5d} recall {self.ratio('found', 'true'):.4f} "
            f"precision {self.ratio('found', 'detected'):.4f} exact {self.ratio('right', 'true'):.4f} "
            f"hands {self.ratio('hands', 'photos'):.4f} corner {corner:.3f} "
            f"wrong doubted {self.ratio('wrong_doubted', 'wrong'):.3f} right doubted {self.ratio('right_doubted', 'right'):.3f} "
            f"backs {c['backs_seen']}/{c['backs']}"
        )


def _key(ends: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(ends))


def _inside(point: Array, polygon: Array) -> bool:
    return cv2.pointPolygonTest(polygon.astype(np.float32), (float(point[0]), float(point[1])), False) >= 0


def pair_up(true: list[Array], found: list[Array]) -> list[tuple[int, int]]:
    """One-to-one by least distance of centres, at most 0.35 of the true tile's length."""
    if not true or not found:
        return []
    far = 10.0
    cost = np.full((len(true), len(found)), far)
    for i, t in enumerate(true):
        length = max(float(np.linalg.norm(t[k] - t[(k + 1) % 4])) for k in range(4))
        for j, f in enumerate(found):
            share = float(np.linalg.norm(t.mean(0) - f.mean(0))) / (0.35 * length)
            cost[i, j] = share if share <= 1 else far
    rows, columns = linear_sum_assignment(cost)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if cost[i, j] < far]


def read_whole(reader: PhotoReader, image_bgr: Picture, highest: int | None) -> PhotoReading:
    """What the reader concludes of a picture, where nothing seen is an empty reading and no error."""
    size_wh = (int(image_bgr.shape[1]), int(image_bgr.shape[0]))
    return conclude(*reader.see_whole(image_bgr), size_wh, highest, reader.parameters)


def judge(example: Example, reading: PhotoReading, tally: Tally) -> None:
    """Add one photo to the tally."""
    found = [t for t in reading.tiles if not any(_inside(np.mean(t.quad_px, 0), p) for p in example.ignore_px)]
    doubted = {id(reading.tiles[d.tile]) for d in reading.doubts}
    pairs = pair_up([t.quad_px for t in example.tiles], [np.array(t.quad_px) for t in found])
    name = example.picture.name
    right = 0
    for i, j in pairs:
        true, seen = example.tiles[i], found[j]
        ok = _key(true.ends) == _key(seen.ends)
        right += ok
        tally.corner_errors.append(_corner_error(true, seen))
        state = "right" if ok else "wrong"
        tally.counts[state] += 1
        tally.counts[f"{state}_doubted"] += id(seen) in doubted
        if not ok:
            kind = "misread" if tally.corner_errors[-1] < 0.2 else "misread, quad off"
            tally.rows.append((name, kind, f"{true.ends} as {seen.ends} {seen.confidence:.3f}", true.quad_px))
    hit_true, hit_found = {i for i, _ in pairs}, {j for _, j in pairs}
    for i, true in enumerate(example.tiles):
        if i not in hit_true:
            tally.rows.append((name, "missed", f"{true.ends}", true.quad_px))
    for j, seen in enumerate(found):
        if j not in hit_found:
            tally.counts["wrong"] += 1
            tally.counts["wrong_doubted"] += id(seen) in doubted
            tally.rows.append(
                (name, _invented_kind(example, seen), f"{seen.ends} {seen.confidence:.3f}", np.array(seen.quad_px))
            )
    hand = Counter(_key(t.ends) for t in example.tiles) == Counter(_key(t.ends) for t in found)
    tally.counts.update(photos=1, true=len(example.tiles), found=len(pairs), detected=len(found), hands=int(hand))
    tally.counts.update(backs=len(example.backs_px), backs_seen=reading.face_down)


def _invented_kind(example: Example, seen: ReadTile) -> str:
    centre = np.mean(seen.quad_px, 0)
    if any(_inside(centre, back) for back in example.backs_px):
        return "back read as face"
    if any(_inside(centre, t.quad_px) for t in example.tiles):
        return "doubled"
    return "invented"


def _corner_error(true: LabelledTile, seen: ReadTile) -> float:
    """Mean distance of corners in tile widths, end for end either way round."""
    quad = np.array(seen.quad_px)
    width = (np.linalg.norm(true.quad_px[0] - true.quad_px[1]) + np.linalg.norm(true.quad_px[2] - true.quad_px[3])) / 2
    return float(min(np.linalg.norm(np.roll(quad, -k, 0) - true.quad_px, axis=1).mean() for k in (0, 2)) / width)


def without_hidden(example: Example, least_visible: float = 0.6) -> Example:
    """The example as the labelled tables are judged: who reads a tile that is covered more gains nothing and loses nothing."""
    shown = tuple(tile for tile in example.tiles if tile.visible >= least_visible)
    hidden = tuple(tile.quad_px for tile in example.tiles if tile.visible < least_visible)
    return replace(example, tiles=shown, ignore_px=example.ignore_px + hidden)


def contact_sheet(examples: dict[str, Example], tally: Tally, target: Path, most: int = 120) -> None:
    """Write a picture with a crop of every error, its picture's name, its kind and what was read."""
    cells = []
    for name, kind, what, quad in tally.rows[:most]:
        crop = Pyramid(examples[name].image()).cut([quad.astype(np.float64)], TILE_CUT)[0]
        cell = np.full((260, 200, 3), 40, np.uint8)
        cell[:204, 46:154] = cv2.resize(crop, (108, 204))
        for k, text in enumerate((name[-26:], kind, what)):
            cv2.putText(cell, text, (2, 220 + 17 * k), 0, 0.38, (255, 255, 255), 1, cv2.LINE_AA)
        cells.append(cell)
    cells += [np.zeros((260, 200, 3), np.uint8)] * (-len(cells) % 8)
    if cells:
        cv2.imwrite(str(target), np.vstack([np.hstack(cells[k : k + 8]) for k in range(0, len(cells), 8)]))


@click.command()
@click.option("--models", type=click.Path(path_type=Path), default=Path("models"), show_default=True)
@click.option("--shared", type=click.Path(path_type=Path))
@click.option("--part", "parts", multiple=True)
@click.option(
    "--folder", type=click.Path(path_type=Path), help="instead: a folder with truth/ and photos/ or pictures/"
)
@click.option("--only", multiple=True, help="an owner; may be repeated")
@click.option("--from", "start", default="", help="only pictures whose name sorts from this on")
@click.option("--set", "highest", default=0, help="0: found out")
@click.option("--out", type=click.Path(path_type=Path), help="append predictions here, a JSON object a line")
@click.option("--sheet", type=click.Path(path_type=Path))
@click.option("--list", "listed", default=0, show_default=True, help="list so many errors")
@click.option("--title", default="", help="name of the row")
def main(
    models: Path,
    shared: Path | None,
    parts: tuple[str, ...],
    folder: Path | None,
    only: tuple[str, ...],
    start: str,
    highest: int,
    out: Path | None,
    sheet: Path | None,
    listed: int,
    title: str,
) -> None:
    """Measure the reader."""
    if folder:
        photos = next((folder / name for name in ("photos", "pictures") if (folder / name).is_dir()), folder)
        examples = read_folder(folder / "truth", photos)
        examples = [without_hidden(example) for example in examples]
    else:
        examples = read_shared(shared or Path("../shared"), parts)
    examples = [
        e for e in examples if (not only or any(e.owner.startswith(o) for o in only)) and e.picture.name >= start
    ]
    reader = PhotoReader.load(models)
    tally = Tally()
    records = []
    for example in examples:
        reading = read_whole(reader, example.image(), highest or None)
        judge(example, reading, tally)
        records.append(as_record(example.picture.name, reading, score=reading.pips))
    click.echo(tally.line(title or "+".join(only or parts)))
    kinds = Counter(kind for _, kind, _, _ in tally.rows)
    if kinds:
        click.echo("  errors: " + ", ".join(f"{k} {n}" for k, n in kinds.most_common()))
    for row in tally.rows[:listed]:
        click.echo(f"  {row[0]}: {row[1]} {row[2]}")
    if out:
        with out.open("a") as file:
            file.writelines(json.dumps(r) + "\n" for r in records)
    if sheet:
        contact_sheet({e.picture.name: e for e in examples}, tally, sheet)


def all_seen(reader: PhotoReader, examples: Iterable[Example]) -> list[tuple[Example, list[SeenTile], list[Array]]]:
    """What the reader sees on each picture, before decoding: what calibration works on."""
    return [(e, *reader.see(e.image())) for e in examples]


if __name__ == "__main__":
    main()
