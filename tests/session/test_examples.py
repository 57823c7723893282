"""Labelled tiles from confirmed hands and from photos of a set."""

from __future__ import annotations

from dataclasses import replace

from companion.session.answers import Refused
from companion.session.events import HandTile

from .evening import QUAD, Evening, done


def confirmed(evening: Evening, tiles: str, ends: tuple[int, int] | None = None) -> str:
    """Photograph a hand of Ben's, correct its first tile and confirm it; the picture's id."""
    proposed = done(evening.photo("Ben", tiles)).sequence
    found = evening.game.hand(proposed)
    assert found is not None
    shown = found.tiles if ends is None else (replace(found.tiles[0], ends=ends, checked=True), *found.tiles[1:])
    done(evening.session.hands.confirm(evening.wish(), evening.id, proposed, tiles=shown, replace=True))
    return found.photos[0].picture


def test_a_confirmed_hand_is_labelled_and_says_how_much_was_corrected() -> None:
    evening = Evening()
    picture = confirmed(evening, "9-4 6-5", ends=(8, 4))
    (labelled,) = evening.session.examples.all()
    assert (labelled.picture, labelled.highest, labelled.size_wh) == (picture, 12, (640, 480))
    assert [tile.ends for tile in labelled.tiles] == [(8, 4), (6, 5)]
    assert labelled.complete
    assert labelled.corrected == 1
    assert labelled.record("a.jpg") == {
        "photo": "a.jpg",
        "size": [640, 480],
        "set": 12,
        "source": "confirmed at the table",
        "tiles": [
            {"ends": [8, 4], "quad": [list(corner) for corner in labelled.tiles[0].quad_px]},
            {"ends": [6, 5], "quad": [list(corner) for corner in labelled.tiles[1].quad_px]},
        ],
        "face_down_quads": [],
        "ignore": [],
    }


def test_a_hand_that_nobody_confirmed_teaches_nothing() -> None:
    evening = Evening()
    done(evening.photo("Ben", "6-5"))
    assert evening.session.examples.all() == ()


def test_a_tile_without_a_place_makes_its_picture_incomplete() -> None:
    evening = Evening()
    proposed = done(evening.photo("Ben", "9-4")).sequence
    found = evening.game.hand(proposed)
    assert found is not None
    done(
        evening.session.hands.confirm(
            evening.wish(), evening.id, proposed, tiles=(*found.tiles, HandTile((3, 3), found.photos[0].picture))
        )
    )
    (labelled,) = evening.session.examples.all()
    assert not labelled.complete
    assert len(labelled.tiles) == 1


def test_photos_of_a_set_are_kept_by_its_name() -> None:
    evening = Evening()
    examples = evening.session.examples
    wish = evening.wish()
    tiles = [HandTile((6, 6), "p", QUAD, checked=True), HandTile((5, 5), "p", QUAD, checked=True)]
    for _ in range(2):
        examples.label(wish, picture="p", size_wh=(10, 10), highest=12, tiles=tiles, set_name="grandma's")
    assert len(examples.all()) == 1
    assert len(examples.all(set_name="grandma's")) == 1
    assert examples.all(set_name="ours") == ()
    examples.label(evening.wish(), picture="p", size_wh=(10, 10), highest=12, tiles=tiles[:1], set_name="grandma's")
    (labelled,) = examples.all()
    assert len(labelled.tiles) == 1  # the last word on a picture counts
    nothing = examples.label(evening.wish(), picture="q", size_wh=(9, 9), highest=12, tiles=[HandTile((6, 6))])
    assert isinstance(nothing, Refused)


def test_a_later_correction_is_the_better_label() -> None:
    evening = Evening()
    confirmed(evening, "9-4 6-5")
    (before,) = evening.session.examples.all()
    score = evening.game.round(1).scores["Ben"].now.tiles
    assert score is not None
    mended = (replace(score[0], ends=(8, 4)), score[1])
    done(
        evening.session.hands.enter(
            evening.wish(), evening.id, player="Ben", tiles=mended, round_number=1, replace=True
        )
    )
    (after,) = evening.session.examples.all()
    assert (before.corrected, after.corrected) == (0, 1)
    assert after.tiles[0].ends == (8, 4)
    done(evening.score("Ben", 30, replace=True))  # the number says that the tiles are wrong, and not how
    assert evening.session.examples.all() == ()
