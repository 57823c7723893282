"""Joining the table: by the address in the QR code, or by typing the number that the laptop shows."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, abort, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from companion.web.languages import LANGUAGES
from companion.web.languages import translate as _
from companion.web.parts import parts
from companion.web.qr import qr_svg_parts
from companion.web.security import has_joined, is_host, is_public, let_in, only_host, safe_next, try_code

blueprint = Blueprint("joining", __name__)


@dataclass(frozen=True, slots=True)
class JoinPage:
    """The page that asks for the table's number."""

    next: str
    wrong: str | None = None


@dataclass(frozen=True, slots=True)
class HostPage:
    """What the host shows the table: the address as a QR code, the number, the certificate."""

    code: str
    address: str
    join_url: str
    qr_size: int
    qr_path: str
    secure: str | None
    host: bool


@dataclass(frozen=True, slots=True)
class CameraPage:
    """How a phone gets the live camera: what its warning means, and how to be rid of it."""

    secure: str | None
    on_secure: bool


@blueprint.get("/join")
@is_public
def ask() -> ResponseReturnValue:
    """Ask for the number."""
    if has_joined():
        return redirect(safe_next(request.args.get("next")))
    return render_template("join.html", page=JoinPage(request.args.get("next", "")))


@blueprint.post("/join")
@is_public
def join() -> ResponseReturnValue:
    """Let in who knows the number."""
    if try_code(request.form.get("code", "")[:40]):
        let_in()
        return redirect(safe_next(request.form.get("next")), 303)
    page = JoinPage(request.form.get("next", ""), _("That is not the number of this table. Look at the laptop again."))
    return render_template("join.html", page=page), 403


@blueprint.get("/j/<code>")
@is_public
def by_link(code: str) -> ResponseReturnValue:
    """Let in who scanned the QR code."""
    if has_joined() or try_code(code):
        let_in()
        return redirect(url_for("games.first"))
    return redirect(url_for("joining.ask"))


@blueprint.get("/host/<key>")
@is_public
def as_host(key: str) -> ResponseReturnValue:
    """Make the browser that `companion serve` opened the host's."""
    if not parts().keys.is_host_key(key):
        abort(403)
    let_in(host=True)
    return redirect(url_for("joining.host"))


@blueprint.get("/table-code")
def host() -> ResponseReturnValue:
    """The QR code and the number, for those who come later."""
    keys, addresses = parts().keys.keys, parts().addresses()
    join_url = addresses.plain + url_for("joining.by_link", code=keys.code)
    size, path = qr_svg_parts(join_url)
    page = HostPage(keys.code, addresses.plain, join_url, size, path, addresses.secure, is_host())
    return render_template("host.html", page=page)


@blueprint.post("/table-code")
def change_code() -> ResponseReturnValue:
    """Draw another number; every phone has to join again, this browser has not."""
    only_host()
    parts().keys.change_code()
    let_in(host=True)
    return redirect(url_for("joining.host"), 303)


@blueprint.get("/camera")
@is_public
def camera() -> ResponseReturnValue:
    """Explain the phone's warning before it comes."""
    return render_template("camera.html", page=CameraPage(parts().addresses().secure, request.is_secure))


@blueprint.get("/authority.crt")
@is_public
def authority() -> ResponseReturnValue:
    """The authority's certificate, for phones that should trust it."""
    pem = parts().addresses().authority_pem
    if pem is None:
        abort(404)
    return Response(pem, content_type="application/x-x509-ca-cert")


@blueprint.post("/language")
@is_public
def language() -> ResponseReturnValue:
    """Remember the language that this person reads."""
    chosen = request.form.get("language", "")
    if chosen not in LANGUAGES:
        abort(400)
    session.permanent = True
    session["language"] = chosen
    return redirect(safe_next(request.form.get("next")), 303)
