"""The wall clock. The only place of the package that asks for the time."""

from __future__ import annotations

from datetime import UTC, datetime


class SystemClock:
    """The machine's clock, in UTC."""

    def now(self) -> datetime:
        """The current instant, time zone UTC."""
        return datetime.now(UTC)
