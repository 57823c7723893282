"""What the first bytes of a picture file say, without decoding a pixel.

Three questions: which kind is it, how large will it be, and does the file end before it says it does? Pillow answers
the second for most kinds; WebP is asked here because Pillow reserves the whole canvas before it tells the size.
"""

from __future__ import annotations

from enum import StrEnum


class PictureKind(StrEnum):
    """The kinds of file that are opened; anything else is refused by name, not tried."""

    JPEG = "JPEG"
    PNG = "PNG"
    WEBP = "WebP"
    HEIF = "HEIC"
    AVIF = "AVIF"
    GIF = "GIF"
    BMP = "BMP"


_MAGIC = {
    b"\xff\xd8\xff": PictureKind.JPEG,
    b"\x89PNG\r\n\x1a\n": PictureKind.PNG,
    b"GIF87a": PictureKind.GIF,
    b"GIF89a": PictureKind.GIF,
}
_HEVC_BRANDS = frozenset((b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"))
_AVIF_BRANDS = frozenset((b"avif", b"avis"))
_ANY_HEIF_BRANDS = frozenset((b"mif1", b"msf1", b"mif2"))


def kind_of(data: bytes) -> PictureKind | None:
    """Tell the kind by its magic bytes; the file's name is never believed. None when it is none of ours."""
    for magic, kind in _MAGIC.items():
        if data.startswith(magic):
            return kind
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return PictureKind.WEBP
    # two letters are little to go by, so the reserved words of the BMP header must be zero as well
    if data[:2] == b"BM" and data[6:10] == b"\0\0\0\0":
        return PictureKind.BMP
    if data[4:8] == b"ftyp":
        return _kind_by_brand(data)
    return None


def _kind_by_brand(data: bytes) -> PictureKind | None:
    """HEIC and AVIF share a container; the brands in its first box tell them apart."""
    end = min(int.from_bytes(data[:4], "big"), len(data), 256)
    brands = {data[8:12], *(data[at : at + 4] for at in range(16, end - 3, 4))}
    if brands & _HEVC_BRANDS:
        return PictureKind.HEIF
    if brands & _AVIF_BRANDS:
        return PictureKind.AVIF
    return PictureKind.HEIF if brands & _ANY_HEIF_BRANDS else None


def webp_size(data: bytes) -> tuple[int, int] | None:
    """Width and height that a WebP header declares, in pixels; None when the header is cut or unknown."""
    chunk = data[12:16]
    if chunk == b"VP8X" and len(data) >= 30:
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if chunk == b"VP8 " and len(data) >= 30:
        return int.from_bytes(data[26:28], "little") & 0x3FFF, int.from_bytes(data[28:30], "little") & 0x3FFF
    if chunk == b"VP8L" and len(data) >= 25:
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    return None


def ends_early(data: bytes, kind: PictureKind) -> bool:
    """True when the file's own lengths or end marks say that bytes are missing.

    It may miss a cut (a container whose last box runs "to the end of the file"), it does not invent one.
    """
    match kind:
        case PictureKind.JPEG:
            return not _jpeg_has_end(data)
        case PictureKind.PNG:
            return not _png_has_end(data)
        case PictureKind.WEBP:
            return int.from_bytes(data[4:8], "little") + 8 > len(data) + 1  # some writers forget the last padding byte
        case PictureKind.HEIF | PictureKind.AVIF:
            return _boxes_end_early(data)
        case PictureKind.GIF:
            return not _gif_has_end(data)
        case PictureKind.BMP:
            return int.from_bytes(data[2:6], "little") > len(data)


def _jpeg_has_end(data: bytes) -> bool:
    """Walk the segments up to the first scan, then look for the end mark behind it.

    A thumbnail in the EXIF segment has an end mark of its own, so searching the whole file would believe a cut one.
    """
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return False
        marker = data[at + 1]
        if marker == 0xFF or 0xD0 <= marker <= 0xD8 or marker == 0x01:  # padding and marks without a length
            at += 1 if marker == 0xFF else 2
            continue
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if marker == 0xDA:
            return data.find(b"\xff\xd9", at) >= 0
    return False


def _png_has_end(data: bytes) -> bool:
    """Walk the chunks; the last one of a whole file is IEND."""
    at = 8
    while at + 12 <= len(data):
        if data[at + 4 : at + 8] == b"IEND":
            return True
        at += 12 + int.from_bytes(data[at : at + 4], "big")
    return False


def _gif_has_end(data: bytes) -> bool:
    """Walk the blocks; the last one of a whole file is 0x3B. An unknown block counts as an end, not as a cut."""
    if len(data) < 13:
        return False
    at = 13 + _colour_table_bytes(data[10])
    while at < len(data):
        if data[at] == 0x21:
            at += 2
        elif data[at] == 0x2C and at + 10 < len(data):
            at += 11 + _colour_table_bytes(data[at + 9])
        else:
            return data[at] != 0x2C
        while at < len(data) and data[at]:  # sub-blocks: a length, so many bytes, until a length of 0
            at += 1 + data[at]
        at += 1
    return False


def _colour_table_bytes(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _boxes_end_early(data: bytes) -> bool:
    """Walk the top boxes of an ISO container; size 1 announces a 64-bit size."""
    at = 0
    while at + 8 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        if size == 1:
            size = int.from_bytes(data[at + 8 : at + 16], "big")
        if size < 8:  # 0 means "to the end"; what is no box at all is for the decoder to judge
            return False
        at += size
    return at > len(data)
