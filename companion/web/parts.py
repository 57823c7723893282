"""What the pages work with, handed to `create_app` once and found again in every request."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, cast

from flask import current_app

from companion.web.drafts import Drafts
from companion.web.kept import KeptPages
from companion.web.wrong_codes import WrongCodes

if TYPE_CHECKING:
    from companion.session.learning import LearnsSets
    from companion.session.session import Session
    from companion.sightings import PhotoReading
    from companion.web.keys import KeyRing
    from companion.web.live import LiveTables

EXTENSION = "companion"


class ReadsPhotos(Protocol):
    """Reads photos away from the threads that answer pages, so that a slow photo keeps nobody waiting."""

    def read(self, data: bytes, *, set_highest: int | None) -> tuple[bytes, PhotoReading]:
        """Read the bytes of a picture file.

        Returns:
            The picture as an upright JPEG without whatever else the file held, and what was read in its pixels.

        Raises:
            UnusablePhoto: it is no picture, too large, or nothing can be read in it.
            CompanionError: the reader does not work.
        """
        ...


def new_command() -> str:
    """A fresh id for a command: a form that is sent twice carries it twice and does its work once."""
    return uuid.uuid4().hex


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where phones find the table: plain HTTP always, HTTPS where it is served."""

    plain: str
    secure: str | None = None
    authority_pem: bytes | None = None


@dataclass(slots=True)
class Parts:
    """The parts of the application.

    Attributes:
        session: the game's use cases.
        reader: reads photos.
        live: the tables that a camera watches.
        learning: learns the family's set.
        keys: who may come in.
        addresses: asked for when a page shows them; they are known only once the ports are taken.
        new_command: makes ids of commands.
        drafts: photos for learning that are being looked at.
        sheets: the rendered sheets, while their games stay as they are.
        ended: set when the server stops, so that those who follow a game are let go.
    """

    session: Session
    reader: ReadsPhotos
    live: LiveTables
    learning: LearnsSets
    keys: KeyRing
    addresses: Callable[[], Addresses]
    wrong_codes: WrongCodes = field(default_factory=WrongCodes)
    new_command: Callable[[], str] = field(default=new_command)
    ended: threading.Event = field(default_factory=threading.Event)
    drafts: Drafts = field(default_factory=Drafts)
    sheets: KeptPages = field(default_factory=KeptPages)


def parts() -> Parts:
    """The parts of the application that answers this request."""
    return cast(Parts, current_app.extensions[EXTENSION])
