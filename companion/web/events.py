"""Changes as they happen, for every page that is open: server-sent events, one a change."""

from __future__ import annotations

import json
from collections.abc import Iterator
from threading import Event

from flask import Blueprint, Response, request

from companion.session.session import Session
from companion.web.asking import number_in, the_game
from companion.web.parts import parts

blueprint = Blueprint("events", __name__)

LOOK_S = 2.0
"""How often a stream looks whether the server stops."""
BREATHS = 6
"""After so many looks without news a comment is sent, so that a phone that has gone is noticed."""
LOOKS = 300
"""After so many looks the browser connects anew by itself; a forgotten connection does not hold a thread for ever."""


@blueprint.get("/games/<game_id>/events")
def stream(game_id: str) -> Response:
    """Tell each version of the game that is newer than the one the page shows."""
    game = the_game(game_id)
    seen = number_in(request.headers.get("Last-Event-ID") or request.args.get("after"), 0, 999_999)
    after = game.version if seen is None else seen
    given = parts()
    response = Response(changes(given.session, game_id, after, ended=given.ended), content_type="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    return response


def changes(session: Session, game_id: str, after: int, *, ended: Event, looks: int = LOOKS) -> Iterator[str]:
    """The text of the stream; ends by itself after so many looks, and when the server stops."""
    yield "retry: 1000\n\n"
    for look in range(1, looks + 1):
        entries = session.games.follow(game_id, after, timeout_s=LOOK_S)
        if ended.is_set():
            return
        if entries:
            after = entries[-1].sequence
            told = {"version": after, "what": sorted({type(entry.event).__name__ for entry in entries})}
            yield f"id: {after}\nevent: change\ndata: {json.dumps(told)}\n\n"
        elif look % BREATHS == 0:
            yield ": still here\n\n"
