"""Places beside a tile: where they lie, in perspective too, and which of them are worth a look."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.choosing import plane_of_most
from companion.vision.locate import Located, intersection_over_union
from companion.vision.looking_again import (
    PLACES,
    LookAgainParameters,
    as_the_plane_has_them,
    as_tiles_of,
    grounds_lab,
    halves_of_two,
    of_tiles_size,
    other_cuts,
    places_about,
    places_to_look,
)
from companion.vision.rectify import Array, Pyramid, areas_of, homography, move, rectangle_corners, signed_area

PARAMETERS = LookAgainParameters()
TILE = np.array([[300, 200], [340, 200], [340, 280], [300, 280]], np.float64)
BROWN, WHITE, RED = (60, 90, 130), (235, 238, 240), (40, 40, 200)


def on_the_table(quads: list[Array], colour: tuple[int, int, int] = WHITE) -> Pyramid:
    image = np.full((480, 640, 3), BROWN, np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(image, np.round(quad).astype(np.int32), colour)
    return Pyramid(image)


def beyond(quad: Array, y: float = 2.0) -> Array:
    """The tile that lies straight on from another's end."""
    return quad + (quad[3] - quad[0]) * y / 2


def overlap(a: Array, b: Array) -> float:
    shared = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))[0]
    return float(shared) / float(cv2.contourArea(b.astype(np.float32)))


def looked_at(
    picture: Pyramid, tiles: list[Array], *, weak: tuple[Array, ...] = (), hints: tuple[Array, ...] = ()
) -> list[Array]:
    boxes, hinted = ([Located(quad, 0.1, False) for quad in quads] for quads in (weak, hints))
    return [box.quad for box in places_to_look(picture, tiles, tiles, boxes, hints=hinted, parameters=PARAMETERS)]


@pytest.mark.parametrize("turn", [0.0, 0.7, 2.5])
def test_no_place_lies_on_the_tile_itself(turn: float) -> None:
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    quad = (TILE - TILE.mean(0)) @ spin.T + TILE.mean(0)
    places = places_about([quad], PLACES)
    assert len(places) == len(PLACES)
    assert max(overlap(place, quad) for place in places) < 1e-6
    assert all(np.isclose(cv2.contourArea(place.astype(np.float32)), 3200, rtol=1e-3) for place in places)


def test_places_follow_the_tiles_perspective() -> None:
    camera = np.array([[1, 0.2, 40], [0, 0.6, 30], [0, 0.0012, 1]])
    straight_on = move(camera, beyond(TILE))
    assert any(np.allclose(place, straight_on, atol=0.5) for place in places_about([move(camera, TILE)], PLACES))
    assert np.allclose(move(homography(TILE, move(camera, TILE)), beyond(TILE)), straight_on)


def test_places_follow_the_tables_plane_where_it_is_known() -> None:
    """The quad's own perspective is bent by a pixel at one corner; the plane of all tiles is not."""
    camera = np.array([[1, 0.1, 40], [0, 0.35, 30], [0, 0.002, 1]])
    tiles = [TILE + (dx, dy) for dx in (-120, 0, 130) for dy in (-90, 90)]
    plane = plane_of_most([move(camera, tile) for tile in tiles])
    assert plane is not None
    bent = move(camera, TILE)
    bent[2] += (0.8, 0.8)
    straight_on = move(camera, beyond(TILE))
    crosswise = move(camera, np.array([[280, 320], [280, 280], [360, 280], [360, 320]], np.float64))
    for goal in (straight_on, crosswise):
        best = max(intersection_over_union(place, goal) for place in places_about([bent], PLACES, plane))
        alone = max(intersection_over_union(place, goal) for place in places_about([bent], PLACES))
        assert best > 0.8
        assert alone < 0.7
    assert all(signed_area(place) > 0 for place in places_about([bent], PLACES, plane))


def test_a_missed_tile_in_line_is_looked_for() -> None:
    missed = beyond(TILE)
    places = looked_at(on_the_table([TILE, missed]), [TILE], hints=(missed + 12,))
    assert any(overlap(place, missed) > 0.95 for place in places)


