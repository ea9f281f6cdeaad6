"""Which call of a thread this is: the same one when its node runs again, another when meant anew.

LangGraph's own names do not tell: the id of a task changes when a thread is replayed from an older
checkpoint. A turn begins with what the graph was given; how many steps ago, by which node, with
which arguments and the how-manieth like it in that run of the node, names a call.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

from langchain_core.runnables import RunnableConfig

from daybook.graph.carrying.answers import (
    CHECKPOINT_MAP,
    CHECKPOINT_NS,
    CHECKPOINTER,
    SCRATCHPAD,
    checkpoint_of,
)
from daybook.graph.carrying.running import stored
from daybook.state.agent import Decision
from daybook.state.effects.keys import canonical, digest, normalise, plan_id
from daybook.state.errors import UnknownCheckpoint

_RUNTIME, _RESUMING = "__pregel_runtime", "__pregel_resuming"
_SEND, _INTERRUPT = "__pregel_push", "__interrupt__"
"""Where LangGraph says how a node runs. Held in tests/real/test_plain_effects.py."""

_REMEMBERED = 1000
"""Checkpoints of which it is known when their turn began."""

_counted: WeakKeyDictionary[Any, Counter[str]] = WeakKeyDictionary()
_begun: OrderedDict[str, tuple[str, int]] = OrderedDict()


@dataclass(frozen=True)
class Call:
    """Name one call of an effect.

    Attributes:
        turn: names the turn; calls of one turn may run beside each other.
        salt: kept with the checkpoints alone, so that nothing can be guessed from a name.
    """

    tool: str
    args: Mapping[str, Any]
    thread_id: str
    turn: str
    name: str
    salt: str

    @property
    def turn_id(self) -> str:
        """Return what the ledger has for a turn: here each call is one of its own."""
        return f"{self.turn}/{self.name}"

    @property
    def decision(self) -> Decision:
        """Return what the nodes carry out."""
        proposed: Any = {"name": self.tool, "args": dict(self.args)}
        return Decision(ordinal=0, calls=[proposed], text="", refused={})

    def plan_id(self, version: int) -> str:
        """Name its plan, as `intend` does."""
        calls = [[self.tool, self.args]]
        return plan_id(self.thread_id, self.turn_id, 0, calls, version, self.salt)


def counted(config: RunnableConfig, tool: str, args: Mapping[str, Any]) -> int:
    """Count the calls that are alike in one run of a node: from 1, and anew when it is retried."""
    configurable = config["configurable"]
    attempt = configurable[_RUNTIME].execution_info.node_attempt
    # Of all that LangGraph makes for one run of a node, this can be referred to weakly.
    run = configurable[SCRATCHPAD].get_null_resume
    counts = _counted.setdefault(run, Counter())
    alike = canonical([attempt, tool, normalise(args)])
    counts[alike] += 1
    return counts[alike]


async def call_of(config: RunnableConfig, tool: str, args: Mapping[str, Any], number: int) -> Call:
    """Name a call.

    Args:
        number: which one like it, as `counted`.

    Raises:
        UnknownCheckpoint: the checkpoints of its turn are gone.
        DatabaseUnavailable: they are not stored in time.
    """
    configurable = config["configurable"]
    namespace = configurable[CHECKPOINT_NS]
    graphs = [one for one in configurable[CHECKPOINT_MAP] if _is_within(namespace, one)]
    steps, begun = [], ""
    for graph in sorted(graphs, key=len):
        since, passed = await _turn_of(config, graph)
        begun = begun or since
        steps.append(passed)
    # Without the numbers of graphs that a node runs: they go on where it is tried again.
    nodes = [part.partition(":")[0] for part in namespace.split("|") if not part.isdigit()]
    path = config["metadata"]["langgraph_path"]
    place = [steps, nodes, path[1] if path[0] == _SEND else None]
    name = digest([begun, place, tool, normalise(args), number])[:24]
    thread_id = str(configurable["thread_id"])
    return Call(tool, args, thread_id, digest([thread_id, begun])[:12], name, begun)


async def apart(config: RunnableConfig, name: str) -> RunnableConfig:
    """Give what carries out a call checkpoints of its own, whatever else its node runs.

    LangGraph numbers the graphs that a node runs as they come, and gives an answer to the one of
    the same number: where calls are skipped that are done already, to another one.
    """
    configurable = config["configurable"]
    # Of figures, as LangGraph's own: it leaves them out where it names nodes.
    own = f"{configurable[CHECKPOINT_NS]}|{int(name[:12], 16)}"
    where = {"thread_id": configurable["thread_id"], "checkpoint_ns": own}
    found = await configurable[CHECKPOINTER].aget_tuple({"configurable": where})
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


async def _turn_of(config: RunnableConfig, graph: str) -> tuple[str, int]:
    """Return the checkpoint with which a turn of a graph began, and how many steps ago."""
    where = checkpoint_of(config, graph)
    passed: list[tuple[str, int]] = []
    steps = 0
    found = await stored(config, where) if _known(where) is None else None
    while (known := _known(where)) is None:
        if found is None:
            raise UnknownCheckpoint(
                f"The checkpoints with which this run of the thread "
                f"{where['configurable']['thread_id']} began are gone, so nobody can tell which of "
                "its effects were done. Nothing was done now; look at its ledger, and begin anew."
            )
        id_ = found.config["configurable"]["checkpoint_id"]
        if found.metadata.get("source") == "input" or found.parent_config is None:
            known = (id_, 0)
            break
        passed.append((id_, steps))
        steps += found.metadata.get("source") == "loop"
        where = found.parent_config
        found = await config["configurable"][CHECKPOINTER].aget_tuple(where)
    begun, before = known
    for id_, since in [*passed, (where["configurable"]["checkpoint_id"], steps)]:
        _begun[id_] = (begun, before + steps - since)
    while len(_begun) > _REMEMBERED:
        _begun.popitem(last=False)
    return begun, before + steps


def _known(where: RunnableConfig) -> tuple[str, int] | None:
    return _begun.get(where["configurable"]["checkpoint_id"])


def _is_within(namespace: str, graph: str) -> bool:
    return not graph or namespace.startswith(f"{graph}|")
