"""Photos: taken in, read away from this thread, kept, and given out to who has joined."""

from __future__ import annotations

import re
from dataclasses import dataclass

from flask import Blueprint, Response, abort, request
from werkzeug.datastructures import FileStorage

from companion.errors import UnusablePhoto
from companion.sightings import PhotoReading
from companion.web.parts import parts
from companion.web.photo_words import MOST_PHOTOS

blueprint = Blueprint("photos", __name__)

MOST_PHOTO_BYTES = 40_000_000
"""A phone's largest photo has some 25 million bytes."""

_PICTURE_ID = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class ReadPhoto:
    """A photo that was kept and read."""

    picture: str
    reading: PhotoReading


def sent_photos() -> list[FileStorage]:
    """The photos of this request's form.

    Raises:
        UnusablePhoto: there is none, or there are too many.
    """
    files = [file for file in request.files.getlist("photo") if file.filename or file.content_length]
    if not files:
        raise UnusablePhoto("no_photo", "No photo was sent.")
    if len(files) > MOST_PHOTOS:
        raise UnusablePhoto("too_many_photos", f"More than {MOST_PHOTOS} photos were sent.")
    return files


def read_photo(data: bytes, *, set_highest: int | None) -> ReadPhoto:
    """Read a photo and keep it.

    What is kept is the picture that the reader gives back: without the place and time that phones write into photos, and
    without anything else that a file may hold.

    Raises:
        UnusablePhoto: it cannot be used; nothing is kept.
        CompanionError: it cannot be read or kept just now.
    """
    if len(data) > MOST_PHOTO_BYTES:
        raise UnusablePhoto("too_large", "The file is too large.")
    jpeg, reading = parts().reader.read(data, set_highest=set_highest)
    return ReadPhoto(parts().session.pictures.put(jpeg), reading)


def bytes_of(file: FileStorage) -> bytes:
    """What was sent, at most one byte more than is allowed."""
    data: bytes = file.stream.read(MOST_PHOTO_BYTES + 1)
    return data


@blueprint.get("/pictures/<picture>.jpg")
def picture(picture: str) -> Response:
    """A picture by its id; only who has joined gets this far."""
    if not _PICTURE_ID.fullmatch(picture):
        abort(404)
    try:
        data = parts().session.pictures.get(picture)
    except KeyError:
        abort(404)
    response = Response(data, content_type="image/jpeg")
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response.cache_control.private = True
    response.cache_control.max_age = 86_400
    response.cache_control.immutable = True  # the id is a digest: another picture has another address
    response.set_etag(picture)
    response.make_conditional(request)
    return response
