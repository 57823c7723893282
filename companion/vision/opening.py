"""A file on disk, or its bytes, becomes an upright picture in 8 bits a channel.

Opened: JPEG, PNG, WebP, HEIC/HEIF, and plain AVIF, GIF and BMP; of an animation the first frame. Not opened: TIFF (raw
files of cameras are TIFFs whose first picture is a stamp-sized preview, and no phone writes it), and whatever else
Pillow knows. The kind is told by the bytes, so a wrong file ending does no harm.

Nothing is decoded before its header has told its size and the size was found fit; so the plugin's class is called by
itself, not `Image.open`, whose own size check warns through global state. Colour profiles are not applied: pips are
told by shape.
"""

from __future__ import annotations

import errno
import math
import os
import stat
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pillow_heif
from numpy.typing import NDArray
from PIL import Image

from companion.errors import UnusablePhoto
from companion.vision.containers import PictureKind, ends_early, kind_of, webp_size

Picture = NDArray[np.uint8]
"""Rows x columns x (blue, green, red), 0..255, upright."""

_EXIF_ORIENTATION = 0x0112
_SIDES_SWAP = 5
"""From this orientation on, a photo's width is the height that is stored."""
_STRIP_ROWS = 256
_WANTED = "Give a photo saved as JPEG, PNG, WebP or HEIC."


@dataclass(frozen=True, slots=True)
class OpeningLimits:
    """How large and how small a picture may be; checked before any pixel is decoded."""

    most_pixels: int = 80_000_000
    """Phones make 12 to 50 million. Decoding takes 7 bytes a pixel at its peak: 80 million stay under 600 MB."""

    most_bytes: int = 300_000_000
    """A 50-megapixel PNG of 16 bits a channel, not compressed at all, fills 300 MB."""

    least_long_px: int = 320
    least_short_px: int = 240
    """Below 320x240 a tile in a hand of seven is some 20 px wide: its pips are specks."""

    ground_grey: int = 128
    """What shows through transparent parts (0..255): mid grey, from which white and black tiles both stand out."""


@dataclass(frozen=True, slots=True)
class OpenedPhoto:
    """A picture, and the size (wide, high) of the upright photo that it was opened from: the same, or larger."""

    picture: Picture
    photo_size_wh: tuple[int, int]

    @property
    def reduced(self) -> bool:
        """Whether the photo has more pixels than the picture."""
        return self.picture.shape[1::-1] != self.photo_size_wh


def open_reduced(
    source: str | os.PathLike[str] | bytes, *, enough_pixels: int, limits: OpeningLimits | None = None
) -> OpenedPhoto:
    """Open a photo as `open_picture` does, but a large JPEG at a half, a quarter or an eighth of its size.

    That is where JPEG is quick: its blocks need not be decoded whole. The picture keeps at least `enough_pixels`.

    Raises:
        UnusablePhoto: as `open_picture`.
    """
    return _open(source, enough_pixels, limits or OpeningLimits())


def open_picture(source: str | os.PathLike[str] | bytes, *, limits: OpeningLimits | None = None) -> Picture:
    """Open a photo and turn it upright.

    Args:
        source: a path, or the bytes of a picture file.
        limits: sizes that are refused; the defaults suit phones.

    Returns:
        uint8 array, height x width x 3 (blue, green, red), EXIF orientation applied.

    Raises:
        UnusablePhoto: code `not_found`, `is_folder`, `no_permission`, `not_a_picture`, `truncated`, `too_large`,
            `too_small` or `unreadable`.
    """
    return _open(source, None, limits or OpeningLimits()).picture


