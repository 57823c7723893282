#!/usr/bin/env python3
"""The error board: what weights get wrong on the labelled pictures, by kind; one row a model in benchmarks/error_board.md.

    scripts/error_board.py NAME [--shared DIR] [--models DIR] [--part hands --only OWNER] [--sheets DIR] [--write]

Kinds: missed; misread (its corners right); quad off (misread, and the corners are off by a fifth of a tile); doubled (a
second tile inside a true one); invented; back as face. `--sheets` writes a contact sheet of the errors for each part
(pictures of others: keep them to yourself). `--write` adds the row to the board. Board games are told their set (6), since
printed dominoes lie around them.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from pathlib import Path

from companion.training.evaluate import Tally, contact_sheet, judge, read_whole
from companion.training.examples import read_shared
from companion.vision.reader import PhotoReader

ROOT = Path(__file__).parent.parent
BOARD = ROOT / "benchmarks/error_board.md"
PARTS = ("hands", "chains", "board", "tables")
KINDS = {
    "missed": "missed",
    "misread": "misread",
    "misread, quad off": "quad off",
    "doubled": "doubled",
    "invented": "invented",
    "back read as face": "back as face",
}


def measured(reader: PhotoReader, shared: Path, part: str, only: str, sheet: Path | None) -> Tally:
    """Read a part's pictures and compare."""
    tally = Tally()
    examples = [e for e in read_shared(shared, [part]) if e.owner.startswith(only)]
    for example in examples:
        judge(example, read_whole(reader, example.image(), 6 if part == "board" else None), tally)
    if sheet:
        sheet.parent.mkdir(parents=True, exist_ok=True)
        contact_sheet({e.picture.name: e for e in examples}, tally, sheet)
    return tally


def cell(tally: Tally) -> str:
    """What a part's cell says."""
    kinds = Counter(KINDS.get(kind, kind) for _, kind, _, _ in tally.rows)
    errors = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()) or "no error"
    return f"{tally.ratio('right', 'true'):.3f}: {errors}; right doubted {tally.ratio('right_doubted', 'right'):.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", help="what the row is called")
    parser.add_argument(
        "--shared", type=Path, default=Path(os.environ.get("COMPANION_SHARED") or ROOT.parent / "shared")
    )
    parser.add_argument("--models", type=Path, default=ROOT / "models")
    parser.add_argument("--part", action="append", choices=PARTS)
    parser.add_argument("--only", default="", help="only this owner's pictures")
    parser.add_argument("--sheets", type=Path)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    reader = PhotoReader.load(args.models)
    cells = []
    for part in PARTS:
        if args.part and part not in args.part:
            cells.append("")
            continue
        tally = measured(reader, args.shared, part, args.only, args.sheets and args.sheets / f"{part}.png")
        print(tally.line(part), flush=True)
        print(f"  {cell(tally)}", flush=True)
        cells.append(cell(tally))
    if args.write:
        with BOARD.open("a") as file:
            file.write(f"| {args.name} | " + " | ".join(cells) + " |\n")


if __name__ == "__main__":
    main()
