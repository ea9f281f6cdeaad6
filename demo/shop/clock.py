from datetime import UTC, datetime


def now() -> datetime:
    """Return the present time in UTC."""
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """Write a UTC time as ISO 8601 of fixed width, so that stamps sort as text."""
    return moment.isoformat(timespec="microseconds")
