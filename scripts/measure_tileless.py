#!/usr/bin/env python3
"""How many tiles are seen where there are none: made pictures of tables with cards, dice, coins, phones, keyboards, books, cloth.

    scripts/measure_tileless.py [--count 200] [--models models] [--keep DIR]

Needs no [train] extra. `--keep` writes the pictures on which something was seen.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from companion.errors import UnusablePhoto
from companion.training.scenes import tileless_scene
from companion.vision.reader import PhotoReader

ROOT = Path(__file__).parent.parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--models", type=Path, default=ROOT / "models")
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args()
    reader = PhotoReader.load(args.models)
    pictures = sure = tiles = backs = 0
    for seed in range(args.count):
        image = tileless_scene(seed)
        try:
            reading = reader.read(image)
        except UnusablePhoto:
            continue
        pictures += 1
        tiles += len(reading.tiles)
        backs += reading.face_down
        sure += len(reading.tiles) - len({doubt.tile for doubt in reading.doubts})
        print(f"{seed}: {[tile.ends for tile in reading.tiles]}, {reading.face_down} face down")
        if args.keep:
            args.keep.mkdir(parents=True, exist_ok=True)
            for tile in reading.tiles:
                cv2.polylines(image, [np.array(tile.quad_px, np.int32)], True, (0, 0, 255), 2)
            cv2.imwrite(str(args.keep / f"tileless_{seed:03d}.png"), image)
    print(
        f"{args.count} pictures: tiles seen on {pictures}: {tiles} face up ({sure} without a doubt), {backs} face down"
    )


if __name__ == "__main__":
    main()
