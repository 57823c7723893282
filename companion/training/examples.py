"""Labelled pictures on disk: one JSON a picture beside a folder of pictures, made ones and photographs alike.

{"photo", "size": [w, h], "set", "source", "tiles": [{"ends", "quad", "visible"?, "pips"?, "length"?, "numerals"?}],
 "face_down_quads": [quad...], "ignore": [polygon...], "decoys": [quad...], "trains"?, "markers"?: [{"centre"}...],
 "clutter"?: [{"centre"}...]}
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LabelledTile:
    """One face-up tile: `quad_px` (4, 2) clockwise from end a; `pips` (n, 2) in tile widths where they are known."""

    ends: tuple[int, int]
    quad_px: Array
    visible: float = 1.0
    pips: Array | None = None
    length: float = 2.0
    numerals: bool = False


@dataclass(frozen=True)
class Example:
    """One labelled picture; `owner` groups what must be left out together."""

    picture: Path
    owner: str
    highest: int
    tiles: tuple[LabelledTile, ...]
    backs_px: tuple[Array, ...]
    ignore_px: tuple[Array, ...]
    decoys_px: tuple[Array, ...] = ()
    """Quads that a detector took for tiles and that are none (`mine`)."""
    vain_px: tuple[Array, ...] = ()
    """Quads that the whole reader looked at in vain (`mine --vain`)."""
    lasts: tuple[int, ...] | None = None
    """The last tile of every train that is seen to its end; None where nobody said what the trains are."""
    markers_px: tuple[Array, ...] = ()
    """Where markers stand (2,)."""
    clutter_px: tuple[Array, ...] = ()
    """Where other things stand that are known, and might be taken for markers."""

    def image(self) -> NDArray[np.uint8]:
        """The picture, BGR."""
        image = cv2.imread(str(self.picture), cv2.IMREAD_COLOR)
        if image is None:
            raise FileNotFoundError(self.picture)
        return np.asarray(image, np.uint8)


def owner_of(truth: dict[str, Any], path: Path) -> str:
    """Who took it: the repository or person named first in `source`, else the file's own prefix."""
    source = str(truth.get("source") or "")
    name = re.split(r"[/@ ]", source)[0] if "@" in source else ""
    return name or re.split(r"[_\d]", path.stem)[0]


def _tile(record: dict[str, Any]) -> LabelledTile:
    pips = record.get("pips")
    return LabelledTile(
        ends=(int(record["ends"][0]), int(record["ends"][1])),
        quad_px=np.array(record["quad"], np.float64),
        visible=float(record.get("visible", 1.0)),
        pips=None if pips is None else np.array(pips, np.float64).reshape(-1, 2),
        length=float(record.get("length", 2.0)),
        numerals=bool(record.get("numerals", False)),
    )


def read_example(truth_path: Path, pictures: Path) -> Example:
    """One labelled picture from its JSON."""
    truth = json.loads(truth_path.read_text())
    return Example(
        picture=pictures / truth["photo"],
        owner=owner_of(truth, truth_path),
        highest=int(truth.get("set") or 12),
        tiles=tuple(_tile(t) for t in truth["tiles"]),
        backs_px=tuple(np.array(q, np.float64) for q in truth.get("face_down_quads") or ()),
        ignore_px=tuple(np.array(q, np.float64) for q in truth.get("ignore") or ()),
        decoys_px=tuple(np.array(q, np.float64) for q in truth.get("decoys") or ()),
        vain_px=tuple(np.array(q, np.float64) for q in truth.get("vain") or ()),
        lasts=_lasts(truth.get("trains")),
        markers_px=tuple(
            np.array(m["centre"], np.float64) for m in truth.get("markers") or () if m.get("visible", True)
        ),
        clutter_px=tuple(np.array(m["centre"], np.float64) for m in truth.get("clutter") or ()),
    )


def _lasts(trains: list[dict[str, Any]] | None) -> tuple[int, ...] | None:
    if trains is None:
        return None
    return tuple(int(t["tiles"][-1]) for t in trains if t["tiles"] and t.get("end_visible", True))


def read_folder(truth: Path, pictures: Path) -> list[Example]:
    """All labelled pictures of a folder, by name."""
    return [read_example(path, pictures) for path in sorted(truth.glob("*.json"))]


def read_shared(shared: Path, parts: Sequence[str]) -> list[Example]:
    """Labelled pictures of `hands`, `chains`, `board`, `tables`, `seq_...` below a shared folder."""
    found: list[Example] = []
    for part in parts:
        if part.startswith("seq_"):
            found += read_folder(shared / "sequences" / f"{part}_truth", shared / "sequences")
        elif part == "tables":
            found += read_folder(shared / "tables" / "truth", shared / "tables" / "pictures")
        else:
            found += read_folder(shared / "photos" / part / "truth", shared / "photos" / part / "photos")
    return found


def without(examples: Sequence[Example], owners: Sequence[str]) -> Iterator[Example]:
    """The examples of other owners."""
    return (e for e in examples if not any(e.owner.startswith(o) for o in owners))


def held_back(examples: Iterable[Example], first: str) -> Iterator[Example]:
    """The examples without those of the series of `first` (table_01024: all tables) whose name sorts from it on; "" keeps all."""
    series = re.split(r"\d", first)[0]
    for example in examples:
        name = example.picture.name
        if not first or not name.startswith(series) or name < first:
            yield example
