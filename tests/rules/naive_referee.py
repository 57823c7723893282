"""A second referee, written apart from the first and as plainly as can be, to check its move counts.

It knows three tables only (tournament, spruce, casual), all hands, and whose turn it is. A state is a dictionary that is
copied for every move; nothing is shared with the package but the tiles as pairs of numbers.
"""

from __future__ import annotations

import copy
from typing import Any

State = dict[str, Any]

STRICT: State = {
    "chain": False,
    "first": "own or mexican",
    "mexican_late": False,
    "follow": "cover",
    "owed": True,
    "many": False,
    "clears": "own",
    "out_on_double": False,
}
TABLES: dict[str, State] = {
    "tournament": STRICT,
    "spruce": {
        **STRICT,
        "chain": True,
        "first": "own",
        "mexican_late": True,
        "follow": "anywhere",
        "out_on_double": True,
    },
    "casual": {
        **STRICT,
        "follow": "anywhere",
        "owed": False,
        "many": True,
        "clears": "any",
        "out_on_double": True,
    },
}


def start(
    table: str, hands: list[list[tuple[int, int]]], boneyard: list[tuple[int, int]], engine: int, turn: int
) -> State:
    """All hands, the boneyard (drawn from its end), the engine's value and who begins."""
    count = len(hands)
    return {
        "t": TABLES[table],
        "hands": [set(hand) for hand in hands],
        "bone": list(boneyard),
        "engine": engine,
        "highest": max(max(tile) for hand in [*hands, boneyard] for tile in hand) if boneyard else engine,
        "lines": [[] for _ in range(count)],  # (inner, outer, number laid, by, in a first chain)
        "mex": None,
        "up": [False] * count,
        "turn": turn,
        "had": set(),
        "laid": 0,
        "drew": None,
        "drawn": False,
        "mine": [],  # doubles laid in this turn, as train keys
        "chaining": False,
        "over": False,
        "table": {(engine, engine)},
    }


def line_of(s: State, key: Any) -> list[Any] | None:
    return s["mex"] if key == "m" else s["lines"][key]


def end_of(s: State, key: Any) -> int:
    line = line_of(s, key)
    return line[-1][1] if line else s["engine"]


def open_doubles(s: State) -> list[Any]:
    """Keys of trains that end in a double which somebody could still cover, in the order in which they were laid."""
    found = []
    for key in [*range(len(s["hands"])), "m"]:
        line = line_of(s, key)
        if line and line[-1][0] == line[-1][1]:
            value = line[-1][1]
            gone = sum(1 for tile in s["table"] if value in tile)
            if gone < s["highest"] + 1:
                found.append((line[-1][2], key))
    return [key for _, key in sorted(found)]


def owed(s: State) -> list[Any]:
    if not s["t"]["owed"]:
        return []
    keys = []
    for key in open_doubles(s):
        laid = line_of(s, key)[-1]
        if key in s["mine"] or (s["chaining"] and laid[4] and laid[3] == s["turn"]):
            continue
        if s["t"]["chain"] and laid[4] and len(s["had"]) < len(s["hands"]):
            continue
        keys.append(key)
    return keys


def may_lay(  # noqa: PLR0911, PLR0912 - as plain as can be
    s: State, tile: tuple[int, int], key: Any, ignore_drawn: bool = False
) -> bool:
    me = s["turn"]
    if end_of(s, key) not in tile:
        return False
    if s["chaining"]:
        return bool(key == me)
    mine, due = s["mine"], owed(s)
    owed_here = key in mine or key in due
    first = me not in s["had"]
    if key == "m":
        if s["mex"] is None and s["t"]["mexican_late"] and len(s["had"]) < len(s["hands"]):
            return False
        if first and s["t"]["first"] == "own" and not owed_here:
            return False
    elif key != me:
        if not s["up"][key] and not owed_here:
            return False
        if first and not owed_here:
            return False
    if mine:
        if s["t"]["follow"] == "cover" and key not in mine:
            return False
        if s["t"]["follow"] == "anywhere" and due and key not in mine and key != due[0]:
            return False
        if tile[0] == tile[1] and not s["t"]["many"]:
            return False
    elif due and key != due[0]:
        return False
    drew = s["drew"]
    return ignore_drawn or drew is None or tile == drew or not fits(s, drew)


def keys(s: State) -> list[Any]:
    return [*range(len(s["hands"])), "m"]


def fits(s: State, tile: tuple[int, int]) -> bool:
    return any(may_lay(s, tile, key, ignore_drawn=True) for key in keys(s))


def moves(s: State) -> list[Any]:
    """Every legal move of whose turn it is."""
    if s["over"]:
        return []
    me = s["turn"]
    found: list[Any] = [
        ("lay", tile, key) for tile in sorted(s["hands"][me]) for key in keys(s) if may_lay(s, tile, key)
    ]
    if s["chaining"]:
        return [*found, ("done",)]
    able = any(fits(s, tile) for tile in s["hands"][me] if tile != s["drew"])
    drew_fits = s["drew"] is not None and fits(s, s["drew"])
    if not s["drawn"] and s["bone"] and not able:
        found.append(("draw",))
    if (s["drawn"] or not s["bone"]) and not able and not drew_fits:
        found += [("pass",), ("done",)]
    return found


def next_turn(s: State) -> None:
    s["had"].add(s["turn"])
    s["turn"] = (s["turn"] + 1) % len(s["hands"])
    s["drew"], s["drawn"], s["mine"], s["chaining"] = None, False, [], False


def do(before: State, move: Any) -> State:
    s = copy.deepcopy(before)
    s["t"] = before["t"]
    me = s["turn"]
    if move[0] == "draw":
        tile = s["bone"].pop()
        s["hands"][me].add(tile)
        s["drew"], s["drawn"] = tile, True
    elif move[0] in ("pass", "done"):
        if not s["chaining"]:
            s["up"][me] = True
        next_turn(s)
    else:
        lay(s, move[1], move[2])
    return s


def lay(s: State, tile: tuple[int, int], key: Any) -> None:
    me = s["turn"]
    asked = end_of(s, key)
    outer = tile[0] if tile[1] == asked else tile[1]
    chained = s["t"]["chain"] and key == me and me not in s["had"]
    if key == "m" and s["mex"] is None:
        s["mex"] = []
    line_of(s, key).append((asked, outer, s["laid"], me, chained))
    s["laid"] += 1
    s["table"].add(tile)
    s["hands"][me].discard(tile)
    if tile == s["drew"]:
        s["drew"] = None
    if s["t"]["clears"] == "any" or key == me:
        s["up"][me] = False
    live = tile[0] == tile[1] and key in open_doubles(s)
    if not s["hands"][me] and not (live and not s["t"]["out_on_double"]):
        s["over"] = True
    elif chained:
        s["chaining"] = True
    elif live:
        s["mine"].append(key)
    else:
        next_turn(s)


def count(s: State, depth: int) -> int:
    """How many lines of so many moves there are; a round that is over has none."""
    if depth == 0:
        return 1
    return sum(count(do(s, move), depth - 1) for move in moves(s))
