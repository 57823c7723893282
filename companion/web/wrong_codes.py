"""How often one may try to join."""

from __future__ import annotations

from limits import parse_many
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

JOIN_TRIES = "10 per minute; 60 per hour"
"""Wrong codes from one address. A person who mistypes needs three; a million codes at this pace take years."""


class WrongCodes:
    """Counts wrong codes by address; who joins with the right one is never counted."""

    def __init__(self, limits: str = JOIN_TRIES) -> None:
        self._limits = parse_many(limits)
        self._window = MovingWindowRateLimiter(MemoryStorage())

    def too_many(self, address: str) -> bool:
        """Whether this address has to wait before it may try again."""
        return not all(self._window.test(limit, address) for limit in self._limits)

    def count(self, address: str) -> None:
        """One more wrong code from this address."""
        for limit in self._limits:
            self._window.hit(limit, address)
