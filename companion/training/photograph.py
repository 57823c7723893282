"""What a phone does to a picture: light, lens, sensor, compression. Works on any BGR picture, made or real."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.training.surfaces import Floats

Image = NDArray[np.uint8]


def light(rng: Generator, image: Floats, tile_px: float) -> Floats:
    """Uneven lamp light, hard shadow edges, glare spots on what lies there; float32 BGR in and out."""
    height, width = image.shape[:2]
    yy, xx = np.mgrid[0:height:8, 0:width:8].astype(np.float32)
    field = np.ones(yy.shape, np.float32)
    if rng.random() < 0.7:
        a, strength = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.45)
        field += strength * ((xx / width - 0.5) * np.cos(a) + (yy / height - 0.5) * np.sin(a))
    if rng.random() < 0.3:
        cx, cy, reach = rng.uniform(0, width), rng.uniform(0, height), rng.uniform(0.3, 0.9) * max(width, height)
        field *= rng.uniform(0.35, 0.8) + np.exp(-((xx - cx) ** 2 + (yy - cy) ** 2) / (2 * reach * reach))
    if rng.random() < 0.25:
        a, at = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 0.8)
        edge = (xx / width - at) * np.cos(a) + (yy / height - at) * np.sin(a)
        soft = 1 / (1 + np.exp(-edge * 10 ** rng.uniform(0.8, 2.2)))
        if rng.random() < 0.4:  # a band: a window's frame, an arm
            soft = soft * (1 / (1 + np.exp((edge - rng.uniform(0.05, 0.4)) * 60)))
        field *= 1 - rng.uniform(0.2, 0.7) * soft
    image = image * cv2.resize(field, (width, height), interpolation=cv2.INTER_LINEAR)[..., None]
    if rng.random() < 0.3:
        glare = np.zeros(yy.shape, np.float32)
        for _ in range(int(rng.integers(1, 5))):
            cx, cy = rng.uniform(0, width), rng.uniform(0, height)
            reach = tile_px * rng.uniform(0.2, 2.2)
            squash, a = rng.uniform(0.3, 1), rng.uniform(0, np.pi)
            u = (xx - cx) * np.cos(a) + (yy - cy) * np.sin(a)
            v = ((yy - cy) * np.cos(a) - (xx - cx) * np.sin(a)) / squash
            bump = np.exp(-(((u * u + v * v) / (2 * reach * reach)) ** rng.uniform(0.7, 3)))
            glare = np.maximum(glare, bump * rng.uniform(40, 260))
        image = image + cv2.resize(glare, (width, height), interpolation=cv2.INTER_LINEAR)[..., None]
    return np.asarray(image, np.float32)


def cast_shadows(rng: Generator, image: Floats, tile_px: float) -> Floats:
    """Shadows with edges: of a lamp's arm, a plant, a window's bars, a head; float32 BGR in and out."""
    height, width = image.shape[:2]
    mask = np.zeros((height, width), np.float32)
    reach = max(height, width)
    for _ in range(int(rng.integers(1, 5))):
        middle, a = rng.uniform(0, 1, 2) * (width, height), rng.uniform(0, 2 * np.pi)
        way, aside = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
        kind = rng.random()
        if kind < 0.45:  # something long
            long, wide = rng.uniform(0.3, 2) * reach, tile_px * 10 ** rng.uniform(-0.7, 0.5)
            taper = rng.uniform(0.3, 1.2)
            points = [middle - way * long - aside * wide, middle + way * long - aside * wide * taper]
            points += [middle + way * long + aside * wide * taper, middle - way * long + aside * wide]
            cv2.fillConvexPoly(mask, np.array(points).round().astype(np.int32), 1.0)
        elif kind < 0.75:  # leaves, a head
            axes = tile_px * 10 ** rng.uniform(-0.4, 0.8, 2)
            cv2.ellipse(mask, middle.astype(int).tolist(), axes.astype(int).tolist(), np.degrees(a), 0, 360, 1.0, -1)
        else:  # the edge of a table lamp's light
            points = [middle + aside * 2 * reach, middle - aside * 2 * reach]
            points += [points[1] + way * 3 * reach, points[0] + way * 3 * reach]
            cv2.fillConvexPoly(mask, np.array(points).round().astype(np.int32), 1.0)
    soft = tile_px * 10 ** rng.uniform(-2, -0.7)
    if soft > 0.4:
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), soft), np.float32)
    return np.asarray(image * (1 - np.float32(rng.uniform(0.25, 0.8)) * mask[..., None]), np.float32)


def tone(rng: Generator, image: Floats, strength: float = 1.0) -> Floats:
    """White balance, exposure, contrast and gamma of some phone in some room."""
    mean = float(image[::8, ::8].mean()) + 1
    if rng.random() < 0.6:
        cast = np.exp(rng.normal(0, 0.13 * strength, 3)).astype(np.float32)
        image = image * (cast / cast.mean())
    goal = rng.uniform(55, 185) if rng.random() < 0.6 else mean
    image = image * (goal / mean) ** (0.7 * strength)
    if rng.random() < 0.12 * strength:
        image = image * rng.uniform(1.2, 2.0)
    image = np.clip(image, 0, 255).astype(np.float32)
    gamma = np.exp(rng.normal(0, 0.22 * strength))
    image = cv2.pow(image * np.float32(1 / 255), float(gamma)) * np.float32(255)
    if rng.random() < 0.3:
        contrast = rng.uniform(0.5, 1.25)
        image = (image - 128) * contrast + 128 + rng.normal(0, 12)
    if rng.random() < 0.1:
        grey = image @ np.array([0.114, 0.587, 0.299], np.float32)
        image = grey[..., None] + (image - grey[..., None]) * rng.uniform(0, 0.5)
    return np.asarray(image, np.float32)


def lens(rng: Generator, image: Floats, tile_px: float) -> Floats:
    """Out of focus or shaken, at most so that a person can still read it."""
    draw = rng.random()
    if draw < 0.4:
        image = cv2.GaussianBlur(image, (0, 0), max(0.3, tile_px * rng.uniform(0.003, 0.055)))
    elif draw < 0.55:
        reach = max(3, int(tile_px * rng.uniform(0.03, 0.16)))
        kernel = np.zeros((reach, reach), np.float32)
        a = rng.uniform(0, np.pi)
        half = np.array([np.cos(a), np.sin(a)]) * reach / 2
        middle = np.array([reach / 2, reach / 2])
        start, end = (middle - half).astype(int), (middle + half).astype(int)
        cv2.line(kernel, (int(start[0]), int(start[1])), (int(end[0]), int(end[1])), 1.0, 1, cv2.LINE_AA)
        image = cv2.filter2D(image, -1, kernel / max(float(kernel.sum()), 1e-6))
    if rng.random() < 0.25:  # a chat program made it smaller
        height, width = image.shape[:2]
        k = max(rng.uniform(0.45, 0.95), min(1.0, 16 / tile_px))
        small = cv2.resize(image, (int(width * k), int(height * k)), interpolation=cv2.INTER_AREA)
        image = cv2.resize(small, (width, height), interpolation=int(rng.choice([cv2.INTER_LINEAR, cv2.INTER_CUBIC])))
    if rng.random() < 0.25:
        soft = cv2.GaussianBlur(image, (0, 0), 1.5)
        image = image + (image - soft) * rng.uniform(0.3, 2.0)
    return np.asarray(image, np.float32)


def along_a_line(image: Image, length_px: float, angle_rad: float) -> Floats:
    """As a hand that shook would have taken it: the mean of many copies, moved along a line of any length and direction."""
    steps = np.linspace(-0.5, 0.5, max(61, 2 * int(length_px) + 3)) * length_px
    total = np.zeros(image.shape, np.float32)
    for step in steps:
        move = np.array([[1, 0, step * np.cos(angle_rad)], [0, 1, step * np.sin(angle_rad)]])
        total += cv2.warpAffine(image, move, image.shape[1::-1], borderMode=cv2.BORDER_REFLECT)
    return np.asarray(total / len(steps), np.float32)


def sensor(rng: Generator, image: Floats) -> Image:
    """Noise, then JPEG; uint8 BGR."""
    if rng.random() < 0.65:
        sigma = 10 ** rng.uniform(-0.2, 1.15)
        grain: Floats = rng.standard_normal(image.shape if rng.random() < 0.5 else (*image.shape[:2], 1), np.float32)
        if rng.random() < 0.4:
            grain = cv2.GaussianBlur(grain, (0, 0), 0.7).reshape(grain.shape) * 2
        image = image + grain * sigma * (0.4 + 0.6 * np.sqrt(np.clip(image, 1, 255) / 128))
    picture = np.clip(image, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        quality = int(rng.integers(18, 95))
        data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return np.asarray(picture, np.uint8)


def photograph(rng: Generator, image: Floats, tile_px: float) -> Image:
    """All of it, in the order in which it happens."""
    return sensor(rng, lens(rng, tone(rng, light(rng, image, tile_px)), tile_px))
