"""What is drawn over the live picture: trains in their owners' colours, open ends, doubles that wait, faults."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from companion.dominoes import Tile
from companion.rules.rulings import Verdict
from companion.rules.trains import TrainRef
from companion.rules.wording import say
from companion.session.game import Game
from companion.session.wording import say_remark
from companion.sightings import Point, Quad
from companion.table.look import Trouble
from companion.table.watch_events import TrainSeen
from companion.web.asking import core, train_name
from companion.web.board import MEXICAN_COLOUR
from companion.web.languages import translate as _
from companion.web.live import LiveTable
from companion.web.photo_drawing import LEAST_TEXT, points_text


@dataclass(frozen=True, slots=True)
class TrainLine:
    """A train: its middle line, its owner's colour."""

    points: str
    colour: str


@dataclass(frozen=True, slots=True)
class Chip:
    """A word in the picture: where its middle lies, what it says, its class in the style sheet."""

    x: float
    y: float
    text: str
    state: str


@dataclass(frozen=True, slots=True)
class Outline:
    """A tile that stands out, and its class."""

    points: str
    state: str


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence beside the picture, and its class."""

    text: str
    state: str


@dataclass(frozen=True, slots=True)
class LiveDrawing:
    """Everything drawn over one frame, in pixels of the frame."""

    frame: int
    size_wh: tuple[int, int]
    text_px: float
    trains: tuple[TrainLine, ...]
    outlines: tuple[Outline, ...]
    chips: tuple[Chip, ...]
    notes: tuple[Note, ...]
    tiles: int

    def record(self) -> dict[str, object]:
        """The drawing as JSON has it."""
        return asdict(self)


def draw_live(game: Game, table: LiveTable) -> LiveDrawing | None:
    """The drawing over the last frame; None before the first."""
    look = table.look
    if look is None:
        return None
    places = {Tile.of(*tile.ends): tile.quad_px for tile in look.tiles}
    trains = table.state.trains if table.state else ()
    outlines, chips = _marked(table, places)
    return LiveDrawing(
        frame=table.frame,
        size_wh=look.size_wh,
        text_px=round(look.size_wh[0] * LEAST_TEXT, 1),
        trains=tuple(line for train in trains if (line := _line(game, train, places)) is not None),
        outlines=tuple(outlines),
        chips=(*(chip for train in trains if (chip := _open_end(train, places)) is not None), *chips),
        notes=tuple(_notes(table)),
        tiles=len(look.tiles),
    )


def _line(game: Game, train: TrainSeen, places: dict[Tile, Quad]) -> TrainLine | None:
    middles = [_middle(places[tile]) for ends in train.tiles if (tile := Tile.of(*ends)) in places]
    if not middles:
        return None
    colours = {player.name: player.colour for player in game.players}
    points = " ".join(f"{x:.0f},{y:.0f}" for x, y in middles)
    return TrainLine(points, colours.get(train.name, MEXICAN_COLOUR))


def _open_end(train: TrainSeen, places: dict[Tile, Quad]) -> Chip | None:
    """The value that the train asks for, a little beyond its last tile."""
    if not train.tiles or train.open_double or Tile.of(*train.tiles[-1]) not in places:
        return None
    quad = places[Tile.of(*train.tiles[-1])]
    last = _middle(quad)
    before = places.get(Tile.of(*train.tiles[-2])) if len(train.tiles) > 1 else None
    out = _outward(quad, _middle(before) if before else None)
    return Chip(round(last[0] + out[0], 1), round(last[1] + out[1], 1), str(train.open_end), "end")


def _outward(quad: Quad, before: Point | None) -> Point:
    """From the middle of a tile to just beyond its short edge on the far side of the tile before it."""
    middle = _middle(quad)
    edges = [((quad[k][0] + quad[(k + 1) % 4][0]) / 2, (quad[k][1] + quad[(k + 1) % 4][1]) / 2) for k in (0, 2)]
    if before is not None:
        edges.sort(key=lambda edge: -((edge[0] - before[0]) ** 2 + (edge[1] - before[1]) ** 2))
    return (edges[0][0] - middle[0]) * 1.25, (edges[0][1] - middle[1]) * 1.25


def _marked(table: LiveTable, places: dict[Tile, Quad]) -> tuple[list[Outline], list[Chip]]:
    """Doubles that wait for their cover, and tiles that the referee speaks against."""
    outlines: list[Outline] = []
    chips: list[Chip] = []
    for tile in table.owed:
        if tile in places:
            outlines.append(Outline(points_text(places[tile]), "owed"))
    for tile, told in table.rulings.items():
        if told.ruling.verdict is Verdict.ILLEGAL and tile in places:
            x, y = _middle(places[tile])
            outlines.append(Outline(points_text(places[tile]), "bad"))
            chips.append(Chip(round(x, 1), round(y, 1), told.ruling.rules[0], "bad"))
    return outlines, chips


def _notes(table: LiveTable) -> Iterator[Note]:
    if table.look is not None and table.look.trouble is not None:
        yield Note(_say_trouble(table.look.trouble), "quiet")
    for tile, by in table.owed.items():
        if by:
            yield Note(_("%(names)s must cover the %(tile)s.", names=", ".join(by), tile=tile), "doubt")
        else:
            yield Note(_("The %(tile)s waits for its cover.", tile=tile), "doubt")
    for told in table.rulings.values():
        if told.ruling.verdict is Verdict.ILLEGAL:
            yield Note(f"{_who(told.player, told.train)}: {say(told.ruling.violations[0], core())}", "wrong")
    for remark in table.comparison.lasting():
        yield Note(say_remark(remark, core()), "doubt")
    if table.question is not None and table.question.tile is not None and table.question.choices:
        choices = " / ".join(table.question.choices[:3])
        yield Note(_("%(tile)s? Look: %(choices)s", tile=table.question.tile, choices=choices), "doubt")
    for train in table.hidden:
        where = _who(None, train)
        yield Note(_("%(train)s: something hides a tile at its end. Move it aside for a moment.", train=where), "doubt")


def _say_trouble(trouble: Trouble) -> str:
    return {
        Trouble.TOO_DARK: _("It is too dark here."),
        Trouble.BLURRED: _("The picture is blurred."),
        Trouble.COVERED: _("A hand covers a part of the table."),
        Trouble.NO_TILES: _("No tiles in view."),
    }[trouble]


def _who(player: str | None, train: str) -> str:
    if player is not None:
        return player
    try:
        return train_name(TrainRef.parse(train))
    except ValueError:
        return train


def _middle(quad: Quad) -> Point:
    return sum(x for x, _y in quad) / 4, sum(y for _x, y in quad) / 4
