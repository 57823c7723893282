"""View models that are kept while their game stays as it is."""

from __future__ import annotations

from dataclasses import replace

from companion.web.kept import KeptPages


def test_a_page_is_made_once_for_a_game_and_a_language(game):
    made = []

    def make(of):
        made.append(of.version)
        return f"page {len(made)}"

    kept = KeptPages(most=2)
    assert [kept.page(game, "en", make) for _ in range(3)] == ["page 1"] * 3
    assert kept.page(game, "da", make) == "page 2"
    changed = replace(game, version=game.version + 1)
    assert kept.page(changed, "en", make) == "page 3"
    assert kept.page(changed, "en", make) == "page 3"
    assert kept.page(replace(game, id="another"), "en", make) == "page 4"
    assert kept.page(game, "da", make) == "page 5"  # only the latest are kept


def test_a_sheet_shows_what_was_just_written(phone, session, game):
    from companion.session.events import Command

    phone.get(f"/games/{game.id}")
    assert ">57<" not in phone.page.replace(" ", "").replace("\n", "")
    session.hands.enter(Command("just-written"), game.id, player="Ben", points=57)
    phone.get(f"/games/{game.id}")
    assert "57" in phone.page
