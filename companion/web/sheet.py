"""The score sheet: rounds by players, totals, who leads, what comes next; a cell's history; the whole evening's journal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import get_locale
from flask_wtf.csrf import generate_csrf

from companion.scoring.counting import hand_count
from companion.session.answers import Refused
from companion.session.folding import undone
from companion.session.game import Game, ScoreLine
from companion.session.sheet import Cell, Row, points_in, sheet_of
from companion.web.asking import (
    GameHead,
    Seat,
    command,
    head_of,
    me,
    number_in,
    round_of,
    seat_of,
    seats_of,
    the_game,
    who,
    why,
)
from companion.web.chart import Chart, chart_of
from companion.web.languages import moment
from companion.web.languages import translate as _
from companion.web.parts import parts
from companion.web.telling import told

blueprint = Blueprint("sheet", __name__, url_prefix="/games/<game_id>")


@dataclass(frozen=True, slots=True)
class Column:
    """A player's column: total and place after the ended rounds."""

    seat: Seat
    total: int
    place: int | None
    leads: bool


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """A cell. `text` is what stands in it; `said` is what a screen reader says; `address` is of its photo, or where to take one."""

    seat: Seat
    text: str
    said: str
    best: bool
    photo: bool
    corrected: bool
    waits: bool
    address: str


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A round."""

    number: int
    engine: tuple[int, int] | None
    cells: tuple[ScoreCell, ...]
    ended: bool


@dataclass(frozen=True, slots=True)
class SheetPage:
    """Everything that the page shows; rows with the newest round on top."""

    head: GameHead
    columns: tuple[Column, ...]
    rows: tuple[ScoreRow, ...]
    chart: Chart | None
    next_engine: tuple[int, int] | None
    next_starter: str | None
    winners: tuple[str, ...]
    tied: tuple[str, ...]
    undo_round: int | None
    undo_sequence: int | None
    refused: str | None


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """Something that once stood in a cell."""

    sequence: int
    points: str
    by: str
    at: str
    tiles: tuple[tuple[int, int], ...]
    pictures: tuple[str, ...]
    counts: bool


@dataclass(frozen=True, slots=True)
class CellPage:
    """A cell with all that was ever written into it, the newest first."""

    head: GameHead
    seat: Seat
    number: int
    points: int | None
    history: tuple[HistoryLine, ...]
    typed: str
    refused: str | None


@dataclass(frozen=True, slots=True)
class JournalLine:
    """A line of the evening's journal."""

    sequence: int
    text: str
    by: str
    at: str
    undone: bool
    can_undo: bool


@dataclass(frozen=True, slots=True)
class JournalPage:
    """All that happened, the newest first."""

    head: GameHead
    lines: tuple[JournalLine, ...]
    refused: str | None


@blueprint.get("")
def show(game_id: str) -> str:
    """The sheet."""
    game, sheets = the_game(game_id), parts().sheets
    fillings = {"csrf_token": generate_csrf, "command_id": parts().new_command}

    def render() -> str:
        open_places = {name: partial(sheets.holes.of, name) for name in fillings}
        return render_template("sheet.html", page=sheet_page(game), **open_places)

    return sheets.holes.filled(sheets.page(game, str(get_locale()), me(game), render), fillings)


def sheet_page(game: Game, *, refused: str | None = None) -> SheetPage:
    """The sheet's view model, for whoever asks."""
    sheet = sheet_of(game)
    seats = seats_of(game)
    places = {place.player: place.place for place in sheet.standings}
    totals = sheet.totals()
    leaders = [name for name, place in places.items() if place == 1]
    undo_round, undo_sequence = _last_ended(game)
    return SheetPage(
        head=head_of(game, "sheet"),
        columns=tuple(
            Column(seat, totals.get(seat.name, 0), places.get(seat.name), seat.name in leaders) for seat in seats
        ),
        rows=tuple(_row(game, row, seats) for row in reversed(sheet.rows)),
        chart=chart_of(sheet, seats),
        next_engine=sheet.next.engine.ends if sheet.next and sheet.next.engine else None,
        next_starter=sheet.next.starter if sheet.next else None,
        winners=sheet.winners,
        tied=tuple(leaders) if len(leaders) > 1 else (),
        undo_round=undo_round,
        undo_sequence=undo_sequence,
        refused=refused,
    )


def _row(game: Game, row: Row, seats: tuple[Seat, ...]) -> ScoreRow:
    best = min((cell.points for cell in row.cells if cell.points is not None), default=None) if row.ended else None
    cells = tuple(_cell(game, row, cell, seat, best) for cell, seat in zip(row.cells, seats, strict=True))
    return ScoreRow(row.number, row.engine.ends if row.engine else None, cells, row.ended)


