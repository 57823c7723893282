"""Sources of pictures: what is opened, what is refused and how, and what happens when a camera goes away."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.feed import FeedError, FolderFeed, VideoFeed, open_feed
from companion.vision.feed_capture import Frame, LiveFeed, Notice
from companion.vision.opening import Picture


def picture(level: int, size_wh: tuple[int, int] = (400, 300)) -> Picture:
    return np.full((*size_wh[::-1], 3), level, np.uint8)


class Script:
    """A camera that plays a script: numbers are pictures, None is where it goes away."""

    def __init__(self, *parts: list[int]) -> None:
        self.parts, self.opened = list(parts), 0

    def __call__(self, source: str | int) -> Script | None:
        self.opened += 1
        return self if self.parts else None

    fps = 0.0

    def read(self) -> Picture | None:
        if self.parts and self.parts[0]:
            return picture(self.parts[0].pop(0))
        if self.parts:
            self.parts.pop(0)
        return None

    def skip(self) -> None:
        self.read()

    def release(self) -> None:
        pass


def test_a_folder_is_read_in_natural_order_whatever_the_files_are_called(tmp_path: Path) -> None:
    for name, level in (("10.jpg", 100), ("9.JPG", 90), ("b1", 200), ("a2.png", 150)):
        data = cv2.imencode(".png", picture(level))[1].tobytes()
        (tmp_path / name).write_bytes(data)
    (tmp_path / "notes.txt").write_text("no picture")
    frames = list(open_feed(str(tmp_path)).frames())
    assert [int(item.picture[0, 0, 0]) for item in frames if isinstance(item, Frame)] == [90, 100, 150, 200]
    assert [item.number for item in frames if isinstance(item, Frame)] == [0, 1, 2, 3]


def test_a_broken_picture_in_a_folder_is_told_and_its_number_left_out(tmp_path: Path) -> None:
    good = cv2.imencode(".jpg", picture(90))[1].tobytes()
    for name, data in (("1.jpg", good), ("2.jpg", good[: len(good) // 2]), ("3.jpg", good)):
        (tmp_path / name).write_bytes(data)
    items = list(open_feed(str(tmp_path)).frames())
    assert [item.number if isinstance(item, Frame) else "notice" for item in items] == [0, "notice", 2]
    assert isinstance(items[1], Notice)
    assert items[1].message.startswith("2.jpg: ")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("not-there", "is not there"), ("ftp://there/x", "http, https or rtsp"), ("EMPTY", "no picture in the folder"),
        ("TEXT", "no video"), ("", "is not there"),
    ],
)  # fmt: skip
def test_what_cannot_be_watched_is_refused_with_a_sentence(source: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "EMPTY").mkdir()
    (tmp_path / "TEXT").write_text("this is no video\n" * 50)
    with pytest.raises(FeedError, match=words):
        open_feed(str(tmp_path / source) if source.isupper() else source)


@pytest.mark.parametrize("source", ["97", "http://ann:secret@127.0.0.1:9/video"])
def test_a_camera_that_was_never_there_is_refused_without_its_password(source: str) -> None:
    with pytest.raises(FeedError) as refused:
        open_feed(source, capture=lambda _: None)
    assert "secret" not in str(refused.value)
    assert "gives no picture" in str(refused.value)


def test_a_video_file_keeps_its_frame_numbers(tmp_path: Path) -> None:
    path = tmp_path / "play.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, (400, 300))
    if not writer.isOpened():
        pytest.skip("this OpenCV writes no MJPEG")
    for k in range(31):
        writer.write(picture(8 * k))
    writer.release()
    feed = open_feed(str(path))
    assert isinstance(feed, VideoFeed)
    frames = [item for item in feed.frames() if isinstance(item, Frame)]
    assert [frame.number for frame in frames] == list(range(0, 31, 3))
    assert abs(frames[10].time_s - 1.0) < 1e-6
    assert abs(int(frames[10].picture[0, 0, 0]) - 240) <= 3


def test_a_camera_that_goes_away_is_waited_for_and_found_again() -> None:
    script = Script([10, 20], [], [30, 40])
    feed = LiveFeed(0, "Camera 0", script, script, waits_s=(0.01,))
    seen: list[str] = []
    for item in feed.frames():
        seen.append(item.message if isinstance(item, Notice) else "frame")
        if isinstance(item, Frame) and item.picture[0, 0, 0] == 40:
            feed.close()
    told = [text for text in seen if text != "frame"]
    assert told[0].startswith("Camera 0 gives no picture")
    assert "Camera 0 is back." in told
    assert script.opened >= 2


def test_closing_ends_a_feed_that_waits() -> None:
    script = Script([10])
    feed = LiveFeed(0, "Camera 0", script, script, waits_s=(60.0,))
    threading.Timer(0.2, feed.close).start()
    assert all(isinstance(item, Frame | Notice) for item in feed.frames())


@pytest.fixture
def breaking_stream() -> Iterator[str]:
    """A camera in the network that sends five pictures and hangs up."""
    good = cv2.imencode(".jpg", picture(120))[1].tobytes()

    class Camera(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            for _ in range(5):
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(good)}\r\n\r\n"
                self.wfile.write(head.encode() + good + b"\r\n")

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Camera)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/video.mjpg"
    server.shutdown()
    server.server_close()


def test_a_stream_over_http_breaks_and_comes_back(breaking_stream: str) -> None:
    try:
        feed = open_feed(breaking_stream)
    except FeedError:
        pytest.skip("this OpenCV has no FFmpeg and opens no streams")
    assert isinstance(feed, LiveFeed)
    feed._waits_s = (0.05,)
    kinds: list[str] = []
    for item in feed.frames():
        kinds.append("frame" if isinstance(item, Frame) else "back" if "is back" in item.message else "gone")
        if kinds.count("back") == 1 and kinds[-1] == "frame":
            feed.close()
    assert kinds.index("frame") < kinds.index("gone") < kinds.index("back")


def test_a_folder_that_vanishes_is_told(tmp_path: Path) -> None:
    with pytest.raises(FeedError, match="cannot be read"):
        FolderFeed(tmp_path / "gone")
