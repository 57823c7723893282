"""Files that mean no good, sent as photos while a game goes on: each is refused with a sentence, and the game is not touched."""

import io
import random
import struct
import zipfile
import zlib

import pytest
from conftest import SAMPLE, sample_reading
from PIL import Image

from companion.vision.opening import OpeningLimits, open_picture
from companion.vision.photo_pool import MOST_BYTES


class OpeningReader:
    """Opens photos as the real reader does, and reads every one of them as the sample."""

    def read(self, data, *, set_highest):
        open_picture(data, limits=OpeningLimits(most_bytes=MOST_BYTES))
        return SAMPLE.read_bytes(), sample_reading()


@pytest.fixture
def reader():
    return OpeningReader()


def png_claiming(wide, high, body=b""):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(body)) + chunk(b"IEND", b"")


def jpeg(size=(640, 480), **options):
    target = io.BytesIO()
    Image.new("RGB", size, (90, 80, 70)).save(target, "JPEG", **options)
    return target.getvalue()


def jpeg_claiming(wide, high):
    data = bytearray(jpeg())
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = struct.pack(">HH", high, wide)
    return bytes(data)


def zipped():
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.txt", b"\0" * 2_000_000)
    return target.getvalue()


def gif_claiming(wide, high):
    return b"GIF89a" + struct.pack("<HH", wide, high) + b"\x00\x00\x00;"


SCRIPT = b"<html><script>alert(document.cookie)</script></html>"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
KINDS = {
    "html as jpg": lambda r: SCRIPT + bytes(r.randbytes(r.randrange(400))),
    "svg with a script": lambda r: SVG + b" " * r.randrange(50),
    "zip": lambda r: zipped() + r.randbytes(r.randrange(20)),
    "program": lambda r: b"\x7fELF" + r.randbytes(r.randrange(9000)),
    "noise": lambda r: r.randbytes(r.randrange(1, 5000)),
    "nothing": lambda r: b"",
    "200 megapixels as png": lambda r: png_claiming(20_000 + r.randrange(999), 10_000),
    "200 megapixels as jpeg": lambda r: jpeg_claiming(20_000 + r.randrange(999), 10_000),
    "a billion pixels as gif": lambda r: gif_claiming(65_535, 60_000 + r.randrange(5000)),
    "png bomb": lambda r: png_claiming(9_000, 8_800, b"\0" * (1_000_000 + r.randrange(1000))),
    "stamp": lambda r: jpeg((r.randrange(1, 300), r.randrange(1, 200))),
    "cut jpeg": lambda r: jpeg(quality=95)[: r.randrange(30, 900)],
    "jpeg head, html body": lambda r: jpeg()[:20] + SCRIPT * r.randrange(1, 9),
    "tiff": lambda r: b"II*\x00" + r.randbytes(500),
    "pdf": lambda r: b"%PDF-1.7\n" + r.randbytes(300),
}
NAMES = (
    "photo.jpg",
    "../../etc/passwd",
    "a\0b.jpg",
    "x" * 400 + ".jpg",
    "CON",
    "<img src=x>.png",
    "photo.jpg.exe",
    "фото.heic",
)


def hostile(count, seed=1):
    """So many files, all kinds in turn, each different, under names that mean no good either."""
    chance = random.Random(seed)
    for number in range(count):
        kind = list(KINDS)[number % len(KINDS)]
        yield kind, KINDS[kind](chance), chance.choice(NAMES)


def test_three_hundred_hostile_files_are_refused_while_the_game_goes_on(phone, session, game):
    base = f"/games/{game.id}/rounds/1/hands/0"
    phone.get(base)
    before = session.games.get(game.id)
    silent = []
    for number, (kind, data, name) in enumerate(hostile(300)):
        answer = phone.client.post(
            f"{base}/photos", data={"csrf_token": phone.token(), "photo": (io.BytesIO(data), name)},
            content_type="multipart/form-data",
        )  # fmt: skip
        assert answer.status_code == 422, (kind, answer.status_code)
        if 'role="alert"' not in answer.text or "<script>alert" in answer.text or "src=x" in answer.text:
            silent.append(kind)
        if number % 50 == 0:
            assert phone.client.get(f"/games/{game.id}").status_code == 200
    assert silent == []
    assert session.games.get(game.id) == before
    phone.post(f"{base}/photos", photo=(io.BytesIO(SAMPLE.read_bytes()), "photo.jpg"))
    assert "Ann scores 85" in phone.page


def test_what_a_camera_writes_into_a_photo_is_not_kept(phone, session, game):
    base = f"/games/{game.id}/rounds/1/hands/0"
    exif = Image.Exif()
    exif[0x010E] = "taken at 12 Garden Lane"
    phone.get(base)
    phone.post(f"{base}/photos", photo=(io.BytesIO(jpeg((1600, 1200), exif=exif)), "photo.jpg"))
    picture = session.games.get(game.id).round(1).open_hand("Ann").photos[0].picture
    assert b"Garden Lane" not in session.pictures.get(picture)


def test_too_much_at_once_is_refused_before_it_is_read(phone, game, reader, app):
    app.config["MAX_CONTENT_LENGTH"] = 100_000
    phone.get(f"/games/{game.id}/rounds/1/hands/0")
    answer = phone.client.post(
        f"/games/{game.id}/rounds/1/hands/0/photos",
        data={"csrf_token": phone.token(), "photo": (io.BytesIO(b"x" * 200_000), "x.jpg")},
        content_type="multipart/form-data",
    )
    assert answer.status_code == 413 and "fewer photos" in answer.text


@pytest.mark.parametrize("name", ["..%2f..%2fetc%2fpasswd", "0" * 63, "A" * 64, "0" * 64 + "%00"])
def test_no_path_of_a_client_reaches_the_disk(phone, name):
    assert phone.client.get(f"/pictures/{name}.jpg").status_code == 404
