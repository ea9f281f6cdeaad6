"""How a checkout stands, for people: the protocol's own word where there is no other."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

_STANDS: Final[Mapping[str, str]] = {
    "incomplete": "is not complete",
    "requires_escalation": "waits for you at its page",
    "ready_for_complete": "can be ordered",
    "complete_in_progress": "is being ordered",
    "completed": "is ordered",
    "canceled": "was given back",
}


def standing(status: str) -> str:
    """Say how a checkout stands: "can be ordered"."""
    return _STANDS.get(status, f"is {status.replace('_', ' ')}")


def instant(given: str) -> str:
    """Write an instant for people; one that cannot be read stays as the merchant wrote it."""
    try:
        at = datetime.fromisoformat(given)
    except ValueError:
        return given
    return f"{at.astimezone(UTC):%d %b %Y, %H:%M} UTC" if at.tzinfo else given
