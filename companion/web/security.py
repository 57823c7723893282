"""What keeps strangers and accidents out: who has joined, forms from our own pages only, headers, how often one may try."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from flask import Flask, Request, Response, abort, current_app, redirect, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFProtect

from companion.web.parts import parts

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "media-src 'self' blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""Nothing from elsewhere, nothing inline. A local photo is shown as blob:, before it has been sent."""

csrf = CSRFProtect()


def is_public(view: Callable[..., ResponseReturnValue]) -> Callable[..., ResponseReturnValue]:
    """Mark a view as open to who has not joined."""
    view.is_public = True  # type: ignore[attr-defined]  # a mark on the function, read by `_only_joined`
    return view


def secure(app: Flask) -> None:
    """Put the guards around an application."""
    csrf.init_app(app)
    app.before_request(_only_joined)
    app.after_request(_with_headers)


def has_joined() -> bool:
    """Whether this browser came in with the code that counts now."""
    return session.get("turn") == parts().keys.keys.turn


def is_host() -> bool:
    """Whether this browser is the host's."""
    return has_joined() and bool(session.get("host"))


def let_in(*, host: bool = False) -> None:
    """Remember in the cookie that this browser has joined."""
    session.permanent = True
    session["turn"] = parts().keys.keys.turn
    session["host"] = host or bool(session.get("host"))


def wants_data(asked: Request) -> bool:
    """Whether a program asks rather than a person: those get problems as JSON."""
    return asked.path.startswith("/api/") or asked.accept_mimetypes.best == "application/json"


def try_code(code: str) -> bool:
    """Whether the code opens the table; ends the request when this address has tried too often."""
    address, wrong_codes = request.remote_addr or "", parts().wrong_codes
    if wrong_codes.too_many(address):
        abort(429)
    if parts().keys.opens(code):
        return True
    wrong_codes.count(address)
    return False


def only_host() -> None:
    """End the request unless it comes from the host."""
    if not is_host():
        abort(403)


def safe_next(target: str | None) -> str:
    """Where to go after joining: only a path of this site, else the first page."""
    if not target or not target.startswith("/") or target.startswith(("//", "/\\")):
        return url_for("games.first")
    split = urlsplit(target)
    return target if not split.scheme and not split.netloc else url_for("games.first")


def _only_joined() -> ResponseReturnValue | None:
    if request.endpoint is None or request.endpoint == "static" or has_joined() or bears_code():
        return None
    if getattr(_view(), "is_public", False):
        return None
    if wants_data(request):
        abort(401)
    return redirect(url_for("joining.ask", next=request.full_path.rstrip("?") if request.method == "GET" else None))


def _view() -> object:
    """The view function that will answer this request."""
    return current_app.view_functions.get(request.endpoint or "")


def bears_code() -> bool:
    """A program may show the table's code instead of a cookie: ``Authorization: Bearer 123456``."""
    given = request.authorization
    if given is None or given.type != "bearer" or not request.path.startswith("/api/"):
        return False
    return try_code(given.token or "")


def _with_headers(response: Response) -> Response:
    headers = response.headers
    headers.setdefault("Content-Security-Policy", POLICY)
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "same-origin"
    headers["Cross-Origin-Opener-Policy"] = "same-origin"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
    headers["Permissions-Policy"] = "camera=(self), microphone=(), geolocation=()"
    if "Cache-Control" not in headers:
        headers["Cache-Control"] = "no-store"
    return response
