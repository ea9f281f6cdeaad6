"""Write what changed of what is known of a person to their memory.

After the ledger's entry and before the checkpoint. Nothing that executes reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daybook.nodes.running.work import Work
from daybook.state.people.facts import MEMORY_EVENTS, fact_from


async def remember(event: Mapping[str, Any], seq: int, work: Work, *, is_again: bool) -> None:
    """Carry an applied event over to the memory of the thread's person; most events are none.

    Args:
        seq: its entry in the ledger.
        is_again: the entry was there before. It was carried over then, unless the process died
            right behind it and nothing came after. Else somebody went back to before it: what the
            person said or took back since must stay as it is.
    """
    if event.get("type") not in MEMORY_EVENTS:
        return
    if is_again and await work.ledger.entries(work.session.thread_id, after=seq):
        return
    memory, person = work.resources.postgres.memory, work.session.user_id
    told_in = work.session.thread_id
    if event["type"] == "forget":
        await memory.forget(person, str(event.get("subject", "")), told_in=told_in)
    else:
        await memory.put(person, fact_from(event), told_in=told_in)
