from flask import Blueprint

blueprint = Blueprint("referee", __name__, url_prefix="/games/<game_id>")


@blueprint.get("/referee")
def show(game_id: str) -> str:
    return "soon"
