from itertools import pairwise

from companion.session.events import Command, HandTile
from companion.session.sheet import sheet_of
from companion.web.asking import seats_of
from companion.web.chart import BOTTOM, HIGH, LABEL_GAP, TOP, chart_of
from companion.web.drawing import PIP_COLOURS, half_drawings
from companion.web.photo_drawing import crop_around, draw_photo, quad_at

UPRIGHT = ((100.0, 100.0), (150.0, 100.0), (150.0, 200.0), (100.0, 200.0))


def contrast(one, two):
    def light(colour):
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    bright, dark = sorted((light(one), light(two)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def test_pips_stand_out_from_the_tile_and_stay_on_it():
    for half in half_drawings():
        assert len(half.pips) == half.value
        assert all(abs(x) + half.radius < 1 and abs(y) + half.radius < 1 for x, y in half.pips)
        assert contrast(PIP_COLOURS[half.value], "#f7f1e0") >= 3


def test_values_stand_at_the_ends_where_they_lie():
    drawn = draw_photo("p", (1000, 800), [HandTile((12, 5), "p", UPRIGHT), HandTile((3, 3), "other", UPRIGHT)])
    (tile,) = drawn.tiles
    top, bottom = tile.chips
    assert (top.value, bottom.value) == (12, 5)
    assert top.y < 120 and bottom.y > 180 and top.x == bottom.x == 125


def test_numerals_can_be_read_on_a_phone():
    drawn = draw_photo("p", (4000, 3000), [HandTile((12, 5), "p", UPRIGHT)])
    assert drawn.text_px / 4000 * 390 >= 14


def test_a_cut_out_stays_within_the_photo():
    for quad in (UPRIGHT, tuple((x - 95, y - 95) for x, y in UPRIGHT), tuple((x + 840, y + 590) for x, y in UPRIGHT)):
        left, top, wide, high = map(int, crop_around(quad, (1000, 800)).split())
        assert left >= 0 and top >= 0 and left + wide <= 1001 and top + high <= 801
        assert left <= min(x for x, _ in quad) and top + high >= min(800, max(y for _, y in quad)) - 1


def test_a_tile_that_is_added_is_as_large_as_the_others():
    quad = quad_at(500, 400, [HandTile((1, 2), "p", UPRIGHT)], "p", (1000, 800))
    assert (quad[1][0] - quad[0][0], quad[2][1] - quad[1][1]) == (50, 100)


def test_the_lowest_total_lies_on_top_and_names_do_not_overlap(session):
    names = [f"Player {number}" for number in range(14)]
    outcome = session.games.start(Command("chart-game"), players=names, preset="tournament", set_highest=18)
    game = outcome.game
    assert chart_of(sheet_of(game), seats_of(game)) is None
    for name in names[1:]:
        session.hands.enter(Command(f"enter-{name}"), game.id, player=name, points=20 + int(name[-1]))
    session.rounds.end(Command("end-round"), game.id, out=[names[0]])
    game = session.games.get(game.id)
    chart = chart_of(sheet_of(game), seats_of(game))
    first, others = chart.lines[0], chart.lines[1:]
    assert first.dots[-1][1] == TOP and all(line.dots[-1][1] > TOP for line in others)
    assert max(line.dots[-1][1] for line in others) <= HIGH - BOTTOM
    labels = sorted(line.label_y for line in chart.lines)
    assert all(below - above >= LABEL_GAP - 0.2 for above, below in pairwise(labels))
    assert labels[-1] <= HIGH
