#!/usr/bin/env python3
"""Where the time of scoring one photo goes, and how much memory it takes.

    scripts/bench_score.py [PHOTO...] [--runs 5]
    scripts/bench_score.py --frames TABLES_DIR [--runs 5]

Without a photo: the sample hand, enlarged to 12 megapixels. Times are medians over runs; since machines are noisy,
each is also given as a multiple of what `cv2.imdecode` of the same file costs, measured in between. The whole command
is run in processes of its own.

With `--frames` instead: labelled tables of 36 to 48 tiles (a folder with `truth` and `pictures`), as frames of 1280 x 960 that are
read as a whole, each beside the first look of the detector alone.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np

ROOT = Path(__file__).parent.parent
LEAST_TILES, MOST_TILES = 36, 48


def sample_of_12_megapixels(folder: Path) -> Path:
    image = cv2.imread(str(ROOT / "datasets/samples/hand.jpg"))
    target = folder / "hand_12mp.jpg"
    cv2.imwrite(
        str(target), cv2.resize(image, (4000, 3000), interpolation=cv2.INTER_CUBIC), [cv2.IMWRITE_JPEG_QUALITY, 90]
    )
    return target


def whole_command(photo: Path, runs: int) -> tuple[float, float]:
    """Median seconds from process start, and the peak memory of any run in MB."""
    seconds = []
    for _ in range(runs):
        begun = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "companion.cli", "score", "--json", str(photo)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        seconds.append(time.perf_counter() - begun)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return statistics.median(seconds), peak / (1024 if sys.platform == "linux" else 1024 * 1024)


def stages(photo: Path, runs: int) -> tuple[dict[str, float], float, int]:
    """Median seconds of each stage with the models loaded, of imdecode alone, and how many tiles were read."""
    from companion.vision.photos import read_photo
    from companion.vision.reader import PhotoReader
    from companion.wiring import Workshop

    reader = PhotoReader.load(Workshop.from_environment().models_dir())
    data = np.frombuffer(photo.read_bytes(), np.uint8)
    rows: list[dict[str, float]] = []
    plain = []
    tiles = 0
    for _ in range(runs + 1):
        begun = time.perf_counter()
        cv2.imdecode(data, cv2.IMREAD_COLOR)
        plain.append(time.perf_counter() - begun)
        begun = time.perf_counter()
        tiles = len(read_photo(reader, photo).reading.tiles)
        whole = time.perf_counter() - begun
        rows.append({"open": whole - sum(reader.timings.values()), **reader.timings})
    rows, plain = rows[1:], plain[1:]  # the first run warms up
    return {k: statistics.median(row.get(k, 0.0) for row in rows) for k in rows[0]}, statistics.median(plain), tiles


def frame_times(folder: Path, runs: int) -> list[tuple[str, int, float, float]]:
    """Of each frame: its name, tiles read, median seconds of reading it, and of the detector's look at it beside."""
    import json

    from companion.vision.locate import LocateParameters, locate
    from companion.vision.reader import PhotoReader
    from companion.vision.rectify import Pyramid
    from companion.wiring import Workshop

    reader = PhotoReader.load(Workshop.from_environment().models_dir())
    rows = []
    for path in sorted((folder / "truth").glob("*.json")):
        truth = json.loads(path.read_text())
        if not LEAST_TILES <= len(truth["tiles"]) <= MOST_TILES:
            continue
        picture = cv2.imread(str(folder / "pictures" / truth["photo"]))
        share = 1280 / max(picture.shape[:2])
        frame = np.asarray(cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)
        whole, alone, tiles = [], [], 0
        for _ in range(runs + 1):
            begun = time.perf_counter()
            tiles = len(reader.read(frame).tiles)
            whole.append(time.perf_counter() - begun)
            begun = time.perf_counter()
            locate(reader.detector, Pyramid(frame), LocateParameters())
            alone.append(time.perf_counter() - begun)
        rows.append((path.stem, tiles, statistics.median(whole[1:]), statistics.median(alone[1:])))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", nargs="*", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--frames", type=Path, metavar="TABLES_DIR")
    args = parser.parse_args()
    if args.frames:
        rows = frame_times(args.frames, args.runs)
        for name, tiles, whole, alone in rows:
            print(f"{name}: {tiles} tiles, {whole * 1000:.0f} ms, the detector's look alone {alone * 1000:.0f} ms")
        print(f"median {statistics.median(row[2] for row in rows) * 1000:.0f} ms")
        return
    with tempfile.TemporaryDirectory() as folder:
        for photo in args.photos or [sample_of_12_megapixels(Path(folder))]:
            parts, plain, tiles = stages(photo, args.runs)
            total = sum(parts.values())
            print(f"{photo.name}: {tiles} tiles; imdecode alone {plain * 1000:.0f} ms")
            for name, seconds in parts.items():
                print(f"  {name:10s} {seconds * 1000:7.1f} ms  {seconds / plain:5.2f} x imdecode")
            print(f"  {'all':10s} {total * 1000:7.1f} ms  {total / plain:5.2f} x imdecode (models loaded)")
            seconds, peak = whole_command(photo, max(1, args.runs // 2))
            print(f"  from process start {seconds:.2f} s, peak memory {peak:.0f} MB")
    size = sum(p.stat().st_size for p in (ROOT / "models").glob("*.onnx"))
    print(f"models {size / 1e6:.1f} MB together")


if __name__ == "__main__":
    main()
