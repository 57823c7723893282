"""Two sights of one picture become one; what is sharpened and how the readers decide."""

import numpy as np
import pytest

from companion.vision.pips import PipCount
from companion.vision.seen import SeenTile
from companion.vision.steadying import SteadyParameters, joined, steadied
from companion.vision.values import ValueReading, log_softmax

P = SteadyParameters()
BACK = np.array([[500, 100], [540, 100], [540, 180], [500, 180]], float)


def lying(x, a, b, *, sure=0.9, belief=0.9, width=40):
    """A tile of 40 x 80 px that is read as a-b."""
    quad = np.array([[x, 100], [x + width, 100], [x + width, 100 + 2 * width], [x, 100 + 2 * width]], float)
    logs = np.full((2, 19), np.log((1 - sure) / 18))
    logs[0, a] = logs[1, b] = np.log(sure)
    counts = tuple(PipCount(row, np.zeros((0, 3)), False) for row in logs)
    return SeenTile(quad, belief, np.array([1.0, 0, 0]), belief, ValueReading(logs, log_softmax(np.zeros(3))), counts)


def at_half(tile):
    return SeenTile((tile.quad + 0.5) / 2 - 0.5, tile.score, tile.kind, tile.belief, tile.values, tile.pips)


def ends(tile):
    return tuple(int(v) for v in tile.values.values.argmax(1))


def test_a_tile_seen_twice_is_one_and_the_surer_reading_wins():
    (tile,), _ = joined(([lying(100, 3, 5, sure=0.4)], []), ([at_half(lying(101, 3, 6, sure=0.95))], []), 0.5, P)
    assert ends(tile) == (3, 6)
    assert [int(count.values.argmax()) for count in tile.pips] == [3, 6]
    assert np.exp(tile.values.values).sum(1) == pytest.approx([1, 1])


def test_it_lies_where_it_was_believed_more():
    first, second = lying(100, 3, 5, belief=0.6), lying(104, 3, 5, belief=0.95)
    (tile,), _ = joined(([first], []), ([at_half(second)], []), 0.5, P)
    assert tile.quad == pytest.approx(second.quad) and tile.belief == 0.95


def test_ends_are_told_apart_when_the_second_look_turns_the_tile():
    second = lying(100, 5, 3, sure=0.95)
    turned = SeenTile(second.quad[[2, 3, 0, 1]], 0.9, second.kind, 0.9, second.values, second.pips)
    (tile,), _ = joined(([lying(100, 3, 5, sure=0.5)], []), ([turned], []), 1.0, P)
    assert ends(tile) == (3, 5)


def test_what_only_one_saw_stays_where_the_other_saw_nothing():
    first = ([lying(100, 1, 2)], [BACK])
    second = ([lying(300, 4, 4), lying(500, 0, 0)], [BACK, BACK + (200, 0), lying(110, 0, 0).quad])
    tiles, backs = joined(first, second, 1.0, P)
    assert [ends(tile) for tile in tiles] == [(1, 2), (4, 4)]  # a back that was seen stays a back
    assert len(backs) == 2


def test_a_picture_that_gets_no_better_is_left_alone():
    image = np.random.default_rng(0).integers(0, 255, (400, 600, 3)).astype(np.uint8)
    assert steadied(image, [lying(100, 1, 2).quad], lambda _image, _quads: 0.5, P) == []


def test_the_readers_choose_what_they_are_surest_of():
    image = np.random.default_rng(0).integers(0, 255, (400, 600, 3)).astype(np.uint8)
    asked = []

    def sureness(picture, quads):
        asked.append((picture, quads))
        return 0.9 if len(asked) == 2 else 0.4

    (found,) = steadied(image, [lying(100, 1, 2, width=200).quad], sureness, P)
    assert found.scale == pytest.approx(0.5)
    assert found.image_bgr.shape == (200, 300, 3)
    assert len(asked) == P.tried + len(P.longer) + len(P.noises) + 1


def test_the_likeliest_ways_come_first_and_are_few():
    image = np.random.default_rng(0).integers(0, 255, (400, 600, 3)).astype(np.uint8)
    grades = iter([0.5, 0.6, 0.55, *(0.7 + 0.01 * k for k in range(len(P.longer))), 0.3, 0.3, 0.2])
    pictures = []

    def sureness(picture, quads):
        pictures.append(picture)
        return next(grades)

    found = steadied(image, [lying(100, 1, 2).quad], sureness, P)
    assert len(found) == P.seen_whole
    assert len({way.image_bgr.tobytes() for way in found}) == P.seen_whole


def test_a_picture_too_small_for_a_spectrum_is_left_alone():
    assert steadied(np.zeros((90, 90, 3), np.uint8), [lying(20, 1, 2).quad], lambda *_: 1.0, P) == []
