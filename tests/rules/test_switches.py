"""Every value of every switch that matters to a ruling has a round here in which it shows."""

from __future__ import annotations

import pytest
from expecting import check

from companion.rules.switches import SWITCHES, Switch

STUCK = "players Ann Ben\nhands 3\nhand Ann 1-2 3-4 5-6\nengine 12-12\nstart Ann\n"
OPEN = "players Ann Ben\nengine 12-12\nstart Ann\n"
SIX = """players Ann Ben Cy
hands 4
hand Ann 12-6 6-6 1-2 2-3
hand Ben 12-4 4-1 4-2 9-9
engine 12-12
start Ann
Ann 12-6
Ben 12-4
Cy 12-3
Ann 6-6
"""
HELD = """players Ann Ben
hands 3
hand Ann 9-9 9-1 2-1
hand Ben 10-10 3-1 4-1
round 1
"""
CHAIN = """players Ann Ben Cy
hands 5
engine 12-12
start Ann
Ann 12-6
Ann 6-6
"""
KNOCK = """players Ann Ben Cy
hands 3
engine 12-12
start Ann
Ann 12-5
Ben 12-4
Cy 12-3
Ann 5-6
"""
DEAD = """set 6
players Ann Ben
hands 8
hand Ann 6-3 3-1 6-5 5-3 1-5 5-4 0-0 2-0
hand Ben 6-2 2-3 3-4 4-0 0-3 3-3 1-1 2-1
engine 6-6
start Ann
Ann 6-3
Ben 6-2
Ann 3-1
Ben 2-3
Ann 6-5 @mexican
Ben 3-4
Ann 5-3 @mexican
Ben 4-0
Ann 1-5
Ben 0-3
Ann 5-4
Ben 3-3
"""
LEFT = """players Ann Ben
hands 2
hand Ann 12-5 5-7
hand Ben 0-0 10-0
engine 12-12
start Ann
Ann 12-5
Ben draw 6-6
Ben pass
Ann 5-7
"""
FOOT = """players Ann Ben Cy
engine 12-12
start Ann
Ann 12-6
Ben 12-5
Cy 12-4
Ann 6-6
Ann 6-1
"""

