"""One row of the ledger, as written or as read back, of one version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from daybook.state.effects.keys import step_id
from daybook.state.errors import UnknownLedgerVersion
from daybook.state.ledger.recovery import Event


@dataclass(frozen=True)
class Entry:
    """One row of the ledger, as written or as read back.

    Attributes:
        detail: facts without personal data; hashed into the chain as they stand.
        payload: arguments, results and free text; erasable, the chain holds its salted hash.
        deadline_at: UTC; after it the sender of this attempt may not send, the question of this
            plan is no longer answered, or no step is begun on this decision.
        settle_at: UTC; deadline plus the longest time the provider may lag (D).
        seq: number in the thread, from 1; 0 while it is not written.
        at: UTC; set by the ledger.

    """

    event: Event
    turn_id: str | None = None
    plan_id: str | None = None
    op: str | None = None
    gen: int | None = None
    attempt: int | None = None
    worker: str | None = None
    author: str | None = None
    role: str | None = None
    deadline_at: datetime | None = None
    settle_at: datetime | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)
    payload: Mapping[str, Any] | None = None
    seq: int = 0
    at: datetime | None = None

    @property
    def step_id(self) -> str | None:
        """Name the step, or None if the entry is not about one."""
        return step_id(self.op, self.gen) if self.op is not None and self.gen is not None else None

    @property
    def reason(self) -> str:
        """Say why it happened: other people's words stand in the payload, our own in the detail."""
        said: str = (self.payload or {}).get("reason") or self.detail.get("reason", "")
        return said


LEDGER_VERSION = 1
"""The version of the rows that this release writes.

A later release that changes their form reads this one too: rows stay as they were written, because
the hash chain covers them.
"""


def entry_of(row: Mapping[str, Any]) -> Entry:
    """Make the entry of a row of `ledger_event` with its payload.

    Raises:
        UnknownLedgerVersion: the row is of another version.
    """
    if row["ledger_version"] != LEDGER_VERSION:
        raise UnknownLedgerVersion(
            f"Entry {row['seq']} of the thread {row['thread_id']} has ledger version "
            f"{row['ledger_version']}; this release reads version {LEDGER_VERSION}. Nothing was "
            "changed: run the release that wrote it. `daybook ledger` can print it."
        )
    known = {name: row[name] for name in Entry.__dataclass_fields__}
    return Entry(**{**known, "event": Event(row["event"])})
