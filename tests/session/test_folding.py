"""The fold: in one go or step by step it gives the same game, and an undone entry is as if it had never been."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.moves import parse_move
from companion.session.events import (
    GameEnded,
    HandDropped,
    HandEdited,
    HandProposed,
    JournalEntry,
    MoveConfirmed,
    MoveCorrected,
    MoveDropped,
    MoveMade,
    RoundEnded,
    RoundTold,
    ScoreGiven,
    Source,
    StarterNamed,
    Undone,
)
from companion.session.folding import fold, follow_up, undone
from companion.session.in_memory import NOON

from .evening import Evening, hand, reading

EVENING = Evening()
START = EVENING.session.games.journal(EVENING.id)

players = st.sampled_from(["Ann", "Ben", "Cy"])
rounds = st.integers(1, 3)
targets = st.integers(1, 12)
moves = st.sampled_from(list(map(parse_move, ["Ann 12-5", "Ben 12-3", "Cy draw", "Ben 12-5 @mexican", "Ann 12-4"])))
events = st.one_of(
    st.builds(HandProposed, rounds, players, st.just("p"), st.just(reading("6-5 9-4")), st.none() | targets),
    st.builds(HandEdited, targets, st.just(hand("1-1"))),
    st.builds(HandDropped, targets),
    st.builds(ScoreGiven, rounds, players, st.just(hand("2-1")), st.none(), st.none() | targets),
    st.builds(RoundTold, rounds, players.map(lambda name: (name,))),
    st.builds(RoundEnded, rounds),
    st.builds(GameEnded),
    st.builds(StarterNamed, rounds, players),
    st.builds(MoveMade, rounds, moves, st.none() | targets),
    st.builds(MoveConfirmed, targets),
    st.builds(MoveCorrected, targets, moves),
    st.builds(MoveDropped, targets),
    st.builds(Undone, targets.filter(lambda target: target > 1)),
)


@st.composite
def journals(draw: st.DrawFn) -> list[JournalEntry]:
    """A start and any events after it, sensible or not; an undo points backwards."""
    entries = list(START)
    for event in draw(st.lists(events, max_size=11)):
        sequence = len(entries) + 1
        if isinstance(event, Undone) and event.sequence >= sequence:
            continue
        source = draw(st.sampled_from(Source))
        entries.append(JournalEntry(START[0].stream, sequence, NOON, "host", source, f"c{sequence}", event))
    return entries


@given(journals(), st.integers(1, 11))
@settings(deadline=None)
def test_step_by_step_is_the_same_as_in_one_go(entries: list[JournalEntry], cut: int) -> None:
    assert follow_up(fold(entries[:cut]), entries[cut:]) == fold(entries)


@given(journals())
@settings(deadline=None)
def test_an_undone_entry_is_as_if_it_had_never_been(entries: list[JournalEntry]) -> None:
    dead = undone(entries)
    without = [e for e in entries if e.sequence not in dead and not isinstance(e.event, Undone)]
    game, same = fold(entries).game, fold(without).game
    assert replace(game, version=0, changed=NOON) == replace(same, version=0, changed=NOON)


@given(journals())
@settings(deadline=None)
def test_undoing_an_undo_restores_the_game(entries: list[JournalEntry]) -> None:
    if len(entries) < 2:
        return
    last = entries[-1]
    count = len(entries)
    undo = replace(last, sequence=count + 1, event=Undone(last.sequence))
    redo = replace(last, sequence=count + 2, event=Undone(undo.sequence))
    again = fold([*entries, undo, redo]).game
    assert replace(again, version=0) == replace(fold(entries).game, version=0)


def test_a_journal_begins_with_the_start_of_a_game() -> None:
    with pytest.raises(ValueError, match="begins with the start"):
        fold([replace(START[0], event=GameEnded())])
    with pytest.raises(ValueError, match="begins with the start"):
        fold([])
