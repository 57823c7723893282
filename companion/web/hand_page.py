"""The hand page's view model: the photos with their tiles outlined, the sum, what to look at, the pad of one tile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.dominoes import Tile
from companion.scoring.counting import hand_count
from companion.session.answers import Remark
from companion.session.events import HandTile
from companion.session.game import Game, Hand
from companion.session.sheet import points_in
from companion.session.wording import say_remark
from companion.sightings import Alternative, DoubtKind
from companion.web.asking import GameHead, Seat, core, head_of, seat_of, who
from companion.web.languages import translate as _
from companion.web.parts import parts
from companion.web.photo_drawing import PhotoDrawing, crop_around, draw_photo

MOST_SUGGESTIONS = 2
"""Other readings offered beside a doubt; the pad has them all."""


@dataclass(frozen=True, slots=True)
class TileLine:
    """A tile in the list under the photo."""

    index: int
    ends: tuple[int, int]
    doubtful: bool
    chosen: bool


@dataclass(frozen=True, slots=True)
class Crop:
    """A cut-out of a photo: its address, its size, and the part to show as an SVG viewBox."""

    url_picture: str
    size_wh: tuple[int, int]
    view_box: str


@dataclass(frozen=True, slots=True)
class DoubtLine:
    """A tile that a person should look at: why, and other values that it may have."""

    index: int
    ends: tuple[int, int]
    why: str
    suggestions: tuple[tuple[int, int], ...]
    crop: Crop | None


@dataclass(frozen=True, slots=True)
class RemarkLine:
    """What another place knows better; `pictures` show it."""

    sentence: str
    tile: int | None
    pictures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pad:
    """The pad of the tile that was tapped."""

    index: int
    ends: tuple[int, int]
    values: tuple[int, ...]
    crop: Crop | None


@dataclass(frozen=True, slots=True)
class ScoreNow:
    """What the sheet has for this player and round."""

    points: int | None
    by: str | None
    corrected: bool


@dataclass(frozen=True, slots=True)
class HandPage:
    """Everything that the page shows. `hand` is the id of the photographed hand, None before the first photo."""

    head: GameHead
    seat: Seat
    number: int
    current: bool
    hand: int | None
    photos: tuple[PhotoDrawing, ...]
    tiles: tuple[TileLine, ...]
    points: int
    to_look_at: int
    doubts: tuple[DoubtLine, ...]
    remarks: tuple[RemarkLine, ...]
    pad: Pad | None
    score: ScoreNow | None
    went_out: bool
    refused: str | None = None
    can_replace: bool = False
    version: int = 0


def hand_page(
    game: Game, number: int, seat_number: int, *, chosen: int | None = None, refused: str | None = None,
    can_replace: bool = False,
) -> HandPage:  # fmt: skip
    """The page of one player's hand at the end of a round."""
    seat = seat_of(game, seat_number)
    here = game.round(number)
    hand = here.open_hand(seat.name)
    tiles = hand.tiles if hand else ()
    if chosen is not None and chosen >= len(tiles):
        chosen = None
    remarks = parts().session.hands.check(game.id, seat.name, tiles, round_number=number) if tiles else ()
    bad = frozenset(remark.tile for remark in remarks if remark.tile is not None)
    return HandPage(
        head=head_of(game, "round"),
        seat=seat,
        number=number,
        current=number == game.current,
        hand=hand.id if hand else None,
        photos=_photos(hand, chosen, bad),
        tiles=tuple(TileLine(n, tile.ends, tile.wants_look or n in bad, n == chosen) for n, tile in enumerate(tiles)),
        points=hand_count((tile.tile for tile in tiles), game.rules),
        to_look_at=hand.to_look_at if hand else 0,
        doubts=tuple(_doubts(hand)) if hand else (),
        remarks=tuple(map(remark_line, remarks)),
        pad=_pad(game, hand, chosen),
        score=score_now(game, number, seat.name),
        went_out=here.told is not None and seat.name in here.told.out,
        refused=refused,
        can_replace=can_replace,
        version=game.version,
    )


