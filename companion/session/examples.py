"""Labelled tiles: every tile that a person vouched for, with its place in a picture. They teach the reader a family's set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from companion.session.answers import Refused
from companion.session.desk import Desk
from companion.session.events import SETS, Command, HandTile, TilesLabelled
from companion.session.folding import undone
from companion.session.game import Game, Photo
from companion.sightings import Quad


@dataclass(frozen=True, slots=True)
class LabelledTile:
    """A tile's true values and where it lies: ``ends[0]`` between corners 0 and 1 of the quad (pixels)."""

    ends: tuple[int, int]
    quad_px: Quad


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """A picture with labelled tiles.

    Attributes:
        picture: its id.
        size_wh: its size in pixels.
        highest: N of the double-N set.
        tiles: the labelled ones.
        complete: whether these are all the tiles that it shows.
        corrected: how many of them the reader had got wrong.
    """

    picture: str
    size_wh: tuple[int, int]
    highest: int
    tiles: tuple[LabelledTile, ...]
    complete: bool = True
    corrected: int = 0

    def record(self, file_name: str) -> dict[str, Any]:
        """The picture's labels in the schema of `datasets/README.md`."""
        return {
            "photo": file_name,
            "size": list(self.size_wh),
            "set": self.highest,
            "source": "confirmed at the table",
            "tiles": [
                {"ends": list(tile.ends), "quad": [list(corner) for corner in tile.quad_px]} for tile in self.tiles
            ],
            "face_down_quads": [],
            "ignore": [],
        }


class Examples:
    """What concerns the labelled tiles."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def label(
        self,
        command: Command,
        *,
        picture: str,
        size_wh: tuple[int, int],
        highest: int,
        tiles: Sequence[HandTile],
        set_name: str = "",
    ) -> LabelledPicture | Refused:
        """Keep the tiles of a photo (the sorted doubles, say) as a person has checked them."""
        placed = tuple(tile for tile in tiles if tile.quad_px is not None)
        if not placed:
            return Refused.because("nothing_labelled")
        event = TilesLabelled(set_name, picture, size_wh, highest, tuple(tiles))
        self._desk.note(event, command)
        return _of_event(event)

    def all(self, *, set_name: str | None = None) -> tuple[LabelledPicture, ...]:
        """Every labelled picture: photographed for it, and from confirmed hands; each picture once, the last word counts.

        Args:
            set_name: only those photographed for this set; None: everything, hands from games too.
        """
        found: dict[str, LabelledPicture] = {}
        if set_name is None:
            for stream in self._desk.journal.streams():
                game = None if stream == SETS else self._desk.game(stream)
                if game is not None:
                    found |= {labelled.picture: labelled for labelled in _of_game(game)}
        entries = self._desk.journal.read(SETS)
        dead = undone(entries)
        for entry in entries:
            event = entry.event
            if isinstance(event, TilesLabelled) and entry.sequence not in dead and set_name in (None, event.set_name):
                found[event.picture] = _of_event(event)
        return tuple(found.values())


def _of_event(event: TilesLabelled) -> LabelledPicture:
    return LabelledPicture(
        event.picture,
        event.size_wh,
        event.highest,
        _labelled(event.tiles),
        complete=all(tile.quad_px is not None for tile in event.tiles),
    )


def _of_game(game: Game) -> Iterable[LabelledPicture]:
    """The pictures of scored hands, with the tiles as the score has them now: a later correction is the better label."""
    for here in game.rounds.values():
        photos = {photo.picture: photo for hand in here.hands.values() for photo in hand.photos}
        for score in here.scores.values():
            tiles = score.now.tiles or ()
            shown = {tile.picture for tile in tiles if tile.picture is not None and tile.quad_px is not None}
            for picture in sorted(shown & photos.keys()):
                yield _of_photo(photos[picture], tiles, game.rules.set)


def _of_photo(photo: Photo, tiles: Sequence[HandTile], highest: int) -> LabelledPicture:
    mine = [tile for tile in tiles if tile.picture == photo.picture]
    read = {tile.quad_px: tile.ends for tile in photo.reading.tiles}
    return LabelledPicture(
        photo.picture,
        photo.reading.size_wh,
        highest,
        _labelled(mine),
        # a hand of several photos names a tile once, and one without a place may be on any of them
        complete=len(mine) == len(tiles) and all(tile.quad_px is not None for tile in mine),
        corrected=sum(read.get(tile.quad_px) != tile.ends for tile in mine if tile.quad_px is not None),
    )


def _labelled(tiles: Iterable[HandTile]) -> tuple[LabelledTile, ...]:
    return tuple(LabelledTile(tile.ends, tile.quad_px) for tile in tiles if tile.quad_px is not None)
