"""One row of the ledger, as written or as read back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from daybook.state.effects.keys import step_id
from daybook.state.ledger.recovery import Event


@dataclass(frozen=True)
class Entry:
    """One row of the ledger, as written or as read back.

    Attributes:
        detail: facts without personal data; hashed into the chain as they stand.
        payload: arguments, results and free text; erasable, the chain holds its salted hash.
        deadline_at: UTC; after it the sender of this attempt may not send, the question of this
            plan is no longer answered, or no step is begun on this decision.
        settle_at: UTC; deadline plus the longest time the other side may lag (D).
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
        """Name the step, or None where the entry is not about one."""
        return step_id(self.op, self.gen) if self.op is not None and self.gen is not None else None

    @property
    def reason(self) -> str:
        """Say why it happened: other people's words stand in the payload, our own in the detail."""
        said: str = (self.payload or {}).get("reason") or self.detail.get("reason", "")
        return said
