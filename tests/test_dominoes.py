from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.dominoes import SET_SIZES, Tile, TileSet, TrainOwner, is_mexican_name

ENDS = st.integers(0, 18)


@given(ENDS, ENDS)
def test_a_tile_reads_back_and_has_no_direction(one: int, other: int) -> None:
    tile = Tile.of(one, other)
    assert Tile.parse(str(tile)) == tile == Tile.of(other, one) == Tile.parse(f"{other}-{one}")
    assert tile.pips == one + other
    assert tile.is_double == (one == other)
    assert {tile.other(one), one} == {one, other}


@given(ENDS, ENDS, ENDS)
def test_a_tile_has_its_two_ends_only(one: int, other: int, value: int) -> None:
    tile = Tile.of(one, other)
    assert tile.has(value) == (value in tile.ends)
    if not tile.has(value):
        with pytest.raises(ValueError, match="no end"):
            tile.other(value)


@pytest.mark.parametrize("text", ["", "12", "12-", "-5", "a-b", "1-2-3", "01-2", "1 - 2", "١-٢", "123-4", "1-2\n"])
def test_what_is_no_tile_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a tile"):
        Tile.parse(text)


def test_ends_out_of_order_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="higher end first"):
        Tile(3, 5)


@pytest.mark.parametrize(("highest", "size"), [(6, 28), (9, 55), (12, 91), (15, 136), (18, 190)])
def test_sets(highest: int, size: int) -> None:
    tiles = TileSet(highest)
    assert tiles.size == len(tiles) == len(set(tiles)) == len(tiles.tiles) == size
    assert Tile(highest, 0) in tiles and Tile(highest + 1, 0) not in tiles and "6-6" not in tiles
    assert TileSet.parse(str(tiles)) == TileSet.parse(str(highest)) == tiles
    assert tiles.doubles[0] == Tile.double(highest) and tiles.doubles[-1] == Tile(0, 0)


@pytest.mark.parametrize("highest", [n for n in range(-1, 20) if n not in SET_SIZES])
def test_other_sets_are_not_sold(highest: int) -> None:
    with pytest.raises(ValueError, match="there is no"):
        TileSet(highest)


@pytest.mark.parametrize("text", ["Ann", "mexican", "mexican2", "mexican19", "Mexican"])
def test_owners_read_back(text: str) -> None:
    assert str(TrainOwner.parse(text)) == text


def test_the_first_mexican_train_needs_no_number() -> None:
    assert str(TrainOwner.parse("mexican1")) == "mexican" == str(TrainOwner.mexican())
    assert TrainOwner.parse("mexican").is_mexican and not TrainOwner("Ann").is_mexican


@pytest.mark.parametrize("name", ["", "mexican", "mexican3"])
def test_players_are_not_called_so(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be a player"):
        TrainOwner(name)
    assert not name or is_mexican_name(name)


def test_a_player_has_one_train() -> None:
    with pytest.raises(ValueError, match="one train"):
        TrainOwner("Ann", 2)
    with pytest.raises(ValueError, match="counted from 1"):
        TrainOwner(None, 0)
