"""What goes of a thread's checkpoints when its turn has ended, or stops at a question."""

from __future__ import annotations

from typing import Any

from daybook.checkpoints.statements import statements

_KEPT_OF_A_TURN = 16

PRUNE = statements("prune.sql")["prune"]


def pruned(thread_id: str) -> dict[str, Any]:
    """Return what `PRUNE` is about: of the turn that ended, the newest stay for time travel."""
    return {"thread_id": thread_id, "keep": _KEPT_OF_A_TURN}
