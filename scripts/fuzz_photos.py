#!/usr/bin/env python3
"""Open damaged photos by the hundred, and report every crash, hang or exception that is not a refusal.

    scripts/fuzz_photos.py [--count 500] [--seed 0] [--limit 20] [--read] [--keep DIR]

Each photo is drawn here, saved in one of the kinds that are opened, and damaged: flipped bits, a cut, a wrong ending, a
hole, a lying length. A child process opens it (with --read the real reader reads it too), so that a crash of a decoder is
seen and does not end the run. Same seed, same photos. Exit status 1 when one crashed, hung or raised; --keep writes those
files to DIR.
"""

from __future__ import annotations

import argparse
import io
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pillow_heif
from PIL import Image

from companion.errors import UnusablePhoto
from companion.vision.opening import open_picture
from companion.wiring import Workshop

_VARIANTS = 3
"""Photos of each kind."""
FAILURES = frozenset({"crashed", "hung", "raised", "wrong"})
_START_LIMIT_S = 120.0
"""A child imports OpenCV and, to read, loads the weights; on a busy computer that takes long and is no hang."""


def drawn_photo(rng: np.random.Generator) -> Image.Image:
    """A few tiles on a noisy table, 320x240 to 480x360."""
    high = int(rng.integers(240, 361))
    wide = max(320, high * 4 // 3)
    table = rng.integers(40, 200, 3) + rng.normal(0, 12, (high, wide, 3))
    photo = np.clip(table, 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(1, 6))):
        centre = (float(rng.uniform(60, wide - 60)), float(rng.uniform(50, high - 50)))
        corners = cv2.boxPoints((centre, (80.0, 40.0), float(rng.uniform(0, 180))))
        cv2.fillConvexPoly(photo, np.round(corners).astype(np.int32), (235, 238, 240), cv2.LINE_AA)
        for _ in range(int(rng.integers(0, 9))):
            spot = np.array(centre) + rng.uniform(-15, 15, 2)
            cv2.circle(photo, np.round(spot).astype(int).tolist(), 4, (20, 20, 20), -1, cv2.LINE_AA)
    return Image.fromarray(photo)


def _pillow(kind: str, **options: Any) -> Callable[[Image.Image], bytes]:
    def save(photo: Image.Image) -> bytes:
        tags = Image.Exif()
        tags[0x0112] = 6
        out = io.BytesIO()
        photo.save(out, kind, exif=tags.tobytes(), **options) if kind not in ("BMP", "GIF") else photo.save(out, kind)
        return out.getvalue()

    return save


def _heic(photo: Image.Image) -> bytes:
    out = io.BytesIO()
    pillow_heif.from_pillow(photo).save(out, quality=80)
    return out.getvalue()


SAVERS: dict[str, Callable[[Image.Image], bytes]] = {
    "jpeg": _pillow("JPEG", quality=85),
    "progressive": _pillow("JPEG", quality=85, progressive=True),
    "png": _pillow("PNG"),
    "webp": _pillow("WEBP", quality=80),
    "webp-lossless": _pillow("WEBP", lossless=True),
    "heic": _heic,
    "avif": _pillow("AVIF", quality=70, speed=10),
    "gif": _pillow("GIF"),
    "bmp": _pillow("BMP"),
    "cmyk": lambda photo: _pillow("JPEG", quality=85)(photo.convert("CMYK")),
    "alpha": lambda photo: _pillow("PNG")(photo.convert("RGBA")),
    "palette": lambda photo: _pillow("PNG")(photo.quantize(32)),
}


def flip_bits(data: bytearray, rng: np.random.Generator) -> bytes:
    """1 to 300 flipped bits, anywhere or in the first kilobyte, where the headers are."""
    reach = min(len(data), 1024) if rng.random() < 0.5 else len(data)
    for at in rng.integers(0, reach, int(np.exp(rng.uniform(0, 5.7)))):
        data[at] ^= 1 << int(rng.integers(8))
    return bytes(data)


def cut(data: bytearray, rng: np.random.Generator) -> bytes:
    """The first part only, down to nothing."""
    return bytes(data[: int(len(data) * rng.uniform(0, 1) ** 2)])


def wrong_ending(data: bytearray, rng: np.random.Generator) -> bytes:
    """The last part replaced by noise, by zeros or by the file's own beginning; or something appended."""
    at = int(len(data) * rng.uniform(0.05, 1))
    rest = len(data) - at
    endings = (rng.bytes(rest), bytes(rest), bytes(data[:rest]), bytes(data[at:]) + rng.bytes(4096))
    return bytes(data[:at]) + endings[int(rng.integers(len(endings)))]


def hole(data: bytearray, rng: np.random.Generator) -> bytes:
    """A piece taken out of the middle, so that all lengths behind it are wrong."""
    start, end = sorted(int(at) for at in rng.integers(0, len(data), 2))
    return bytes(data[:start] + data[end:])


