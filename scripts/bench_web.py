#!/usr/bin/env python3
"""A game night's load on `companion serve`: phones that read the sheet, two that score photos, a camera that streams.

    python scripts/bench_web.py [--clients 20] [--seconds 30] [--every 1.0] [--score-every 0.5]

Starts the server with a data folder of its own on this machine, and talks to nothing else. Each of the clients asks for the sheet
once in --every seconds; two score the sample photo once in --score-every seconds, each score confirmed; one camera sends frames,
one in flight and one in 120 ms at most, as the page does. Prints the figures, and exits with 1 if a bar is missed: median of a
sheet request 50 ms, none above 1 s, no confirmed write lost, 5 frames a second.
"""

from __future__ import annotations

import argparse
import http.client
import json
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import cv2

SAMPLE = Path(__file__).parent.parent / "datasets" / "samples" / "hand.jpg"
LEAST_GAP_S = 0.12
"""From frame to frame, as companion/web/static/watch.js keeps it."""
MEDIAN_MS, MOST_MS, LEAST_FPS = 50.0, 1000.0, 5.0
PLAYERS = ["Ann", "Ben", "Cy", "Dee"]


@dataclass
class Phone:
    """A joined client with one connection."""

    port: int
    code: str
    cookie: str = ""
    token: str = ""
    connection: http.client.HTTPConnection = field(init=False)

    def __post_init__(self) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.get(f"/j/{self.code}")
        page = self.get("/").decode()
        self.token = re.search(r'name="csrf-token" content="([^"]+)"', page)[1]

    def send(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
        """Status and body of one request."""
        try:
            answer = self._ask(method, path, body, headers)
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            self.connection.close()  # it was idle for too long; browsers open another one as well
            answer = self._ask(method, path, body, headers)
        data = answer.read()
        if (cookie := answer.getheader("Set-Cookie")) is not None:
            self.cookie = cookie.partition(";")[0]
        return answer.status, data

    def _ask(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> http.client.HTTPResponse:
        self.connection.request(method, path, body or None, {"Cookie": self.cookie, **headers})
        return self.connection.getresponse()

    def get(self, path: str) -> bytes:
        """The body of a page."""
        return self.send("GET", path)[1]

    def post_json(self, path: str, body: dict[str, object]) -> tuple[int, bytes]:
        """Send an API request."""
        data = json.dumps(body).encode()
        return self.send("POST", path, data, **{"Content-Type": "application/json", "X-CSRFToken": self.token})

    def post_form(self, path: str, photo: bytes | None = None, **fields: str) -> tuple[int, bytes]:
        """Send a form, with a photo or without."""
        mark = uuid.uuid4().hex
        parts = [
            f'--{mark}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
            for name, value in {"csrf_token": self.token, **fields}.items()
        ]
        if photo is not None:
            head = f'--{mark}\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n'
            parts.append(head.encode() + photo + b"\r\n")
        body = b"".join([*parts, f"--{mark}--\r\n".encode()])
        return self.send("POST", path, body, **{"Content-Type": f"multipart/form-data; boundary={mark}"})


@dataclass
class Figures:
    """What was measured."""

    sheet_ms: list[float] = field(default_factory=list)
    photo_ms: list[float] = field(default_factory=list)
    frames: int = 0
    confirmed: list[tuple[str, str]] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)


def read_sheets(phone: Phone, path: str, every_s: float, ended: threading.Event, figures: Figures) -> None:
    while not ended.is_set():
        begun = time.perf_counter()
        status, _ = phone.send("GET", path)
        took = time.perf_counter() - begun
        figures.sheet_ms.append(took * 1000)
        if status != 200:
            figures.troubles.append(f"sheet: {status}")
        ended.wait(max(0.0, every_s - took))


def score_photos(
    phone: Phone, game: str, seat: int, ended: threading.Event, figures: Figures, *, every_s: float = 0.0
) -> None:
    base, photo, number = f"/games/{game}/rounds/1/hands/{seat}", SAMPLE.read_bytes(), 0
    while not ended.is_set():
        number += 1
        begun = time.perf_counter()
        status, _ = phone.post_form(f"{base}/photos", photo + bytes([number % 256, seat]), command=uuid.uuid4().hex)
        figures.photo_ms.append((time.perf_counter() - begun) * 1000)
        page = phone.get(base).decode()
        found = re.search(r'name="hand" value="(\d+)"', page)
        if status != 303 or found is None:
            figures.troubles.append(f"photo: {status}")
            continue
        command = uuid.uuid4().hex
        status, _ = phone.post_form(f"{base}/confirm", hand=found[1], replace="1", command=command)
        if status == 303:
            figures.confirmed.append((command, PLAYERS[seat]))
        else:
            figures.troubles.append(f"confirm: {status}")
        ended.wait(max(0.0, every_s - (time.perf_counter() - begun)))


def stream(phone: Phone, game: str, ended: threading.Event, figures: Figures) -> None:
    picture = cv2.resize(cv2.imread(str(SAMPLE)), (1280, 960))
    jpeg = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, 80))[1].tobytes()
    headers = {"Content-Type": "image/jpeg", "X-CSRFToken": phone.token, "Accept": "application/json"}
    while not ended.is_set():
        begun = time.perf_counter()
        status, data = phone.send("POST", f"/games/{game}/table/frames?camera=bench-camera", jpeg, **headers)
        if status == 200:
            figures.frames += 1
        else:
            figures.troubles.append(f"frame: {status} {data[:80]!r}")
        ended.wait(max(0.0, LEAST_GAP_S - (time.perf_counter() - begun)))


