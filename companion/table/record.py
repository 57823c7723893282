"""A layout as plain data, the form in which programs get it."""

from __future__ import annotations

from companion.table.contacts import SIDE_PART
from companion.table.layout import Layout

_PARTS = {0: "a", 1: "b", SIDE_PART: "side"}


def layout_record(layout: Layout) -> dict[str, object]:
    """Joins, engine, trains and anomalies; tiles are named by their index in the picture's list of tiles."""
    return {
        "joins": [[join.tile, _PARTS[join.part], join.other, _PARTS[join.other_part]] for join in layout.joins],
        "engine": layout.engine,
        "engine_value": layout.engine_value,
        "trains": [
            {
                "tiles": list(train.tiles),
                "inward": ["ab"[half] for half in train.inward],
                "open_end": train.open_end,
                "open_double": train.open_double,
                "marker": train.marker,
                "mexican": train.mexican,
                "branch": train.branch,
                "end_unseen": train.end_unseen,
            }
            for train in layout.trains
        ],
        "loose": list(layout.loose),
        "anomalies": [
            {"code": anomaly.code.value, "tiles": list(anomaly.tiles), "message": anomaly.message}
            for anomaly in layout.anomalies
        ],
    }
