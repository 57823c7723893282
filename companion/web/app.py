"""The application factory."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from apiflask import APIFlask
from flask import Blueprint, Flask, Response, make_response, render_template, request
from flask_babel import get_locale

from companion import __version__
from companion.web import (
    api,
    by_hand,
    events,
    games,
    hand,
    joining,
    learning,
    photos,
    referee,
    rounds,
    sharing,
    sheet,
    table,
    watching,
)
from companion.web.drawing import half_drawings
from companion.web.languages import LANGUAGES, speak
from companion.web.parts import EXTENSION, Parts, parts
from companion.web.problems import answer_problems
from companion.web.security import has_joined, is_host, is_public, secure
from companion.web.serving import MOST_BODY_BYTES

COOKIE_LASTS = timedelta(days=60)
STATIC_LASTS = timedelta(hours=1)

PAGES = (
    *(joining, games, rounds, hand, by_hand, sheet, sharing),
    *(table, watching, referee, learning, photos, events, api),
)
"""The modules that have a blueprint."""

shared = Blueprint("shared", __name__)


def create_app(given: Parts) -> Flask:
    """Put the pages and the API over a session.

    Args:
        given: the session, the reader of photos, the keys; see `Parts`.
    """
    app = APIFlask(
        __name__, title="Mexican Train companion", version=__version__,
        json_errors=False, docs_path=None, spec_path="/api/v1/openapi.json",
    )  # fmt: skip
    app.config.update(
        SECRET_KEY=given.keys.keys.secret,
        SESSION_COOKIE_NAME="companion",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=COOKIE_LASTS,
        MAX_CONTENT_LENGTH=MOST_BODY_BYTES,
        MAX_FORM_MEMORY_SIZE=2_000_000,
        SEND_FILE_MAX_AGE_DEFAULT=STATIC_LASTS,
        WTF_CSRF_TIME_LIMIT=None,  # a game night lasts longer than any limit; the cookie's own life counts
        WTF_CSRF_CHECK_DEFAULT=True,
    )
    app.extensions[EXTENSION] = given
    speak(app)
    secure(app)
    answer_problems(app)
    app.register_blueprint(shared)
    for module in PAGES:
        app.register_blueprint(module.blueprint)
    api.describe(app)
    app.context_processor(_for_every_page)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    return app


def _for_every_page() -> dict[str, object]:
    return {
        "languages": LANGUAGES,
        "language": str(get_locale() or "en"),
        "joined": has_joined(),
        "is_host": is_host(),
        "command_id": parts().new_command,
        "version": __version__,
        "here": request.full_path.rstrip("?"),
    }


@shared.get("/tiles.svg")
@is_public
def tiles() -> Response:
    """The halves of all tiles, drawn once and used by every page."""
    response = make_response(render_template("tiles.svg", halves=half_drawings()))
    response.content_type = "image/svg+xml"
    response.cache_control.max_age = int(STATIC_LASTS.total_seconds())
    response.cache_control.public = True
    return response


@shared.get("/manifest.webmanifest")
@is_public
def manifest() -> Response:
    """What a phone shows when the page is put on its home screen."""
    response = make_response((Path(__file__).parent / "static" / "manifest.json").read_text(encoding="utf-8"))
    response.content_type = "application/manifest+json"
    return response
