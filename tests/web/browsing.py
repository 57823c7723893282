"""A real server and a real Chromium for the tests that need them."""

import shutil
import threading
from contextlib import contextmanager
from pathlib import Path

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars",
)  # fmt: skip
PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1280, "height": 800}


@contextmanager
def serving(app, ended: threading.Event):
    """The app behind the server that `companion serve` uses, on a free port; gives its address."""
    from companion.web.serving import Servers

    servers = Servers.open(app, host="127.0.0.1", port=0, certificate=None)
    thread = threading.Thread(target=servers.serve, args=(ended,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{servers.plain_port}"
    finally:
        ended.set()
        thread.join(10)


@contextmanager
def chromium(*, camera: Path | None = None):
    """Chromium, without a window; `camera` is a video that its camera shows."""
    from playwright.sync_api import sync_playwright

    arguments = [*ARGUMENTS]
    if camera is not None:
        arguments += [
            "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-video-capture={camera}",
        ]  # fmt: skip
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        try:
            yield browser
        finally:
            browser.close()


def write_video(folder: Path, *, size_wh=(640, 480), frames=12) -> Path:
    """A small moving picture for Chromium's camera (YUV4MPEG2): a bright bar that walks over a grey ground."""
    wide, high = size_wh
    path = folder / "camera.y4m"
    with path.open("wb") as file:
        file.write(f"YUV4MPEG2 W{wide} H{high} F10:1 Ip A1:1 C420jpeg\n".encode())
        colours = bytes([128]) * (wide * high // 2)
        for number in range(frames):
            bar = number * wide // frames
            line = bytes(230 if bar <= x < bar + 40 else 90 for x in range(wide))
            file.write(b"FRAME\n" + line * high + colours)
    return path
