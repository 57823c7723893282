"""The sheet to take away: as a table for a spreadsheet, as text for a message, as a picture."""

from __future__ import annotations

import csv
import io
import re
import unicodedata

from flask import Blueprint, Response, render_template

from companion.session.game import Game
from companion.session.sheet import Sheet, sheet_of
from companion.web.asking import seats_of, the_game
from companion.web.chart import chart_of
from companion.web.languages import translate as _
from companion.web.sheet import sheet_page

blueprint = Blueprint("sharing", __name__, url_prefix="/games/<game_id>")

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@blueprint.get("/sheet.csv")
def as_csv(game_id: str) -> Response:
    """Rounds by players, and the totals below."""
    game = the_game(game_id)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([_("Round"), _("Engine"), *map(_no_formula, game.names)])
    sheet = sheet_of(game)
    for row in sheet.rows:
        if row.ended:
            points = ["" if cell.points is None else cell.points for cell in row.cells]
            writer.writerow([row.number, row.engine or "", *points])
    totals = sheet.totals()
    writer.writerow([_("Total"), "", *(totals.get(name, 0) for name in game.names)])
    return _file(text.getvalue().encode("utf-8-sig"), "text/csv; charset=utf-8", game, "csv")


@blueprint.get("/sheet.txt")
def as_text(game_id: str) -> Response:
    """A few lines for a message."""
    game = the_game(game_id)
    return _file(text_of(game, sheet_of(game)).encode(), "text/plain; charset=utf-8", game, "txt")


def text_of(game: Game, sheet: Sheet) -> str:
    """The standings in a few lines, the best first."""
    ended = len(game.ended_rounds)
    lines = [game.name or _("Mexican Train")]
    lines.append(_("After %(ended)d of %(rounds)d rounds:", ended=ended, rounds=game.round_count))
    lines += [f"{place.place}. {place.player}  {place.total}" for place in sheet.standings]
    if sheet.winners:
        lines.append(_("%(names)s won.", names=", ".join(sheet.winners)))
    return "\n".join(lines) + "\n"


@blueprint.get("/sheet.svg")
def as_picture(game_id: str) -> Response:
    """Sheet and chart as one drawing."""
    game = the_game(game_id)
    page = sheet_page(game)
    drawing = render_template("sheet.svg", page=page, chart=chart_of(sheet_of(game), seats_of(game)))
    return _file(drawing.encode(), "image/svg+xml", game, "svg")


def _no_formula(name: str) -> str:
    """A name that a spreadsheet does not take for a formula."""
    return f"'{name}" if name.startswith(_FORMULA_STARTS) else name


def _file(data: bytes, kind: str, game: Game, ending: str) -> Response:
    plain = unicodedata.normalize("NFKD", game.name or "mexican train").encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-") or "mexican-train"
    response = Response(data, content_type=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.{ending}"'
    return response
