import json

import pytest

from companion.web.keys import KeyRing, KeysUnreadable
from companion.web.security import POLICY


@pytest.mark.parametrize(
    "path", ["/", "/games/new", "/table-code", "/games/0123456789abcdef", "/pictures/" + "0" * 64 + ".jpg", "/rules"]
)
def test_who_has_not_joined_is_asked_for_the_number(stranger, path):
    stranger.get(path)
    assert stranger.path == "/join"


def test_a_program_that_has_not_joined_gets_a_problem(stranger):
    answer = stranger.client.get("/api/v1/games")
    assert (answer.status_code, answer.content_type) == (401, "application/problem+json")
    assert answer.json["code"] == "unauthorized"


def test_the_number_lets_in_with_blanks_and_back_to_where_one_was_going(stranger, keys):
    stranger.get("/join?next=/games/new")
    code = keys.keys.code
    stranger.post("/join", code=f"{code[:3]} {code[3:]}", next="/games/new")
    assert stranger.path == "/games/new"


def test_the_address_in_the_qr_code_lets_in(stranger, keys):
    stranger.get(f"/j/{keys.keys.code}")
    assert stranger.path == "/"


@pytest.mark.parametrize("target", ["https://elsewhere.example/", "//elsewhere.example/", "/\\elsewhere.example", "x"])
def test_joining_leads_nowhere_else(stranger, keys, target):
    stranger.get("/join")
    stranger.post("/join", code=keys.keys.code, next=target)
    assert stranger.path == "/"


def test_wrong_numbers_are_refused_and_soon_not_even_looked_at(stranger, keys):
    stranger.get("/join")
    for _ in range(10):
        stranger.post("/join", status=403, code="000000" if keys.keys.code != "000000" else "1")
    stranger.post("/join", status=429, code=keys.keys.code)
    assert "Wait a minute" in stranger.page


def test_wrong_numbers_of_one_phone_do_not_keep_another_out(app, keys, stranger):
    for _ in range(12):
        stranger.client.get("/j/999", environ_base={"REMOTE_ADDR": "10.0.0.9"})
    stranger.get(f"/j/{keys.keys.code}")
    assert stranger.path == "/"


def test_another_number_throws_everybody_out_but_the_host(app, phone, keys):
    from conftest import Phone

    host = Phone(app)
    host.get(f"/host/{keys.keys.host_key}")
    old = keys.keys.code
    host.post("/table-code")
    assert keys.keys.code != old
    host.get("/games/new")
    assert host.path == "/games/new"
    phone.get("/")
    assert phone.path == "/join"


def test_only_the_host_changes_the_number(phone, keys):
    old = keys.keys.code
    phone.get("/table-code")
    phone.post("/table-code", status=403)
    assert keys.keys.code == old


def test_a_wrong_host_key_opens_nothing(stranger):
    assert stranger.client.get("/host/guess").status_code == 403


def test_a_form_from_elsewhere_is_refused(phone, game, session):
    answer = phone.client.post(f"/games/{game.id}/end", data={"command": "abcdefgh"})
    assert answer.status_code == 400
    assert not session.games.get(game.id).over


def test_every_page_says_what_the_browser_may_do(phone):
    answer = phone.get("/")
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert "unsafe" not in POLICY
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "<script>" not in phone.page and " style=" not in phone.page and " onclick" not in phone.page


def test_the_cookie_is_for_this_site_and_no_script(stranger, keys):
    answer = stranger.client.get(f"/j/{keys.keys.code}")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie


def test_the_camera_page_explains_the_warning_before_one_has_joined(stranger):
    stranger.get("/camera")
    assert "not private" in stranger.page and "https://192.168.1.7:8081" in stranger.page
    assert stranger.client.get("/authority.crt").content_type == "application/x-x509-ca-cert"


def test_the_keys_outlast_a_restart_and_only_their_owner_reads_them(tmp_path):
    path = tmp_path / "data" / "keys.json"
    first = KeyRing(path)
    changed = first.change_code()
    assert KeyRing(path).keys == changed
    assert path.stat().st_mode & 0o077 == 0


def test_damaged_keys_are_told_with_what_to_do(tmp_path):
    path = tmp_path / "keys.json"
    path.write_text(json.dumps({"code": "1"}))
    with pytest.raises(KeysUnreadable, match="Delete that file"):
        KeyRing(path)


@pytest.mark.parametrize("language", ["da", "nl", "nb", "sk"])
def test_the_language_that_was_chosen_stays(phone, language):
    phone.get("/")
    phone.post("/language", language=language, next="/")
    assert f'<html lang="{language}"' in phone.page
    phone.get("/games/new")
    assert f'<html lang="{language}"' in phone.page


def test_a_phone_set_to_norwegian_gets_bokmaal(stranger):
    assert '<html lang="nb"' in stranger.client.get("/join", headers={"Accept-Language": "no, en;q=0.5"}).text
