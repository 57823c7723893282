"""Why a photo cannot be used, in this person's language."""

from __future__ import annotations

from companion.errors import UnusablePhoto
from companion.web.languages import translate as _

MOST_PHOTOS = 6
"""At once; three show the largest hand there is."""


def say_unusable(error: UnusablePhoto) -> str:
    """Why a photo cannot be used and what to do, in this person's language."""
    return {
        "no_photo": _("No photo arrived. Take it again."),
        "too_many_photos": _("Send at most %(most)d photos at once.", most=MOST_PHOTOS),
        "not_a_picture": _("That is not a photo. Choose a photo, or take one here."),
        "truncated": _("A part of the photo is missing. Send it again."),
        "unreadable": _("The photo is damaged. Take it again."),
        "too_large": _("The photo is too large. Save it smaller, or take it here."),
        "too_small": _("The photo is too small to read. Send the original, not its preview."),
        "too_dark": _("It is too dark to read. Turn on a lamp or use the flash, and take it again."),
        "blurred": _("It is too blurred to read. Hold the phone still, tap to focus, and take it again."),
        "no_tiles": _(
            "No tile was found. Lay the tiles face up and flat, fill the picture with them, and take it again."
        ),
    }.get(error.code, error.message)
