"""The machine's clock. It may jump, also backwards; nothing is ordered by it."""

from __future__ import annotations

from datetime import UTC, datetime


class SystemClock:
    """Tells the machine's time."""

    def now(self) -> datetime:
        """The time in UTC."""
        return datetime.now(UTC)