def _open(source: str | os.PathLike[str] | bytes, enough_pixels: int | None, limits: OpeningLimits) -> OpenedPhoto:
    data = source if isinstance(source, bytes) else _read_file(Path(source), limits)
    kind = kind_of(data)
    if kind is None:
        what = "is not a picture" if data else "is empty"
        raise UnusablePhoto("not_a_picture", f"The file {what} (or not of a kind that is opened). {_WANTED}")
    # An animation may lose its last frames and keep the first; any other cut file would be grey or garbage below.
    if kind is not PictureKind.GIF and ends_early(data, kind):
        raise _damaged(data, kind)
    try:
        if kind is PictureKind.HEIF:
            picture = _decode_heif(data, limits)
            return OpenedPhoto(picture, (picture.shape[1], picture.shape[0]))
        return _decode_with_pillow(data, kind, enough_pixels, limits)
    except UnusablePhoto:
        raise
    except (MemoryError, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise UnusablePhoto("too_large", "The picture is too large for this computer. Save it smaller.") from error
    except Exception as error:
        # The decoders promise no set of exceptions for a damaged file: Pillow alone raises seven kinds.
        raise _damaged(data, kind) from error


def _damaged(data: bytes, kind: PictureKind) -> UnusablePhoto:
    if ends_early(data, kind):
        return UnusablePhoto(
            "truncated", f"The {kind} picture is cut short: a part of the file is missing. Copy or send it again."
        )
    return UnusablePhoto("unreadable", f"The {kind} picture is damaged and cannot be decoded. Take or send it again.")


def _read_file(path: Path, limits: OpeningLimits) -> bytes:
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise UnusablePhoto("is_folder", "This is a folder. Name the photos in it, for example with *.jpg.")
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):  # reading a device may never end
            raise UnusablePhoto("not_a_picture", f"This is a device, not a file. {_WANTED}")
        with path.open("rb") as file:
            data = file.read(limits.most_bytes + 1)
    except PermissionError as error:
        raise UnusablePhoto("no_permission", "The file may not be read. Change its permissions or copy it.") from error
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP):
            raise UnusablePhoto("not_found", "There is no such file. Check the name and the folder.") from error
        raise UnusablePhoto(
            "unreadable", f"The file cannot be read: {error.strerror or error}. Copy it again."
        ) from error
    except ValueError as error:  # a NUL in the name
        raise UnusablePhoto("not_found", "No file can have this name. Check the name.") from error
    if len(data) > limits.most_bytes:
        raise UnusablePhoto("too_large", f"The file is larger than {limits.most_bytes // 10**6} MB. Save it smaller.")
    return data


def _check_size(size_wh: tuple[int, int], limits: OpeningLimits) -> None:
    wide, high = size_wh
    if wide * high > limits.most_pixels:
        raise UnusablePhoto(
            "too_large",
            f"The picture claims {wide} x {high} pixels; more than {limits.most_pixels // 10**6} million are not "
            "decoded. Save it smaller.",
        )
    if max(wide, high) < limits.least_long_px or min(wide, high) < limits.least_short_px:
        raise UnusablePhoto(
            "too_small",
            f"The picture has only {wide} x {high} pixels; {limits.least_long_px} x {limits.least_short_px} are "
            "needed. Use the original photo, not its preview.",
        )


def _decode_with_pillow(
    data: bytes, kind: PictureKind, enough_pixels: int | None, limits: OpeningLimits
) -> OpenedPhoto:
    if kind is PictureKind.WEBP and (declared := webp_size(data)):
        _check_size(declared, limits)
    image = _pillow_image(data, kind)
    full_wh = image.size
    _check_size(full_wh, limits)
    if kind is PictureKind.JPEG and enough_pixels is not None:
        share = math.sqrt(min(1.0, enough_pixels / (full_wh[0] * full_wh[1])))
        image.draft(None, (math.ceil(full_wh[0] * share), math.ceil(full_wh[1] * share)))
    image.load()
    orientation = _exif_orientation(image)
    picture = _turn_upright(_to_bgr(image, limits), orientation)
    image.close()
    return OpenedPhoto(picture, full_wh if orientation < _SIDES_SWAP else full_wh[::-1])


def _pillow_image(data: bytes, kind: PictureKind) -> Image.Image:
    """Read the header. A plugin enters itself in Pillow's global list when imported, so it waits until it is needed."""
    plugin = {PictureKind.WEBP: "WebP"}.get(kind, kind.name.capitalize())
    image_file = getattr(import_module(f"PIL.{plugin}ImagePlugin"), f"{plugin}ImageFile")
    image: Image.Image = image_file(BytesIO(data))
    return image


