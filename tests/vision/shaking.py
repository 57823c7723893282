"""Pictures as a shaking hand would have taken them."""

import cv2
import numpy as np


def shaken(image, length, angle_deg, noise=2.0):
    """The picture along a line, by its own means: many moved copies."""
    rng = np.random.default_rng(0)
    total = np.zeros(image.shape, np.float32)
    steps = np.linspace(-0.5, 0.5, 61) * length
    for step in steps:
        x, y = step * np.cos(np.deg2rad(angle_deg)), step * np.sin(np.deg2rad(angle_deg))
        moved = cv2.warpAffine(
            image, np.float32([[1, 0, x], [0, 1, y]]), image.shape[1::-1], borderMode=cv2.BORDER_REFLECT
        )
        total += moved
    return np.clip(total / len(steps) + rng.normal(0, noise, image.shape), 0, 255).astype(np.uint8)
