"""A state as text: one JSON object, written with the text forms of its parts, that reads back to an equal state.

The journal is the truth and a state its cache; this is for bug reports, for tests and for handing a state to another process.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from companion.dominoes import Tile, TrainOwner
from companion.rules.house_rules import HouseRules
from companion.rules.state import EngineDraws, Hand, RoundState, Turn
from companion.rules.trains import Branch, LaidTile, Train

_PLAIN = ("boneyard", "round_number", "opener", "start", "silent", "passes", "laid", "over", "counted")
_SEATS = ("had_first", "loses_turn", "out", "stranded")


def write_state(state: RoundState) -> str:
    """The state as one line of JSON."""
    data: dict[str, Any] = {
        "rules": str(state.rules),
        "players": list(state.players),
        "hands": [{"known": _tiles(hand.known), "size": hand.size} for hand in state.hands],
        "trains": [_train(train) for train in state.trains],
        "table": _tiles(state.table),
        "engine": None if state.engine is None else str(state.engine),
        "turn": _turn(state.turn),
        "before": None if state.before is None else _turn(state.before),
        "engine_draws": {**asdict(state.engine_draws), "drew": sorted(state.engine_draws.drew)},
        **{name: getattr(state, name) for name in _PLAIN},
        **{name: sorted(getattr(state, name)) for name in _SEATS},
    }
    return json.dumps(data, separators=(",", ":"))


def read_state(text: str) -> RoundState:
    """A state from its text; a `ValueError` if it is none.

    Raises:
        ValueError: if the text is not what `write_state` writes.
    """
    try:
        data = json.loads(text)
        draws = data["engine_draws"]
        rest: dict[str, Any] = {name: data[name] for name in _PLAIN}
        rest |= {name: frozenset(data[name]) for name in _SEATS}
        return RoundState(
            rules=HouseRules.parse(data["rules"]),
            players=tuple(data["players"]),
            hands=tuple(Hand(_read_tiles(hand["known"]), hand["size"]) for hand in data["hands"]),
            trains=tuple(map(_read_train, data["trains"])),
            table=_read_tiles(data["table"]),
            engine=None if data["engine"] is None else Tile.parse(data["engine"]),
            turn=_read_turn(data["turn"]),
            before=None if data["before"] is None else _read_turn(data["before"]),
            engine_draws=EngineDraws(**{**draws, "drew": frozenset(draws["drew"]), "unseen": tuple(draws["unseen"])}),
            **rest,
        )
    except (KeyError, TypeError, AttributeError) as cause:
        raise ValueError(f"this is no state: {cause}") from cause


def _tiles(tiles: Iterable[Tile]) -> str:
    return " ".join(map(str, sorted(tiles)))


def _read_tiles(text: str) -> frozenset[Tile]:
    return frozenset(map(Tile.parse, text.split()))


def _turn(turn: Turn) -> dict[str, Any]:
    return {**asdict(turn), "kept": [None if tile is None else str(tile) for tile in turn.kept]}


def _read_turn(data: dict[str, Any]) -> Turn:
    return Turn(**{**data, "kept": tuple(None if tile is None else Tile.parse(tile) for tile in data["kept"])})


def _train(train: Train) -> dict[str, Any]:
    return {
        "owner": str(train.owner),
        "marker": train.marker,
        "branches": [
            {"root": branch.root, "tiles": [[str(laid), laid.by, laid.order, laid.first_turn] for laid in branch.tiles]}
            for branch in train.branches
        ],
    }


def _read_train(data: dict[str, Any]) -> Train:
    branches = []
    for branch in data["branches"]:
        tiles = tuple(_read_laid(*laid) for laid in branch["tiles"])
        branches.append(Branch(tiles, None if branch["root"] is None else (branch["root"][0], branch["root"][1])))
    return Train(TrainOwner.parse(data["owner"]), tuple(branches), data["marker"])


def _read_laid(text: str, by: str | None, order: int | None, first_turn: bool) -> LaidTile:
    laid = LaidTile.parse(text)
    return LaidTile(laid.tile, laid.outward, by, order, first_turn)