def _exif_orientation(image: Image.Image) -> int:
    """The EXIF (or XMP) orientation 1..8; 1 when there is none, or one that is broken or makes no sense."""
    try:
        value = image.getexif().get(_EXIF_ORIENTATION, 1)
    except Exception:  # foreign bytes, and Pillow promises no kind of error; a photo is worth more than its EXIF
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _to_bgr(image: Image.Image, limits: OpeningLimits) -> Picture:
    """Any mode of Pillow to 8-bit BGR, strip by strip: the picture is never held a third time."""
    wide, high = image.size
    picture = np.empty((high, wide, 3), np.uint8)
    see_through = image.mode in ("RGBA", "RGBa", "LA", "La", "PA") or "transparency" in image.info
    for top in range(0, high, _STRIP_ROWS):
        bottom = min(top + _STRIP_ROWS, high)
        strip = image.crop((0, top, wide, bottom))
        into = picture[top:bottom]
        if image.mode.startswith("I"):
            cv2.cvtColor(_grey_of_16_bits(strip), cv2.COLOR_GRAY2BGR, dst=into)
        elif see_through:
            if "transparency" in image.info:
                strip.info["transparency"] = image.info["transparency"]
            into[:] = _blend(strip.convert("RGBA"), limits.ground_grey)[..., ::-1]
        elif image.mode == "L":
            cv2.cvtColor(np.asarray(strip), cv2.COLOR_GRAY2BGR, dst=into)
        else:
            colours = strip if strip.mode == "RGB" else strip.convert("RGB")
            cv2.cvtColor(np.asarray(colours), cv2.COLOR_RGB2BGR, dst=into)
    return picture


def _grey_of_16_bits(strip: Image.Image) -> Picture:
    """Mode I and its relatives hold 0..65535; Pillow's own conversion to 8 bits would clip at 255."""
    values = np.asarray(strip).astype(np.int64)
    return (np.clip(values, 0, 65535) >> 8).astype(np.uint8)


def _blend(image: Image.Image, ground: int) -> Picture:
    """Lay an RGBA (or BGRA) picture on an even grey; gives its three colours in the same order."""
    under = Image.new("RGBA", image.size, (ground, ground, ground, 255))
    under.alpha_composite(image)
    return np.asarray(under)[..., :3]


def _decode_heif(data: bytes, limits: OpeningLimits) -> Picture:
    """HEIC by libheif, which turns the picture upright itself: its turn is HEIC's own, and EXIF's is to be ignored."""
    image = pillow_heif.open_heif(BytesIO(data), convert_hdr_to_8bit=True, bgr_mode=True)
    _check_size(image.size, limits)
    pixels = np.asarray(image)
    pixels = pixels[:, : image.size[0]]
    if pixels.dtype != np.uint8:
        pixels = (pixels >> 8).astype(np.uint8)
    if pixels.ndim == 2:
        return np.asarray(cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_GRAY2BGR), np.uint8)
    if pixels.shape[2] == 2:
        pixels = pixels[..., (0, 0, 0, 1)]
    if pixels.shape[2] == 4:
        strips = (pixels[top : top + _STRIP_ROWS] for top in range(0, len(pixels), _STRIP_ROWS))
        return np.concatenate([_blend(Image.fromarray(strip), limits.ground_grey) for strip in strips])
    return np.ascontiguousarray(pixels)


def _turn_upright(picture: Picture, orientation: int) -> Picture:
    """Undo an EXIF orientation: 2..4 keep the sides, 5..8 swap them."""
    match orientation:
        case 2:
            turned = cv2.flip(picture, 1)
        case 3:
            turned = cv2.rotate(picture, cv2.ROTATE_180)
        case 4:
            turned = cv2.flip(picture, 0)
        case 5:
            turned = cv2.transpose(picture)
        case 6:
            turned = cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE)
        case 7:
            turned = cv2.rotate(cv2.transpose(picture), cv2.ROTATE_180)
        case 8:
            turned = cv2.rotate(picture, cv2.ROTATE_90_COUNTERCLOCKWISE)
        case _:
            return picture
    return np.asarray(turned, np.uint8)
