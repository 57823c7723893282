#!/usr/bin/env python3
"""How well shaken pictures are read, with and without sharpening: the labelled pictures, each blurred along a line of its own.

    scripts/measure_shaken.py [--shared DIR] [--models DIR] [--part hands --part tables] [--plain]

The line is 12 to 28 % of a tile's width long, in any direction; noise of two grey levels and a JPEG of quality 85 follow. The same
seed for the same picture. `--plain` leaves the sharpening out.
"""

from __future__ import annotations

import argparse
import os
import zlib
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.training.evaluate import Tally, judge, read_whole
from companion.training.examples import Example, read_shared
from companion.training.photograph import along_a_line
from companion.vision.opening import Picture
from companion.vision.reader import PhotoReader
from companion.vision.rectify import width_of

ROOT = Path(__file__).parent.parent


def shaken(example: Example) -> Picture:
    """The picture as a shaking hand would have taken it."""
    rng = np.random.default_rng(zlib.crc32(example.picture.name.encode()))
    image = example.image()
    width = float(np.median([width_of(tile.quad_px) for tile in example.tiles]))
    length, angle = max(3.0, width * rng.uniform(0.12, 0.28)), rng.uniform(0, np.pi)
    noisy = along_a_line(image, length, angle) + rng.normal(0, 2, image.shape)
    _, encoded = cv2.imencode(".jpg", np.clip(noisy, 0, 255).astype(np.uint8), (cv2.IMWRITE_JPEG_QUALITY, 85))
    return np.asarray(cv2.imdecode(encoded, cv2.IMREAD_COLOR), np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = Path(os.environ.get("COMPANION_SHARED") or ROOT.parent / "shared")
    parser.add_argument("--shared", type=Path, default=shared)
    parser.add_argument("--models", type=Path, default=ROOT / "models")
    parser.add_argument("--part", action="append", choices=("hands", "chains", "tables"))
    parser.add_argument("--plain", action="store_true", help="do not sharpen")
    args = parser.parse_args()
    reader = PhotoReader.load(args.models)
    if args.plain:
        never = replace(reader.parameters.steady, share_unsure=2.0)
        reader.parameters = replace(reader.parameters, steady=never)
    for part in args.part or ("hands", "tables"):
        tally = Tally()
        for example in read_shared(args.shared, [part]):
            if example.tiles:
                judge(example, read_whole(reader, shaken(example), None), tally)
        print(tally.line(f"{part}, shaken"), flush=True)


if __name__ == "__main__":
    main()
