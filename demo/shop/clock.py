"""The shop's time."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


def now() -> datetime:
    """Return the present time in UTC."""
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """Write a UTC time as ISO 8601 of fixed width, so that stamps sort as text."""
    return moment.isoformat(timespec="microseconds")


@dataclass(frozen=True)
class Terms:
    """Say when an effect is performed (UTC) and how long a hold made now lives (seconds)."""

    at: datetime
    hold_seconds: float

    @property
    def hold_expires_at(self) -> datetime:
        """Return the moment from which a hold made under these terms no longer holds (UTC)."""
        return self.at + timedelta(seconds=self.hold_seconds)
