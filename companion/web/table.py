from flask import Blueprint

blueprint = Blueprint("table", __name__, url_prefix="/games/<game_id>")


@blueprint.get("/table")
def show(game_id: str) -> str:
    return "soon"
