"""What a rendered round's truth says of its trains agrees with what was laid."""

from __future__ import annotations

import numpy as np
import pytest

from companion.training.rendered_truth import top_quad
from companion.training.round_truth import round_truth, shown_tiles
from companion.training.scene_plans import RoundPlan, round_plan


def recorded(plan: RoundPlan, visible: float = 1.0) -> list[dict[str, object]]:
    """All face-up tiles as a truth file has them."""
    return [
        {"ends": list(p.ends), "quad": top_quad(plan.camera, p, plan.style).round(2).tolist(), "visible": visible}
        for p in plan.round.table.placed
        if p.ends is not None
    ]


def rounds(count: int) -> list[RoundPlan]:
    plans = [round_plan(seed, many_markers=True) for seed in range(40)]
    return [plan for plan in plans if plan.round.engine is not None and len(plan.round.trains) > 1][:count]


@pytest.mark.parametrize("number", range(5))
def test_trains_begin_at_the_engine_and_hang_together(number: int) -> None:
    plan = rounds(5)[number]
    tiles = recorded(plan)
    truth = round_truth(plan, tiles)
    size = np.array(plan.size_wh)
    inside = {
        k for k, t in enumerate(tiles) if (np.array(t["quad"]) > -1).all() and (np.array(t["quad"]) < size + 1).all()
    }
    joins = {(a, b) for a, _, b, _ in truth["joins"]}
    for train in truth["trains"]:
        seen = [tiles[k]["ends"] for k in train["tiles"]]
        assert set(train["tiles"]) <= inside
        assert seen == [ends for ends in train["full"] if ends in seen]
        assert train["open_end"] == train["full"][-1][1]
        for one, two in zip(train["tiles"], train["tiles"][1:], strict=False):
            beside = train["full"].index(tiles[two]["ends"]) - train["full"].index(tiles[one]["ends"]) == 1
            assert ((one, two) in joins) is beside
    marked = {marker["train"] for marker in truth["markers"]}
    assert marked == {k for k, train in enumerate(truth["trains"]) if train["marker"]}


def test_what_hardly_shows_is_not_asked_for() -> None:
    plan = rounds(1)[0]
    assert not shown_tiles(plan, recorded(plan, visible=0.3))
    assert all(not train["tiles"] for train in round_truth(plan, recorded(plan, visible=0.3))["trains"])


def test_with_many_markers_most_trains_have_one_and_not_all_alike() -> None:
    plans = rounds(12)
    kinds = [thing.kind for plan in plans for thing in plan.things if thing.train is not None]
    assert len(kinds) > 0.5 * sum(len(plan.round.trains) for plan in plans)
    assert len(set(kinds)) >= 5
