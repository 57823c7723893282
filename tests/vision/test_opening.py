"""Every format, every orientation, every bad file: what `open_picture` gives or says."""

from __future__ import annotations

import io
import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pillow_heif
import pytest
from PIL import Image

from companion.errors import UnusablePhoto
from companion.vision.opening import OpeningLimits, Picture, open_picture

WIDE, HIGH = 400, 300
RED, GREEN, BLUE, WHITE = (200, 30, 30), (30, 180, 40), (40, 40, 200), (240, 240, 240)
ORIENTATION = 0x0112


def picture_rgb() -> Image.Image:
    """A quarter each: red, green above; blue, white below."""
    pixels = np.zeros((HIGH, WIDE, 3), np.uint8)
    pixels[: HIGH // 2, : WIDE // 2] = RED
    pixels[: HIGH // 2, WIDE // 2 :] = GREEN
    pixels[HIGH // 2 :, : WIDE // 2] = BLUE
    pixels[HIGH // 2 :, WIDE // 2 :] = WHITE
    return Image.fromarray(pixels)


def saved(image: Image.Image, kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    if kind == "HEIF":
        pillow_heif.from_pillow(image).save(out, quality=90, **options)
    else:
        image.save(out, kind, **options)
    return out.getvalue()


def exif(orientation: int) -> bytes:
    tags = Image.Exif()
    tags[ORIENTATION] = orientation
    return tags.tobytes()


def quarters(picture: Picture) -> list[tuple[int, int, int]]:
    """Colours (red, green, blue) in the middles of the quarters: top left, top right, bottom left, bottom right."""
    high, wide = picture.shape[:2]
    rows, columns = (high // 4, 3 * high // 4), (wide // 4, 3 * wide // 4)
    return [tuple(picture[y, x, ::-1].tolist()) for y in rows for x in columns]


def assert_upright(picture: Picture, *, within: int = 12) -> None:
    assert picture.dtype == np.uint8
    assert picture.shape == (HIGH, WIDE, 3)
    assert picture.flags.c_contiguous
    difference = np.abs(np.array(quarters(picture)) - np.array([RED, GREEN, BLUE, WHITE]))
    assert difference.max() <= within, quarters(picture)


def turned(image: Image.Image, orientation: int) -> Image.Image:
    """How a camera stores the picture so that a viewer that obeys `orientation` shows it upright."""
    turns = {
        2: 0,
        3: 3,
        4: 1,
        5: 5,
        6: 2,
        7: 6,
        8: 4,
    }  # EXIF orientation -> Image.Transpose that undoes the viewer's turn
    return image if orientation == 1 else image.transpose(Image.Transpose(turns[orientation]))


def refusal(source: str | os.PathLike[str] | bytes, **limits: int) -> UnusablePhoto:
    with pytest.raises(UnusablePhoto) as caught:
        open_picture(source, limits=OpeningLimits(**limits))
    assert caught.value.message.endswith(".")
    assert len(caught.value.message) > 30
    return caught.value


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("JPEG", {"quality": 95, "subsampling": 0}),
        ("JPEG", {"quality": 95, "progressive": True}),
        ("PNG", {}),
        ("WEBP", {"quality": 95}),
        ("WEBP", {"lossless": True}),
        ("HEIF", {}),
        ("AVIF", {"quality": 95}),
        ("GIF", {}),
        ("BMP", {}),
    ],
)
def test_each_kind_keeps_colours_and_size(kind: str, options: dict[str, Any]) -> None:
    assert_upright(open_picture(saved(picture_rgb(), kind, **options)), within=20)


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_exif_orientation_is_obeyed(kind: str, orientation: int) -> None:
    data = saved(turned(picture_rgb(), orientation), kind, exif=exif(orientation), quality=95)
    assert_upright(open_picture(data), within=20)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_heic_is_turned_once_and_not_twice(orientation: int) -> None:
    # pillow-heif writes the turn as HEIC's own and keeps the EXIF tag too, as phones do
    data = saved(turned(picture_rgb(), orientation), "HEIF", exif=exif(orientation))
    assert_upright(open_picture(data), within=20)


@pytest.mark.parametrize("orientation", [0, 9, 255, 65535])
def test_an_orientation_that_makes_no_sense_is_ignored(orientation: int) -> None:
    assert_upright(open_picture(saved(picture_rgb(), "JPEG", exif=exif(orientation), quality=95)))


@pytest.mark.parametrize(
    "broken",
    [
        b"Exif\0\0",
        b"Exif\0\0MM\0*",
        b"Exif\0\0II*\0\xff\xff\xff\x7f",
        b"Exif\0\0" + b"\xff" * 60,
        b"Exif\0\0" + b"\0" * 60,
    ],
)
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.filterwarnings("ignore:Corrupt EXIF data")
def test_broken_exif_does_not_cost_the_photo(kind: str, broken: bytes) -> None:
    assert_upright(open_picture(saved(picture_rgb(), kind, exif=broken, quality=95)))


def test_an_orientation_of_the_wrong_type_is_ignored() -> None:
    for kind, count, value in [(2, 4, b"six\0"), (5, 1, b"\0\0\0\x08"), (7, 4, b"\6\6\6\6")]:
        entry = struct.pack(">HHI", ORIENTATION, kind, count) + value
        block = b"Exif\0\0MM\0*\0\0\0\x08\0\x01" + entry + b"\0\0\0\0" + b"\0\0\0\1\0\0\0\1"
        assert_upright(open_picture(saved(picture_rgb(), "JPEG", exif=block, quality=95)))


def test_exif_that_lies_about_the_size_is_not_believed() -> None:
    tags = Image.Exif()
    tags[0x0100], tags[0x0101], tags[0xA002], tags[0xA003] = 4032, 3024, 4032, 3024
    assert_upright(open_picture(saved(picture_rgb(), "JPEG", exif=tags.tobytes(), quality=95)))


def test_grey_becomes_three_equal_channels() -> None:
    ramp = np.tile(np.linspace(0, 255, WIDE).astype(np.uint8), (HIGH, 1))
    for kind in ("JPEG", "PNG"):
        picture = open_picture(saved(Image.fromarray(ramp), kind))
        assert np.ptp(picture, axis=2).max() == 0
        assert abs(picture[..., 0].astype(int) - ramp).max() <= 3


def test_one_bit_and_palette() -> None:
    black_and_white = open_picture(saved(picture_rgb().convert("1", dither=Image.Dither.NONE), "PNG"))
    assert set(np.unique(black_and_white)) == {0, 255}
    assert_upright(open_picture(saved(picture_rgb().quantize(8), "PNG")))


def test_16_bit_grey_is_scaled_and_not_clipped() -> None:
    ramp = np.tile(np.linspace(0, 65535, WIDE).astype(np.uint16), (HIGH, 1))
    picture = open_picture(saved(Image.fromarray(ramp), "PNG"))
    assert abs(picture[..., 1].astype(int) - (ramp >> 8)).max() <= 1


def test_16_bit_colour() -> None:
    wide_pixels = np.asarray(picture_rgb()).astype(">u2") * 257
    assert_upright(open_picture(png_of(WIDE, HIGH, depth=16, colour=2, rows=wide_pixels.tobytes())))


def test_10_bit_heic() -> None:
    deep = np.asarray(picture_rgb()).astype(np.uint16) * 257
    file = pillow_heif.from_bytes(mode="RGB;16", size=(WIDE, HIGH), data=deep.tobytes())
    out = io.BytesIO()
    file.save(out, quality=95, save_as_12bit=False)
    assert_upright(open_picture(out.getvalue()), within=20)


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "HEIF"])
def test_alpha_is_laid_on_a_neutral_ground(kind: str) -> None:
    image = picture_rgb().convert("RGBA")
    alpha = np.full((HIGH, WIDE), 255, np.uint8)
    alpha[:, : WIDE // 2] = 0
    image.putalpha(Image.fromarray(alpha))
    colours = quarters(open_picture(saved(image, kind, **({} if kind == "HEIF" else {"lossless": True}))))
    assert np.abs(np.array(colours) - [(128,) * 3, GREEN, (128,) * 3, WHITE]).max() <= 20


def test_half_transparent_grey_and_transparent_palette_colour() -> None:
    grey = Image.new("LA", (WIDE, HIGH), (255, 128))
    assert quarters(open_picture(saved(grey, "PNG"))) == [(192, 192, 192)] * 4
    palette = picture_rgb().quantize(8)
    hidden = palette.getpixel((5, 5))
    colours = quarters(open_picture(saved(palette, "PNG", transparency=hidden)))
    assert colours[0] == (128, 128, 128)
    assert np.abs(np.array(colours[1:]) - [GREEN, BLUE, WHITE]).max() <= 6


def test_cmyk() -> None:
    assert_upright(open_picture(saved(picture_rgb().convert("CMYK"), "JPEG", quality=95)), within=20)


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_of_an_animation_the_first_frame_is_opened(kind: str) -> None:
    frames = [Image.new("RGB", (WIDE, HIGH), colour) for colour in (GREEN, BLUE)]
    data = saved(picture_rgb(), kind, save_all=True, append_images=frames, duration=40, lossless=True)
    assert_upright(open_picture(data), within=20)


def test_a_phone_photo_with_more_pictures_behind_it() -> None:
    data = saved(picture_rgb(), "MPO", save_all=True, append_images=[Image.new("RGB", (WIDE, HIGH), BLUE)], quality=95)
    assert_upright(open_picture(data), within=20)
    motion = saved(picture_rgb(), "JPEG", quality=95) + b"\0\0\0\x18ftypmp42" + b"\7" * 5000
    assert_upright(open_picture(motion))


def test_the_kind_is_told_by_the_bytes_and_not_by_the_name(tmp_path: Path) -> None:
    path = tmp_path / "hand.jpg"
    path.write_bytes(saved(picture_rgb(), "PNG"))
    assert_upright(open_picture(path))
    assert_upright(open_picture(str(path)))


def test_the_smallest_and_the_turned_smallest_are_opened() -> None:
    for size in ((320, 240), (240, 320)):
        assert open_picture(saved(Image.new("RGB", size, RED), "PNG")).shape == (size[1], size[0], 3)


def test_fifty_million_pixels_are_opened() -> None:
    picture = open_picture(png_of(8192, 6144, depth=8, colour=0, rows=b"\x80" * (8192 * 6144)))
    assert picture.shape == (6144, 8192, 3)
    assert int(picture.min()) == int(picture.max()) == 128


def test_not_found_folder_and_names_that_cannot_be(tmp_path: Path) -> None:
    assert refusal(tmp_path / "no.jpg").code == "not_found"
    (tmp_path / "file").write_bytes(b"x")
    assert refusal(tmp_path / "file" / "no.jpg").code == "not_found"
    assert refusal(tmp_path / ("long" * 200)).code == "not_found"
    assert refusal("nul\0inside.jpg").code == "not_found"
    assert refusal(tmp_path).code == "is_folder"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_no_permission(tmp_path: Path) -> None:
    path = tmp_path / "hand.jpg"
    path.write_bytes(saved(picture_rgb(), "JPEG"))
    path.chmod(0)
    assert refusal(path).code == "no_permission"


def test_no_permission_however_the_system_says_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "hand.jpg"
    path.write_bytes(saved(picture_rgb(), "JPEG"))

    def denied(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", denied)
    assert refusal(path).code == "no_permission"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no device files here")
def test_a_device_is_not_read() -> None:
    assert refusal("/dev/zero").code == "not_a_picture"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"x",
        b"%PDF-1.7 " + b"x" * 500,
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"BM",
        b"II*\0" + b"\0" * 60,
        bytes(4096),
    ],
)
def test_not_a_picture(data: bytes) -> None:
    assert refusal(data).code == "not_a_picture"


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.95])
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF", "AVIF", "GIF", "BMP"])
def test_a_cut_file_is_called_truncated(kind: str, share: float) -> None:
    noise = np.random.default_rng(5).integers(0, 255, (HIGH, WIDE, 3), dtype=np.uint8)
    data = saved(Image.fromarray(noise), kind)
    assert refusal(data[: int(len(data) * share)]).code == "truncated"


