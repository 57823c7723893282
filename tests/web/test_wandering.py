"""Somebody who taps on everything: whatever is tapped and typed, in whatever order, a page comes back and the game goes on."""

import random
from dataclasses import dataclass, field
from html.parser import HTMLParser
from io import BytesIO

import pytest
from conftest import JPEG

STEPS = 120
WORDS = ("", "Ann", "0", "12", "-3", "999999", "12-5.3-3", "5-5.1-2", "<b>&amp;", "é" * 70, "1 2 3")


@dataclass
class Form:
    """A form as a browser sees it: where it goes, and of each field the values that it may send."""

    address: str
    method: str
    upload: bool
    fields: list[tuple[str, list[str]]] = field(default_factory=list)
    photos: list[str] = field(default_factory=list)
    buttons: list[tuple[str, str, str]] = field(default_factory=list)


class Page(HTMLParser):
    """The links and forms of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.forms, self._form, self._select = [], [], None, None
        self._radios = {}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = {name: value or "" for name, value in attributes}
        if tag == "a" and given.get("href", "").startswith("/"):
            self.links.append(given["href"])
        elif tag == "form":
            upload = given.get("enctype") == "multipart/form-data"
            self._form = Form(given.get("action", ""), given.get("method", "get").lower(), upload)
            self.forms.append(self._form)
            self._radios = {}
        elif self._form is not None:
            self._field(tag, given)

    def _field(self, tag, given):
        name, kind, value = given.get("name"), given.get("type", "text"), given.get("value", "")
        if tag == "button" and given.get("type", "submit") == "submit":
            self._form.buttons.append((name or "", value, given.get("formaction", "")))
        elif tag == "select":
            self._select = []
            self._form.fields.append((name, self._select))
        elif tag == "option" and self._select is not None:
            self._select.append(value)
        elif tag == "input" and name and kind == "file":
            self._form.photos.append(name)
        elif tag == "input" and name and kind == "hidden":
            self._form.fields.append((name, [value]))
        elif tag == "input" and name and kind == "checkbox":
            self._form.fields.append((name, [value or "on", None]))
        elif tag == "input" and name and kind == "radio":
            if name not in self._radios:
                self._radios[name] = []
                self._form.fields.append((name, self._radios[name]))
            self._radios[name].append(value)
        elif tag in ("input", "textarea") and name:
            self._form.fields.append((name, [value, value, *WORDS]))

    def handle_endtag(self, tag):
        if tag == "select":
            self._select = None
        elif tag == "form":
            self._form = None


class Wanderer:
    """Taps at random."""

    def __init__(self, phone, seed):
        self.client, self.chance, self.way = phone.client, random.Random(seed), []
        self.page = None
        self.open("/")

    def open(self, address):
        self.way.append(f"GET {address}")
        self.shown(self.client.get(address, follow_redirects=True), address)

    def shown(self, answer, address):
        assert answer.status_code < 500, "\n".join([*self.way[-8:], answer.text[:2000]])
        if answer.content_type.startswith("text/html"):
            self.page, self.address = Page(answer.text), answer.request.path
        elif self.page is None:
            self.open("/")

    def tap(self):
        forms = [form for form in self.page.forms if "/language" not in form.address]
        links = [link for link in self.page.links if not link.startswith(("/static", "/authority"))]
        if not forms and not links:
            self.open("/")
        elif forms and (not links or self.chance.random() < 0.5):
            self.send(self.chance.choice(forms))
        else:
            self.open(self.chance.choice(links).partition("#")[0])

    def send(self, form):
        data = {}
        for name, values in form.fields:
            if values and (value := self.chance.choice(values)) is not None:
                data.setdefault(name, []).append(value)
        address = form.address or self.address
        if form.buttons:
            name, value, elsewhere = self.chance.choice(form.buttons)
            address = elsewhere or address
            if name:
                data.setdefault(name, []).append(value)
        self.way.append(f"{form.method.upper()} {address} { {k: v for k, v in data.items() if k != 'csrf_token'} }")
        if form.method == "get":
            answer = self.client.get(address, query_string=data, follow_redirects=True)
        else:
            kind = "multipart/form-data" if form.upload or form.photos else None
            for name in form.photos:
                data[name] = [(BytesIO(JPEG + self.chance.randbytes(4)), "p.jpg")]
            answer = self.client.post(address, data=data, follow_redirects=True, content_type=kind)
        self.shown(answer, address)


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_tapped_a_page_comes_back(phone, game, seed):
    wanderer = Wanderer(phone, seed)
    for _ in range(STEPS):
        wanderer.tap()
    assert phone.client.get("/").status_code == 200
