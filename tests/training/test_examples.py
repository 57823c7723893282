"""Which labelled pictures are kept from training."""

from pathlib import Path

import numpy as np

from companion.training.evaluate import without_hidden
from companion.training.examples import Example, LabelledTile, held_back, without


def example(name: str, owner: str = "a") -> Example:
    return Example(Path("pictures") / name, owner, 12, (), (), ())


NAMES = ["table_00001.jpg", "table_00007.jpg", "table_00009.jpg", "seq_00007.jpg", "vini_3.jpg"]


def test_the_last_of_one_series_are_held_back_and_other_pictures_are_not() -> None:
    kept = [e.picture.name for e in held_back(map(example, NAMES), "table_00007")]
    assert kept == ["table_00001.jpg", "seq_00007.jpg", "vini_3.jpg"]


def test_without_a_name_nothing_is_held_back() -> None:
    assert [e.picture.name for e in held_back(map(example, NAMES), "")] == NAMES


def test_all_pictures_of_an_owner_are_left_out() -> None:
    mine = [example("x.jpg", "ann"), example("y.jpg", "ben"), example("z.jpg", "ann-marie")]
    assert [e.picture.name for e in without(mine, ["ann"])] == ["y.jpg"]


def test_tiles_that_are_mostly_hidden_are_neither_asked_for_nor_invented() -> None:
    quad = np.array([[0, 0], [10, 0], [10, 20], [0, 20]], np.float64)
    tiles = (LabelledTile((1, 2), quad, 0.9), LabelledTile((3, 4), quad + 40, 0.4))
    judged = without_hidden(Example(Path("a.jpg"), "made", 12, tiles, (), (quad + 90,)))
    assert [tile.ends for tile in judged.tiles] == [(1, 2)]
    assert [polygon[0].tolist() for polygon in judged.ignore_px] == [[90, 90], [40, 40]]
