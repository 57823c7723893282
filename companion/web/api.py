from apiflask import APIBlueprint

blueprint = APIBlueprint("api", __name__, url_prefix="/api/v1")