def score_now(game: Game, number: int, player: str) -> ScoreNow | None:
    """What the sheet has for a player and a round, where somebody confirmed it."""
    score = game.round(number).scores.get(player)
    if score is None:
        return None
    return ScoreNow(points_in(game, number).get(player), who(score.now.by), score.corrected)


def remark_line(remark: Remark) -> RemarkLine:
    """A remark in this person's words."""
    return RemarkLine(say_remark(remark, core()), remark.tile, remark.pictures)


def _photos(hand: Hand | None, chosen: int | None, bad: frozenset[int]) -> tuple[PhotoDrawing, ...]:
    if hand is None:
        return ()
    return tuple(
        draw_photo(photo.picture, photo.reading.size_wh, hand.tiles, chosen=chosen, bad=bad) for photo in hand.photos
    )


def _size_of(hand: Hand, picture: str | None) -> tuple[int, int] | None:
    return next((photo.reading.size_wh for photo in hand.photos if photo.picture == picture), None)


def _crop(hand: Hand, tile: HandTile) -> Crop | None:
    size_wh = _size_of(hand, tile.picture)
    if tile.picture is None or tile.quad_px is None or size_wh is None:
        return None
    return Crop(tile.picture, size_wh, crop_around(tile.quad_px, size_wh))


def _pad(game: Game, hand: Hand | None, chosen: int | None) -> Pad | None:
    if hand is None or chosen is None:
        return None
    tile = hand.tiles[chosen]
    highest = max(game.rules.set, *tile.ends)
    return Pad(chosen, tile.ends, tuple(range(highest + 1)), _crop(hand, tile))


def _doubts(hand: Hand) -> list[DoubtLine]:
    found = []
    for index, tile in enumerate(hand.tiles):
        if tile.wants_look and tile.doubt is not None:
            others = [other.ends for other in tile.doubt.alternatives if other.ends != tile.ends][:MOST_SUGGESTIONS]
            sentence = say_doubt(tile.ends, tile.doubt.kinds, tile.doubt.alternatives)
            found.append(DoubtLine(index, tile.ends, sentence, tuple(others), _crop(hand, tile)))
    return found


def say_doubt(ends: tuple[int, int], kinds: Sequence[DoubtKind], alternatives: Sequence[Alternative]) -> str:
    """Why to look at a tile, in this person's language: the first reason, which the reader puts first."""
    name = f"{ends[0]}-{ends[1]}"
    kind = kinds[0] if kinds else DoubtKind.VALUE
    if kind in (DoubtKind.VALUE, DoubtKind.READERS_DISAGREE):
        return _say_other_value(name, ends, alternatives)
    return {
        DoubtKind.TOO_SMALL: _("%(tile)s? It is too small in the photo. Look at it, or go nearer.", tile=name),
        DoubtKind.BLURRED: _("%(tile)s? The photo is blurred there.", tile=name),
        DoubtKind.DUPLICATE: _("Two tiles read as %(tile)s. One of them must be another.", tile=Tile.of(*ends)),
        DoubtKind.NOT_IN_SET: _("%(tile)s? This set has no such tile.", tile=name),
        DoubtKind.MAYBE_NOT_A_TILE: _("%(tile)s? It may be no tile at all.", tile=name),
        DoubtKind.MAYBE_FACE_DOWN: _("%(tile)s? It may lie face down.", tile=name),
        DoubtKind.BURNT_OUT: _("%(tile)s? The light may hide pips there. Look at it.", tile=name),
        DoubtKind.CUT: _("%(tile)s? The edge of the photo cuts it.", tile=name),
    }[kind]


def _say_other_value(name: str, ends: tuple[int, int], alternatives: Sequence[Alternative]) -> str:
    for other in alternatives:
        if other.ends == ends:
            continue
        changed = [(mine, theirs) for mine, theirs in zip(ends, other.ends, strict=True) if mine != theirs]
        if len(changed) == 1:
            return _("%(tile)s? Look: %(mine)d or %(theirs)d.", tile=name, mine=changed[0][0], theirs=changed[0][1])
        return _("%(tile)s? It could be %(other)s.", tile=name, other="-".join(map(str, other.ends)))
    return _("%(tile)s? Look at it.", tile=name)