CASES: dict[tuple[str, str], str] = {
    ("set", "12"): f"rules base\n{OPEN}? Ann 12-11 # legal\n? Ann 13-12 # illegal R-03",
    ("set", "6"): "rules base\nset 6\nplayers Ann Ben\nengine 6-6\nstart Ann\n? Ann 6-5 # legal\n? Ann 7-6 # illegal R-03",
    ("set", "9"): "rules base\nset 9\nplayers Ann Ben\nengine 9-9\nstart Ann\n? Ann 9-5 # legal\n? Ann 10-9 # illegal R-03",
    ("set", "15"): "rules base\nset 15\nplayers A B\nengine 15-15\nstart A\n? A 15-5 # legal\n? A 16-15 # illegal R-03",
    ("set", "18"): "rules base\nset 18\nplayers A B\nengine 18-18\nstart A\n? A 18-5 # legal\n? A 19-18 # illegal R-03",
    ("engine", "set_aside"): f"rules base\n{HELD}? Ann engine 12-12 # illegal R-22\n? engine 12-12 # legal",
    ("engine", "dealt"): "rules base engine=dealt\nplayers Ann Ben\nround 1\n? Ann engine 12-12 # legal\n"
    "? Ann engine 11-11 # illegal R-22",
    ("engine", "highest_held"): f"rules base engine=highest_held\n{HELD}? Ann engine 9-9 # illegal R-22\n"
    "? Ben engine 10-10 # legal",
    ("engine_missing", "draw_in_turn"): f"rules base engine=dealt\n{HELD}? Ben draw # illegal R-01\n"
    "Ann draw 3-2 # legal\n? Ann draw # illegal R-01\nBen draw 12-12\n? Ann draw # illegal R-02\nBen engine 12-12 # legal",
    ("engine_missing", "all_draw"): f"rules base engine=dealt engine_missing=all_draw\n{HELD}Ben draw 12-12 # legal\n"
    "? Ben draw # illegal R-16\n? Ben engine 12-12 # illegal R-22\nAnn draw 0-0\nBen engine 12-12 # legal",
    ("engine_missing", "next_lower"): f"rules base engine=dealt engine_missing=next_lower\n{HELD}? Ann draw # illegal R-02\n"
    "? Ann engine 9-9 # illegal R-22\nBen engine 10-10 # legal",
    ("engine_order", "down"): "rules base\nplayers A B\nround 3\n? engine 10-10 # legal\n? engine 2-2 # illegal R-22",
    ("engine_order", "up"): "rules base engine_order=up\nplayers A B\nround 3\n? engine 2-2 # legal\n"
    "? engine 10-10 # illegal R-22",
    ("engine_order", "down_up"): "rules base engine_order=down_up\nplayers A B\nround 14\n? engine 0-0 # legal\n"
    "? engine 1-1 # illegal R-22",
    ("rounds", "all"): "rules base\nplayers A B\nround 13\n? engine 0-0 # legal",
    ("rounds", "7"): "rules base rounds=7\nplayers A B\nround 8\n? engine 5-5 # illegal R-22",
    ("first_player", "rotate"): "rules base\nplayers Ann Ben Cy\nround 5\nengine 8-8\n? Ann 8-1 # illegal R-01\n? Ben 8-1 # legal",
    ("first_player", "opener"): "rules base engine=dealt first_player=opener\nplayers Ann Ben\nround 1\nBen engine 12-12\n"
    "? Ann 12-1 # illegal R-01\n? Ben 12-1 # legal",
    ("first_player", "draw_highest"): "rules base first_player=draw_highest\nplayers Ann Ben\nround 2\nengine 11-11\n"
    "? Ann 11-1 # depends: whose turn it was\nBen 11-2\n? Ben 2-3 # illegal R-12\n? Ann 11-1 # legal",
    ("first_player", "chosen"): "rules base first_player=chosen\nplayers Ann Ben\nengine 11-11\nstart Ben\n"
    "? Ann 11-1 # illegal R-01\n? Ben 11-1 # legal",
    ("opener_plays", "true"): "rules pagat\nplayers Ann Ben\nAnn engine 12-12\n? Ann 12-1 # legal\n? Ben 12-1 # illegal R-01",
    ("opener_plays", "false"): "rules pagat opener_plays=false\nplayers Ann Ben\nAnn engine 12-12\n? Ann 12-1 # illegal R-12\n"
    "Ben 12-1\nBen done\nAnn 12-2\n? Ann 2-3 # legal",
    ("first_turn", "one"): f"rules base\n{OPEN}Ann 12-5\n? Ann 5-7 # illegal R-12",
    ("first_turn", "chain"): f"rules base first_turn=chain\n{OPEN}Ann 12-5\nAnn 5-7 # legal\nBen 12-4\n? Ann 7-1 # legal",
    ("first_turn_on", "own"): f"rules base first_turn_on=own\n{OPEN}? Ann 12-5 @mexican # illegal R-08\n? Ann 12-5 # legal",
    ("first_turn_on", "own_or_mexican"): f"rules base\n{STUCK}Ann draw 7-8\nAnn pass\n? Ben 12-5 @mexican # legal\n"
    "? Ben 12-5 @Ann # illegal R-08",
    ("first_turn_on", "any_open"): f"rules base first_turn_on=any_open\n{STUCK}Ann draw 7-8\nAnn pass\n? Ben 12-5 @Ann # legal",
    ("first_turn_stuck", "draw_then_mark"): f"rules base\n{STUCK}? Ann pass # illegal R-24\nAnn draw 7-8\nAnn pass\n"
    "Ben 12-3\nAnn draw 7-7\nAnn pass\n? Ben 12-4 @Ann # legal",
    ("first_turn_stuck", "mark"): f"rules base first_turn_stuck=mark\n{STUCK}? Ann draw # illegal R-16\nAnn pass # legal\n"
    "? Ann unmarked # illegal R-17",
    ("first_turn_stuck", "draw_only"): f"rules base first_turn_stuck=draw_only\n{STUCK}? Ann pass # illegal R-24\n"
    "Ann draw 7-8\nAnn pass # legal\n? Ann unmarked # legal\nBen 12-3\nAnn draw 7-7\nAnn pass\n? Ann unmarked # legal",
    ("first_chain_double", "owed_next"): f"rules base first_turn=chain\n{CHAIN}? Ben 12-4 # illegal R-09\n? Ben 6-3 @Ann # legal",
    ("first_chain_double", "owed_after_first_turns"): "rules base first_turn=chain first_chain_double=owed_after_first_turns\n"
    f"{CHAIN}Ben 12-4 # legal\n? Cy 6-3 @Ann # illegal R-05 R-08\nCy 12-3\n? Ann 12-1 @mexican # illegal R-09\n? Ann 6-1 # legal",
    ("first_chain_double", "forbidden"): "rules base first_turn=chain first_chain_double=forbidden\n"
    f"{CHAIN}? Ann done # illegal R-23\n? Ann 6-1 # legal",
    ("first_turn_out", "round_ends"): f"rules spruce\nplayers Ann Ben\nhands 2\nengine 12-12\nstart Ann\nAnn 12-5\nAnn 5-7\n"
    "? Ben 12-4 # illegal R-02",
    ("first_turn_out", "others_finish"): "rules spruce first_turn_out=others_finish\nplayers Ann Ben\nhands 2\nengine 12-12\n"
    "start Ann\nAnn 12-5\nAnn 5-7\nBen 12-4 # legal\n? Ben 4-1 # legal\n? Ann draw # illegal R-02",
    ("own_train_first", "true"): f"rules base own_train_first=true\n{OPEN}? Ann 12-1 @mexican # illegal R-07",
    ("own_train_first", "false"): f"rules base\n{OPEN}? Ann 12-1 @mexican # legal",
    ("own_train_preferred", "true"): "rules base own_train_preferred=true\nplayers Ann Ben\nhands 2\nhand Ann 12-5 12-7\n"
    "engine 12-12\nstart Ann\n? Ann 12-5 @mexican # illegal R-25\n? Ann # plays: 12-5 Ann, 12-7 Ann",
    ("own_train_preferred", "false"): "rules base\nplayers Ann Ben\nhands 2\nhand Ann 12-5 12-7\nengine 12-12\nstart Ann\n"
    "? Ann # plays: 12-5 Ann, 12-7 Ann, 12-5 mexican, 12-7 mexican",
    ("mexican_trains", "1"): f"rules base\n{OPEN}Ann 12-5 @mexican\n? Ben 12-4 @mexican2 # illegal R-06\n? Ben 5-1 @mexican # legal",
    ("mexican_trains", "0"): f"rules base mexican_trains=0\n{OPEN}? Ann 12-5 @mexican # illegal R-06",
    ("mexican_trains", "many"): f"rules base mexican_trains=many\n{OPEN}Ann 12-5 @mexican\nBen 12-4 @mexican2 # legal",
    ("mexican_start", "any_turn"): f"rules base\n{OPEN}? Ann 12-5 @mexican # legal",
    ("mexican_start", "after_first_turns"): f"rules base mexican_start=after_first_turns\n{OPEN}? Ann 12-5 @mexican # illegal R-06\n"
    "Ann 12-5\nBen 12-4\n? Ann 12-1 @mexican # legal",
    ("mexican_start", "after_all_started"): f"rules base mexican_start=after_all_started\n{STUCK}Ann draw 7-8\nAnn pass\nBen 12-4\n"
    "Ann draw 7-7\nAnn pass\n? Ben 12-1 @mexican # illegal R-06\n? Ben 12-1 @Ann # legal",
    ("unstarted_open", "true"): f"rules base\n{STUCK}Ann draw 7-8\nAnn pass\nBen 12-4\nAnn draw 7-7\nAnn pass\n? Ben 12-1 @Ann # legal",
    ("unstarted_open", "false"): f"rules base unstarted_open=false\n{STUCK}Ann draw 7-8\nAnn pass\nBen 12-4\nAnn draw 7-7\nAnn pass\n"
    "? Ben 12-1 @Ann # illegal R-05",
    ("all_trains_open", "true"): f"rules base all_trains_open=true first_turn_on=any_open\n{OPEN}? Ann 12-1 @Ben # legal",
    ("all_trains_open", "false"): f"rules base first_turn_on=any_open\n{OPEN}? Ann 12-1 @Ben # illegal R-05",
    ("must_play", "true"): "rules base\nplayers Ann Ben\nhands 1\nhand Ann 12-5\nengine 12-12\nstart Ann\n? Ann draw # illegal R-14",
    ("must_play", "false"): "rules base must_play=false\nplayers Ann Ben\nhands 1\nhand Ann 12-5\nengine 12-12\nstart Ann\n"
    "? Ann pass # illegal R-24\nAnn draw 1-1 # legal\n? Ann pass # legal\n? Ann 12-5 # legal",
    ("draw", "one"): f"rules base\n{STUCK}Ann draw 7-8\n? Ann draw # illegal R-16\n? Ann pass # legal",
    ("draw", "until_playable"): f"rules base draw=until_playable\n{STUCK}Ann draw 7-8\n? Ann pass # illegal R-24\nAnn draw 9-8 # legal",
    ("draw", "none"): f"rules base draw=none\n{STUCK}? Ann draw # illegal R-16\nAnn pass # legal\n? Ann unmarked # illegal R-17",
    ("must_play_drawn", "true"): f"rules base\n{STUCK}Ann draw 12-8\n? Ann pass # illegal R-15",
    ("must_play_drawn", "false"): f"rules base must_play_drawn=false\n{STUCK}Ann draw 12-8\n? Ann pass # legal\n? Ann 12-8 # legal",
    ("marker_voluntary", "true"): f"rules base marker_voluntary=true\n{OPEN}? Ann mark # illegal R-17\nAnn 12-5\nAnn mark # legal\n"
    "Ben 12-4\nAnn 12-1 @mexican\n? Ben 5-2 @Ann # legal",
    ("marker_voluntary", "false"): f"rules base\n{OPEN}Ann 12-5\n? Ann mark # illegal R-17",
    ("marker_clears", "own_play"): f"rules base\n{STUCK}Ann draw 7-8\nAnn pass\nBen 12-0 @mexican\nAnn draw 0-9\nAnn 0-9 @mexican\n"
    "? Ann unmarked # illegal R-17\nBen 12-3\nAnn draw 12-1\nAnn 12-1\n? Ann unmarked # legal",
    ("marker_clears", "any_play"): f"rules base marker_clears=any_play\n{STUCK}Ann draw 7-8\nAnn pass\nBen 12-0 @mexican\n"
    "Ann draw 0-9\nAnn 0-9 @mexican\n? Ann unmarked # legal",
    ("marker_clears", "owner_choice"): f"rules base marker_clears=owner_choice\n{STUCK}Ann draw 7-8\nAnn pass\nBen 12-4\n"
    "Ann draw 12-1\nAnn 12-1\n? Ann unmarked # illegal R-17\nAnn unmark # legal\n? Ann unmarked # legal",
    ("double_follow", "cover"): f"rules base\n{SIX}? Ann 12-1 @mexican # illegal R-11 R-03\n? Ben 4-1 # illegal R-01 R-09",
    ("double_follow", "anywhere"): "rules base double_follow=anywhere\nplayers Ann Ben\nengine 12-12\nstart Ann\nAnn 12-6\n"
    "Ben 12-4\nAnn 6-6\n? Ann 12-1 @mexican # legal\n? Ann 6-1 # legal",
    ("double_follow", "none"): f"rules base double_follow=none\n{SIX}? Ben 4-1 # illegal R-09\n? Ann 6-1 # illegal R-12 R-03",
    ("double_owed_by", "next"): f"rules base\n{SIX}Ann draw 1-1\nAnn pass\n? Ben 4-1 # illegal R-09\n? Ben 6-1 @Ann # illegal R-03",
    ("double_owed_by", "player"): f"rules base double_owed_by=player\n{SIX}Ann draw 1-1\nAnn pass\nBen 4-1 # legal\nCy 3-8\n"
    "? Ann draw # legal\n? Ann 12-1 @mexican # illegal R-09 R-03",
    ("double_owed_by", "nobody"): f"rules base double_owed_by=nobody\n{SIX}Ann draw 1-1\nAnn pass\n? Ben 4-1 # legal\n"
    "? Ben 6-3 @Ann # illegal R-03",
    ("double_stuck", "draw_then_mark"): f"rules base\n{SIX}? Ann pass # illegal R-24\nAnn draw 1-1\nAnn pass\n? Ann unmarked # illegal R-17",
    ("double_stuck", "turn_ends"): f"rules base double_stuck=turn_ends\n{SIX}? Ann draw # illegal R-16\n? Ben 4-1 # illegal R-09\n"
    "? Ann unmarked # legal\n? Ben draw # legal",
    ("double_stuck", "pass"): f"rules base double_stuck=pass\n{SIX}? Ann draw # illegal R-16\nAnn pass # legal\n? Ann unmarked # legal",
    ("doubles_per_turn", "1"): "rules base double_follow=anywhere\nplayers Ann Ben\nengine 12-12\nstart Ann\nAnn 12-6\nBen 12-8 @mexican\n"
    "Ann 6-6\n? Ann 8-8 @mexican # illegal R-13",
    ("doubles_per_turn", "many"): "rules base double_follow=anywhere doubles_per_turn=many\nplayers Ann Ben\nengine 12-12\nstart Ann\n"
    "Ann 12-6\nBen 12-8 @mexican\nAnn 6-6\nAnn 8-8 @mexican # legal\nAnn 8-1 @mexican\n? Ben 12-1 # illegal R-09\n? Ben 6-2 @Ann # legal",
    ("double_order", "as_laid"): f"rules spruce\n{CHAIN}Ann done\nBen 12-5\nBen 5-5\nCy 12-3\n? Ann 5-1 @Ben # illegal R-10\n? Ann 6-1 # legal",
    ("double_order", "last_first"): f"rules spruce double_order=last_first\n{CHAIN}Ann done\nBen 12-5\nBen 5-5\nCy 12-3\n"
    "? Ann 5-1 @Ben # legal\n? Ann 6-1 # illegal R-10",
    ("double_order", "any"): f"rules spruce double_order=any\n{CHAIN}Ann done\nBen 12-5\nBen 5-5\nCy 12-3\n"
    "? Ann 5-1 @Ben # legal\n? Ann 6-1 # legal",
    ("double_dead", "dropped"): f"rules tournament\n{DEAD}Ann draw 4-4\n? Ann 4-4 # legal",
    ("double_dead", "owed"): f"rules tournament double_dead=owed\n{DEAD}? Ann draw # illegal R-01\nBen draw 6-1\n"
    "? Ben 6-1 @mexican # illegal R-11 R-04\nBen pass\nAnn draw 4-4\n? Ann 4-4 # illegal R-09",
    ("chicken_foot", "0"): f"rules base\n{FOOT}? Ben 5-2 # legal",
    ("chicken_foot", "2"): f"rules base chicken_foot=2\n{FOOT}? Ben 5-2 # illegal R-20\nBen 6-2 @Ann # legal\n? Cy 4-3 # legal",
    ("chicken_foot", "3"): f"rules base chicken_foot=3\n{FOOT}Ben 6-2 @Ann\n? Cy 4-3 # illegal R-20\n? Cy 6-3 @Ann # legal",
    ("chicken_foot_forks", "true"): f"rules base chicken_foot=2 chicken_foot_forks=true\n{FOOT}Ben 6-2 @Ann\nCy 4-3\n"
    "? Ann 2-9 @Ann/2 # legal\n? Ann 1-9 # legal",
    ("chicken_foot_forks", "false"): f"rules base chicken_foot=2\n{FOOT}Ben 6-2 @Ann\nCy 4-3\n? Ann 2-9 @Ann/2 # illegal R-04\n? Ann 1-9 # legal",
    ("chicken_foot_stops", "table"): f"rules base chicken_foot=3\n{FOOT}? Ben 5-2 # illegal R-20",
    ("chicken_foot_stops", "train"): f"rules base chicken_foot=3 chicken_foot_stops=train\n{FOOT}Ben 5-2 # legal\n? Cy 6-3 @Ann # illegal R-05\n"
    "Cy 4-3\n? Ann 1-8 # illegal R-20\n? Ann 6-8 # legal",
    ("out_on_double", "allowed"): "rules base\nplayers Ann Ben\nhands 2\nengine 12-12\nstart Ann\nAnn 12-5\nBen 12-4\nAnn 5-5\nend # legal",
    ("out_on_double", "must_cover"): "rules base out_on_double=must_cover\nplayers Ann Ben\nhands 2\nengine 12-12\nstart Ann\nAnn 12-5\n"
    "Ben 12-4\nAnn 5-5\n? end # illegal R-19\nAnn draw 5-1 # legal\nAnn 5-1\nend # legal",
    ("knock", "off"): f"rules base\n{KNOCK}Ann knock # legal\n? Ben catch Ann # illegal R-21",
    ("knock", "courtesy"): f"rules base knock=courtesy\n{KNOCK}? Ben catch Ann # illegal R-21",
    ("knock", "penalty"): f"rules base knock=penalty\n{KNOCK}? Ben catch Ann # legal\n? Ann catch Ben # illegal R-21\nAnn knock\n"
    "? Ben catch Ann # illegal R-21",
    ("knock_draw", "0"): f"rules base knock=penalty\n{KNOCK}Ben catch Ann # legal\nBen 4-1\nCy 3-1\n? Ann knock # illegal R-21\nAnn 6-9\nend # legal\n? Ann # illegal R-02",
    ("knock_draw", "1"): f"rules base knock=penalty knock_draw=1\n{KNOCK}? Ben catch Ann 1-1 2-2 # illegal R-16\nBen catch Ann 1-1\n"
    "Ben 4-1\nCy 3-1\nAnn 6-9\nBen 1-2 # legal",
    ("knock_draw", "2"): f"rules base knock=penalty knock_draw=2\n{KNOCK}Ben catch Ann 1-1 2-2 # legal\nBen 4-1\n? Cy 2-2 @Ann # illegal R-03 R-04 R-05",
    ("knock_lose_turn", "true"): f"rules base knock=penalty knock_lose_turn=true\n{KNOCK}Ben catch Ann\nBen 4-1\nCy 3-1\n"
    "? Ann 6-9 # illegal R-01\n? Ben 1-2 # legal",
    ("knock_lose_turn", "false"): f"rules base knock=penalty\n{KNOCK}Ben catch Ann\nBen 4-1\nCy 3-1\n? Ann 6-9 # legal",
    ("knock_mark", "true"): f"rules base knock=penalty knock_mark=true\n{KNOCK}Ben catch Ann\n? Ben 6-9 @Ann # legal",
    ("knock_mark", "false"): f"rules base knock=penalty\n{KNOCK}Ben catch Ann\n? Ben 6-9 @Ann # illegal R-05",
    ("knock_window", "next_acts"): f"rules base knock=penalty\n{KNOCK}Ben draw # depends: hand of Ben\n? Cy catch Ann # illegal R-21",
    ("knock_window", "next_done"): f"rules base knock=penalty knock_window=next_done\n{KNOCK}Ben draw # depends: hand of Ben\n"
    "? Cy catch Ann # legal\nBen 4-1\n? Cy catch Ann # illegal R-21",
    ("double_blank", "0"): f"rules base\n{LEFT}end # scores: Ann 0, Ben 22",
    ("double_blank", "25"): f"rules base double_blank=25\n{LEFT}end # scores: Ann 0, Ben 47",
    ("double_blank", "50"): f"rules base double_blank=50 doubles_count=twice blank_half=5\n{LEFT}end # scores: Ann 0, Ben 89",
    ("blank_half", "0"): f"rules base blank_half=0\n{LEFT}end # scores: Ann 0, Ben 22",
    ("blank_half", "5"): f"rules base blank_half=5\n{LEFT}end # scores: Ann 0, Ben 27",
    ("doubles_count", "face"): f"rules base doubles_count=face\n{LEFT}end # scores: Ann 0, Ben 22",
    ("doubles_count", "twice"): f"rules base doubles_count=twice\n{LEFT}end # scores: Ann 0, Ben 34",
    ("out_bonus", "0"): f"rules base\n{LEFT}end # scores: Ann 0, Ben 22",
    ("out_bonus", "-5"): f"rules base out_bonus=-5\n{LEFT}end # scores: Ann -5, Ben 22",
    ("out_bonus", "-10"): f"rules base out_bonus=-10\n{LEFT}end # scores: Ann -10, Ben 22",
    ("marker_penalty", "0"): f"rules base\n{LEFT}? Ben unmarked # illegal R-17\nend # scores: Ann 0, Ben 22",
    ("marker_penalty", "5"): f"rules base marker_penalty=5\n{LEFT}end # scores: Ann 0, Ben 27",
    ("marker_penalty", "10"): f"rules base marker_penalty=10\n{LEFT}end # scores: Ann 0, Ben 32",
    ("marker_penalty", "25"): f"rules base marker_penalty=25\n{LEFT}end # scores: Ann 0, Ben 47",
    ("blocked", "all_count"): "rules base draw=none\nplayers Ann Ben\nhands 1\nhand Ann 1-0\nhand Ben 5-4\nengine 12-12\nstart Ann\n"
    "Ann pass\nBen pass\nend # scores: Ann 1, Ben 9",
    ("blocked", "lowest_zero"): "rules base draw=none blocked=lowest_zero marker_penalty=5\nplayers Ann Ben\nhands 1\nhand Ann 1-0\n"
    "hand Ben 5-4\nengine 12-12\nstart Ann\nAnn pass\nBen pass\nend # scores: Ann 5, Ben 14",
}  # fmt: skip

RULED = [(switch, value) for switch in SWITCHES if switch.name != "tie" for value, _ in switch.values]


@pytest.mark.parametrize(("switch", "value"), RULED, ids=[f"{s.name}={s.write(v)}" for s, v in RULED])
def test_switch(switch: Switch, value: str | int | bool) -> None:
    check(CASES[switch.name, switch.write(value)])


def test_no_case_is_left_over() -> None:
    assert set(CASES) == {(switch.name, switch.write(value)) for switch, value in RULED}
