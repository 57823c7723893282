#!/usr/bin/env python3
"""Where the time of scoring one photo goes, and how much memory it takes.

    scripts/bench_score.py [PHOTO...] [--runs 5]

Without a photo: the sample hand, enlarged to 12 megapixels. Times are medians over runs; since machines are noisy,
each is also given as a multiple of what `cv2.imdecode` of the same file costs, measured in between. The whole command
is run in processes of its own.
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", nargs="*", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
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
