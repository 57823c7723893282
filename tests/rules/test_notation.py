"""Rounds are read strictly and written back as they were read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.errors import NotationError
from companion.rules.moves import parse_move
from companion.rules.notation import decode, read_round
from companion.rules.presets import standard_book

BOOK = standard_book()

WHOLE = """\
rules spruce double_blank=50
set 9
players Ann Ben Cy
hand Ann 9-5 5-7 7-7
hands 5
round 1
engine 9-9
start Ben
Ben 9-6
Ben 6-1 @Ben/2
! Ben 12-3 @mexican
Ann 9-1 @Ben
Ann done
Ben draw
Ben draw 7-1
Ben pass
Ben mark
Ben unmark
Ben unmarked
Ben knock
Cy catch Ben
Cy catch Ben 7-2 3-2
? Cy 3-3 @mexican2
? Cy
? end
end
"""


def test_what_was_read_is_written() -> None:
    assert str(read_round(WHOLE, BOOK)) == WHOLE


def test_spacing_comments_and_empty_lines_are_not_kept() -> None:
    loose = WHOLE.replace(" ", "  \t").replace("\n", "   # a word\n\n")
    assert str(read_round(loose, BOOK)) == WHOLE


def test_line_numbers_count_every_line() -> None:
    record = read_round("# a quarrel\n\nrules base\nplayers Ann Ben\n\nengine 12-12\n", BOOK)
    assert [line.number for line, _ in record.statements] == [6]


HEAD = "rules base\nplayers Ann Ben\n"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "nothing is written"),
        ("players Ann Ben\n", 1, "names the rules"),
        ("rules\n", 1, "name of a preset"),
        ("rules nobody\n", 1, "no preset"),
        ("rules base nothing=1\n", 1, "no switch 'nothing'"),
        ("rules base draw=three\n", 1, "draw cannot be"),
        ("rules base draw\n", 1, "draw needs a value"),
        ("rules base draw=one draw=none\n", 1, "set twice"),
        ("rules base\nrules base\n", 2, "once"),
        ("rules base\nset 7\n", 2, "set cannot be"),
        ("rules base\nset 9\nset 9\n", 3, "twice"),
        ("rules base\nplayers Ann\n", 2, "2 to 14"),
        ("rules base\nplayers Ann Ann\n", 2, "same name"),
        ("rules base\nplayers Ann mexican\n", 2, "cannot be a player"),
        ("rules base\nplayers Ann B/2\n", 2, "cannot be a player"),
        ("rules base\nengine 12-12\n", 2, "nobody plays"),
        ("rules base\nplayers A B C D E F G H I\n", 2, "names no deal"),
        ("rules base\nset 6\nplayers A B C\nhands 10\n", 4, "too few tiles"),
        (HEAD + "hand Ann 12-5 12-5\n", 3, "each once"),
        (HEAD + "hand Ann\n", 3, "needs tiles"),
        (HEAD + "hand Cy 1-2\n", 3, "not one of the players"),
        (HEAD + "hand Ann 1-2\nhand Ben 2-1\n", 4, "hand of Ann already"),
        (HEAD + "hand Ann 13-2\n", 3, "has no 13-2"),
        (HEAD + "hands 1\nhand Ann 1-2 1-3\n", 4, "holds 1 tiles"),
        (HEAD + "round 0\n", 3, "number from 1"),
        (HEAD + "engine 12-12\nhands 5\n", 4, "before the first deed"),
        (HEAD + "engine\n", 3, "no deed"),
        (HEAD + "Ann\n", 3, "no deed"),
        (HEAD + "Ann 12-x\n", 3, "not a tile"),
        (HEAD + "Ann 12-5 mexican\n", 3, "no deed"),
        (HEAD + "Ann 12-5 @Dee\n", 3, "not one of the players"),
        (HEAD + "Ann 12-5 @Ben/0\n", 3, "branch"),
        (HEAD + "Dee pass\n", 3, "not one of the players"),
        (HEAD + "Ann catch Dee\n", 3, "not one of the players"),
        (HEAD + "?\n", 3, "no deed after"),
        (HEAD + "? Dee\n", 3, "no deed"),
        (HEAD + "start\n", 3, "one player"),
        (HEAD + "engine 12-12\nAnn 12-5\nstart Ben\n", 5, "before anybody's turn"),
        (HEAD + "Ann\x01 pass\n", 3, "cannot be printed"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(NotationError, match=reason) as refused:
        read_round(text, BOOK)
    assert refused.value.line == line


def test_bytes_that_are_no_text_name_their_line() -> None:
    with pytest.raises(NotationError) as refused:
        decode(b"rules base\nplayers \xff\n")
    assert refused.value.line == 2


def test_rules_from_outside_replace_those_of_the_file() -> None:
    assert read_round("rules spruce\nplayers A B\n", BOOK, rules="casual").rules == BOOK.rules("casual")
    assert read_round("players A B\n", BOOK, rules="casual knock=off").rules == BOOK.rules("casual knock=off")


WORDS = st.sampled_from([*WHOLE.split(), "12-12", "0-0", "@", "?", "!", "\n", "\n", "\n", "#", "@mexican", "-1", "é"])


@given(st.lists(WORDS, max_size=40))
def test_any_words_give_a_round_or_a_line(words: list[str]) -> None:
    text = "rules base\nplayers Ann Ben\n" + " ".join(words)
    try:
        record = read_round(text, BOOK)
    except NotationError as refused:
        assert 1 <= refused.line <= text.count("\n") + 1
    else:
        assert read_round(str(record), BOOK).lines == tuple(
            type(line)(number, line.text, line.says) for number, line in enumerate(record.lines, start=1)
        )


@given(st.binary(max_size=200))
def test_any_bytes_give_a_round_or_a_line(data: bytes) -> None:
    try:
        read_round(decode(data), BOOK)
    except NotationError as refused:
        assert refused.line >= 1


@pytest.mark.parametrize("line", [line for line in WHOLE.splitlines()[6:] if line[0] not in "?!s"])
def test_moves_read_back(line: str) -> None:
    move = parse_move(line)
    assert parse_move(str(move)) == move
    assert str(move) == line
