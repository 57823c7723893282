"""The drawn table: engine, one line a train with its last tiles, open end, marker and what is owed. From the state, not a photo.

Lines, not rays: on a phone fourteen trains of fifteen tiles are readable only as rows, and a row is a target for a thumb.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.dominoes import TrainOwner
from companion.rules.doubles import debtors, open_doubles
from companion.rules.state import RoundState
from companion.rules.trains import TRUNK, TrainRef
from companion.session.game import Game
from companion.web.asking import number_in, train_name
from companion.web.languages import translate as _

LAST_TILES = 4
"""How many tiles of a line are drawn; a phone has room for so many beside the name."""
MEXICAN_COLOUR = "#8c8269"


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A train, or a branch of one. `code` names it in addresses; `owed_by` is told where its last tile wants a cover."""

    code: str
    name: str
    short: str
    colour: str
    mexican: bool
    started: bool
    tiles: tuple[tuple[int, int], ...]
    hidden: int
    open_end: int | None
    marker: bool
    owed: bool
    owed_by: tuple[str, ...]
    turn: bool
    chosen: bool


@dataclass(frozen=True, slots=True)
class Board:
    """The whole table."""

    engine: tuple[int, int] | None
    lines: tuple[BoardLine, ...]
    boneyard: int
    on_table: int


def board_of(game: Game, state: RoundState, chosen: str | None = None) -> Board:
    """Draw a state; `chosen` is the code of the line that was tapped."""
    owed = {(double.train, double.branch): debtors(state, double) for double in open_doubles(state)}
    lines: list[BoardLine] = []
    for index, train in enumerate(state.trains):
        for number in range(len(train.branches)):
            lines.append(_line(game, state, (index, number), owed_by=owed.get((index, number)), chosen=chosen))
    if _may_begin_mexican(state):
        lines.append(_new_mexican(state, chosen))
    engine = state.engine.ends if state.engine else None
    return Board(engine, tuple(lines), state.boneyard, len(state.table))


def _line(
    game: Game, state: RoundState, place: tuple[int, int], *, owed_by: tuple[str, ...] | None, chosen: str | None
) -> BoardLine:
    index, number = place
    train = state.trains[index]
    branch = train.branches[number]
    seat = index if index < len(state.players) else None
    tiles = tuple((laid.inward, laid.outward) for laid in branch.tiles)
    engine = state.engine.high if state.engine else None
    code = code_of(state, train.ref(number))
    return BoardLine(
        code=code,
        name=train_name(train.ref(number)),
        short=_short(train.ref(number)),
        colour=MEXICAN_COLOUR if seat is None else game.players[seat].colour,
        mexican=seat is None,
        started=bool(tiles),
        tiles=tiles[-LAST_TILES:],
        hidden=max(0, len(tiles) - LAST_TILES),
        open_end=tiles[-1][1] if tiles else engine,
        marker=train.marker and number == TRUNK,
        owed=owed_by is not None,
        owed_by=owed_by or (),
        turn=seat is not None and seat == state.turn.seat and number == TRUNK,
        chosen=code == chosen,
    )


def _short(ref: TrainRef) -> str:
    """What stands beside the line, where there is little room."""
    number = ref.owner.number
    name = ref.owner.player or (_("Mexican") if number == 1 else f"{_('Mexican')} {number}")
    return name if ref.branch == TRUNK else f"{name}/{ref.branch + 1}"


def _may_begin_mexican(state: RoundState) -> bool:
    allowed = state.rules.mexican_trains
    return state.begun and (allowed == "many" or len(state.mexicans) < allowed)


def _new_mexican(state: RoundState, chosen: str | None) -> BoardLine:
    ref = TrainRef(state.next_mexican)
    code = code_of(state, ref)
    engine = state.engine.high if state.engine else None
    return BoardLine(
        code=code, name=train_name(ref), short=_short(ref), colour=MEXICAN_COLOUR, mexican=True, started=False, tiles=(), hidden=0,
        open_end=engine, marker=False, owed=False, owed_by=(), turn=False, chosen=code == chosen,
    )  # fmt: skip


def code_of(state: RoundState, ref: TrainRef) -> str:
    """A train in an address: ``s2`` for the third seat's, ``m1`` for the first Mexican train, ``s2.1`` for a branch."""
    owner = ref.owner
    name = f"m{owner.number}" if owner.player is None else f"s{state.seat(owner.player)}"
    return name if ref.branch == TRUNK else f"{name}.{ref.branch}"


def ref_of(state: RoundState, code: str | None) -> TrainRef | None:
    """The train of such a code; None if there is no such train."""
    name, _dot, branch_text = (code or "").partition(".")
    branch = number_in(branch_text or "0", 0, 99)
    number = number_in(name[1:], 0, 99)
    if branch is None or number is None:
        return None
    if name[:1] == "s" and number < len(state.players):
        return TrainRef(TrainOwner(state.players[number]), branch)
    if name[:1] == "m" and number >= 1:
        return TrainRef(TrainOwner.mexican(number), branch)
    return None
