from dataclasses import dataclass
from datetime import datetime, timedelta

from daybook.demo.shop.clock import now


@dataclass(frozen=True)
class Terms:
    """Say when an effect is performed (UTC) and how long a hold made now lives (seconds)."""

    at: datetime
    hold_seconds: float

    @property
    def hold_expires_at(self) -> datetime:
        """Return the moment from which a hold made under these terms no longer holds (UTC)."""
        return self.at + timedelta(seconds=self.hold_seconds)


def present(hold_seconds: float) -> Terms:
    """Return the terms of an effect that is performed now."""
    return Terms(now(), hold_seconds)
