"""Dark and blurred are told from what can be read: on drawn tiles, and on real photos where they are at hand."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.opening import Picture, open_picture
from companion.vision.quality import QualityLimits, picture_quality

SHARED = Path(os.environ.get("COMPANION_SHARED", Path(__file__).parent.parent.parent.parent / "shared"))


def table(seed: int = 1) -> Picture:
    """A wooden table, somewhat noisy, with four white tiles that have black pips."""
    rng = np.random.default_rng(seed)
    picture = np.full((450, 600, 3), (60, 90, 130), np.float32) + rng.normal(0, 6, (450, 600, 1))
    for x, y in ((100, 100), (325, 90), (120, 280), (350, 300)):
        cv2.rectangle(picture, (x, y), (x + 120, y + 60), (235, 240, 240), -1)
        for column in (15, 30, 45, 75, 90, 105):
            for row in (15, 30, 45):
                cv2.circle(picture, (x + column, y + row), 5, (20, 20, 20), -1, cv2.LINE_AA)
    return np.clip(picture, 0, 255).astype(np.uint8)


def blurred(picture: Picture, share: float) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), share * max(picture.shape)), np.uint8)


def shaken(picture: Picture, share: float, angle: float) -> Picture:
    size = int(share * max(picture.shape)) | 1
    line = np.zeros((size, size), np.float32)
    reach = np.array([np.cos(angle), np.sin(angle)]) * size / 2
    start, end = (np.round(size // 2 + sign * reach).astype(int).tolist() for sign in (-1, 1))
    cv2.line(line, start, end, 1.0)
    return np.asarray(cv2.filter2D(picture, -1, line / line.sum()), np.uint8)


def darkened(picture: Picture, share: float) -> Picture:
    noise = np.random.default_rng(0).normal(0, 3, picture.shape)
    return np.clip(picture * share + noise, 0, 255).astype(np.uint8)


def test_a_good_picture_is_neither() -> None:
    quality = picture_quality(table())
    assert not quality.too_dark
    assert not quality.blurred
    assert 200 < quality.bright_end <= 255
    assert 0.15 < quality.sharpness < 0.5


def test_dim_is_accepted_and_dark_is_not() -> None:
    assert not picture_quality(darkened(table(), 0.35)).too_dark
    assert picture_quality(darkened(table(), 0.1)).too_dark
    assert picture_quality(np.zeros((600, 800, 3), np.uint8)).too_dark


def test_darkness_is_not_taken_for_blur() -> None:
    assert not picture_quality(darkened(table(), 0.1)).blurred


def test_blurred_and_shaken() -> None:
    assert not picture_quality(blurred(table(), 0.002)).blurred
    assert picture_quality(blurred(table(), 0.01)).blurred
    for angle in (0.0, np.pi / 4, np.pi / 2, 3 * np.pi / 4):
        assert picture_quality(shaken(table(), 0.06, angle)).blurred
    assert picture_quality(np.full((600, 800, 3), 128, np.uint8)).blurred


def test_size_hardly_matters() -> None:
    small = picture_quality(table())
    large = picture_quality(np.asarray(cv2.resize(table(), (2000, 1500), interpolation=cv2.INTER_CUBIC), np.uint8))
    assert abs(small.bright_end - large.bright_end) < 12
    assert not large.blurred


def test_limits_are_parameters_and_odd_sizes_do_not_matter() -> None:
    strict = QualityLimits(least_bright_end=256, least_sharpness=2)
    quality = picture_quality(table(), limits=strict)
    assert quality.too_dark
    assert quality.blurred
    for size in ((1, 1), (3, 2000), (2000, 3)):
        assert picture_quality(np.zeros((*size, 3), np.uint8)).bright_end == 0


@pytest.mark.skipif(not (SHARED / "photos").is_dir(), reason="the labelled photos (COMPANION_SHARED) are not here")
@pytest.mark.parametrize("folder", ["hands", "chains"])
def test_real_photos_are_accepted_and_their_spoilt_copies_are_not(folder: str) -> None:
    photos = sorted((SHARED / "photos" / folder / "photos").iterdir())[::13]
    assert photos
    for photo in photos:
        picture = open_picture(photo)
        quality = picture_quality(picture)
        assert not quality.too_dark, photo.name
        assert not quality.blurred, photo.name
        reduced = np.asarray(cv2.resize(picture, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA), np.uint8)
        assert picture_quality(darkened(reduced, 0.1)).too_dark, photo.name
        assert picture_quality(blurred(reduced, 0.016)).blurred, photo.name
