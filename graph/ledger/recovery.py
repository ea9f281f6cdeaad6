"""Finish the threads of a dead process, as far as no approver is needed."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import StateSnapshot

from daybook.graph.ledger.carry import settle
from daybook.graph.ledger.identity import AGENT, shape
from daybook.graph.ledger.running import Running, is_awaited, recovering
from daybook.graph.ledger.savers import due_nodes
from daybook.nodes.running.work import Work
from daybook.state.errors import ConfigurationError, DaybookError, InputRefused, ThreadBusy

_LOG = logging.getLogger(__name__)

Graph = CompiledStateGraph[Any, Any, Any, Any]

_UNSETTLED = "an outcome is not known yet"

_NOT_GIVEN = frozenset({"source", "step", "parents", "writes", "run_id", "role", AGENT})
"""Keys of a checkpoint's metadata beside the configuration, and the user of that run."""


async def recover_thread(running: Running, graph: Graph, thread_id: str) -> str:
    """Go on with a thread, and say what is left of it (see `Ledger.recover`)."""
    await running.declare()
    owner = await running.postgres.threads.owner_of(thread_id) or running.user
    config: RunnableConfig = {"configurable": {"thread_id": thread_id, "user_id": owner}}
    work = running.work(config)
    # Before anything is written: it may be of another program.
    await running.postgres.threads.admits(work.session, running.domain.name, None)
    token = recovering.set(True)
    try:
        config = await _as_it_was_run(graph, config)
        await _expire(work)
        if not await _is_due(graph, config):
            async with running.hold_thread(work):
                await settle(work, config, is_overtaken=False)
        elif not await is_awaited((await graph.aget_state(config)).interrupts, work):
            await graph.ainvoke(None, config, durability="sync")
        snapshot = await graph.aget_state(config)
        async with running.hold_thread(work):
            # Or its dead runner would be found forever.
            status = "waiting" if snapshot.interrupts else "idle"
            await work.resources.postgres.stalled.rest(thread_id, status=status)
    finally:
        recovering.reset(token)
    if not snapshot.interrupts and await _is_due(graph, config):
        return _UNSETTLED
    return await _left(snapshot, work)


async def sweep_threads(
    running: Running, graphs: Sequence[Graph], idle: timedelta
) -> dict[str, str]:
    """Go on with each thread that stands still, and say what is left of each."""
    _refuse_equal(graphs)
    await running.declare()
    async with running.postgres.stalled.claimed(running.domain.name, idle) as (found, _):
        pass
    came_of_it = {}
    for one in found:
        try:
            graph = await _graph_of(one.thread_id, graphs, running)
            left = await recover_thread(running, graph, one.thread_id)
        except ThreadBusy:
            continue
        except DaybookError as error:
            left = str(error)
        except Exception as error:
            # One thread that fails keeps nothing back of the others.
            _LOG.exception("the thread %s cannot be recovered", one.thread_id)
            left = f"failed: {type(error).__name__}"
        came_of_it[one.thread_id] = left
    return came_of_it


async def _graph_of(thread_id: str, graphs: Sequence[Graph], running: Running) -> Graph:
    """Return the graph of a thread.

    By its channels, as they were when its run began; by its next nodes and the name of its agent
    where a newer version of it has other ones.

    Raises:
        InputRefused: nobody can tell.
    """
    if not graphs:
        raise InputRefused(
            f"The thread {thread_id} was left by a dead process, but `sweep` was given no graph. "
            "Nothing was done; pass the graphs that use this ledger."
        )
    config: RunnableConfig = {"configurable": {"thread_id": thread_id}}
    found = [(graph, await _newest(graph, config)) for graph in graphs]
    kept = [(graph, one) for graph, one in found if one is not None]
    if not kept:
        # Its checkpoints are gone: what its ledger has open is settled by any.
        return graphs[0]
    newest = await running.postgres.ledger.newest_turn(thread_id)
    known = newest.detail.get("graph") if newest is not None else None
    named = [graph for graph, one in kept if _agent(graph) == dict(one.metadata).get(AGENT)]
    fitting = [graph for graph, one in kept if not due_nodes(one.checkpoint) - _names(graph)]
    exact = [graph for graph in named if shape(graph.channels) == known]
    for candidates in (exact, [one for one in fitting if one in named], fitting):
        if len(candidates) == 1:
            return candidates[0]
    raise InputRefused(
        f"It is not known to which graph the thread {thread_id} belongs. Nothing was done; call "
        "`recover` with its own graph."
    )


def _names(graph: Graph) -> set[str]:
    return {*graph.nodes, *graph.channels}


async def _newest(graph: Graph, config: RunnableConfig) -> CheckpointTuple | None:
    saver = graph.checkpointer
    return await saver.aget_tuple(config) if isinstance(saver, BaseCheckpointSaver) else None


async def _is_due(graph: Graph, config: RunnableConfig) -> bool:
    """Tell whether a run was not stored to its end.

    LangGraph's own `next` counts what tasks have written as done, though nothing follows of it yet.
    """
    found = await _newest(graph, config)
    return found is not None and bool(due_nodes(found.checkpoint))


async def _left(snapshot: StateSnapshot, work: Work) -> str:
    thread_id = work.session.thread_id
    if snapshot.interrupts:
        return "a question waits for an answer"
    left = await work.ledger.left_over(thread_id)
    if any(one.is_in_question for one in left):
        return "a step in doubt waits for a reviewer"
    is_open = await work.ledger.open_plan(thread_id) or left
    return _UNSETTLED if is_open else "finished"


async def _as_it_was_run(graph: Graph, config: RunnableConfig) -> RunnableConfig:
    """Return the configuration with what LangGraph has kept of that of the run.

    Raises:
        InputRefused: the thread is of another graph of the same program, which would end it.
    """
    found = await _newest(graph, config)
    if found is None:
        return config
    if others := sorted(due_nodes(found.checkpoint) - _names(graph)):
        raise InputRefused(
            f"The thread belongs to another graph: its next node is {', '.join(others)}, which "
            "this one does not have. Nothing was done."
        )
    kept = {name: value for name, value in found.metadata.items() if name not in _NOT_GIVEN}
    return {"configurable": {**kept, **config["configurable"]}}


def _agent(graph: Graph) -> str | None:
    """Return the name that `create_agent` gave a graph."""
    name: str | None = ((graph.config or {}).get("metadata") or {}).get(AGENT)
    return name


def _refuse_equal(graphs: Sequence[Graph]) -> None:
    """Refuse graphs of which nobody can tell whose a thread is.

    Raises:
        ConfigurationError: two have the same nodes, state and name.
    """
    known = [(shape(graph.channels), _agent(graph)) for graph in graphs]
    if len(set(known)) < len(known):
        raise ConfigurationError(
            "Two of these graphs have the same nodes and state, so threads cannot be assigned to "
            'them. Nothing was done. Give each agent a name: create_agent(..., name="billing").'
        )


async def _expire(work: Work) -> None:
    """End a question that nobody answered in time."""
    plan_id = await work.ledger.open_plan(work.session.thread_id)
    if plan_id is None:
        return
    async with work.ledger.page(work.session, plan_id) as page:
        plan = await page.plan(plan_id)
        if plan is not None and not plan.decided:
            work.engine.follow(page, plan)
