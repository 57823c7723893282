"""The live view of the table: one camera's frames in, drawings out, to it and to everybody who looks on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from flask import Blueprint, Response, abort, copy_current_request_context, jsonify, redirect, request, url_for
from flask.typing import ResponseReturnValue

from companion.session.game import Game
from companion.web.asking import number_in, the_game
from companion.web.events import BREATHS, LOOK_S, LOOKS
from companion.web.languages import translate as _
from companion.web.live import LiveTable, OtherCamera
from companion.web.live_drawing import draw_live
from companion.web.parts import parts
from companion.web.photos import bytes_of, sent_photos
from companion.web.problems import Problem, ProblemError

blueprint = Blueprint("watching", __name__, url_prefix="/games/<game_id>/table")

MOST_FRAME_BYTES = 6_000_000
_CAMERA = re.compile(r"[0-9A-Za-z-]{8,40}", re.ASCII)


@blueprint.post("/frames")
def frame(game_id: str) -> Response:
    """Take in a frame (the body is a JPEG) and answer what to draw over it; the answer is the sign to send the next one."""
    game = _played(game_id)
    camera = request.args.get("camera", "")
    if not _CAMERA.fullmatch(camera):
        abort(400)
    jpeg = request.get_data(cache=False)
    if len(jpeg) > MOST_FRAME_BYTES:
        abort(413)
    table = _take_in(game, jpeg, camera=camera)
    return jsonify(_record(game, table))


@blueprint.post("/still")
def still(game_id: str) -> ResponseReturnValue:
    """A photo of the table instead of a stream."""
    game = _played(game_id)
    for file in sent_photos():
        _take_in(game, bytes_of(file), camera="still-photos", still=True)
    return redirect(url_for("table.show", game_id=game_id), 303)


@blueprint.get("/live")
def live(game_id: str) -> Response:
    """What to draw over the last frame; nothing where no camera has shown the table."""
    game = the_game(game_id)
    table = parts().live.find(game_id)
    return jsonify(None if table is None else _record(game, table))


@blueprint.get("/live.jpg")
def picture(game_id: str) -> Response:
    """The last frame itself, or the one that is asked for."""
    the_game(game_id)
    table = parts().live.find(game_id)
    number = number_in(request.args.get("frame"), 0, 999_999)
    jpeg = None if table is None else table.frames.get(table.frame if number is None else number)
    if jpeg is None:
        abort(404)
    return Response(jpeg, content_type="image/jpeg")


@blueprint.get("/live/events")
def follow(game_id: str) -> Response:
    """Every new drawing, for those who look on: server-sent events."""
    game = the_game(game_id)
    given = parts()

    @copy_current_request_context
    def record(table: LiveTable) -> str:
        return json.dumps(_record(game, table))

    def stream() -> Iterator[str]:
        yield "retry: 1000\n\n"
        shown = -1
        for look in range(1, LOOKS + 1):
            table = given.live.find(game_id)
            if table is None or not table.wait(shown, LOOK_S):
                if table is None:
                    given.ended.wait(LOOK_S)
                if look % BREATHS == 0:
                    yield ": still here\n\n"
            else:
                shown = table.frame
                yield f"event: look\ndata: {record(table)}\n\n"
            if given.ended.is_set():
                return

    return Response(stream(), content_type="text/event-stream")


def _played(game_id: str) -> Game:
    game = the_game(game_id)
    if game.current is None:
        raise ProblemError(Problem(409, "game_over", _("The game is over."), _("Nothing is watched any more.")))
    return game


def _take_in(game: Game, jpeg: bytes, *, camera: str, still: bool = False) -> LiveTable:
    try:
        return parts().live.take_in(game, jpeg, camera=camera, still=still)
    except OtherCamera:
        detail = _("Look on here, or stop the other camera first.")
        raise ProblemError(Problem(409, "other_camera", _("Another camera watches the table."), detail)) from None


def _record(game: Game, table: LiveTable) -> dict[str, object]:
    drawing = draw_live(game, table)
    return {} if drawing is None else drawing.record()
