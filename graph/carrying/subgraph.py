"""Carry out effect calls that belong together: the house's own nodes, as a subgraph.

A subgraph, because each question is then asked in a node of its own: an answer is given to the
question that it answers, however often the node around it runs again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Literal

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command
from typing_extensions import TypedDict

from daybook.nodes.approve import approve
from daybook.nodes.doubt import doubt
from daybook.nodes.execute import execute
from daybook.nodes.intend import intend
from daybook.nodes.park import park
from daybook.nodes.past.catch_up import under_way
from daybook.nodes.past.late import left_over
from daybook.nodes.running.work import Work
from daybook.state.agent import Decision, Turn
from daybook.state.flow import FlowTable
from daybook.state.people.policy import Policy
from daybook.tools.domain import Domain, Prompt
from daybook.tools.kinds import EffectTool
from daybook.tools.registry import Registry

WorkOf = Callable[[RunnableConfig], Work]

_ALL = 2**62
"""Beyond every entry of a ledger: whatever is over is known to be."""


_HERE = "here"
"""The one position of the flow: effects may be called at any time."""


def domain_of(name: str, effects: Iterable[EffectTool], policy: Policy | None) -> Domain:
    """Make the domain of a graph that somebody else wrote: its effects, and who must approve them.

    Raises:
        DeclarationError: they are declared wrongly; the message says what to write.
    """
    registry = Registry(effects)
    return Domain(
        name=name,
        registry=registry,
        flow=FlowTable(_HERE, {}, {_HERE: frozenset(registry.names)}),
        prompt=Prompt(system=""),
        policy=policy or Policy(),
    )


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


def begun(domain: Domain, turn_id: str, decision: Decision, salt: str) -> dict[str, Any]:
    """Return what to carry out a decision with."""
    # As behind the house's own `decide`: the turn has come to the decision that follows.
    return {**_empty(domain, turn_id, decision["ordinal"] + 1, salt), "decision": decision}


def left(domain: Domain, turn_id: str, *, is_overtaken: bool) -> dict[str, Any]:
    """Return what to settle with what earlier runs of the thread left.

    Args:
        is_overtaken: there is a new message, so what nobody has decided on is withdrawn.
    """
    return {
        **_empty(domain, turn_id, 0, ""),
        "advanced": _ALL,
        "decision": None,
        "is_overtaken": is_overtaken,
    }


def carrying(domain: Domain, work_of: WorkOf) -> CompiledStateGraph[Any, Any, Any, Any]:
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
    return await left_over(state, {}, work)


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
