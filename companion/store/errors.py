"""What can go wrong where things are kept.

CompanionError
`- StoreUnusable    the data cannot be read or written now; what was confirmed before is safe
   `- StoreFull     the disk is full
"""

from __future__ import annotations

import errno

from companion.errors import CompanionError


class StoreUnusable(CompanionError):
    """The place where games are kept does not work."""


def _(text: str) -> str:
    """Mark a source sentence for translation; the translating is done when it is shown."""
    return text


DISK_FULL = _(
    "The disk is full, so this was not saved. Everything confirmed before is safe. Free some room on the computer that runs "
    "the companion, then do it again."
)


class StoreFull(StoreUnusable):
    """There is no room left; its message is always `DISK_FULL`."""

    def __init__(self) -> None:
        super().__init__(DISK_FULL)


FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
"""The system's numbers for "no room"."""


def unwritable(error: OSError, place: object) -> StoreUnusable:
    """What to tell people when a file or folder cannot be written."""
    if error.errno in FULL:
        return StoreFull()
    reason = error.strerror or str(error)
    return StoreUnusable(
        f"{place} cannot be written ({reason}), so this was not saved. Everything confirmed before is safe. "
        "See to the folder's permissions, or choose another with --data."
    )
