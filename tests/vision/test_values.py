"""What the first reader says of a tile, and of the places beside it."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.training.faces import draw_face, random_style
from companion.vision.models import load_network
from companion.vision.rectify import Pyramid
from companion.vision.values import BESIDE, ValueReading, beside, log_softmax, read_values

QUAD = np.array([[40.0, 30.0], [80.0, 30.0], [80.0, 110.0], [40.0, 110.0]])


def test_places_beside_a_tile_are_a_little_off_along_it_and_across() -> None:
    off = beside(QUAD) - QUAD
    assert off.shape == (len(BESIDE), 4, 2)
    assert np.ptp(off, axis=1) == pytest.approx(0)  # moved as a whole
    assert off[:, 0] == pytest.approx(np.array([[0, 1.6], [0, -1.6], [1.2, 0], [-1.2, 0]]))
    assert beside(QUAD[[2, 3, 0, 1]]).mean(0).mean(0) == pytest.approx(QUAD.mean(0))


def test_the_half_that_is_read_less_surely_counts() -> None:
    logits = np.zeros((2, 19))
    logits[0, 3], logits[1, 5] = 9, 1
    reading = ValueReading(log_softmax(logits), np.log([0.9, 0.05, 0.05]))
    assert reading.least_sure == pytest.approx(np.e / (np.e + 18))


def test_a_clear_tile_reads_the_same_a_little_off() -> None:
    face, _, _ = draw_face(np.random.default_rng(2), random_style(np.random.default_rng(4), highest=12), (5, 3), 40)
    image = np.full((150, 130, 3), 90, np.uint8)
    image[30:110, 40:80] = np.clip(cv2.resize(face, (40, 80)), 0, 255)
    network = load_network(Path(__file__).parents[2] / "models", "values")
    readings = read_values(network, Pyramid(image), [QUAD, *beside(QUAD)])
    assert [tuple(reading.values.argmax(1)) for reading in readings] == [(5, 3)] * (1 + len(BESIDE))