def test_a_cut_jpeg_is_not_saved_by_the_end_mark_of_its_thumbnail() -> None:
    thumbnail = saved(picture_rgb().resize((160, 120)), "JPEG")
    data = saved(picture_rgb(), "JPEG", exif=b"Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0" + thumbnail)
    assert refusal(data[:-400]).code == "truncated"


def test_a_half_copied_jpeg_padded_with_zeros_is_truncated() -> None:
    noise = np.random.default_rng(5).integers(0, 255, (HIGH, WIDE, 3), dtype=np.uint8)
    data = saved(Image.fromarray(noise), "JPEG")
    assert refusal(data[: len(data) // 2] + bytes(len(data) // 2)).code == "truncated"


def test_damaged_is_not_called_truncated() -> None:
    data = bytearray(saved(picture_rgb(), "PNG"))
    at = data.find(b"IDAT") + 8
    data[at : at + 20] = b"\xff" * 20
    assert refusal(bytes(data)).code == "unreadable"


def test_a_bomb_is_refused_before_it_is_decoded() -> None:
    bomb = png_of(30_000, 30_000, depth=8, colour=2, rows=None)
    error = refusal(bomb)
    assert error.code == "too_large"
    assert "30000 x 30000" in error.message


@pytest.mark.parametrize("kind", ["JPEG", "GIF", "BMP", "WEBP-X", "WEBP-L"])
def test_a_header_alone_is_enough_to_refuse_a_bomb(kind: str) -> None:
    # the pixels are those of a small picture; only the declared size is huge
    match kind:
        case "JPEG":
            data = saved(picture_rgb(), "JPEG")
            at = data.find(b"\xff\xc0") + 5
            data = data[:at] + struct.pack(">HH", 40_000, 40_000) + data[at + 4 :]
        case "GIF":
            data = saved(picture_rgb(), "GIF")
            data = data[:6] + struct.pack("<HH", 40_000, 40_000) + data[10:]
        case "BMP":
            data = saved(picture_rgb(), "BMP")
            data = data[:18] + struct.pack("<ii", 40_000, 40_000) + data[26:]
        case "WEBP-X":
            data = b"RIFF\x64\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + (39_999).to_bytes(3, "little") * 2 + b"\0" * 80
        case _:
            size = 16_382 | 16_382 << 14
            data = b"RIFF\x64\0\0\0WEBPVP8L\x50\0\0\0\x2f" + size.to_bytes(4, "little") + b"\0" * 83
    assert refusal(data).code == "too_large"


def test_a_heic_bomb_is_refused_by_its_header() -> None:
    data = saved(picture_rgb(), "HEIF")
    size = struct.pack(">II", WIDE, HIGH)
    assert data.count(size) >= 1
    assert refusal(data.replace(size, struct.pack(">II", 30_000, 30_000))).code == "too_large"


def test_limits_are_parameters(tmp_path: Path) -> None:
    data = saved(picture_rgb(), "JPEG")
    assert refusal(data, most_pixels=WIDE * HIGH - 1).code == "too_large"
    path = tmp_path / "hand.jpg"
    path.write_bytes(data)
    assert refusal(path, most_bytes=len(data) - 1).code == "too_large"


@pytest.mark.parametrize("size", [(319, 240), (320, 239), (1, 1), (4000, 100)])
def test_too_small(size: tuple[int, int]) -> None:
    error = refusal(saved(Image.new("RGB", size), "PNG"))
    assert error.code == "too_small"
    assert f"{size[0]} x {size[1]}" in error.message


def test_importing_changes_nothing_in_pillow() -> None:
    code = (
        "from PIL import Image\n"
        "def state(): return Image.MAX_IMAGE_PIXELS, dict(Image.OPEN), list(Image.ID), dict(Image.EXTENSION)\n"
        "before = state()\n"
        "import companion.vision.opening\n"
        "assert before == state()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def png_of(wide: int, high: int, *, depth: int, colour: int, rows: bytes | None) -> bytes:
    """A PNG by hand: `rows` are the raw pixels, or None for a small bomb that unpacks to nothing but zeros."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    if rows is None:
        body = zlib.compress(bytes(10_000_000), 9)
    else:
        row = len(rows) // high
        body = zlib.compress(b"".join(b"\0" + rows[at * row : (at + 1) * row] for at in range(high)), 1)
    header = struct.pack(">IIBBBBB", wide, high, depth, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
