#!/usr/bin/env python3
"""What watching costs: `companion watch` on a made video beside the detector alone, and its memory over two hours.

    scripts/bench_watch.py [--seconds 40] [--tiles 40]     frames a second, and cost a frame as a multiple of the detector's
    scripts/bench_watch.py --hours 2                       memory over so many hours of a small picture at 2 frames a second

The video is of 1280 x 960 pixels: a made scene of many tiles, of which the last ones are laid one after the other, each by an
arm that comes in from the edge; sensor noise in every frame. It is written as a file and read back as any video would be.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from companion.rules.presets import standard_book
from companion.table.watch_events import PlaySeen
from companion.table.watching import TableWatch
from companion.training.scenes import Scene, make_scene
from companion.vision.choosing import covered_share
from companion.vision.feed import open_feed
from companion.vision.feed_capture import Frame
from companion.vision.locate import locate
from companion.vision.reader import PhotoReader
from companion.vision.rectify import Pyramid
from companion.vision.watching import FrameReader, FrameWatcher
from companion.wiring import Workshop

SIZE_WH = (1280, 960)
FPS = 10
LONG_FPS = 2
"""Of the feed of hours: what could pile up is told by changes of the table, and there is one every ten seconds."""
CYCLE_S = 4.0
"""A player's move: an arm for a second, then a quiet table."""


def main() -> None:
    options = _options()
    reader = PhotoReader.load(Workshop.from_environment().models_dir())
    if options.hours:
        long_feed(reader, options.hours)
        return
    with tempfile.TemporaryDirectory() as folder:
        video = Path(folder) / "table.avi"
        scene, laid = write_video(video, options.seconds, options.tiles)
        spent, frames, plays = watch(video, reader, scene.highest)
        alone = detector_alone(video, reader)
    print(
        f"{frames} frames of {SIZE_WH[0]} x {SIZE_WH[1]}, {options.tiles} tiles, {laid} of them laid: {plays} plays told"
    )
    print(f"watch: {1000 * spent[0] / frames:.1f} ms a frame, {frames / spent[0]:.1f} frames a second")
    print(f"detector alone: {1000 * alone[0]:.1f} ms a frame; watch / detector = {spent[0] / frames / alone[0]:.2f}")
    print(f"processor time: watch {1000 * spent[1] / frames:.1f} ms a frame, detector {1000 * alone[1]:.1f} ms")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=40.0)
    parser.add_argument("--tiles", type=int, default=40)
    parser.add_argument("--hours", type=float, default=0.0)
    return parser.parse_args()


def whole_quads(scene: Scene) -> list[np.ndarray]:
    """Quads of the tiles that are wholly seen."""
    return [tile.quad_px for tile in scene.tiles if tile.visible > 0.9 and tile.ends is not None]


def alone_on_the_table(scene: Scene) -> list[np.ndarray]:
    """Quads of the tiles that touch no other: the table can be painted over them."""
    quads = [tile.quad_px for tile in scene.tiles]
    grown = [quad.mean(0) + (quad - quad.mean(0)) * 1.25 for quad in quads]
    return [
        quad
        for k, quad in enumerate(quads)
        if scene.tiles[k].visible > 0.95
        and scene.tiles[k].ends is not None
        and all(j == k or covered_share(grown[k], quads[j]) == 0 for j in range(len(quads)))
    ]


def scene_of(tiles: int, laid: int) -> Scene:
    """A made scene of ordinary light with so many tiles or more, of which so many lie by themselves."""
    for seed in range(500, 1500):
        scene = make_scene(seed, least_px=20, most_px=34)
        bright = 80 < float(scene.image_bgr.mean()) < 200
        if bright and len(whole_quads(scene)) >= tiles and len(alone_on_the_table(scene)) >= laid:
            return scene
    raise SystemExit(f"no made scene has {tiles} tiles")


def stages(scene: Scene, count: int) -> list[np.ndarray]:
    """The scene without some tiles, then with one more each time: where they will lie, the table is painted over."""
    high, wide = scene.image_bgr.shape[:2]
    scale = np.array(SIZE_WH) / (wide, high)
    pictures = [cv2.resize(scene.image_bgr, SIZE_WH, interpolation=cv2.INTER_AREA)]
    for quad in alone_on_the_table(scene)[:count]:
        mask = np.zeros(SIZE_WH[::-1], np.uint8)
        middle = quad.mean(0)
        cv2.fillConvexPoly(mask, np.round((middle + (quad - middle) * 1.2) * scale).astype(np.int32), 255)
        pictures.append(cv2.inpaint(pictures[-1], mask, 4, cv2.INPAINT_TELEA))
    return pictures[::-1]