def test_bare_table_is_not_searched_even_where_the_detector_hinted() -> None:
    assert looked_at(on_the_table([TILE]), [TILE], hints=(beyond(TILE),)) == []


def test_without_a_hint_nothing_beside_a_tile_is_searched() -> None:
    assert looked_at(on_the_table([TILE, beyond(TILE)]), [TILE]) == []


def test_a_weak_box_is_looked_at_unless_a_sure_tile_lies_there() -> None:
    far = TILE + (150, 60)
    assert len(looked_at(on_the_table([TILE, far]), [TILE], weak=(far,))) == 1
    assert looked_at(on_the_table([TILE, far]), [TILE, far], weak=(far + 5,)) == []


def test_a_box_of_another_colour_is_no_tile_of_this_set() -> None:
    far = TILE + (150, 60)
    picture = on_the_table([TILE])
    cv2.fillConvexPoly(picture.image_bgr, far.astype(np.int32), RED)
    assert looked_at(picture, [TILE], weak=(far,)) == []


def test_with_nothing_sure_every_weak_box_is_looked_at() -> None:
    picture = on_the_table([TILE])
    boxes = [Located(TILE, 0.1, False), Located(TILE + 200, 0.1, False), Located(TILE + 2000, 0.1, False)]
    assert len(places_to_look(picture, [], [], boxes, hints=[], parameters=PARAMETERS)) == 2  # the third lies outside


def test_looks_are_bounded() -> None:
    boxes = [Located(TILE * 0.1 + (x * 12, y * 14), 0.1, False) for x in range(50) for y in range(30)]
    assert len(places_to_look(on_the_table([]), [], [], boxes, hints=[], parameters=PARAMETERS)) == PARAMETERS.most


def test_pips_do_not_change_a_tiles_ground() -> None:
    plain, marked = on_the_table([TILE]), on_the_table([TILE])
    for x in (310, 320, 330):
        for y in (210, 220, 230, 250, 260, 270):
            cv2.circle(marked.image_bgr, (x, y), 3, (0, 0, 0), -1)
    assert np.linalg.norm(grounds_lab(plain, [TILE]) - grounds_lab(marked, [TILE])) < 6


def flat_tile(x: float, y: float, turn: float) -> Array:
    """A tile of the table's plane: 1 x 2 about (x, y), clockwise from a short side."""
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return np.array([[-0.5, -1], [0.5, -1], [0.5, 1], [-0.5, 1]], np.float64) @ spin + (x, y)


LOW_CAMERA = np.array([[60, 14, 150], [4, 20, 160], [0.004, 0.05, 1]])
"""A camera so low that tiles that point away from it look wider than long."""


@pytest.mark.parametrize("turn", [0.0, 0.6, 1.57, 2.4])
def test_a_box_on_a_slant_is_looked_at_as_the_tile_that_the_plane_makes_of_it(turn: float) -> None:
    around = [move(LOW_CAMERA, flat_tile(x, y, a)) for x, y, a in ((0, 0, 0.3), (3, 1, 1.2), (6, 0, 2.0), (1, 5, 0.1))]
    plane = plane_of_most(around)
    assert plane is not None
    tile = move(LOW_CAMERA, flat_tile(4, 4, turn))
    (x, y), size, degrees = cv2.minAreaRect(tile.astype(np.float32))
    box = Located(rectangle_corners(x, y, *size, np.deg2rad(degrees)), 0.7, False)
    places = as_tiles_of(plane, [box])
    assert [place.score for place in places] == [0.7, 0.7]
    assert all(signed_area(place.quad) > 0 for place in places)
    best = max(intersection_over_union(place.quad, tile) for place in places)
    assert best > 0.62  # from there the corner network finds the way
    assert best >= intersection_over_union(box.quad, tile) - 0.05


