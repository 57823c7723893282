from pathlib import Path

import numpy as np
import pytest

from companion.vision.models import Network, load_network

MODELS = Path(__file__).parents[2] / "models"


class Session:
    """Keeps what it was given."""

    def run(self, _outputs: None, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        (self.given,) = inputs.values()
        return []


def given(network: Network) -> np.ndarray:
    taken: np.ndarray = network._session.given
    return taken


@pytest.mark.parametrize("name", ["detector", "coarse", "corners", "values"])
def test_what_ships_in_eight_bits_takes_bytes(name: str) -> None:
    assert load_network(MODELS, name).takes_bytes


def test_crops_are_handed_on_as_they_are_or_as_floats_by_channel() -> None:
    crops = np.arange(2 * 4 * 3 * 3, dtype=np.uint8).reshape(2, 4, 3, 3)
    bytes_, floats = (Network("n", Session(), "crops", "", takes) for takes in (True, False))
    bytes_.read_crops(crops)
    floats.read_crops(crops)
    assert given(bytes_) is crops
    assert given(floats).dtype == np.float32
    assert given(floats) == pytest.approx(crops.transpose(0, 3, 1, 2) / 255)


def test_a_picture_is_handed_on_as_it_is_or_as_floats_with_red_first() -> None:
    picture = np.arange(4 * 3 * 3, dtype=np.uint8).reshape(4, 3, 3)
    bytes_, floats = (Network("n", Session(), "images", "", takes) for takes in (True, False))
    bytes_.read_picture(picture)
    floats.read_picture(picture)
    assert np.array_equal(given(bytes_), picture[None])
    assert given(floats) == pytest.approx(picture[None, ..., ::-1].transpose(0, 3, 1, 2) / 255)
