"""Read what a thread did: from the ledger, its reads, its documents, and what was said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daybook.app.grading.steps.recorded import Record, trajectory_of
from daybook.app.grading.steps.trajectory import Trajectory
from daybook.checkpoints.postgres import Postgres
from daybook.state.errors import DaybookError
from daybook.state.ledger.recovery import Event
from daybook.tools.domain import Domain


async def read_trajectory(postgres: Postgres, domain: Domain, thread_id: str) -> Trajectory:
    """Read what a thread did, on the branch on which it stands.

    What was erased is left out, and said in the trajectory's notes.

    Raises:
        DaybookError: there is no ledger of such a thread.
        UnknownLedgerVersion: this release cannot read an entry of it.
    """
    entries = await postgres.ledger.entries(thread_id)
    if not entries:
        raise DaybookError(
            f"There is no ledger of a thread {thread_id} here, so there is nothing to look at; "
            "`daybook threads` names those that there are."
        )
    turns = [e.turn_id for e in entries if e.event is Event.RECEIVED and e.turn_id is not None]
    values = await _state(postgres, thread_id)
    documents = await postgres.documents.versions(thread_id)
    return trajectory_of(
        domain,
        Record(
            thread_id=thread_id,
            entries=entries,
            reads=await postgres.reads.of_turns(thread_id, turns),
            digests={one.epoch: one.digest for one in documents},
            said={message.id: message.text for message in values.get("messages", ())},
            last=(values.get("turn") or {}).get("last"),
        ),
    )


async def _state(postgres: Postgres, thread_id: str) -> Mapping[str, Any]:
    """Return the state in which the thread stands; nothing where it was erased."""
    stored = await postgres.saver.aget_tuple(
        {"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}}
    )
    return stored.checkpoint["channel_values"] if stored else {}
