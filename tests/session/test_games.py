"""Starting, finding, ending games; taking back; following."""

from __future__ import annotations

import pytest

from companion.session.answers import Done, Refused
from companion.session.events import Command, GameEnded, Undone
from companion.session.in_memory import memory_session

from .evening import Evening, done, refused


def test_a_game_has_its_players_in_seat_order_with_a_colour_each() -> None:
    game = Evening(names=("Ann", "  Aunt   May ", "Åse")).game
    assert game.names == ("Ann", "Aunt May", "Åse")
    assert len({player.colour for player in game.players}) == 3
    assert (game.current, game.round_count, game.over) == (1, 13, False)


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["Ann"], "players_count"),
        ([f"P{n}" for n in range(15)], "players_count"),
        (["Ann", "ann"], "same_name"),
        (["Ann", " "], "empty_name"),
        (["Ann", "x" * 25], "long_name"),
        (["Ann", "Mexican"], "bad_name"),
        (["Ann", "engine"], "bad_name"),
        (["Ann", "a/b"], "bad_name"),
        (["Ann", "a\u200bb"], "bad_name"),
    ],
)
def test_players_who_cannot_play_are_refused_with_a_reason(names: list[str], reason: str) -> None:
    evening = Evening()
    refused(evening.session.games.start(evening.wish(), players=names), reason)
    assert len(evening.session.games.list()) == 1


def test_a_chosen_colour_is_kept_and_the_others_differ_from_it() -> None:
    evening = Evening()
    started = evening.session.games.start(evening.wish(), players=["Ann", "Ben"], colours=["#4E79A7"])
    ann, ben = done(started).game.players
    assert ann.colour == "#4e79a7" != ben.colour
    refused(evening.session.games.start(evening.wish(), players=["A", "B"], colours=["red"]), "no_colour")


def test_rules_are_a_preset_with_switches_that_differ() -> None:
    evening = Evening(preset="casual", double_blank="50")
    assert evening.game.rules.double_blank == 50
    assert evening.session.games.changed_switches(evening.game) == ("double_blank",)
    games = evening.session.games
    refused(games.start(evening.wish(), players=["A", "B"], preset="nobody's"), "rules")
    refused(games.start(evening.wish(), players=["A", "B"], set_highest=7), "no_set")
    refused(games.start(evening.wish(), players=["A", "B"], switches={"doubleblank": 1}), "rules")
    refused(games.start(evening.wish(), players=[f"P{n}" for n in range(14)], set_highest=6), "rules")


def test_the_same_wish_starts_one_game() -> None:
    evening = Evening()
    wish = evening.wish()
    first = done(evening.session.games.start(wish, players=["A", "B"]))
    second = done(evening.session.games.start(wish, players=["A", "B"]))
    assert (first.repeated, second.repeated) == (False, True)
    assert first.game == second.game
    assert first.entries == second.entries
    assert len(evening.session.games.list()) == 2


def test_the_list_begins_with_the_game_that_was_changed_last() -> None:
    evening = Evening()
    other = done(evening.session.games.start(evening.wish(), players=["A", "B"])).game.id
    assert [game.id for game in evening.session.games.list()] == [other, evening.id]
    done(evening.score("Ann", 5))
    assert [game.id for game in evening.session.games.list()] == [evening.id, other]
    assert len(evening.session.games.list(most=1)) == 1


def test_a_game_can_end_early_and_go_on() -> None:
    evening = Evening()
    ended = done(evening.session.games.end(evening.wish(), evening.id))
    assert ended.game.over
    refused(evening.score("Ann", 5), "game_over")
    refused(evening.session.games.end(evening.wish(), evening.id), "game_over")
    assert not done(evening.session.games.undo(evening.wish(), evening.id, ended.sequence)).game.over


def test_what_does_not_exist_is_refused_not_raised() -> None:
    session = Evening().session
    assert session.games.get("nothing") is None
    assert session.rounds.sheet("nothing") is None
    refused(session.games.end(Command("x"), "nothing"), "no_game")


def test_a_wish_that_is_repeated_changes_nothing_more() -> None:
    evening = Evening()
    wish = evening.wish()
    first = done(evening.session.games.end(wish, evening.id))
    again = done(evening.session.games.end(wish, evening.id))
    assert again.repeated
    assert again.entries == first.entries
    assert again.game.version == first.game.version == 2


