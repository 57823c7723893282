"""A made film of a table: an engine, two trains, a double that lies uncovered for a while. Rendered, no photo."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.training import samples
from companion.training.arrangements import Placed, Table
from companion.training.camera import random_camera
from companion.training.faces import random_style
from companion.training.photograph import light, sensor
from companion.training.scenes import Plan, draw_plan

SIZE_WH = (1280, 960)
ACROSS = np.pi / 2
START = (
    Placed((-1.9, 0.0, ACROSS), (12, 12)),
    Placed((-0.35, 0.0, 0.0), (12, 5)),
    Placed((-3.45, 0.0, np.pi), (12, 4)),
)
DOUBLE = Placed((1.2, 0.0, ACROSS), (5, 5))
COVER = Placed((2.75, 0.0, 0.0), (5, 1))
MOMENTS = (START, (*START, DOUBLE), (*START, DOUBLE, COVER))
"""What lies there: poses in tile widths, the engine first; then the double is laid; then it is covered."""


def table_pictures(seed: int = 5):
    """A picture of each moment, by the same camera in the same light."""
    return [_picture(seed, placed) for placed in MOMENTS]


def _picture(seed, placed):
    rng = np.random.default_rng([seed, 99])
    scheme = np.array(
        [[60, 60, 200], [60, 150, 60], [190, 90, 40], [40, 130, 220], [150, 60, 140], [120, 120, 20]], np.float32
    )
    style = replace(
        random_style(rng, highest=12), ground_bgr=np.array([232, 238, 240], np.float32), grain="none", numerals=False, wear=0.0,
        frame_bgr=None, side_bgr=np.array([205, 212, 216], np.float32), base_bgr=np.array([205, 212, 216], np.float32),
        ink_bgr=tuple(scheme[value % 6] * (0.75 + 0.02 * value) for value in range(19)), layout=(0,) * 19, spread=0.6,
        pip_radius=0.085, pip_look="hollow", bar="short", bar_bgr=np.array([40, 40, 40], np.float32), bar_width=0.035,
        spinner_bgr=np.array([80, 160, 200], np.float32), spinner_radius=0.05, thickness=0.32, length=2.0, corner=0.1,
        edge_shade=0.12,
    )  # fmt: skip
    tile_px = SIZE_WH[0] / 13
    camera = random_camera(rng, size_wh=SIZE_WH, tile_px=tile_px)
    table = Table(reach=14, length=style.length)
    for tile in placed:
        table.put(tile)
    ground = samples._oak(rng, SIZE_WH)
    rng = np.random.default_rng([seed, 100])  # the same light over every moment
    image, _ = draw_plan(rng, Plan(SIZE_WH, tile_px, style, camera, table, 0, False, False), ground)
    rng = np.random.default_rng([seed, 101])
    return sensor(rng, light(rng, image, tile_px))


def sorted_doubles(seed: int = 5):
    """A photo of the doubles of a set, 0-0 to 12-12, in two rows; the same set as on the table."""
    at = ((1.5 * (value % 7) - 4.5, 2.8 * (value // 7) - 1.4, ACROSS) for value in range(13))
    return _picture(seed, tuple(Placed(pose, (value, value)) for value, pose in enumerate(at)))


def write_film(folder: Path, *, seconds_each: int = 30) -> Path:
    """The moments one after the other as a film for Chromium's camera, a frame a second."""
    path = folder / "table.y4m"
    with path.open("wb") as file:
        file.write(f"YUV4MPEG2 W{SIZE_WH[0]} H{SIZE_WH[1]} F1:1 Ip A1:1 C420jpeg\n".encode())
        for picture in table_pictures():
            planes = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420).tobytes()
            for _ in range(seconds_each):
                file.write(b"FRAME\n" + planes)
    return path
