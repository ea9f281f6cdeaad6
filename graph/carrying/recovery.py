"""Finish what a dead process left of an agent's threads, as far as no person is needed."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph

from daybook.graph.carrying.running import Running, recovering, waits
from daybook.graph.carrying.subgraph import left
from daybook.nodes.running.work import Work
from daybook.state.errors import DaybookError, ThreadBusy

_LOG = logging.getLogger(__name__)

Graph = CompiledStateGraph[Any, Any, Any, Any]


async def recovered(running: Running, carrying: Graph, agent: Graph, thread_id: str) -> str:
    """Go on with a thread, and say what is left of it (see `Daybook.recover`)."""
    owner = await running.resources().postgres.threads.owner_of(thread_id) or running.user
    config: RunnableConfig = {"configurable": {"thread_id": thread_id, "user_id": owner}}
    work = running.work(config)
    token = recovering.set(True)
    try:
        await _expire(work)
        snapshot = await agent.aget_state(config)
        if snapshot.next and not await waits(snapshot.interrupts, work):
            await agent.ainvoke(None, config, durability="sync")
        elif not snapshot.next:
            async with running.alone(work):
                settling = left(running.domain, "recovered", is_overtaken=False)
                await carrying.ainvoke(settling, config)
        snapshot = await agent.aget_state(config)
        async with running.alone(work):
            # Or its dead runner would be found for ever.
            status = "waiting" if snapshot.interrupts else "idle"
            await work.resources.postgres.stalled.rest(thread_id, status=status)
    finally:
        recovering.reset(token)
    if snapshot.interrupts:
        return "a question waits for a person"
    is_open = await work.ledger.open_plan(thread_id) or await work.ledger.left_over(thread_id)
    return "something is not settled yet" if is_open else "finished"


async def swept(running: Running, carrying: Graph, agent: Graph, idle: timedelta) -> dict[str, str]:
    """Go on with each thread that stands still, and say what is left of each."""
    stalled = running.resources().postgres.stalled
    async with stalled.claimed(running.domain.name, idle) as (found, _):
        pass
    came_of_it = {}
    for one in found:
        try:
            left_of_it = await recovered(running, carrying, agent, one.thread_id)
            came_of_it[one.thread_id] = left_of_it
        except ThreadBusy:
            continue
        except DaybookError as error:
            came_of_it[one.thread_id] = str(error)
        except Exception as error:
            # One thread that fails keeps nothing back of the others.
            _LOG.exception("the thread %s cannot be recovered", one.thread_id)
            came_of_it[one.thread_id] = f"failed: {type(error).__name__}"
    return came_of_it


async def _expire(work: Work) -> None:
    """End a question that nobody answered in time."""
    plan_id = await work.ledger.open_plan(work.session.thread_id)
    if plan_id is None:
        return
    async with work.ledger.page(work.session, plan_id) as page:
        plan = await page.plan(plan_id)
        if plan is not None and not plan.decided:
            work.engine.follow(page, plan)
