"""The exception tree.

CompanionError                 the world failed; caught once at each door (CLI, web), message is for people
|- UnusablePhoto               a file that is no picture we can read: `code` for programs, message for people
|- ModelMissing                the weights are not where the package keeps them
`- (packages add their own below it, for example a notation that cannot be read)
"""

from __future__ import annotations


class CompanionError(Exception):
    """Something outside went wrong; `str(error)` tells a person what to do about it."""


class UnusablePhoto(CompanionError):
    """A photo that cannot be used.

    Attributes:
        code: a stable word for programs, for example ``not_a_picture``.
        message: a plain sentence that says what is wrong and what to do.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class ModelMissing(CompanionError):
    """A weights file of `models/` is missing or is not the one that the manifest names."""