def lying_length(data: bytearray, rng: np.random.Generator) -> bytes:
    """Four bytes of the first 400 set to an extreme: sizes and lengths live there."""
    extremes = (b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", bytes(4), b"\x00\x00\x00\x01", b"\x80\x00\x00\x00")
    at = int(rng.integers(8, min(400, len(data) - 4)))
    data[at : at + 4] = extremes[int(rng.integers(len(extremes)))]
    return bytes(data)


DAMAGES = (flip_bits, cut, wrong_ending, hole, lying_length)


@lru_cache(maxsize=256)
def whole_photo(seed: int, kind: str, variant: int) -> bytes:
    """One photo before it is damaged; a few of each kind are enough, and HEIC takes long to write."""
    rng = np.random.default_rng((seed, list(SAVERS).index(kind), variant))
    return SAVERS[kind](drawn_photo(rng))


def damaged_photo(seed: int, index: int) -> tuple[str, bytes]:
    """Name and bytes of one damaged photo; every kind meets every damage in turn."""
    turn, place = divmod(index, len(SAVERS))
    kind, damage = list(SAVERS)[place], DAMAGES[turn % len(DAMAGES)]
    data = bytearray(whole_photo(seed, kind, turn % _VARIANTS))
    return f"{index:04d}-{kind}-{damage.__name__}", damage(data, np.random.default_rng((seed, index)))


def try_photo(data: bytes, read: Callable[[Any], object] | None) -> tuple[str, str]:
    """Open (and read) one photo: outcome and detail."""
    try:
        picture = open_picture(data)
        if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3 or not picture.flags.c_contiguous:
            return "wrong", f"{picture.dtype} {picture.shape}"
        if read is None:
            return "opened", ""
        read(picture)
    except UnusablePhoto as error:
        return "refused", error.code
    except Exception as error:  # the very thing that is looked for
        return "raised", f"{type(error).__name__}: {error}"
    return "read", ""


def child(pipe: Connection, read_too: bool) -> None:
    """Take photos from the pipe until it closes, answer with outcomes."""
    read: Callable[[Any], object] | None = None
    if read_too:
        reader = Workshop.from_environment().reader()
        read = lambda picture: reader.read(picture, set_highest=None)  # noqa: E731
    pipe.send(("ready", ""))
    while (data := pipe.recv()) is not None:
        pipe.send(try_photo(data, read))


class Children:
    """One child at a time; a new one when it died or had to be ended."""

    def __init__(self, read_too: bool, limit_s: float) -> None:
        self._read_too, self._limit_s = read_too, limit_s
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, far_end = context.Pipe()
        self._process = context.Process(target=child, args=(far_end, self._read_too), daemon=True)
        self._process.start()
        far_end.close()
        if not self._pipe.poll(_START_LIMIT_S) or self._pipe.recv()[0] != "ready":
            raise SystemExit("the child does not start")

    def ask(self, data: bytes) -> tuple[str, str]:
        """Outcome and detail for one photo."""
        self._pipe.send(data)
        try:
            if self._pipe.poll(self._limit_s):
                outcome, detail = self._pipe.recv()
                return str(outcome), str(detail)
            self._process.kill()
            answer = "hung", f"longer than {self._limit_s:g} s"
        except EOFError:
            self._process.join()
            answer = "crashed", f"exit status {self._process.exitcode}"
        self._process.join()
        self._start()
        return answer

    def close(self) -> None:
        """End the child."""
        self._pipe.send(None)
        self._process.join(10)


def main() -> int:
    """Run, report, and say by the exit status whether all went well."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=float, default=20.0, help="seconds for one photo")
    parser.add_argument("--read", action="store_true", help="read the photos that open, too")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write the photos that failed here")
    options = parser.parse_args()
    outcomes: Counter[str] = Counter()
    slowest = (0.0, "")
    children = Children(options.read, options.limit)
    for index in range(options.count):
        if index and index % 100 == 0:
            print(f"{index} of {options.count}", file=sys.stderr, flush=True)
        name, data = damaged_photo(options.seed, index)
        begun = time.monotonic()
        outcome, detail = children.ask(data)
        slowest = max(slowest, (time.monotonic() - begun, name))
        outcomes[f"{outcome} {detail}".strip() if outcome == "refused" else outcome] += 1
        if outcome in FAILURES:
            print(f"{name}: {outcome}: {detail}", flush=True)
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / name).write_bytes(data)
    children.close()
    for what, count in sorted(outcomes.items()):
        print(f"{count:5d} {what}")
    failed = sum(count for what, count in outcomes.items() if what in FAILURES)
    print(f"{options.count} damaged photos, {failed} failures; the slowest took {slowest[0]:.2f} s ({slowest[1]})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