def test_a_wish_about_a_game_that_has_changed_is_refused_if_it_says_what_it_saw() -> None:
    evening = Evening()
    done(evening.score("Ann", 5))
    refused(evening.session.games.end(evening.wish(seen=1), evening.id), "changed_meanwhile")
    done(evening.session.games.end(evening.wish(seen=2), evening.id))


def test_undo_of_undo_gives_back_what_was_taken() -> None:
    evening = Evening()
    scored = done(evening.score("Ann", 5)).sequence
    taken = done(evening.session.games.undo(evening.wish(), evening.id, scored))
    assert "Ann" not in taken.game.round(1).scores
    refused(evening.session.games.undo(evening.wish(), evening.id, scored), "undone_already")
    back = done(evening.session.games.undo(evening.wish(), evening.id, taken.sequence))
    assert back.game.round(1).scores["Ann"].now.points == 5


def test_what_later_entries_rest_on_is_not_taken_back() -> None:
    evening = Evening()
    refused(evening.session.games.undo(evening.wish(), evening.id, 1), "start_stays")
    refused(evening.session.games.undo(evening.wish(), evening.id, 99), "nothing_to_undo")
    hand = done(evening.photo("Ben", "6-5"))
    ben = done(evening.session.hands.confirm(evening.wish(), evening.id, hand.sequence))
    refused(evening.session.games.undo(evening.wish(), evening.id, hand.sequence), "hand_confirmed")
    ended = done(evening.play_round({"Cy": 7}, out="Ann"))
    refused(evening.session.games.undo(evening.wish(), evening.id, ben.sequence), "scores_would_miss")
    told, end = ended.entries
    refused(evening.session.games.undo(evening.wish(), evening.id, told.sequence), "scores_would_miss")
    done(evening.score("Ann", 1))
    refused(evening.session.games.undo(evening.wish(), evening.id, end.sequence), "next_round_begun")


def test_the_end_of_the_last_round_played_can_be_taken_back() -> None:
    evening = Evening()
    ended = done(evening.play_round({"Ben": 3, "Cy": 7}, out="Ann"))
    assert ended.game.current == 2
    back = done(evening.session.games.undo(evening.wish(), evening.id, ended.entries[-1].sequence))
    assert back.game.current == 1
    assert set(back.game.round(1).scores) == {"Ben", "Cy"}


def test_followers_get_what_is_new_in_order() -> None:
    evening = Evening()
    assert evening.session.games.follow(evening.id, 1, timeout_s=0) == ()
    done(evening.score("Ann", 5))
    done(evening.session.games.end(evening.wish(), evening.id))
    fresh = evening.session.games.follow(evening.id, 1, timeout_s=0)
    assert [entry.sequence for entry in fresh] == [2, 3]
    assert fresh[-1].event == GameEnded()
    assert evening.session.games.journal(evening.id)[1:] == fresh


def test_a_clock_that_jumps_back_changes_no_order() -> None:
    evening = Evening()
    done(evening.score("Ann", 5))
    evening.clock.move(-3600)
    done(evening.score("Ann", 9, replace=True))
    assert evening.game.round(1).scores["Ann"].now.points == 9
    first, second = evening.session.games.journal(evening.id)[1:]
    assert second.at < first.at


def test_a_wish_wants_an_id_that_can_be_kept() -> None:
    for wrong in ("", "x" * 129, "a\nb"):
        with pytest.raises(ValueError, match="printable"):
            Command(wrong)


def test_the_store_of_another_process_is_seen() -> None:
    """Two sessions over one journal, as two processes have them."""
    evening = Evening()
    journal = evening.session.games._desk.journal
    other = memory_session(evening.book)
    other.games._desk.journal = journal
    assert isinstance(other.games.end(Command("elsewhere"), evening.id), Done)
    assert evening.game.over
    again = evening.session.games.undo(evening.wish(), evening.id, 2)
    assert isinstance(again, Done)
    assert again.entries[0].event == Undone(2)
    assert not isinstance(other.games.get(evening.id), Refused)
    found = other.games.get(evening.id)
    assert found is not None
    assert not found.over
