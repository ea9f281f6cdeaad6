"""Wire a domain and its resources into the graph.

receive -> decide -> look -> change -> intend -> approve -> execute -> decide -> respond

The calls of a decision are run in the model's order: look and change take turns, and what stands
behind its effects is looked up or changed when execute is over.
"""

from __future__ import annotations

import typing
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command

from daybook.graph.guarded import GuardedGraph
from daybook.nodes.approve import approve
from daybook.nodes.change import change
from daybook.nodes.compact import compact
from daybook.nodes.decide import decide
from daybook.nodes.doubt import doubt
from daybook.nodes.execute import execute
from daybook.nodes.intend import intend
from daybook.nodes.look import look
from daybook.nodes.park import park
from daybook.nodes.receive import receive
from daybook.nodes.respond import respond
from daybook.nodes.running.identity import session_of
from daybook.nodes.running.work import Resources, Work
from daybook.state.agent import Caller, Inbox, upgraded
from daybook.tools.domain import Domain

Node = Callable[[Mapping[str, Any], Work], Awaitable[Command[Any]]]

NODES: tuple[Node, ...] = (
    receive,
    decide,
    compact,
    look,
    change,
    intend,
    approve,
    execute,
    doubt,
    park,
    respond,
)
"""The nodes, in the order of a turn."""


def build(
    domain: Domain,
    resources: Callable[[], Resources],
    checkpointer: BaseCheckpointSaver[Any] | None = None,
) -> GuardedGraph:
    """Build the agent of a domain.

    Args:
        resources: returns the resources of the agent; called when a run begins, so that a server
            can build the graph once, before anything is open.
        checkpointer: for a graph outside a server; a server brings its own.

    Example:
        >>> from daybook import Domain, FlowTable, Prompt, Registry
        >>> flow = FlowTable("ready", {}, {"ready": frozenset()})
        >>> prompt = Prompt(system="You rent out rooms.")
        >>> rooms = Domain(name="rooms", registry=Registry([]), flow=flow, prompt=prompt)
        >>> graph = build(rooms, lambda: resources)
        >>> graph.name, sorted(graph.nodes)[:3]
        ('rooms', ['__start__', 'approve', 'change'])

        With `resources.postgres.saver` as its checkpointer it is run by `await
        graph.ainvoke({"messages": [...]}, {"configurable": {"thread_id": ..., "user_id": ...}})`;
        `GuardedGraph.astream` says what that may raise.
    """
    graph: StateGraph[Any, Any, Any, Any] = StateGraph(
        domain.state, context_schema=Caller, input_schema=Inbox
    )
    for node in NODES:
        graph.add_node(
            node.__name__,
            _bound(node, domain, resources),
            metadata={"description": (node.__doc__ or "").partition("\n")[0]},
            destinations=tuple(_exits(node)),
        )
    graph.add_edge(START, receive.__name__)
    compiled = graph.compile(checkpointer, name=domain.name)
    return GuardedGraph.around(compiled, resources, domain.name)


def _bound(
    node: Node, domain: Domain, resources: Callable[[], Resources]
) -> Callable[..., Awaitable[Any]]:
    """Bind a node to its work; state of an older version is upgraded before any node reads it."""

    async def run(state: dict[str, Any], config: RunnableConfig) -> Command[Any]:
        running = resources()
        work = Work(domain, running, session_of(config, running.postgres.tenant_id, running.user))
        fresh = upgraded(state, domain.version, domain.upgrades)
        current = {**state, **fresh}
        command = await node(current, work)
        if not fresh:
            return command
        update = command.update if isinstance(command.update, dict) else {}
        return Command(update={**fresh, **update}, goto=command.goto)

    run.__name__ = node.__name__
    run.__doc__ = node.__doc__
    return run


def _exits(node: Node) -> list[str]:
    """Read a node's exits from its return type."""
    (returned,) = typing.get_args(typing.get_type_hints(node)["return"])
    return list(dict.fromkeys(_literals(returned)))


def _literals(hint: Any) -> list[str]:
    if typing.get_origin(hint) is typing.Literal:
        return list(typing.get_args(hint))
    return [name for part in typing.get_args(hint) for name in _literals(part)]
