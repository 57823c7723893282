"""Where pips lie on one half of a tile: the layouts that sets use for 0..18. Plain numbers, for drawing and for reading.

A half is a square; its frame is (x, y) in [-1, 1], x to the right and y from the outer edge (-1) to the bar (+1) when the
half is seen with its outer edge up. Sets differ in colour, size and spread, hardly in layout: 0 to 9 sit on a 3 x 3 grid, higher
values in rows, which some makers lay along the tile and others across it.

>>> pip_places(2)
((-1.0, -1.0), (1.0, 1.0))
>>> [len(pip_places(value)) for value in (0, 10, 18)]
[0, 10, 18]
"""

from __future__ import annotations

from functools import cache

Place = tuple[float, float]

GRID: dict[int, tuple[tuple[tuple[int, int], ...], ...]] = {
    0: ((),),
    1: (((0, 0),),),
    2: (((-1, -1), (1, 1)),),
    3: (((-1, -1), (0, 0), (1, 1)),),
    4: (((-1, -1), (1, -1), (-1, 1), (1, 1)),),
    5: (((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),),
    6: (((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),),
    7: (((-1, -1), (-1, 0), (-1, 1), (0, 0), (1, -1), (1, 0), (1, 1)),),
    8: (((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)),),
    9: (((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0), (1, 1)),),
}
"""Layouts of 0..9 on a 3 x 3 grid, the commonest first."""

ROWS: dict[int, tuple[tuple[int, ...], ...]] = {
    10: ((3, 4, 3), (4, 2, 4)),
    11: ((4, 3, 4), (3, 5, 3)),
    12: ((4, 4, 4), (3, 3, 3, 3)),
    13: ((5, 3, 5), (4, 5, 4), (3, 2, 3, 2, 3), (4, 4, 1, 4)),
    14: ((5, 4, 5), (4, 3, 3, 4), (3, 4, 4, 3)),
    15: ((5, 5, 5), (4, 4, 3, 4), (3, 3, 3, 3, 3), (4, 3, 1, 3, 4)),
    16: ((4, 4, 4, 4), (5, 6, 5), (3, 3, 4, 3, 3)),
    17: ((6, 5, 6), (4, 3, 3, 3, 4), (3, 4, 3, 4, 3), (4, 4, 1, 4, 4)),
    18: ((6, 6, 6), (4, 3, 4, 3, 4), (3, 4, 4, 4, 3), (3, 3, 3, 3, 3, 3)),
}
"""Layouts of 10..18 as pips a row, the commonest first."""


@cache
def pip_places(value: int) -> tuple[Place, ...]:
    """The pip centres of the commonest layout of a value 0..18; a `KeyError` for any other value.

    Rows are centred on the half, each at the widest row's pitch; they run along the tile, as most makers lay them.
    """
    if value in GRID:
        return tuple((float(x), float(y)) for x, y in GRID[value][0])
    rows = ROWS[value][0]
    pitch = 2 / (max(rows) - 1)
    places: list[Place] = []
    for number, count in enumerate(rows):
        across = -1 + 2 * number / (len(rows) - 1)
        places += [(across, (index - (count - 1) / 2) * pitch) for index in range(count)]
    return tuple(places)
