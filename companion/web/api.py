"""The JSON API: the game for programs. The same session calls as the pages, one error shape, a document that tests hold true."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, cast

from apiflask import APIBlueprint, APIFlask
from apiflask.exceptions import HTTPError
from flask import request

from companion.dominoes import Tile
from companion.rules.moves import Done, Draw, Knock, LayEngine, Mark, Move, Pass, Play, Unmark
from companion.rules.rulings import Ruling
from companion.rules.trains import TrainRef
from companion.rules.wording import say, say_fact
from companion.session.answers import Outcome, Refused
from companion.session.events import HOST, Command, HandTile
from companion.session.game import Game
from companion.session.sheet import Row, sheet_of
from companion.web.api_models import (
    CellOut,
    GameLineOut,
    GameOut,
    GamesOut,
    NewGame,
    NewMove,
    NewScore,
    PlaceOut,
    PlayerOut,
    PlayOut,
    PlaysOut,
    ProblemOut,
    Question,
    RoundEnd,
    RoundOut,
    RulingOut,
    ViolationOut,
)
from companion.web.asking import core, the_game, why
from companion.web.languages import translate as _
from companion.web.parts import parts
from companion.web.problems import PROBLEM_JSON, Problem, ProblemError, as_record, problem_of
from companion.web.security import bears_code, csrf

blueprint = APIBlueprint("api", __name__, url_prefix="/api/v1", tag="Game")
csrf.exempt(blueprint)

PROBLEMS = {
    400: "The request cannot be understood.",
    401: "Nobody who has joined asks: send the table's code as a bearer token, or the cookie of a browser that joined.",
    404: "There is no such game or round.",
    405: "That cannot be done here.",
    409: "The game says no, and why; nothing was changed.",
    413: "Too much at once.",
    415: "Send JSON.",
    422: "A value is missing or makes no sense.",
    429: "Too many wrong codes.",
}
SIMPLE_DEEDS: dict[str, Callable[[str], Move]] = {
    "draw": Draw, "pass": Pass, "done": Done, "knock": Knock, "mark": Mark, "unmark": Unmark,
}  # fmt: skip
Verdict = Literal["legal", "illegal", "depends"]


def describe(app: APIFlask) -> None:
    """Put the API's problems and its two ways of joining into the OpenAPI document."""
    app.error_callback = _as_problem  # not error_processor, which would take the errors of the pages as well
    app.spec_processor(_with_problems)
    app.config["SECURITY_SCHEMES"] = {
        "code": {"type": "http", "scheme": "bearer", "description": "The table's number, as the laptop shows it."}
    }


def _as_problem(error: HTTPError) -> tuple[dict[str, object], int, dict[str, str]]:
    problem = problem_of(error.status_code)
    if error.status_code == 422:
        places = cast("dict[str, dict[str, list[str]]]", error.detail)
        told = [f"{field}: {', '.join(map(str, said))}" for place in places.values() for field, said in place.items()]
        problem = Problem(422, "invalid", _("That is not valid."), "; ".join(told))
    return as_record(problem), problem.status, {"Content-Type": PROBLEM_JSON}


def _with_problems(document: dict[Any, Any] | str) -> dict[Any, Any] | str:
    assert not isinstance(document, str)  # it is made as JSON
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    schemas["Problem"] = ProblemOut.model_json_schema()
    for unused in ("HTTPError", "ValidationError"):
        schemas.pop(unused, None)
    for path in document["paths"].values():
        for operation in path.values():
            operation["security"] = [{"code": []}]
            for status, text in PROBLEMS.items():
                content = {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}}
                operation["responses"][str(status)] = {"description": text, "content": content}
    document.pop("servers", None)
    return document


@blueprint.before_request
def only_our_pages() -> None:
    """A browser's cookie comes with every request, also with forged ones; a code in the header does not."""
    if not bears_code():
        csrf.protect()


@blueprint.get("/games")
@blueprint.output(GamesOut)
def list_games() -> GamesOut:
    """List the games."""
    return GamesOut(games=[GameLineOut(**_line(game)) for game in parts().session.games.list()])


@blueprint.post("/games")
@blueprint.input(NewGame)
@blueprint.output(GameOut, 201)
def start_game(json_data: NewGame) -> GameOut:
    """Begin a game."""
    outcome = parts().session.games.start(
        _command(json_data.command), players=json_data.players, preset=json_data.preset, set_highest=json_data.set,
        switches=json_data.switches, name=json_data.name,
    )  # fmt: skip
    return _after(outcome)


@blueprint.get("/games/<game_id>")
@blueprint.output(GameOut)
def get_game(game_id: str) -> GameOut:
    """A game and its sheet."""
    return _game(the_game(game_id))


@blueprint.post("/games/<game_id>/rounds/<int:number>/scores")
@blueprint.input(NewScore)
@blueprint.output(GameOut)
def enter_score(game_id: str, number: int, json_data: NewScore) -> GameOut:
    """Write a player's score down."""
    the_game(game_id)
    if (json_data.tiles is None) == (json_data.points is None):
        raise ProblemError(Problem(422, "invalid", _("That is not valid."), _("Send either tiles or points.")))
    tiles = None if json_data.tiles is None else [HandTile((a, b), checked=True) for a, b in json_data.tiles]
    outcome = parts().session.hands.enter(
        _command(json_data.command), game_id, player=json_data.player, tiles=tiles, points=json_data.points,
        round_number=number, replace=json_data.replace,
    )  # fmt: skip
    return _after(outcome)


