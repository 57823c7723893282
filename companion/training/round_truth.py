"""What a rendered round's truth says of its trains, as labelled tables say it: engine, trains, joins, markers."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from companion.training.camera import Array
from companion.training.rendered_truth import top_quad
from companion.training.scene_plans import RoundPlan, Thing

LEAST_VISIBLE = 0.6
"""Tiles that show less, or that the picture's edge cuts, are no part of what a reader must find."""


def shown_tiles(plan: RoundPlan, tiles: list[dict[str, Any]]) -> dict[int, int]:
    """For each laid tile that is among the recorded ones: its index there. By where they lie, to a twentieth of a pixel."""
    if not tiles:
        return {}
    quads = np.array([tile["quad"] for tile in tiles])
    found = {}
    for k, placed in enumerate(plan.round.table.placed):
        quad = top_quad(plan.camera, placed, plan.style)
        off = np.abs(quads - quad).max((1, 2))
        whole = quad.min() > -1 and (quad < np.array(plan.size_wh) + 1).all()
        if (
            whole
            and placed.ends is not None
            and off.min() < 0.05
            and tiles[int(off.argmin())]["visible"] >= LEAST_VISIBLE
        ):
            found[k] = int(off.argmin())
    return found


def round_truth(plan: RoundPlan, tiles: list[dict[str, Any]]) -> dict[str, Any]:
    """Engine, trains, joins and markers of a plan, in indices of its recorded tiles (`ends`, `quad`, `visible`).

    Of a train the tiles that are seen count; `full` says what was laid, so that a gap is known as one.
    """
    laid, placed = plan.round, plan.round.table.placed
    if laid.engine is None:
        return {}
    at = shown_tiles(plan, tiles)
    engine_ends = placed[laid.engine].ends
    markers = {thing.train: thing for thing in plan.things if thing.train is not None}
    trains, joins = [], []
    for k, train in enumerate(laid.trains):
        seen = [at[n] for n in train if n in at]
        whole = [laid.engine, *train]
        joins += [
            [at[a], "side" if a == laid.engine else "b", at[b], "a"] for a, b in pairwise(whole) if a in at and b in at
        ]
        last = placed[train[-1]].ends or (0, 0)
        unseen = k in markers and not _inside(plan, markers[k])
        trains.append(
            {
                "owner": f"train {k}",
                "tiles": seen,
                "open_end": last[1],
                "open_double": last[0] == last[1],
                "marker": k in markers,
                "marker_unseen": unseen,
                "end_visible": train[-1] in at,
                "full": [list(placed[n].ends or (0, 0)) for n in train],
            }
        )
    return {
        "scene": "table",
        "engine": list(engine_ends or ()),
        "engine_visible": laid.engine in at,
        "trains": trains,
        "joins": joins,
        "markers": [
            {"kind": thing.kind, "centre": _pixel(plan, thing).round(2).tolist(), "train": thing.train}
            for thing in markers.values()
        ],
        "clutter": [
            {"kind": thing.kind, "centre": _pixel(plan, thing).round(2).tolist()}
            for thing in plan.things
            if thing.train is None
        ],
    }


def _pixel(plan: RoundPlan, thing: Thing) -> Array:
    """Where a thing stands."""
    return np.asarray(plan.camera.project(np.array([[*thing.pose[:2], thing.height]]))[0])


def _inside(plan: RoundPlan, thing: Thing) -> bool:
    pixel = _pixel(plan, thing)
    return bool((pixel > 0).all() and (pixel < plan.size_wh).all())
