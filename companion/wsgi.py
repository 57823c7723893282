"""The application for a WSGI server of your own: ``companion.wsgi:make_app``. `companion serve` has one built in."""

from __future__ import annotations

import atexit
from collections.abc import Mapping

from flask import Flask

from companion.vision.learning_desk import LearningDesk
from companion.vision.photo_pool import PhotoPool
from companion.vision.table_pool import TablePool
from companion.web import Addresses, Parts, create_app
from companion.web.keys import KeyRing
from companion.web.live import LiveTables
from companion.wiring import Workshop


def make_app(environ: Mapping[str, str] | None = None, *, address: str = "http://localhost:8000") -> Flask:
    """Make the application from the settings.

    One process only: who follows a game waits inside the process in which it changes.

    Args:
        environ: the settings; None takes the process's environment.
        address: where phones find the server; it stands in the QR code.

    Raises:
        CompanionError: the data folder or the weights cannot be used.
    """
    workshop = Workshop.from_environment(environ)
    models, learned = workshop.models_dir(), workshop.learned_file()
    photos, tables = PhotoPool(models, learned=learned), TablePool(models, learned=learned)
    photos.warm_up()
    atexit.register(photos.close)
    atexit.register(tables.close)
    session = workshop.session()
    learning = LearningDesk(models, learned, session.pictures.get)
    keys = KeyRing(workshop.data_dir() / "table-keys.json")
    return create_app(Parts(session, photos, LiveTables(session, tables), learning, keys, lambda: Addresses(address)))