def test_halves_paired_the_wrong_way_are_tried_the_right_way() -> None:
    """Of a row end to end, shifted by a half, and of two side by side that were taken for two lying across both."""
    row = [beyond(TILE, 2.0 * k) for k in range(3)]
    shifted = [beyond(tile, 1.0) for tile in row[:2]]
    side_by_side = [TILE, TILE + (40, 0)]
    across = [np.array([[300, y + 40], [300, y], [380, y], [380, y + 40]], np.float64) for y in (200, 240)]
    for true, wrong in ((row, shifted), (side_by_side, across)):
        picture, hints = on_the_table(true), [Located(tile + 9, 0.1, False) for tile in true]
        cuts = [box.quad for box in other_cuts(picture, wrong, wrong, hints=hints, parameters=PARAMETERS)]
        for tile in true:
            assert any(overlap(cut, tile) > 0.99 for cut in cuts)
        assert other_cuts(picture, wrong, [*wrong, *cuts], hints=hints, parameters=PARAMETERS) == []
        assert other_cuts(picture, wrong, wrong, hints=[], parameters=PARAMETERS) == []


def test_weak_boxes_leave_room_for_the_places_beside_tiles() -> None:
    """On a busy cloth there are more weak boxes than looks; the missed tile lies beside another all the same."""
    missed = beyond(TILE)
    crowd = [TILE / 8 + (60 * (k % 10), 7 * (k // 10) - 20) for k in range(5 * PARAMETERS.most)]
    picture = on_the_table([TILE, missed, *crowd])
    places = looked_at(picture, [TILE], weak=tuple(crowd), hints=(missed + 12,))
    assert any(overlap(place, missed) > 0.95 for place in places)
    assert len(places) <= 2 * PARAMETERS.most


def test_a_weak_box_is_no_place_where_tiles_look_larger_or_smaller() -> None:
    camera = np.array([[1, 0.1, 40], [0, 0.35, 30], [0, 0.002, 1]])
    tiles = [move(camera, TILE + (dx, dy)) for dx in (-120, 0, 130) for dy in (-90, 90)]
    plane = plane_of_most(tiles)
    assert plane is not None
    far, near = (move(camera, TILE + (60, dy)) for dy in (80, -160))
    assert areas_of(far[None])[0] < areas_of(near[None])[0] / 2
    as_large_as_near = near - near.mean(0) + far.mean(0)
    boxes = [Located(quad, 0.1, False) for quad in (far, near, as_large_as_near)]
    assert of_tiles_size(plane, boxes, PARAMETERS) == boxes[:2]
    assert of_tiles_size(plane, [], PARAMETERS) == []


def test_a_tile_that_was_drawn_too_long_is_put_where_the_plane_has_one() -> None:
    camera = np.array([[1, 0.1, 40], [0, 0.35, 30], [0, 0.002, 1]])
    plane = plane_of_most([move(camera, TILE + (dx, dy)) for dx in (-120, 0, 130) for dy in (-90, 90)])
    assert plane is not None
    too_long = TILE.copy()
    too_long[2:, 1] += 20
    for end, turned in ((0, too_long), (2, np.roll(too_long, 2, axis=0))):
        (places,) = as_the_plane_has_them(plane, [move(camera, turned)])
        assert intersection_over_union(places[end], move(camera, TILE)) > 0.95
        assert all(signed_area(place) > 0 for place in places)


def test_a_tile_between_two_free_halves_may_be_halves_of_two() -> None:
    row = [beyond(TILE, 2.0 * k) for k in range(3)]
    across = beyond(row[0], 3.0)  # a half of the second and a half of the third
    apart = [TILE + (dx, dy) for dx in (-160, 120) for dy in (-90, 90)]
    plane = plane_of_most([row[0], *apart])
    assert plane is not None
    picture = on_the_table([*row, *apart])
    ((index, two),) = halves_of_two(picture, [*apart, across, row[0]], [], plane, PARAMETERS)
    assert index == len(apart)
    for tile in row[1:]:
        assert any(overlap(quad, tile) > 0.99 for quad in two)
    assert all(signed_area(quad) > 0 for quad in two)
    back = row[2] + (row[2][3] - row[2][0]) / 2  # lies on the half beyond
    assert halves_of_two(picture, [*apart, across, row[0]], [back], plane, PARAMETERS) == []
    assert halves_of_two(picture, [*apart, *row], [], plane, PARAMETERS) == []
