"""Does a hand go with what is known? Each remark is something to look at; nothing is barred by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from companion.dominoes import Tile
from companion.rules.moves import Play
from companion.rules.state import RoundState
from companion.session.answers import Remark
from companion.session.events import HandTile
from companion.session.game import Game
from companion.session.playing import round_state


def remarks_on(game: Game, number: int, player: str, tiles: Sequence[HandTile]) -> tuple[Remark, ...]:
    """Everything about a hand that cannot be, or that another place knows better, tile by tile and then as a whole."""
    state = round_state(game, number)
    return (*_about_tiles(game, state, player, tiles), *_about_number(game, state, player, tiles))


def _about_tiles(game: Game, state: RoundState, player: str, tiles: Sequence[HandTile]) -> Iterator[Remark]:
    times = Counter(tile.tile for tile in tiles)
    held = _held_by_others(game, state.round_number or 0, player)
    for index, shown in enumerate(tiles):
        tile = shown.tile
        if tile not in game.rules.tile_set:
            yield Remark.of("not_in_set", index=index, tile=tile, set=game.rules.set)
        if times[tile] > 1:
            yield Remark.of("twice_in_hand", index=index, tile=tile)
        if tile in held:
            other, pictures = held[tile]
            yield Remark.of("in_other_hand", index=index, pictures=pictures, tile=tile, player=other)
        if tile == state.engine:
            yield Remark.of("is_engine", index=index, tile=tile)
        elif tile in state.table:
            yield _on_table(game, state, tile, index)


def _held_by_others(game: Game, number: int, player: str) -> dict[Tile, tuple[str, tuple[str, ...]]]:
    """The tiles of the others' hands in this round: whose, and the pictures that show it."""
    return {
        tile.tile: (other, () if tile.picture is None else (tile.picture,))
        for other, score in game.round(number).scores.items()
        if other != player
        for tile in score.now.tiles or ()
    }


def _on_table(game: Game, state: RoundState, tile: Tile, index: int) -> Remark:
    for play in game.round(state.round_number or 0).plays:
        if isinstance(play.move, Play) and play.move.tile == tile:
            return Remark.of("on_table", index=index, pictures=play.pictures, tile=tile, train=play.move.train)
    return Remark.of("on_table_somewhere", index=index, tile=tile)


def _about_number(game: Game, state: RoundState, player: str, tiles: Sequence[HandTile]) -> Iterator[Remark]:
    told = game.round(state.round_number or 0).told
    if told is not None and player in told.out and tiles:
        yield Remark.of("went_out", player=player, tiles=len(tiles))
    if not tiles:
        yield Remark.of("no_tiles", player=player)
        return
    size = state.hands[state.seat(player)].size
    if state.over and len(tiles) != size:  # only plays that were followed to the end tell how many are left
        yield Remark.of("other_number", player=player, tiles=len(tiles), size=size)
    most = _most_tiles(game, state, player)
    if len(tiles) > most:
        yield Remark.of("too_many", player=player, tiles=len(tiles), most=most)


def _most_tiles(game: Game, state: RoundState, player: str) -> int:
    """How many tiles can be left for a hand: those of the set that neither lie on the table nor are in another's hand."""
    elsewhere = _held_by_others(game, state.round_number or 0, player).keys() | state.table
    return game.rules.tile_set.size - sum(tile in game.rules.tile_set for tile in elsewhere)
