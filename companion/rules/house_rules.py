"""A rule set: one value for every switch.

Nothing else in the project decides what a table plays, and nothing branches on a preset's name. `SWITCHES` is the one
list of switches with their values and their meaning; the fields of `HouseRules` are named as notation and presets name
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Literal, cast

from companion.dominoes import SET_SIZES, TileSet
from companion.rules.errors import HouseRulesError
from companion.rules.switches import SWITCH_BY_NAME, SWITCHES, Value

Engine = Literal["set_aside", "dealt", "highest_held"]
EngineMissing = Literal["draw_in_turn", "all_draw", "next_lower"]
EngineOrder = Literal["down", "up", "down_up"]
FirstPlayer = Literal["rotate", "opener", "draw_highest", "chosen"]
FirstTurn = Literal["one", "chain"]
FirstTurnOn = Literal["own", "own_or_mexican", "any_open"]
FirstTurnStuck = Literal["draw_then_mark", "mark", "draw_only"]
FirstChainDouble = Literal["owed_next", "owed_after_first_turns", "forbidden"]
FirstTurnOut = Literal["round_ends", "others_finish"]
MexicanTrains = Literal[0, 1, "many"]
MexicanStart = Literal["any_turn", "after_first_turns", "after_all_started"]
DrawRule = Literal["one", "until_playable", "none"]
MarkerClears = Literal["own_play", "any_play", "owner_choice"]
DoubleFollow = Literal["cover", "anywhere", "none"]
DoubleOwedBy = Literal["next", "player", "nobody"]
DoubleStuck = Literal["draw_then_mark", "turn_ends", "pass"]
DoublesPerTurn = Literal[1, "many"]
DoubleOrder = Literal["as_laid", "last_first", "any"]
DoubleDead = Literal["dropped", "owed"]
ChickenFootStops = Literal["table", "train"]
OutOnDouble = Literal["allowed", "must_cover"]
KnockRule = Literal["off", "courtesy", "penalty"]
KnockWindow = Literal["next_acts", "next_done"]
DoublesCount = Literal["face", "twice"]
Blocked = Literal["all_count", "lowest_zero"]
Tie = Literal["zero_rounds", "shared"]


@dataclass(frozen=True, slots=True)
class DealRow:
    """With a double-``set`` set, from ``fewest`` to ``most`` players get ``tiles`` each."""

    set: int
    fewest: int
    most: int
    tiles: int

    def __post_init__(self) -> None:
        if self.set not in SET_SIZES or not 1 <= self.fewest <= self.most or self.tiles < 1:
            raise HouseRulesError("hand_size", f"hand_size cannot have the row {self}")
        if self.most * self.tiles > TileSet(self.set).size:
            raise HouseRulesError(
                "hand_size", f"hand_size: {self.most} players cannot get {self.tiles} tiles each from double-{self.set}"
            )

    def __str__(self) -> str:
        return f"{self.set}:{self.fewest}-{self.most}:{self.tiles}"

    @classmethod
    def parse(cls, text: str) -> DealRow:
        """Read ``12:2-4:15``."""
        try:
            highest, span, tiles = text.split(":")
            fewest, _, most = span.partition("-")
            return cls(int(highest), int(fewest), int(most or fewest), int(tiles))
        except ValueError as cause:
            raise HouseRulesError("hand_size", f"hand_size: {text!r} is no row such as 12:2-4:15") from cause


@dataclass(frozen=True, slots=True)
class HouseRules:
    """A value for every switch; see `SWITCHES` for what each means."""

    set: int
    hand_size: tuple[DealRow, ...]
    engine: Engine
    engine_missing: EngineMissing
    engine_order: EngineOrder
    rounds: int | Literal["all"]
    first_player: FirstPlayer
    opener_plays: bool
    first_turn: FirstTurn
    first_turn_on: FirstTurnOn
    first_turn_stuck: FirstTurnStuck
    first_chain_double: FirstChainDouble
    first_turn_out: FirstTurnOut
    own_train_first: bool
    own_train_preferred: bool
    mexican_trains: MexicanTrains
    mexican_start: MexicanStart
    unstarted_open: bool
    all_trains_open: bool
    must_play: bool
    draw: DrawRule
    must_play_drawn: bool
    marker_voluntary: bool
    marker_clears: MarkerClears
    double_follow: DoubleFollow
    double_owed_by: DoubleOwedBy
    double_stuck: DoubleStuck
    doubles_per_turn: DoublesPerTurn
    double_order: DoubleOrder
    double_dead: DoubleDead
    chicken_foot: Literal[0, 2, 3]
    chicken_foot_forks: bool
    chicken_foot_stops: ChickenFootStops
    out_on_double: OutOnDouble
    knock: KnockRule
    knock_draw: Literal[0, 1, 2]
    knock_lose_turn: bool
    knock_mark: bool
    knock_window: KnockWindow
    double_blank: int
    blank_half: int
    doubles_count: DoublesCount
    out_bonus: int
    marker_penalty: int
    blocked: Blocked
    tie: Tie

    @classmethod
    def of(cls, values: Mapping[str, object]) -> HouseRules:
        """A rule set from a value for every switch, each checked.

        Raises:
            HouseRulesError: names the switch that is unknown, missing or has a value that it cannot have.
        """
        for name in values:
            if name != "hand_size" and name not in SWITCH_BY_NAME:
                raise HouseRulesError(name, f"there is no switch {name!r}")
        checked: dict[str, object] = {"hand_size": values.get("hand_size", ())}
        for switch in SWITCHES:
            if switch.name not in values:
                raise HouseRulesError(switch.name, f"{switch.name} has no value")
            checked[switch.name] = switch.check(values[switch.name])
        return cls(**checked)  # type: ignore[arg-type]  # every value was checked against its switch just above

    def with_values(self, values: Mapping[str, object]) -> HouseRules:
        """The same rules but for some switches."""
        return HouseRules.of({**{name: getattr(self, name) for name in FIELD_NAMES}, **values})

    def with_switch(self, name: str, value: Value) -> HouseRules:
        """The same rules but for one switch whose value is known to be one of its own."""
        return replace(self, **cast("dict[str, Value]", {name: value}))  # type: ignore[arg-type]

    def with_texts(self, settings: Iterable[str]) -> HouseRules:
        """The same rules but for some switches, written ``name=value``."""
        values: dict[str, object] = {}
        for setting in settings:
            name, equals, text = setting.partition("=")
            if name == "hand_size" and equals:
                values[name] = tuple(DealRow.parse(row) for row in text.split("+") if row)
                continue
            if name not in SWITCH_BY_NAME:
                raise HouseRulesError(name, f"there is no switch {name!r}")
            if not equals:
                raise HouseRulesError(name, f"{name} needs a value, as in {name}={SWITCH_BY_NAME[name].example}")
            if name in values:
                raise HouseRulesError(name, f"{name} is set twice")
            values[name] = SWITCH_BY_NAME[name].read(text)
        return self.with_values(values)

    @classmethod
    def parse(cls, text: str) -> HouseRules:
        """Read a whole rule set from its text form."""
        values: dict[str, object] = {}
        for setting in text.split():
            name, _, value = setting.partition("=")
            if name == "hand_size":
                values[name] = tuple(DealRow.parse(row) for row in value.split("+") if row)
            elif name in SWITCH_BY_NAME:
                values[name] = SWITCH_BY_NAME[name].read(value)
            else:
                raise HouseRulesError(name, f"there is no switch {name!r}")
        return cls.of(values)

    def __str__(self) -> str:
        written = [f"{switch.name}={switch.write(self.value(switch.name))}" for switch in SWITCHES]
        return " ".join([*written, f"hand_size={'+'.join(map(str, self.hand_size))}"])

    def value(self, name: str) -> Value:
        """The value of a switch by its name."""
        return cast("Value", getattr(self, name))

    def differences(self, other: HouseRules) -> tuple[str, ...]:
        """The names of the switches in which two rule sets differ, in the order of the list."""
        return tuple(switch.name for switch in SWITCHES if self.value(switch.name) != other.value(switch.name))

    @property
    def tile_set(self) -> TileSet:
        """The tiles that are played with."""
        return TileSet(self.set)

    def tiles_each(self, players: int) -> int:
        """How many tiles each of so many players gets; the first row that names the set and the number wins.

        Raises:
            HouseRulesError: if no row does, or if the set has too few tiles.
        """
        for row in self.hand_size:
            if row.set == self.set and row.fewest <= players <= row.most:
                self.check_deal(players, row.tiles)
                return row.tiles
        raise HouseRulesError("hand_size", f"hand_size names no deal for {players} players with double-{self.set}")

    def check_deal(self, players: int, tiles: int) -> None:
        """Refuse a deal that the set cannot give; the engine set aside is not dealt."""
        dealt = self.tile_set.size - (self.engine == "set_aside")
        if players * tiles > dealt:
            raise HouseRulesError(
                "hand_size", f"double-{self.set} has too few tiles to deal {tiles} to each of {players} players"
            )


FIELD_NAMES: tuple[str, ...] = tuple(field.name for field in fields(HouseRules))
