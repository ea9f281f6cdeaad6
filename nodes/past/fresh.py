"""Start a new thread from the progress of another: its document and typed state, no more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from daybook.nodes.compact import READS, begin_epoch, progress_of
from daybook.nodes.prompt.epochs import transcript_of
from daybook.nodes.running.work import Work
from daybook.state.errors import (
    ForeignDomain,
    ForeignThread,
    ForeignWorld,
    ThreadClosed,
    ToolRefused,
)
from daybook.state.prompt.progress import Progress, fitting
from daybook.tools.domain import Change

State = Mapping[str, Any]

FRESH_FROM = "fresh_from"
"""The type of the event that starts a thread from another one."""


async def started_from(state: State, event: Mapping[str, Any], turn_id: str, work: Work) -> Change:
    """Take over what another thread of the same person has come to.

    Raises:
        ToolRefused: this thread has begun, or there is no such thread of this person.
    """
    source = event.get("thread")
    if state.get("turn") or state["applied"]:
        raise ToolRefused("Only a new conversation can start from another; this one has messages.")
    there = await stored_state(str(source), work) if source else None
    if there is None:
        raise ToolRefused(f"You have no conversation {source} to start from.")
    progress = await document_of(there, of_thread(str(source), work))
    # A handle is a thread's own: here it would open nothing, or later something else.
    progress = progress.model_copy(update={"reads": ()})
    lasting = fitting(progress.lasting, work.resources.budget // 4)
    why = f"started from {source}"
    epoch = await begin_epoch(state, progress, lasting, work, after=0, covers=0, last=0, why=why)
    carried = work.domain.taken_over(there, work.session, turn_id)
    return Change(update={**carried, "epoch": epoch}, text=why)


async def stored_state(thread_id: str, work: Work) -> State | None:
    """Return the state in which a thread of this person, domain and world stands, or None.

    What is known of the person is what is known now: the thread's own copy is of its last turn.
    """
    postgres, session = work.resources.postgres, of_thread(thread_id, work).session
    try:
        if not await postgres.threads.admits(session, work.domain.name, work.resources.world):
            return None
    except (ForeignThread, ForeignDomain, ForeignWorld, ThreadClosed):
        return None
    values = await postgres.saver.values(thread_id)
    if "turn" not in values:
        return None
    return {**values, "facts": await postgres.memory.of(session.user_id)}


async def document_of(state: State, work: Work) -> Progress:
    """Make the document of a thread as it stands now."""
    transcript, _ = await transcript_of(state, work)
    reads = await work.reads.latest(work.session.thread_id, READS)
    return progress_of(state, transcript, work, reads)


def of_thread(thread_id: str, work: Work) -> Work:
    """Return the same work in another thread of the same person."""
    return replace(work, session=replace(work.session, thread_id=thread_id))
