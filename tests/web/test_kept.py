"""Pages that are kept while their game stays as it is."""

from __future__ import annotations

import re
from dataclasses import replace

from companion.session.events import Command
from companion.web.kept import Holes, KeptPages


def test_a_page_is_rendered_once_for_a_game_a_language_and_a_player(game):
    made = []

    def render():
        made.append(1)
        return f"page {len(made)}"

    kept = KeptPages(most=3)
    assert [kept.page(game, "en", None, render) for _ in range(3)] == ["page 1"] * 3
    assert kept.page(game, "da", None, render) == "page 2"
    assert kept.page(game, "en", "Ann", render) == "page 3"
    changed = replace(game, version=game.version + 1)
    assert kept.page(changed, "en", None, render) == "page 4"
    assert kept.page(changed, "en", None, render) == "page 4"
    assert kept.page(replace(game, id="another"), "en", None, render) == "page 5"
    assert kept.page(game, "da", None, render) == "page 6"  # only the latest are kept


def test_holes_are_filled_each_time_and_for_each_place():
    holes, numbers = Holes(), iter("123")
    page = f"<{holes.of('a')}|{holes.of('b')}|{holes.of('a')}>"
    fillings = {"a": lambda: next(numbers), "b": lambda: "beta"}
    assert holes.filled(page, fillings) == "<1|beta|2>"
    assert holes.filled("nothing open", fillings) == "nothing open"
    assert Holes().of("a") != holes.of("a"), "nobody can guess a hole and put one into a name"


def test_a_sheet_shows_what_was_just_written(phone, session, game):
    phone.get(f"/games/{game.id}")
    assert ">57<" not in phone.page.replace(" ", "").replace("\n", "")
    session.hands.enter(Command("just-written"), game.id, player="Ben", points=57)
    phone.get(f"/games/{game.id}")
    assert "57" in phone.page


def test_a_kept_sheet_has_each_phones_own_token_and_new_commands(app, keys, phone, stranger, game):
    stranger.join(keys)
    pages = []
    for one in (phone, phone, stranger):
        one.get(f"/games/{game.id}")
        pages.append(one.page)
    commands = [re.findall(r'name="command" value="(\w+)"', page) for page in pages]
    assert all(commands), "the sheet has a form that sends a command"
    assert len({command for here in commands for command in here}) == sum(map(len, commands))
    own = r'(?<=name="command" value=")\w+|(?<=csrf-token" content=")[\w.-]+|(?<=csrf_token" value=")[\w.-]+'
    bare = [re.sub(own, "", page) for page in pages]
    assert bare[0] == bare[1] == bare[2], "nothing else differs, and no hole is left"
    stranger.post(f"/games/{game.id}/end")
    assert "Count round" not in stranger.page


def test_a_kept_sheet_knows_whose_phone_it_is_and_which_language_it_speaks(phone, game):
    phone.get(f"/games/{game.id}")
    assert "selected" not in phone.page
    phone.post(f"/games/{game.id}/me", seat="1")
    phone.get(f"/games/{game.id}")
    assert '<option value="1" selected>Ben' in phone.page
    phone.post("/language", language="da", next=f"/games/{game.id}")
    assert '<html lang="da">' in phone.page
    assert '<option value="1" selected>Ben' in phone.page
