"""What a task of `daybook.nodes.execute` returns for the checkpoint; the ledger is believed."""

from __future__ import annotations

from typing import Any

from daybook.nodes.running.work import Work
from daybook.nodes.sending.claim import NotClaimed

Receipt = dict[str, Any]


def not_claimed(work: Work, step_id: str, held: NotClaimed | None) -> Receipt:
    """Say why nothing was sent; `until` is when to ask again, UTC."""
    if held is None:
        return {"step": step_id, "outcome": "not due"}
    work.tell(f"waiting: {held.why}")
    return {"step": step_id, "outcome": "held", "until": held.until.isoformat()}
