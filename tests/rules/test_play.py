"""Properties of whole rounds under random rule sets."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.rules.audit import audit
from companion.rules.engines import round_count
from companion.rules.errors import IllegalMove
from companion.rules.events import Event
from companion.rules.moves import Catch, Done, Draw, End, Knock, LayEngine, Mark, Move, Pass, Play, Unmark, parse_move
from companion.rules.notation import read_round
from companion.rules.presets import standard_book
from companion.rules.proceedings import proceed
from companion.rules.referee import apply, is_legal, legal_moves, rule_on
from companion.rules.selfplay import NobodyOpens, Table, deal, play_round, random_rules, tiles_in_play
from companion.rules.snapshot import read_state, write_state
from companion.rules.state import RoundState
from companion.rules.switches import SWITCHES
from companion.rules.trains import TrainRef
from companion.rules.transition import begin_with, replay

BOOK = standard_book()
BASE = BOOK["base"].rules
NAMES = ("Ann", "Ben", "Cy", "Dee")


def played(seed: int) -> Table:
    """A round under random switches, played to its end by random legal moves."""
    rng = Random(seed)
    while True:
        rules = random_rules(rng, BASE.with_switch("set", rng.choice([6, 9])))
        players = NAMES[: rng.randint(2, 4)]
        table = deal(rules, players, rng.randint(1, round_count(rules)), rng, tiles_each=rng.randint(2, 6))
        try:
            return play_round(table, rng)
        except NobodyOpens:
            continue


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_tiles_are_conserved_and_nothing_is_ever_wrong(seed: int) -> None:
    table = played(seed)
    state = table.opening
    for move in table.moves:
        state = replay(state, [move])
        assert not [finding for finding in audit(state) if finding.anomaly.is_fault]
        assert (
            sum(hand.size for hand in state.hands)
            + state.boneyard
            + len(state.table)
            + (state.rules.engine == "set_aside" and not state.begun)
            == state.rules.tile_set.size
        )
    assert state == table.state
    assert sorted(tiles_in_play(state, table.boneyard)) == sorted(state.rules.tile_set)


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_the_journal_replays_to_the_same_state_and_undo_is_a_shorter_journal(seed: int) -> None:
    table = played(seed)
    journal: list[Event] = []
    states = [table.opening]
    for move in table.moves:
        state, events = apply(states[-1], move)
        states.append(state)
        journal += [Event.parse(str(event)) for event in events]
    assert states[-1] == table.state
    assert replay(table.opening, [event.move for event in journal]) == table.state
    assert replay(table.opening, [event.move for event in journal[:-1]]) == states[-2]
    assert [parse_move(str(move)) for move in table.moves] == table.moves or any(
        isinstance(move, Play) and move.outward is None for move in table.moves
    )


def as_notation(table: Table) -> str:
    """A played round as a person would write it down."""
    opening = table.opening
    settings_told = " ".join(f"{switch.name}={switch.write(opening.rules.value(switch.name))}" for switch in SWITCHES)
    lines = [f"rules base {settings_told}", f"players {' '.join(opening.players)}", f"hands {opening.hands[0].size}"]
    for player, hand in zip(opening.players, opening.hands, strict=True):
        lines.append(f"hand {player} {' '.join(map(str, sorted(hand.known)))}")
    lines.append(f"round {opening.round_number}")
    if opening.start is not None:
        lines.append(f"start {opening.players[opening.start]}")
    return "\n".join([*lines, *map(str, table.moves)]) + "\n"


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_a_written_round_reads_back_and_is_judged_legal_to_the_same_end(seed: int) -> None:
    table = played(seed)
    text = as_notation(table)
    record = read_round(text, BOOK)
    assert str(record) == text
    entries = list(proceed(record))
    assert [str(entry.ruling) for entry in entries] == ["legal"] * len(table.moves)
    assert entries[-1].after == table.state


@settings(max_examples=20)
@given(st.integers(0, 2**32), st.floats(0, 1))
def test_states_read_back(seed: int, part: float) -> None:
    table = played(seed)
    state = replay(table.opening, table.moves[: int(part * len(table.moves))])
    assert read_state(write_state(state)) == state


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"rules": 1}', "null"])
def test_what_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_state(text)


def universe(state: RoundState) -> list[Move]:
    """Every move there is to ask about: each tile in each place by each player, and everything that can be said."""
    refs = [train.ref(branch) for train in state.trains for branch in range(len(train.branches))]
    refs.append(TrainRef(state.next_mexican))
    moves: list[Move] = [End(), *(LayEngine(None, tile) for tile in state.rules.tile_set.doubles)]
    for player in state.players:
        moves += [Draw(player), Pass(player), Done(player), Mark(player), Unmark(player), Knock(player)]
        moves += [Catch(player, other) for other in state.players if other != player]
        moves += [LayEngine(player, tile) for tile in state.rules.tile_set.doubles]
        moves += [Play(player, tile, ref) for tile in state.rules.tile_set for ref in refs]
    return moves


def key(move: Move) -> tuple[str, ...]:
    if isinstance(move, Play):
        return ("play", move.player, str(move.tile), str(move.train))
    return (str(move),)


@settings(max_examples=12)
@example(27920, 0.5)  # two players, a first chain under way: the next to act is also who acted before
@given(st.integers(0, 2**32), st.floats(0, 1))
def test_legal_moves_are_those_that_the_referee_calls_legal(seed: int, part: float) -> None:
    table = played(seed)
    state = replay(table.opening, table.moves[: int(part * len(table.moves))])
    listed = [key(move) for move in legal_moves(state)]
    asked = {key(move) for move in universe(state) if is_legal(state, move)}
    assert len(listed) == len(set(listed))
    # A foot can be pointed at by more names than one; the list names it once.
    assert set(listed) <= asked
    assert {found for found in asked - set(listed) if found[0] != "play"} == set()
    missing = asked - set(listed)
    assert all(any(found[1:3] == one[1:3] for one in listed) for found in missing)
    if not state.rules.chicken_foot:
        assert not missing


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.integers(0, 2**32))
def test_one_checker_three_doors(seed: int, pick: int) -> None:
    table = played(seed)
    rng = Random(pick)
    state = replay(table.opening, table.moves[: rng.randrange(len(table.moves))])
    for move in rng.sample(universe(state), 40):
        ruling = rule_on(state, move)
        assert (move in legal_moves(state)) == ruling.is_legal
        if ruling.violations:
            with pytest.raises(IllegalMove) as refused:
                apply(state, move)
            assert refused.value.ruling == ruling
        else:
            apply(state, move)


@pytest.mark.parametrize("seed", range(12))
def test_a_legal_deed_is_never_called_illegal_because_less_is_known(seed: int) -> None:
    """With no hand known every deed of a legal round is legal or depends; what is illegal then is illegal with hands too."""
    table = played(seed)
    opening = table.opening
    size = opening.hands[0].size
    state = RoundState.opening(opening.rules, opening.players, tiles_each=size, round_number=opening.round_number)
    hidden = state if opening.start is None else begin_with(state, opening.start)
    known = opening
    rng = Random(seed)
    for move in table.moves:
        plain: Move = Draw(move.player) if isinstance(move, Draw) else move
        ruling = rule_on(hidden, plain)
        assert not ruling.violations, (str(move), str(ruling))
        for other in rng.sample(universe(hidden), 5):
            if not isinstance(other, LayEngine | End) and rule_on(hidden, other).violations:
                assert rule_on(known, other).violations, str(other)
        known, hidden = replay(known, [move]), replay(hidden, [plain])
