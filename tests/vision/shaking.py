"""Pictures as a shaking hand would have taken them."""

import numpy as np

from companion.training.photograph import along_a_line


def shaken(image, length, angle_deg, noise=2.0):
    """The picture along a line, with the same noise each time."""
    blurred = along_a_line(image, length, np.deg2rad(angle_deg))
    return np.clip(blurred + np.random.default_rng(0).normal(0, noise, image.shape), 0, 255).astype(np.uint8)
