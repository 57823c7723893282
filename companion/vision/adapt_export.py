"""The tiles that people vouched for as a data set, in the form of `datasets/`."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator, Sequence
from typing import IO

from companion.session.examples import LabelledPicture


def export_examples(labelled: Sequence[LabelledPicture], picture: Callable[[str], bytes], target: IO[bytes]) -> int:
    """Write labelled pictures as a zip in the form of `datasets/`; how many were written.

    A picture of which not every tile is labelled is left out: what it does not name would teach that no tile lies there.
    """
    written = 0
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:  # photos do not get smaller
        for shown, data in _whole(labelled, picture):
            name = shown.picture[:16]
            archive.writestr(f"photos/{name}.jpg", data)
            archive.writestr(f"truth/{name}.json", json.dumps(shown.record(f"{name}.jpg"), indent=1))
            written += 1
        archive.writestr("README.md", _CARD.format(pictures=written))
    return written


def _whole(
    labelled: Sequence[LabelledPicture], picture: Callable[[str], bytes]
) -> Iterator[tuple[LabelledPicture, bytes]]:
    for shown in labelled:
        if shown.complete:
            yield shown, picture(shown.picture)


_CARD = """# Labelled dominoes

{pictures} photos with the values and places of their tiles, each confirmed by a person at the table.

What: `photos/NAME.jpg` and `truth/NAME.json`: {{"photo", "size": [w, h], "set", "source", "face_down_quads", "ignore",
"tiles": [{{"ends": [a, b], "quad": [[x, y] x 4]}}]}} in pixels of the photo; quads run clockwise and their corners 0 and 1 bound
the short outer edge of half a.
Where from: exported by the Mexican Train companion from a family's own photos.
Licence: the family's; say here which before you give it to anybody.
"""
