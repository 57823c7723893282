"""What is no tile of the set by its colour."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.vision.candidates import FACE_UP, Candidate, Kept
from companion.vision.locate import Located
from companion.vision.pips import nothing_counted
from companion.vision.read_parameters import ReadParameters
from companion.vision.rectify import Array, Pyramid
from companion.vision.seen import SeenTile
from companion.vision.strange import is_lone_blank, without_strange, without_strange_blanks
from companion.vision.values import ValueReading

PARAMETERS = ReadParameters()
TILE = np.array([[40, 40], [80, 40], [80, 120], [40, 120]], np.float64)
SURE = [TILE + (x, y) for x in (0, 90, 180, 270) for y in (0, 130)]
OTHER = TILE + (400, 60)
LONG = OTHER * (1, 1.3)
WHITE, CREAM, ROSE, BROWN = (232, 236, 240), (214, 226, 236), (150, 120, 235), (60, 90, 130)


def picture_of(other: Array, colour: tuple[int, int, int]) -> Pyramid:
    """White tiles on brown, and one more thing."""
    image = np.full((420, 560, 3), BROWN, np.uint8)
    for quad, ground in (*((quad, WHITE) for quad in SURE), (other, colour)):
        cv2.fillConvexPoly(image, np.round(quad).astype(np.int32), ground)
    return Pyramid(image)


def reading_of(value: int, burnt: float = 0.0) -> ValueReading:
    values = np.full((2, 19), np.log(0.01 / 18))
    values[:, value] = np.log(0.99)
    return ValueReading(values, np.log([0.9, 0.05, 0.05]), np.full(2, burnt))


def kept_of(other: Array, belief: float) -> tuple[list[Candidate], list[Kept]]:
    quads = [*SURE, other]
    found = [Candidate(Located(quad, 0.9, False), quad, reading_of(3)) for quad in quads]
    return found, [(k, FACE_UP, 0.99) for k in range(len(SURE))] + [(len(SURE), FACE_UP, belief)]


@pytest.mark.parametrize(
    ("other", "colour", "belief", "stays"),
    [
        (LONG, ROSE, 0.8, False),
        (OTHER, ROSE, 0.8, True),  # a thing may lie on a tile
        (LONG, CREAM, 0.8, True),  # its corners may be off
        (LONG, ROSE, 0.99, True),
    ],
)
def test_what_has_neither_the_shape_nor_the_colour_of_tiles_is_none(
    other: Array, colour: tuple[int, int, int], belief: float, stays: bool
) -> None:
    found, kept = kept_of(other, belief)
    left = without_strange(picture_of(other, colour), found, kept, PARAMETERS)
    assert left == (kept if stays else kept[:-1])


@pytest.mark.parametrize(("colour", "sureness", "stays"), [(ROSE, 0.4, False), (ROSE, 0.9, True), (CREAM, 0.4, True)])
def test_beside_few_tiles_what_has_another_colour_must_be_readable(
    colour: tuple[int, int, int], sureness: float, stays: bool
) -> None:
    tile, other = kept_of(OTHER, 0.8)[0][:: len(SURE)]
    values = np.full((2, 19), np.log((1 - sureness) / 18))
    values[:, 1] = np.log(sureness)
    found = [tile, replace(other, values=replace(other.values, values=values))]
    kept = [(0, FACE_UP, 0.99), (1, FACE_UP, 0.8)]
    assert without_strange(picture_of(OTHER, colour), found, kept, PARAMETERS) == (kept if stays else kept[:1])


def seen(
    quad: Array, value: int, *, kind: tuple[float, float, float] = (0.8, 0.15, 0.05), burnt: float = 0.0
) -> SeenTile:
    unseen = nothing_counted(np.zeros((0, 3)))
    return SeenTile(quad, 0.9, np.array(kind), 0.95, reading_of(value, burnt), (unseen, unseen))


def test_what_shows_no_pips_and_has_another_colour_is_a_back() -> None:
    tiles = [*(seen(quad, 3) for quad in SURE), seen(OTHER, 0)]
    left, backs = without_strange_blanks(picture_of(OTHER, ROSE), tiles, [TILE], PARAMETERS)
    assert left == tiles[:-1]
    assert backs[0] is TILE
    assert backs[1] is OTHER


def test_what_looks_like_neither_is_nothing() -> None:
    tiles = [*(seen(quad, 3) for quad in SURE), seen(OTHER, 0, kind=(0.8, 0.05, 0.15))]
    assert without_strange_blanks(picture_of(OTHER, ROSE), tiles, [], PARAMETERS) == (tiles[:-1], [])


@pytest.mark.parametrize(("face", "is_back"), [(0.8, True), (0.97, False)])
def test_what_shows_no_pips_and_has_the_very_colour_of_a_back_must_surely_be_a_face(face: float, is_back: bool) -> None:
    blank = seen(OTHER, 0, kind=(face, 0.98 - face, 0.02))
    tiles = [*(seen(quad, 3) for quad in SURE[1:]), blank]
    left, backs = without_strange_blanks(picture_of(OTHER, WHITE), tiles, [SURE[0]], PARAMETERS)
    assert len(left) == len(tiles) - is_back
    assert len(backs) == 1 + is_back
    assert without_strange_blanks(picture_of(OTHER, WHITE), tiles, [], PARAMETERS) == (tiles, [])


@pytest.mark.parametrize("value", [0, 3])
def test_a_tile_with_pips_may_have_any_colour_and_a_blank_the_sets(value: int) -> None:
    tiles = [*(seen(quad, 3) for quad in SURE), seen(OTHER, value)]
    picture = picture_of(OTHER, CREAM if value == 0 else ROSE)
    assert without_strange_blanks(picture, tiles, [], PARAMETERS) == (tiles, [])


def test_what_light_burnt_out_stays_to_be_doubted() -> None:
    tiles = [*(seen(quad, 3) for quad in SURE), seen(OTHER, 0, burnt=0.9)]
    assert without_strange_blanks(picture_of(OTHER, ROSE), tiles, [], PARAMETERS) == (tiles, [])


def test_few_tiles_tell_little_of_a_sets_colours() -> None:
    tiles = [*(seen(quad, 3) for quad in SURE[: PARAMETERS.least_coloured - 1]), seen(OTHER, 0)]
    assert without_strange_blanks(picture_of(OTHER, ROSE), tiles, [], PARAMETERS) == (tiles, [])
    assert without_strange_blanks(picture_of(OTHER, ROSE), [], [], PARAMETERS) == ([], [])


BESIDE = SURE[-1] + (44, 0)


@pytest.mark.parametrize(
    ("back", "value", "faces", "more", "is_blank"),
    [
        ((BESIDE, WHITE), 3, len(SURE), [], True),
        ((BESIDE, CREAM), 3, len(SURE), [], False),
        ((OTHER, WHITE), 3, len(SURE), [], False),  # the last of a boneyard lies apart
        ((BESIDE, WHITE), 3, len(SURE), [TILE], False),  # backs come in numbers
        ((BESIDE, WHITE), 0, len(SURE), [], False),  # a set has one blank double
        ((BESIDE, WHITE), 3, PARAMETERS.least_coloured - 1, [], False),
    ],
)
def test_the_only_back_of_a_picture_is_the_blank_double_where_it_touches_faces_and_has_their_very_colour(
    back: tuple[Array, tuple[int, int, int]], value: int, faces: int, more: list[Array], is_blank: bool
) -> None:
    tiles = [*(seen(quad, 3) for quad in SURE[: faces - 1]), seen(SURE[-1], value)]
    assert is_lone_blank(picture_of(*back), tiles, [back[0], *more], PARAMETERS) is is_blank