def _cell(game: Game, row: Row, cell: Cell, seat: Seat, best: int | None) -> ScoreCell:
    place = "sheet.cell" if row.ended or cell.points is not None else "hand.show"
    text = "–" if cell.points is None else str(cell.points)
    said = _("%(name)s, round %(round)d: %(points)s", name=seat.name, round=row.number, points=text)
    return ScoreCell(
        seat=seat,
        text=text,
        said=said,
        best=cell.points is not None and cell.points == best,
        photo=cell.score is not None and bool(cell.score.now.pictures),
        corrected=cell.score is not None and cell.score.corrected,
        waits=cell.waiting is not None,
        address=url_for(place, game_id=game.id, number=row.number, seat=seat.number),
    )


def _last_ended(game: Game) -> tuple[int | None, int | None]:
    """The round whose end can be taken back, and the entry that ended it."""
    last = max(game.ended_rounds, key=lambda here: here.ended_by or 0, default=None)
    if last is None or any(later.touched for number, later in game.rounds.items() if number > last.number):
        return None, None
    return last.number, last.ended_by


@blueprint.get("/rounds/<int:number>/cells/<int:seat>")
def cell(game_id: str, number: int, seat: int) -> str:
    """One cell: proof photo, tiles, history."""
    return render_template("cell.html", page=_cell_page(the_game(game_id), number, seat))


def _cell_page(game: Game, number: int, seat_number: int, *, refused: str | None = None) -> CellPage:
    seat = seat_of(game, seat_number)
    score = game.round(round_of(game, number)).scores.get(seat.name)
    lines = score.history if score else ()
    history = tuple(_history(game, line, counts=line is lines[-1]) for line in reversed(lines))
    typed = ".".join(f"{a}-{b}" for a, b in history[0].tiles) if history else ""
    points = points_in(game, number).get(seat.name)
    return CellPage(head_of(game, "sheet"), seat, number, points, history, typed, refused)


def _history(game: Game, line: ScoreLine, *, counts: bool) -> HistoryLine:
    tiles = tuple(tile.ends for tile in line.tiles or ())
    points = _points_of(game, line)
    return HistoryLine(line.sequence, str(points), who(line.by), moment(line.at), tiles, line.pictures, counts)


def _points_of(game: Game, line: ScoreLine) -> int:
    return line.points if line.points is not None else hand_count((t.tile for t in line.tiles or ()), game.rules)


@blueprint.get("/journal")
def journal(game_id: str) -> str:
    """All that happened in this game."""
    return render_template("journal.html", page=_journal_page(the_game(game_id)))


def _journal_page(game: Game, *, refused: str | None = None) -> JournalPage:
    entries = parts().session.games.journal(game.id)
    gone = undone(entries)
    lines = tuple(
        JournalLine(
            entry.sequence,
            told(entry.event),
            who(entry.by),
            moment(entry.at),
            entry.sequence in gone,
            entry.sequence > 1,
        )
        for entry in reversed(entries)
    )
    return JournalPage(head_of(game, "sheet"), lines, refused)


@blueprint.post("/undo")
def undo(game_id: str) -> ResponseReturnValue:
    """Take an entry back, from the page on which it shows."""
    game = the_game(game_id)
    sequence = number_in(request.form.get("sequence"), 1, 999_999) or 0
    outcome = parts().session.games.undo(command(game, part=str(sequence)), game_id, sequence)
    back = request.form.get("back", "")
    if isinstance(outcome, Refused):
        return _refused(game_id, back, why(outcome))
    if back == "journal":
        return redirect(url_for(".journal", game_id=game_id), 303)
    if back == "table":
        return redirect(url_for("table.show", game_id=game_id), 303)
    return redirect(url_for(".show", game_id=game_id), 303)


def _refused(game_id: str, back: str, sentence: str) -> ResponseReturnValue:
    game = the_game(game_id)
    if back == "journal":
        return render_template("journal.html", page=_journal_page(game, refused=sentence)), 409
    return render_template("sheet.html", page=sheet_page(game, refused=sentence)), 409


@blueprint.post("/end")
def end(game_id: str) -> ResponseReturnValue:
    """End the game before its last round."""
    game = the_game(game_id)
    outcome = parts().session.games.end(command(game), game_id)
    if isinstance(outcome, Refused):
        return _refused(game_id, "", why(outcome))
    return redirect(url_for(".show", game_id=game_id), 303)