def served(folder: str) -> tuple[subprocess.Popen[str], int, str]:
    command = [sys.executable, "-m", "companion.cli", "serve", "--port", "0", "--no-tls", "--no-browser"]
    process = subprocess.Popen([*command, "--host", "127.0.0.1", "--data", folder], stdout=subprocess.PIPE, text=True)
    text = ""
    for line in process.stdout:
        text += line
        if "Ctrl-C" in line:
            break
    port = int(re.search(r"localhost:(\d+)/host", text)[1])
    return process, port, "".join(re.search(r"number (\d+) (\d+)", text).groups())


def measure(port: int, code: str, arguments: argparse.Namespace) -> tuple[Figures, float, set[str]]:
    figures, ended = Figures(), threading.Event()
    host = Phone(port, code)
    _, data = host.post_json("/api/v1/games", {"players": PLAYERS, "preset": "tournament"})
    game = json.loads(data)["id"]
    score_photos(Phone(port, code), game, 3, once(ended), Figures())  # the reader is loaded when the clock starts
    camera = Phone(port, code)
    readers = [Phone(port, code) for _ in range(arguments.clients)]
    jobs = [(read_sheets, (phone, f"/games/{game}", arguments.every, ended, figures)) for phone in readers]
    scoring = partial(score_photos, every_s=arguments.score_every)
    jobs += [(scoring, (Phone(port, code), game, seat, ended, figures)) for seat in (0, 1)]
    jobs += [(stream, (camera, game, ended, figures))]
    threads = [threading.Thread(target=work, args=given) for work, given in jobs]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    time.sleep(arguments.seconds)
    ended.set()
    took = time.perf_counter() - begun
    for thread in threads:
        thread.join()
    status, page = host.send("GET", f"/games/{game}/journal")
    told = json.loads(host.get(f"/api/v1/games/{game}"))
    kept = {cell["player"] for cell in told["sheet"][0]["scores"] if cell["points"] is not None}
    written = page.decode().count("is left with")
    if written < len(figures.confirmed) or not {player for _, player in figures.confirmed} <= kept or status != 200:
        figures.troubles.append(f"lost: {len(figures.confirmed)} confirmed, {written} written")
    return figures, took, kept


def once(_ended: threading.Event) -> threading.Event:
    """An event that lets a loop run one time."""

    class Once(threading.Event):
        asked = False

        def is_set(self) -> bool:
            was, self.asked = self.asked, True
            return was

    return Once()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--every", type=float, default=1.0, help="seconds between two looks of a client")
    parser.add_argument(
        "--score-every", type=float, default=0.5, help="seconds between two photos of a phone that scores"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        process, port, code = served(folder)
        try:
            figures, took, _ = measure(port, code, arguments)
        finally:
            process.terminate()
            process.wait(30)
    sheet = sorted(figures.sheet_ms)
    fps = figures.frames / took
    print(f"sheet requests: {len(sheet)}, median {statistics.median(sheet):.0f} ms, "
          f"95 % under {sheet[int(len(sheet) * 0.95)]:.0f} ms, slowest {sheet[-1]:.0f} ms")  # fmt: skip
    print(f"photos: {len(figures.photo_ms)}, median {statistics.median(figures.photo_ms):.0f} ms")
    print(f"confirmed scores: {len(figures.confirmed)}; frames a second: {fps:.1f}")
    for trouble in sorted(set(figures.troubles)):
        print(f"TROUBLE: {trouble}")
    missed = statistics.median(sheet) > MEDIAN_MS or sheet[-1] > MOST_MS or fps < LEAST_FPS or bool(figures.troubles)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