@blueprint.post("/games/<game_id>/rounds/<int:number>/end")
@blueprint.input(RoundEnd)
@blueprint.output(GameOut)
def end_round(game_id: str, number: int, json_data: RoundEnd) -> GameOut:
    """Let a round's scores stand; the next one begins."""
    the_game(game_id)
    outcome = parts().session.rounds.end(
        _command(json_data.command), game_id, out=json_data.out, blocked=json_data.blocked, markers=json_data.markers,
        round_number=number,
    )  # fmt: skip
    return _after(outcome)


@blueprint.get("/games/<game_id>/plays")
@blueprint.output(PlaysOut)
def list_plays(game_id: str) -> PlaysOut:
    """The deeds of the round that is played."""
    the_game(game_id)
    return PlaysOut(
        plays=[
            PlayOut(
                id=play.id, move=str(play.move), by=play.by, source=play.source.value, verdict=_verdict(ruling),
                rules=list(ruling.rules), pictures=list(play.pictures),
            )
            for play, ruling in parts().session.table.plays(game_id)
        ]
    )  # fmt: skip


@blueprint.post("/games/<game_id>/plays")
@blueprint.input(NewMove)
@blueprint.output(GameOut)
def tell_move(game_id: str, json_data: NewMove) -> GameOut:
    """Say what was done at the table."""
    the_game(game_id)
    outcome = parts().session.table.tell(
        _command(json_data.command), game_id, _move(json_data), anyway=json_data.anyway
    )
    return _after(outcome)


@blueprint.post("/games/<game_id>/rulings")
@blueprint.input(Question)
@blueprint.output(RulingOut)
def ask_referee(game_id: str, json_data: Question) -> RulingOut:
    """Whether a play would be legal now; nothing is changed."""
    game = the_game(game_id)
    _known(game, json_data.player)
    play = Play(json_data.player, Tile.of(*json_data.tile), _train(game, json_data.train, json_data.player))
    hand = [Tile.of(a, b) for a, b in json_data.hand]
    answer = parts().session.referee.rule(game_id, play, hand=hand)
    if answer is None:
        raise ProblemError(Problem(409, "game_over", _("The game says no."), _("The game is over.")))
    violations = [ViolationOut(rule=found.rule, sentence=say(found, core())) for found in answer.ruling.violations]
    needs = [say_fact(fact, core()) for fact in answer.ruling.needs]
    return RulingOut(
        verdict=_verdict(answer.ruling), violations=violations, needs=needs, legal_under=list(answer.legal_under)
    )


def _command(given: str | None) -> Command:
    return Command(given or parts().new_command(), HOST)


def _after(outcome: Outcome) -> GameOut:
    if isinstance(outcome, Refused):
        raise ProblemError(Problem(409, outcome.reason, _("The game says no."), why(outcome)))
    return _game(outcome.game)


def _known(game: Game, player: str) -> None:
    if player not in game.names:
        detail = why(Refused.because("no_player", player=player))
        raise ProblemError(Problem(409, "no_player", _("The game says no."), detail))


def _train(game: Game, text: str | None, player: str) -> TrainRef:
    try:
        ref = TrainRef.of(player) if text is None else TrainRef.parse(text)
    except ValueError:
        detail = _("There is no such train.")
        raise ProblemError(Problem(422, "no_train", _("That is not valid."), detail)) from None
    if ref.owner.player is not None:
        _known(game, ref.owner.player)
    return ref


def _move(sent: NewMove) -> Move:
    game = the_game(str((request.view_args or {})["game_id"]))
    _known(game, sent.player)
    if sent.deed in SIMPLE_DEEDS:
        return SIMPLE_DEEDS[sent.deed](sent.player)
    if sent.tile is None:
        raise ProblemError(Problem(422, "invalid", _("That is not valid."), _("Name the tile.")))
    if sent.deed == "engine":
        holder = None if game.rules.engine == "set_aside" else sent.player
        return LayEngine(holder, Tile.of(*sent.tile))
    return Play(sent.player, Tile.of(*sent.tile), _train(game, sent.train, sent.player))


def _verdict(ruling: Ruling) -> Verdict:
    return ruling.verdict.value


def _line(game: Game) -> dict[str, Any]:
    players = [PlayerOut(name=player.name, colour=player.colour) for player in game.players]
    return {"id": game.id, "name": game.name, "players": players, "round": game.current, "rounds": game.round_count}


def _game(game: Game) -> GameOut:
    sheet = sheet_of(game)
    return GameOut(
        **_line(game),
        version=game.version,
        preset=game.preset,
        rules=str(game.rules),
        sheet=[_round(row) for row in sheet.rows],
        standings=[PlaceOut(player=at.player, total=at.total, place=at.place) for at in sheet.standings],
        winners=list(sheet.winners),
    )


def _round(row: Row) -> RoundOut:
    scores = [
        CellOut(
            player=cell.player, points=cell.points, total=cell.total, out=cell.out,
            corrected=cell.score is not None and cell.score.corrected,
            pictures=list(cell.score.now.pictures) if cell.score else [],
        )
        for cell in row.cells
    ]  # fmt: skip
    engine = None if row.engine is None else str(row.engine)
    return RoundOut(
        number=row.number, engine=engine, starter=row.starter, ended=row.ended, blocked=row.blocked, scores=scores
    )
