"""Learn my set: photograph the sorted doubles, look at what was read, and let the reader learn from it in the background."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace

from flask import Blueprint, abort, redirect, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue

from companion.dominoes import SET_SIZES
from companion.errors import UnusablePhoto
from companion.session.answers import Refused
from companion.session.events import HandTile
from companion.session.learning import LearningNow
from companion.web.asking import command, number_in, why
from companion.web.drafts import DraftPhoto
from companion.web.hand import change_tile
from companion.web.hand_page import Crop, Pad
from companion.web.parts import parts
from companion.web.photo_drawing import PhotoDrawing, crop_around, draw_photo
from companion.web.photo_words import say_unusable
from companion.web.photos import bytes_of, read_photo, sent_photos

blueprint = Blueprint("learning", __name__, url_prefix="/learn")


@dataclass(frozen=True, slots=True)
class LearnPage:
    """Everything that the page shows."""

    now: LearningNow
    in_use: bool
    pictures: int
    tiles: int
    corrected: int
    missing: tuple[int, ...]
    sets: tuple[int, ...]
    refused: str | None


@dataclass(frozen=True, slots=True)
class DraftPage:
    """A photo with its tiles, before it is kept."""

    picture: str
    photo: PhotoDrawing
    tiles: int
    to_look_at: int
    pad: Pad | None
    refused: str | None


@blueprint.get("")
def show() -> str:
    """How far it is, and what to do next."""
    return render_template("learn.html", page=_page())


def _page(refused: str | None = None) -> LearnPage:
    labelled, learning = parts().session.examples.all(), parts().learning
    return LearnPage(
        now=learning.now(),
        in_use=learning.in_use(),
        pictures=len(labelled),
        tiles=sum(len(shown.tiles) for shown in labelled),
        corrected=sum(shown.corrected for shown in labelled),
        missing=learning.missing(labelled),
        sets=SET_SIZES,
        refused=refused,
    )


@blueprint.post("/photos")
def photograph() -> ResponseReturnValue:
    """Read a photo of sorted tiles."""
    highest = number_in(request.form.get("set"), 0, 99)
    try:
        for file in sent_photos():
            found = read_photo(bytes_of(file), set_highest=highest if highest in SET_SIZES else None)
    except UnusablePhoto as error:
        return render_template("learn.html", page=_page(say_unusable(error))), 422
    reading = found.reading
    doubts = {doubt.tile: doubt for doubt in reading.doubts}
    tiles = tuple(
        HandTile(tile.ends, found.picture, tile.quad_px, tile.confidence, doubts.get(n))
        for n, tile in enumerate(reading.tiles)
    )
    parts().drafts.keep(DraftPhoto(found.picture, reading, reading.set_highest, tiles))
    return redirect(url_for(".look", picture=found.picture), 303)


@blueprint.get("/photos/<picture>")
def look(picture: str) -> str:
    """The photo with what was read; `tile` names the one whose pad is open."""
    return render_template("learn_photo.html", page=_draft_page(_draft(picture)))


@blueprint.post("/photos/<picture>/tiles/<int:index>")
def change(picture: str, index: int) -> ResponseReturnValue:
    """Change a tile, as on a hand."""
    draft = _draft(picture)
    changed = change_tile(draft.tiles, index, request.form)
    if changed is None:
        return redirect(url_for(".look", picture=picture), 303)
    parts().drafts.keep(replace(draft, tiles=tuple(changed)))
    stay = index if request.form.get("set") else None
    return redirect(url_for(".look", picture=picture, tile=stay), 303)


@blueprint.post("/photos/<picture>/keep")
def keep(picture: str) -> ResponseReturnValue:
    """A person has looked at all tiles: they are right."""
    draft = _draft(picture)
    outcome = parts().session.examples.label(
        command(), picture=picture, size_wh=draft.reading.size_wh, highest=draft.highest,
        tiles=[replace(tile, checked=True) for tile in draft.tiles],
    )  # fmt: skip
    if isinstance(outcome, Refused):
        return render_template("learn_photo.html", page=_draft_page(draft, refused=why(outcome))), 409
    parts().drafts.drop(picture)
    return redirect(url_for(".show"), 303)


@blueprint.post("/start")
def start() -> ResponseReturnValue:
    """Learn from everything that was vouched for."""
    parts().learning.start(parts().session.examples.all())
    return redirect(url_for(".show"), 303)


@blueprint.post("/stop")
def stop() -> ResponseReturnValue:
    """Stop learning."""
    parts().learning.stop()
    return redirect(url_for(".show"), 303)


@blueprint.post("/forget")
def forget() -> ResponseReturnValue:
    """Read photos as the program came."""
    parts().learning.forget()
    return redirect(url_for(".show"), 303)


@blueprint.get("/examples.zip")
def export() -> ResponseReturnValue:
    """The labelled pictures as a data set in the form of `datasets/`."""
    target = io.BytesIO()
    parts().learning.export(parts().session.examples.all(), target)
    target.seek(0)
    return send_file(target, "application/zip", as_attachment=True, download_name="my-set.zip")


def _draft(picture: str) -> DraftPhoto:
    draft = parts().drafts.find(picture)
    if draft is None:
        abort(404)
    return draft


def _draft_page(draft: DraftPhoto, *, refused: str | None = None) -> DraftPage:
    chosen = number_in(request.args.get("tile"), 0, len(draft.tiles) - 1)
    return DraftPage(
        picture=draft.picture,
        photo=draw_photo(draft.picture, draft.reading.size_wh, draft.tiles, chosen=chosen),
        tiles=len(draft.tiles),
        to_look_at=sum(tile.wants_look for tile in draft.tiles),
        pad=_pad(draft, chosen, draft.tiles),
        refused=refused,
    )


def _pad(draft: DraftPhoto, chosen: int | None, tiles: Sequence[HandTile]) -> Pad | None:
    if chosen is None:
        return None
    tile = tiles[chosen]
    size_wh = draft.reading.size_wh
    crop = None if tile.quad_px is None else Crop(draft.picture, size_wh, crop_around(tile.quad_px, size_wh))
    return Pad(chosen, tile.ends, tuple(range(max(draft.highest, *tile.ends) + 1)), crop)
