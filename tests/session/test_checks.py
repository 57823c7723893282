"""Does a hand go with what is known: the set, other hands, the table, who is out."""

from __future__ import annotations

from companion.rules.house_rules import DealRow
from companion.session.answers import Remark
from companion.session.wording import say_remark

from .evening import Evening, done, hand


def said(evening: Evening, player: str, tiles: str) -> list[str]:
    return [say_remark(remark) for remark in evening.session.hands.check(evening.id, player, hand(tiles))]


def test_a_hand_that_can_be_gets_no_remark() -> None:
    assert said(Evening(), "Ann", "6-5 4-4 0-0") == []


def test_a_tile_that_the_set_does_not_have() -> None:
    assert said(Evening(), "Ann", "13-5") == ["A double-12 set has no 13-5."]


def test_a_tile_twice() -> None:
    evening = Evening()
    remarks = evening.session.hands.check(evening.id, "Ann", hand("6-5 5-6 4-4"))
    assert [(remark.reason, remark.tile) for remark in remarks] == [("twice_in_hand", 0), ("twice_in_hand", 1)]


def test_a_tile_of_anothers_hand_comes_with_the_photo_that_shows_it() -> None:
    evening = Evening()
    proposed = done(evening.photo("Ben", "6-5 4-4"))
    done(evening.session.hands.confirm(evening.wish(), evening.id, proposed.sequence))
    (remark,) = evening.session.hands.check(evening.id, "Ann", hand("1-0 4-4"))
    photo = proposed.game.hand(proposed.sequence).photos[0].picture  # type: ignore[union-attr]
    assert remark == Remark("in_other_hand", (("tile", "4-4"), ("player", "Ben")), 1, (photo,))
    assert evening.session.hands.check(evening.id, "Ben", hand("4-4")) == ()
    assert said(evening, "Ann", "4-4") == ["The 4-4 is in the hand of Ben."]


def test_a_tile_that_lies_on_the_table_and_the_engine() -> None:
    evening = Evening()
    done(evening.tell("Ann 12-5", pictures=["before", "after"]))
    (remark,) = evening.session.hands.check(evening.id, "Cy", hand("12-5"))
    assert remark.pictures == ("before", "after")
    assert say_remark(remark) == "The 12-5 lies on the table: Ann's train."
    assert said(Evening(), "Cy", "12-12") == ["The 12-12 is the engine and lies in the middle."]


def test_a_number_of_tiles_that_cannot_be() -> None:
    evening = Evening()
    every_tile = " ".join(f"{high}-{low}" for high in range(12) for low in range(high + 1))
    assert "Here are 78 tiles" not in " ".join(said(evening, "Ann", every_tile))
    done(evening.score("Ben", "12-11 12-10 12-9"))
    more = every_tile + " " + " ".join(f"12-{low}" for low in range(12))
    assert said(evening, "Ann", more)[-1] == "Here are 90 tiles, and only 87 can be left."


def test_plays_that_were_followed_to_the_end_tell_how_many_tiles_are_left() -> None:
    evening = Evening(names=("Ann", "Ben"), hand_size=(DealRow(12, 2, 2, 1),))
    assert said(evening, "Ben", "1-1 2-1") == []
    done(evening.tell("Ann 12-5"))
    assert said(evening, "Ben", "1-1 2-1") == ["Ben should hold 1 tiles, and here are 2."]


def test_an_empty_hand_asks_whether_its_player_went_out() -> None:
    assert said(Evening(), "Ann", "") == ["No tiles: did Ann go out?"]


def test_who_went_out_has_no_hand() -> None:
    evening = Evening()
    done(evening.session.rounds.tell(evening.wish(), evening.id, out=["Ann"]))
    assert said(evening, "Ann", "1-1") == ["Ann went out, so there is no hand."]


def test_nothing_is_said_about_what_is_not_known() -> None:
    evening = Evening()
    assert evening.session.hands.check("no game", "Ann", hand("1-1")) == ()
    assert evening.session.hands.check(evening.id, "Dee", hand("1-1")) == ()
