"""What goes wrong, in one shape for programs (RFC 9457, `application/problem+json`) and on one page for people.

A page says what happened, what is safe, and the one thing to do.
"""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass
from http import HTTPStatus

from flask import Flask, Response, jsonify, render_template, request
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException

from companion.errors import CompanionError, UnusablePhoto
from companion.web.asking import core
from companion.web.languages import translate as _
from companion.web.photo_words import say_unusable
from companion.web.security import wants_data

log = logging.getLogger(__name__)

PROBLEM_JSON = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem. `code` is a stable word for programs; the texts are for people, in their language."""

    status: int
    code: str
    title: str
    detail: str


class ProblemError(Exception):
    """Ends a request with a problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.detail)
        self.problem = problem


def answer_problems(app: Flask) -> None:
    """Catch what goes wrong, once for all views."""
    app.register_error_handler(ProblemError, lambda error: answer(error.problem))
    app.register_error_handler(UnusablePhoto, lambda error: answer(photo_problem(error)))
    app.register_error_handler(CompanionError, _world_failed)
    app.register_error_handler(CSRFError, lambda _error: answer(_stale_form()))
    app.register_error_handler(HTTPException, lambda error: answer(_of_http(error)))
    app.register_error_handler(Exception, _our_fault)


def answer(problem: Problem) -> Response:
    """The problem as the one who asks can read it."""
    if wants_data(request):
        response = jsonify(as_record(problem))
        response.content_type = PROBLEM_JSON
    else:
        response = Response(render_template("problem.html", problem=problem))
    response.status_code = problem.status
    return response


def photo_problem(error: UnusablePhoto) -> Problem:
    """A photo that cannot be used, as a problem."""
    return Problem(422, error.code, _("This photo cannot be used."), say_unusable(error))


def _world_failed(error: CompanionError) -> Response:
    log.error("%s", error)
    return answer(Problem(503, "unavailable", _("That did not work just now."), core()(str(error))))


def _our_fault(error: Exception) -> Response:
    log.exception("a request failed", exc_info=error)
    detail = _("Nothing that was confirmed is lost. Go back and try again.")
    return answer(Problem(500, "internal", _("The program made a mistake."), detail))


def _stale_form() -> Problem:
    detail = _("Nothing was changed. Reload the page and do it again.")
    return Problem(400, "stale_form", _("This page was open for too long."), detail)


def _of_http(error: HTTPException) -> Problem:
    return problem_of(error.code or 500)


def problem_of(status: int) -> Problem:
    """What to say about an HTTP status."""
    title, detail = _words().get(status, (_("That did not work."), _("Go back and try again.")))
    name = HTTPStatus(status).name.lower() if status in HTTPStatus._value2member_map_ else "problem"
    return Problem(status, name, title, detail)


def as_record(problem: Problem) -> dict[str, object]:
    """A problem as JSON has it."""
    return {"type": "about:blank", **asdict(problem)}


def _words() -> dict[int, tuple[str, str]]:
    return {
        400: (_("The program did not understand that."), _("Nothing was changed. Reload the page and try again.")),
        401: (_("You have not joined this table."), _("Scan the code on the laptop, or type the table's number.")),
        403: (_("Only the host can do that."), _("Do it on the laptop that runs the game.")),
        404: (_("There is no such page."), _("Go to the first page and choose your game there.")),
        405: (_("That cannot be done here."), _("Go to the first page and choose your game there.")),
        413: (
            _("That is too much at once."),
            _("Nothing was changed. Send fewer photos, or one that is smaller than 40 MB."),
        ),
        415: (_("The program did not understand that."), _("Send JSON, or a photo from the page.")),
        429: (_("Too many wrong codes."), _("Wait a minute, then type the number that the laptop shows.")),
    }
