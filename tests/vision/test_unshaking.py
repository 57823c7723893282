"""A shake is found in the spectrum, and taken out of the picture."""

import cv2
import numpy as np
import pytest
from shaking import shaken

from companion.training.scenes import make_scene
from companion.vision.unshaking import WINDOW_PX, Shake, likely_shakes, unshaken


@pytest.fixture(scope="module")
def sharp():
    return make_scene(3, least_px=40, most_px=60).image_bgr


@pytest.mark.parametrize(("length", "angle"), [(6, 20), (9, 75), (14, 130), (20, 160)])
def test_length_and_direction_are_found(sharp, length, angle):
    grey = cv2.cvtColor(shaken(sharp, length, angle), cv2.COLOR_BGR2GRAY)
    first = likely_shakes(grey, 3)[0]
    assert first.length_px == pytest.approx(length, abs=1.5)
    off = abs(np.rad2deg(first.angle_rad) - angle)
    assert min(off, 180 - off) < 8


def test_the_guesses_differ(sharp):
    found = likely_shakes(cv2.cvtColor(sharp, cv2.COLOR_BGR2GRAY), 4)
    assert len(found) == 4
    for k, a in enumerate(found):
        for b in found[:k]:
            turned = abs(np.rad2deg(a.angle_rad - b.angle_rad))
            assert abs(a.length_px - b.length_px) >= 2 or min(turned, 180 - turned) >= 12


def test_a_picture_smaller_than_a_window_has_none():
    assert likely_shakes(np.zeros((WINDOW_PX - 1, 500), np.uint8), 3) == []


@pytest.mark.parametrize(("length", "angle"), [(7, 40), (12, 100)])
def test_what_was_blurred_comes_back(sharp, length, angle):
    blurred = shaken(sharp, length, angle, noise=1.0)
    mended = unshaken(blurred, Shake(length, np.deg2rad(angle)), 0.01)
    assert mended.shape == sharp.shape and mended.dtype == np.uint8
    error = [float(np.abs(x.astype(float) - sharp).mean()) for x in (blurred, mended)]
    assert error[1] < 0.8 * error[0]


def test_a_plain_picture_stays_plain():
    plain = np.full((200, 301, 3), 137, np.uint8)
    assert np.abs(unshaken(plain, Shake(9, 1.0), 0.01).astype(int) - 137).max() <= 12


def test_a_shake_keeps_its_direction_when_scaled():
    assert Shake(8, 0.3).scaled(1.5) == Shake(12, 0.3)
