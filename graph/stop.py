"""Stop the current plan of a thread from any process, whichever process runs it."""

from __future__ import annotations

import asyncio

from psycopg import InternalError, OperationalError

from daybook.checkpoints.reach import unavailable
from daybook.nodes.running.identity import acting, session_of
from daybook.nodes.running.stop import stop
from daybook.nodes.running.work import Resources
from daybook.state.errors import InputRefused
from daybook.state.run_input import check_caller, checked_id
from daybook.state.session import Person

_PAUSE_S = 0.5
"""Seconds between two looks whether the runner that is waited for is silent."""


async def stop_thread(
    resources: Resources, domain: str, thread_id: str, person: Person, event_id: str
) -> str:
    """Stop the plan that is in progress in a thread; say where it stands.

    It takes no lock of the thread: a run of it may be at work. That run, or the next one (a
    worker's too), undoes what is done and tells it.

    Args:
        domain: the name of the domain that is served here.
        person: the thread's own, or staff.
        event_id: by which a repeated wish is recognised: it stops no later plan.

    Raises:
        InputRefused: there is no such thread, or the id is none.
        ToolRefused: nothing is in progress.
        ForeignThread: the thread is another customer's.
        ForeignDomain, ForeignWorld, ThreadClosed: it is not to be dealt with here, or any more.
        DatabaseUnavailable: the database went away; what was committed stands.
    """
    check_caller(person.user_id, person.role)
    checked_id(thread_id, "a thread")
    checked_id(event_id, "an event")
    postgres = resources.postgres
    try:
        owner = await postgres.threads.owner_for(person, thread_id)
        config = acting({"configurable": {"thread_id": thread_id}}, person, owner)
        session = session_of(config, postgres.tenant_id)
        if not await postgres.threads.admits(session, domain, resources.world):
            raise InputRefused(f"Thread {thread_id} not found. Nothing was stopped.")
        stopping = asyncio.create_task(stop(postgres.ledger, session, event_id))
        try:
            # A runner that is suspended with a page open would keep it waiting.
            while not await postgres.clock.ended(stopping, _PAUSE_S):
                await postgres.locks.end_silent(thread_id)
            return await stopping
        finally:
            stopping.cancel()
            await asyncio.gather(stopping, return_exceptions=True)
    except (OperationalError, InternalError) as error:
        await postgres.drop_broken()
        raise unavailable(error) from error
