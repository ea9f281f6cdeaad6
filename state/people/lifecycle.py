"""The lifecycle of a conversation: its status, whom it waits for, and its retention.

| stands  | means                           | prompt's cache | holds        | what is kept |
|---------|---------------------------------|----------------|--------------|--------------|
| active  | a turn is in progress           | as asked for   | till their due | everything |
| waiting | a reviewer is asked, until a time | longer         | till their due | everything |
| idle    | the last turn ended             | runs out       | none         | till its time |
| closed  | what it held was erased         | none           | none         | the ledger   |

Pure. Whether anybody is at work is kept by the ledger's entries; the worker does what is due: it
expires questions, gives holds back, and closes conversations whose time is over.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal, TypeAlias

Status: TypeAlias = Literal["active", "waiting", "idle", "closed"]


class Part(StrEnum):
    """What of a thread can be erased by itself."""

    CHECKPOINTS = "checkpoints"
    READS = "reads"
    PAYLOADS = "payloads"


@dataclass(frozen=True)
class Standing:
    """What the database tells of a conversation. Times are UTC.

    Attributes:
        program: the domain, or the name of the ledger, that began it; None if none did.
        asks: the role that is asked ("customer", "clerk", "operator"), or "" if nobody is.
        is_doubt: a person is to say whether something happened.
        until: when the question expires; None if it does not.
        asked_at: when the model was asked last, and its cache began.
        cached: for how long the cache was asked for; None if no model was asked.
        holds_until: when the last thing that is held is given back; None if nothing is.
    """

    thread_id: str
    user_id: str
    program: str | None
    status: Status
    last_activity: datetime
    asks: str = ""
    is_doubt: bool = False
    until: datetime | None = None
    asked_at: datetime | None = None
    cached: timedelta | None = None
    holds_until: datetime | None = None


@dataclass(frozen=True)
class Lifecycle:
    """Tell where a conversation stands.

    Attributes:
        waits_for: who, in words; "" if it waits for nobody.
        cache_until: when the provider's cache of its prompt is cold; None if it is.
        kept: part of it to when that is erased; empty while it is at work or waits.
    """

    thread_id: str
    user_id: str
    program: str | None
    status: Status
    waits_for: str
    until: datetime | None
    cache_until: datetime | None
    holds_until: datetime | None
    kept: dict[str, datetime]


def lifecycle(standing: Standing, keep: dict[str, timedelta], now: datetime) -> Lifecycle:
    """Tell where a conversation stands and what is kept of it until when.

    Args:
        keep: part of a conversation to how long it is kept after the last activity.
    """
    status, cold = standing.status, None
    if standing.asked_at is not None and standing.cached is not None:
        cold = standing.asked_at + standing.cached
    rests = status in ("idle", "closed")
    return Lifecycle(
        thread_id=standing.thread_id,
        user_id=standing.user_id,
        program=standing.program,
        status=status,
        waits_for=_waits_for(standing),
        until=standing.until if status == "waiting" else None,
        cache_until=cold if cold is not None and cold > now else None,
        holds_until=standing.holds_until,
        kept={part: standing.last_activity + time for part, time in keep.items()} if rests else {},
    )


_WHO = {
    "": "somebody",
    "customer": "the customer",
    "clerk": "a clerk",
    "operator": "an operator",
}


def _waits_for(standing: Standing) -> str:
    if standing.status == "active":
        return "the agent"
    if standing.status == "closed":
        return ""
    if standing.is_doubt:
        return f"{_WHO[standing.asks]} to say what happened"
    return f"{_WHO[standing.asks]} to decide" if standing.asks else f"{standing.user_id} to speak"
