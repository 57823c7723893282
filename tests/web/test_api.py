import json
import os
from collections import Counter

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import booleans, sampled_from
from schemathesis import GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)


@pytest.fixture
def api(app, keys):
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {keys.keys.code}"
    return client


@pytest.fixture
def started(api):
    return api.post("/api/v1/games", json={"players": ["Ann", "Ben"], "preset": "casual"}).json


def test_an_evening_by_api(api, started):
    base = f"/api/v1/games/{started['id']}"
    scored = api.post(f"{base}/rounds/1/scores", json={"player": "Ben", "tiles": [[12, 5], [3, 3]]}).json
    assert scored["sheet"][0]["scores"][1]["points"] == 23
    ended = api.post(f"{base}/rounds/1/end", json={"out": ["Ann"]}).json
    assert ended["round"] == 2
    assert ended["standings"] == [
        {"player": "Ann", "total": 0, "place": 1}, {"player": "Ben", "total": 23, "place": 2},
    ]  # fmt: skip
    assert api.get("/api/v1/games").json["games"][0]["id"] == started["id"]


def test_a_command_sent_twice_counts_once(api, started):
    base = f"/api/v1/games/{started['id']}/rounds/1/scores"
    wish = {"player": "Ben", "points": 7, "command": "made-once"}
    assert api.post(base, json=wish).json["version"] == api.post(base, json=wish).json["version"]


def test_a_play_and_the_ruling_on_it(api, started):
    base = f"/api/v1/games/{started['id']}"
    assert api.post(f"{base}/rulings", json={"player": "Ann", "tile": [9, 5]}).json["violations"][0]["rule"] == "R-04"
    refused = api.post(f"{base}/plays", json={"player": "Ann", "deed": "play", "tile": [9, 5]})
    assert (refused.status_code, refused.json["code"]) == (409, "illegal")
    api.post(f"{base}/plays", json={"player": "Ann", "deed": "play", "tile": [5, 12]})
    api.post(f"{base}/plays", json={"player": "Ben", "deed": "play", "tile": [12, 3], "train": "mexican"})
    assert [play["move"] for play in api.get(f"{base}/plays").json["plays"]] == ["Ann 12-5", "Ben 12-3 @mexican"]


@pytest.mark.parametrize(
    ("path", "body", "wanted"),
    [
        ("/games", {"players": ["Ann"]}, (422, "invalid")),
        ("/games", {"players": ["Ann", "Ann"]}, (409, "same_name")),
        ("/games", {"players": ["Ann", "Ben"], "preset": "nosuch"}, (409, "rules")),
        ("/games", {"players": ["Ann", "Ben"], "colour": "red"}, (422, "invalid")),
        ("/games/{id}/rounds/1/scores", {"player": "Ben"}, (422, "invalid")),
        ("/games/{id}/rounds/1/scores", {"player": "Zoe", "points": 1}, (409, "no_player")),
        ("/games/{id}/rounds/7/scores", {"player": "Ben", "points": 1}, (409, "other_round")),
        ("/games/{id}/rounds/1/end", {}, (409, "scores_missing")),
        ("/games/{id}/plays", {"player": "Ann", "deed": "play"}, (422, "invalid")),
        ("/games/{id}/rulings", {"player": "Ann", "tile": [1, 2], "train": "mexican/x"}, (422, "no_train")),
        ("/games/nosuch/rulings", {"player": "Ann", "tile": [1, 2]}, (404, "not_found")),
    ],
)
def test_every_problem_has_one_shape(api, started, path, body, wanted):
    answer = api.post("/api/v1" + path.format(id=started["id"]), json=body)
    assert answer.content_type == "application/problem+json"
    assert set(answer.json) == {"type", "status", "code", "title", "detail"}
    assert (answer.status_code, answer.json["code"]) == wanted and answer.json["detail"]


def test_a_cookie_alone_changes_nothing(phone, session):
    answer = phone.client.post("/api/v1/games", json={"players": ["Ann", "Ben"]})
    assert answer.status_code == 400 and session.games.list() == ()
    token = phone.token()
    answer = phone.client.post("/api/v1/games", json={"players": ["Ann", "Ben"]}, headers={"X-CSRFToken": token})
    assert answer.status_code == 201


def test_a_wrong_code_is_counted(app):
    client = app.test_client()
    statuses = [client.get("/api/v1/games", headers={"Authorization": f"Bearer {n:06}"}).status_code for n in range(12)]
    assert statuses[:10] == [401] * 10 and statuses[-1] == 429


def test_the_document_names_every_address_and_every_problem(api, app):
    document = api.get("/api/v1/openapi.json").json
    addresses = {
        rule.rule.replace("<int:number>", "{number}").replace("<game_id>", "{game_id}")
        for rule in app.url_map.iter_rules() if rule.endpoint.startswith("api.")
    }  # fmt: skip
    assert set(document["paths"]) == addresses
    for path in document["paths"].values():
        for operation in path.values():
            assert {"401", "409", "422"} <= set(operation["responses"])
    assert "http" not in json.dumps(document.get("servers", ""))


CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


EXAMPLES = int(os.environ.get("COMPANION_API_EXAMPLES", "10"))
"""Requests of each kind for each operation; with more than ten they are drawn anew each time."""


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_the_document_holds_true(app, keys, started, mode):
    """Schemathesis makes requests from the document, good and bad; no answer may be a server's error or undocumented."""
    bearer = {"Authorization": f"Bearer {keys.keys.code}"}
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app, headers=bearer)
    told = settings(
        max_examples=EXAMPLES, deadline=None, database=None, derandomize=EXAMPLES <= 10,
        suppress_health_check=[*HealthCheck],
    )  # fmt: skip
    tried: Counter[str] = Counter()
    for found in schema.get_all_operations():
        operation = found.ok()
        try:
            cases = operation.as_strategy(mode)
        except Unsatisfiable:
            continue

        @told
        @given(case=cases, real=booleans(), player=sampled_from(["Ann", "Ben"]))
        def run(case, real, player):
            tried[case.operation.label] += 1
            if real and "game_id" in case.path_parameters:
                case.path_parameters["game_id"] = started["id"]
            if real and isinstance(case.body, dict) and isinstance(case.body.get("player"), str):
                case.body["player"] = player
            case.call_and_validate(headers=bearer, checks=CHECKS)

        try:
            run()
        except Unsatisfiable:  # nothing about it can be wrong
            assert mode is GenerationMode.NEGATIVE
    assert len(tried) >= 7
    assert sum(tried.values()) > 5 * len(tried)