def frames_of(pictures: list[np.ndarray], seconds: float) -> Iterator[np.ndarray]:
    """Frames of a video in which the pictures follow each other, with an arm between them."""
    noise = [np.random.default_rng(k).normal(0, 2.5, (*SIZE_WH[::-1], 3)).astype(np.int8) for k in range(4)]
    for number in range(int(seconds * FPS)):
        stage, phase = divmod(number / FPS, CYCLE_S)
        picture = pictures[min(int(stage), len(pictures) - 1)]
        if phase > CYCLE_S - 1:
            reach = np.sin((phase - CYCLE_S + 1) * np.pi)
            picture = picture.copy()
            tip = (SIZE_WH[0] - round(700 * reach), 420)
            cv2.line(picture, tip, (SIZE_WH[0] + 120, 520), (70, 90, 150), 130, cv2.LINE_AA)
        yield cv2.add(picture, noise[number % 4], dtype=cv2.CV_8U)


def write_video(path: Path, seconds: float, tiles: int) -> tuple[Scene, int]:
    """The video, and how many tiles are laid in it."""
    laid = min(6, int(seconds / CYCLE_S) - 1)
    scene = scene_of(tiles, laid)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, SIZE_WH)
    for frame in frames_of(stages(scene, laid), seconds):
        writer.write(frame)
    writer.release()
    return scene, laid


Spent = tuple[float, float]
"""Seconds by the clock, and of processor time on all cores together, which a busy machine stretches less."""


def clocks() -> Spent:
    return time.perf_counter(), time.process_time()


def since(begun: Spent, count: int = 1) -> Spent:
    now = clocks()
    return (now[0] - begun[0]) / count, (now[1] - begun[1]) / count


def watch(video: Path, reader: PhotoReader, highest: int) -> tuple[Spent, int, int]:
    """Time, frames and plays of the whole way from the file to the events."""
    watcher = FrameWatcher(FrameReader(reader, set_highest=highest), TableWatch(None, set_highest=highest))
    begun, frames, plays = clocks(), 0, 0
    for item in open_feed(str(video)).frames():
        if isinstance(item, Frame):
            events = watcher.see(item.picture, frame=item.number, time_s=item.time_s)
            plays += sum(isinstance(event, PlaySeen) for event in events)
            frames += 1
    return since(begun), frames, plays


def detector_alone(video: Path, reader: PhotoReader, most: int = 40) -> Spent:
    """Time a frame of locating tiles in every frame, and nothing else."""
    frames = [item.picture for item in open_feed(str(video)).frames() if isinstance(item, Frame)][:: max(1, most // 10)]
    begun = clocks()
    for picture in frames[:most]:
        locate(reader.detector, Pyramid(picture), reader.parameters.locate)
    return since(begun, len(frames[:most]))


def long_feed(reader: PhotoReader, hours: float) -> None:
    """Hours of a table of which a tile comes and goes every ten seconds; the pictures are small, to be done in minutes."""
    pictures = [cv2.resize(picture, (480, 360)) for picture in stages(scene_of(12, 4), 4)]
    rules = standard_book().rules("base")
    watcher = FrameWatcher(FrameReader(reader, set_highest=12), TableWatch(rules, set_highest=12))
    count, begun = int(hours * 3600 * LONG_FPS), time.perf_counter()
    for frame in range(count):
        stage = frame // (10 * LONG_FPS) % (2 * len(pictures) - 2)
        picture = pictures[min(stage, 2 * len(pictures) - 2 - stage)]
        watcher.see(picture, frame=frame, time_s=frame / LONG_FPS)
        if frame % (count // 8) == count // 8 - 1:
            minutes = (frame + 1) / LONG_FPS / 60
            print(
                f"after {minutes:5.1f} min of feed: {_memory_mb():.1f} MB ({time.perf_counter() - begun:.0f} s)",
                flush=True,
            )


def _memory_mb() -> float:
    """Resident memory now, or the peak where that cannot be told."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 2**20
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**10 if sys.platform == "linux" else 2**20)


if __name__ == "__main__":
    main()
