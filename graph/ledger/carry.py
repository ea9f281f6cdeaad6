"""Carry an effect out: the engine's own nodes, as a graph within the node that calls it.

A graph, because each question is then asked in a node of its own: an answer is given to the
question that it answers, however often the node around it runs again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command
from typing_extensions import TypedDict

from daybook.graph.ledger.answers import CHECKPOINT_NS, SCRATCHPAD
from daybook.graph.ledger.effect import Effect
from daybook.graph.ledger.identity import CallName
from daybook.graph.ledger.savers import saver_of
from daybook.nodes.approve import approve
from daybook.nodes.doubt import doubt
from daybook.nodes.execute import execute
from daybook.nodes.intend import intend
from daybook.nodes.park import park
from daybook.nodes.past.catch_up import under_way
from daybook.nodes.past.left_over import left_over
from daybook.nodes.running.work import Work
from daybook.state.agent import Decision, Turn
from daybook.state.flow import FlowTable
from daybook.state.people.policy import Policy
from daybook.tools.domain import Domain, Prompt
from daybook.tools.registry import Registry

WorkOf = Callable[[RunnableConfig], Work]
Graph = CompiledStateGraph[Any, Any, Any, Any]

_ALL = 2**62
"""Beyond every entry of a ledger: whatever is over is known to be."""

_HERE = "here"
"""The one position of the flow: effects may be called at any time."""

_RESUMING, _INTERRUPT = "__pregel_resuming", "__interrupt__"


def domain_of(name: str, effects: Iterable[Effect], policy: Policy | None) -> Domain:
    """Make the domain of a ledger: its effects, and who must approve them.

    Raises:
        DeclarationError: they are declared wrongly; the message says what to write.
    """
    given = list(effects)
    registry = Registry([one.declared for one in given])
    rules = [rule for one in given if one.policy is not None for rule in one.policy.rules]
    return Domain(
        name=name,
        registry=registry,
        flow=FlowTable(_HERE, {}, {_HERE: frozenset(registry.names)}),
        prompt=Prompt(system=""),
        policy=Policy(rules=(*rules, *(policy.rules if policy is not None else ()))),
    )


async def carry(graph: Graph, call: CallName, config: RunnableConfig, domain: Domain) -> None:
    """Carry a call out, or go on with it.

    Raises:
        GraphInterrupt: it asks.
    """
    decision = call.decision
    # As behind the house's own `decide`: the turn has come to the decision that follows.
    begun = {**_empty(domain, call.turn_id, decision["ordinal"] + 1, call.place.salt)}
    await _run_to_end(
        graph, {**begun, "decision": decision}, await _with_namespace(config, call.name)
    )


async def settle(
    graph: Graph, turn_id: str, config: RunnableConfig, domain: Domain, *, is_overtaken: bool
) -> None:
    """Finish what is open in a thread, or was left by earlier runs of it.

    Args:
        turn_id: for whom.
        is_overtaken: there is something new, so what nobody has decided on is withdrawn.

    Raises:
        GraphInterrupt: it asks.
    """
    given = {
        **_empty(domain, turn_id, 0, ""),
        "advanced": _ALL,
        "decision": None,
        "is_overtaken": is_overtaken,
    }
    inside = CHECKPOINT_NS in config["configurable"]
    await _run_to_end(
        graph, given, await _with_namespace(config, turn_id[::-1]) if inside else config
    )


async def _run_to_end(graph: Graph, given: Mapping[str, Any], config: RunnableConfig) -> None:
    """Run to the end, also where the run around it is cancelled meanwhile.

    A branch that fails cancels those beside it. What was sent by then would have no record, and a
    reviewer would be asked about what the provider has just answered.
    """
    inside = CHECKPOINT_NS in config["configurable"]
    options: Any = {"durability": "exit"} if inside else {}
    running = asyncio.ensure_future(graph.ainvoke(given, config, **options))
    try:
        await asyncio.shield(running)
    except asyncio.CancelledError:
        # LangGraph cancels once more while it waits.
        while not running.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([running])
        raise


async def _with_namespace(config: RunnableConfig, name: str) -> RunnableConfig:
    """Give what carries out a call checkpoints of its own, whatever else its node runs.

    LangGraph numbers the graphs that a node runs as they come, and gives an answer to the one of
    the same number: where calls are skipped that are done already, to another one.
    """
    configurable = config["configurable"]
    # Of figures, as LangGraph's own: it leaves them out where it names nodes.
    number = int.from_bytes(name.encode()[:12], "big")
    own = f"{configurable[CHECKPOINT_NS]}|{number}"
    where: RunnableConfig = {
        "configurable": {"thread_id": configurable["thread_id"], "checkpoint_ns": own}
    }
    found = await saver_of(config).aget_tuple(where)
    # One that was left without a question begins anew: the ledger knows where it stood.
    asks = found is not None and any(write[1] == _INTERRUPT for write in found.pending_writes or ())
    return {
        **config,
        "configurable": {
            **configurable,
            CHECKPOINT_NS: own,
            SCRATCHPAD: replace(configurable[SCRATCHPAD], subgraph_counter=lambda: 0),
            _RESUMING: asks,
        },
    }


class Carried(TypedDict, total=False):
    """The state of one carrying out; nothing of it is read again once it is over.

    What the nodes say of more is dropped: the agent keeps its own state.
    """

    flow: str
    turn: Turn
    decision: Decision | None
    advanced: int
    plan_id: str | None
    note: str
    salt: str
    is_overtaken: bool


def engine_graph(domain: Domain, work_of: WorkOf) -> Graph:
    """Wire the nodes that carry out effects; what they work with is asked for in each run."""
    graph: StateGraph[Any, Any, Any, Any] = StateGraph(Carried)
    for node in (take_up, intend, approve, doubt, execute, park):
        graph.add_node(node.__name__, _bound(node, work_of))
    for exit_ in ("decide", "respond"):
        # Where the house's own loop would ask its model, the agent's loop goes on.
        graph.add_node(exit_, _over)
        graph.add_edge(exit_, END)
    graph.add_edge(START, take_up.__name__)
    # Copied, and with that without a list of types of its own: a server's saver cannot be copied to
    # take one in (RecursionError under strict msgpack). What is kept here is plain data.
    return graph.compile(name=domain.name).copy()


async def take_up(
    state: Mapping[str, Any], work: Work
) -> Command[Literal["intend", "execute", "doubt", "__end__"]]:
    """Begin with a decision, or with what is open or left over in the thread's ledger."""
    if state["decision"] is not None:
        return Command(goto="intend")
    plan_id = await work.ledger.open_plan(work.session.thread_id)
    if plan_id is not None:
        plan, _ = await work.plan(plan_id)
        going_on = await under_way([plan], work) if state["is_overtaken"] else plan
        if going_on is not None:
            return Command(update={"plan_id": plan_id}, goto="execute")
    goto, update = await left_over(work)
    return Command(update=update, goto=goto)


def _bound(
    node: Callable[[Mapping[str, Any], Work], Awaitable[Command[Any]]], work_of: WorkOf
) -> Callable[..., Awaitable[Any]]:
    async def run(state: dict[str, Any], config: RunnableConfig) -> Command[Any]:
        return await node(state, work_of(config))

    run.__name__ = node.__name__
    return run


async def _over(state: dict[str, Any]) -> dict[str, Any]:
    return {}


def _empty(domain: Domain, turn_id: str, ordinal: int, salt: str) -> dict[str, Any]:
    return {
        "flow": domain.flow.start,
        "turn": Turn(turn_id=turn_id, ordinal=ordinal, notices=[]),
        "advanced": 0,
        "plan_id": None,
        "note": "",
        "salt": salt,
    }
