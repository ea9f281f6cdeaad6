"""The place of a decision or call in its thread: read from checkpoints, never from messages.

A run begins with what the graph was given. How many steps ago that was, by which task of which node
(of each graph around it) something is done, and the exact arguments name it: the same when its node
runs again or when an older checkpoint is replayed, another one when it is meant again. LangGraph's
own task ids change with each replay, and so do ids of messages and calls.
"""

from __future__ import annotations

import itertools
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID
from weakref import WeakKeyDictionary

from langchain_core.messages import BaseMessage, ToolMessage
from langchain_core.messages.utils import convert_to_messages
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointTuple
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.pregel._algo import _xxhash_str
from pydantic import BaseModel

from daybook.graph.ledger.answers import CHECKPOINT_MAP, CHECKPOINT_NS, SCRATCHPAD, checkpoint_of
from daybook.graph.ledger.savers import saver_of, wait_until_stored
from daybook.state.agent import Decision
from daybook.state.effects.keys import canonical, digest, normalise, plan_id, storable
from daybook.state.errors import EffectNotDone, UnknownCheckpoint
from daybook.state.receipts import is_receipt

_RUNTIME, _READ = "__pregel_runtime", "__pregel_read"
_SEND, _INPUT = "__pregel_push", "__start__"
"""Where LangGraph says how a node runs, and its input (tests/integration/test_identity.py)."""

AGENT = "lc_agent_name"
"""Under which a checkpoint has the name of the agent of `create_agent` that wrote it."""

PLAN = "daybook_plan"
"""Under which a tool message names the record of its call."""

_PLAIN = JsonPlusSerializer()

_REMEMBERED = 1000
"""Checkpoints of which it is known when their run began, and runs."""

_MOST_TASKS = 10_000
"""Tasks of one node in one step, at most, whose position is looked for by their ids."""

_runs: OrderedDict[int, tuple[Any, RunState]] = OrderedDict()
_calls: WeakKeyDictionary[Any, defaultdict[str, _Alike]] = WeakKeyDictionary()
_origins: OrderedDict[tuple[str, str], _Origin] = OrderedDict()


@dataclass(frozen=True)
class Place:
    """Name a place in a thread.

    Attributes:
        turn: the run that it belongs to; calls of one run may be made side by side.
        at: the place itself; of a graph within another one, a dot and what that was given.
        salt: kept with the checkpoints alone, so that nothing can be guessed from a name.
        depth: how many graphs run within each other there; 1 where it is the thread's own.
        around: names the run of the graph that it is in, among all within the thread's run.
        edited_at: when the state was edited last since the run began, UTC.
    """

    thread_id: str
    turn: str
    at: str
    salt: str
    depth: int
    around: str = ""
    edited_at: datetime | None = None

    @property
    def is_edited(self) -> bool:
        """Tell whether the state was edited since the run began."""
        return self.edited_at is not None

    def within(self, position: int) -> Place:
        """Name the place of one of several calls that are decided on here."""
        at = digest([self.at, position])[:12]
        return Place(self.thread_id, self.turn, at, self.salt, self.depth, self.around)

    @property
    def turn_id(self) -> str:
        """Return what the ledger has for a turn: here each decision is one of its own."""
        return f"{self.turn}/{self.depth}/{self.at}"


@dataclass(frozen=True)
class CallName:
    """Name one call of an effect."""

    place: Place
    tool: str
    args: Mapping[str, Any]
    number: int

    @property
    def name(self) -> str:
        """Return the name of the call within its turn."""
        about = [self.place.salt, self.place.at, self.tool, normalise(self.args), self.number]
        return digest(about)[:24]

    @property
    def turn_id(self) -> str:
        """Return what the ledger has for a turn: here each call is one of its own."""
        return f"{self.place.turn_id}/{self.name}"

    @property
    def decision(self) -> Decision:
        """Return what is carried out."""
        proposed: Any = {"name": self.tool, "args": dict(self.args)}
        return Decision(ordinal=0, calls=[proposed], text="", refused={})

    def plan_id(self, version: int) -> str:
        """Name its plan, as the engine does."""
        calls = [[self.tool, self.args]]
        place = self.place
        return plan_id(place.thread_id, self.turn_id, 0, calls, version, place.salt)

    def is_beside(self, turn_id: str) -> bool:
        """Tell whether another call belongs to the same run of the thread."""
        return turn_id.startswith(f"{self.place.turn}/")

    def before_edit(self, turn_id: str) -> CallName | None:
        """Return the call that this is by what the ledger has for a turn, or None.

        Where the state was edited, a graph within another one may be given something else. An
        effect with equal arguments is the same one.
        """
        place = self.place
        at = turn_id.rpartition("/")[0].rpartition("/")[2]
        if at.partition(".")[0] != place.at.partition(".")[0]:
            return None
        same = replace(self, place=replace(place, at=at))
        return same if same.turn_id == turn_id else None

    def is_at_same_place(self, turn_id: str) -> bool:
        """Tell whether another call was made by the same task."""
        return turn_id.startswith(f"{self.place.turn_id}/")


@dataclass
class RunState:
    """Remember of one run of a graph, with all within it, what its branches must know.

    Attributes:
        asked: the plan that a question of this run is about.
        asked_in: the namespace of the task that asked.
        ended: tool calls that have begun in it, by the agent's run, message and position: None
            while they are in progress, then whether they ask.
        bare: the bare answer that it was given, for a question of a ledger and for no other one.
        made: turns of the calls that were made in it.
        begun: who began it, and each agent within it, by the turn of that begin in the ledger.
    """

    asked: str = ""
    asked_in: str = ""
    bare: Any = None
    ended: dict[tuple[str, str, int], bool | None] = field(default_factory=dict)
    made: set[str] = field(default_factory=set)
    begun: dict[str, str] = field(default_factory=dict)


def run_state(config: RunnableConfig) -> RunState:
    """Return what is remembered of the run that a node belongs to."""
    control = getattr(config["configurable"][_RUNTIME], "control", None)
    if control is None:
        return RunState()
    # By its id, which is its own as long as it is kept here: LangGraph lets nobody refer to it
    # weakly.
    known = _runs.setdefault(id(control), (control, RunState()))
    _runs.move_to_end(id(control))
    while len(_runs) > _REMEMBERED:
        _runs.popitem(last=False)
    return known[1]


def is_run_beside(config: RunnableConfig, namespace: str) -> bool:
    """Tell whether a task runs in another graph of one and the same task of a node.

    A node that gathers graphs hears of the first that ends, and LangGraph of no other.
    """
    mine, theirs = _tasks(config["configurable"][CHECKPOINT_NS]), _tasks(namespace)
    for one, other in zip(mine, theirs, strict=False):
        if one != other:
            return one[0] == other[0]
    return False


def _tasks(namespace: str) -> list[tuple[str, str]]:
    """Read the tasks of a namespace, each with the number of the graph that it runs."""
    tasks: list[tuple[str, str]] = []
    for part in namespace.split("|"):
        if part.isdigit() and tasks:
            tasks[-1] = (tasks[-1][0], part)
        else:
            tasks.append((part, ""))
    return tasks


def shape_of(config: RunnableConfig) -> str:
    """Name a graph by its channels: its state and its nodes. Of one whose node runs."""
    _, channels, managed = config["configurable"][_READ].args[:3]
    return shape([*channels, *managed])


def shape(channels: Iterable[str]) -> str:
    """Name a graph by the names of its channels."""
    return digest(sorted(channels))[:12]


def depth_of(turn_id: str) -> int:
    """Return within how many graphs a call was made, by what the ledger has for its turn."""
    return int(turn_id.split("/")[1])


@contextmanager
def numbered(
    config: RunnableConfig, tool: str, args: Mapping[str, Any], call_id: str | None = None
) -> Iterator[int]:
    """Number a call among those that are alike in one run of a node, from 1.

    What ends without an outcome keeps no number: made again, it is the same call, whether by a
    retry of the node's own or of a middleware. A model's call is known by its id. When LangGraph
    runs the node again, the count begins again.
    """
    about = _about(config, tool, args)
    # Two calls of one message may have one id: the second is begun before the first has ended.
    if call_id and call_id in about.by_id and call_id not in about.begun:
        yield about.by_id[call_id]
        return
    number = next(one for one in itertools.count(1) if one not in about.numbers)
    about.numbers.add(number)
    about.was_made = True
    if call_id:
        about.by_id[call_id] = number
        about.begun.append(call_id)
    try:
        yield number
    except EffectNotDone:
        raise
    except BaseException:
        if not call_id:
            about.numbers.discard(number)
        raise
    finally:
        if call_id:
            about.begun.remove(call_id)


def begin_again(config: RunnableConfig) -> None:
    """Number the calls of a task again: a middleware runs its tool once more."""
    _calls.pop(config["configurable"][SCRATCHPAD].get_null_resume, None)


def was_called(config: RunnableConfig, tool: str, args: Mapping[str, Any]) -> bool:
    """Tell whether this run of a node has made such a call."""
    return _about(config, tool, args).was_made


@dataclass
class _Alike:
    """Know of the calls that are alike in one run of a node."""

    numbers: set[int] = field(default_factory=set)
    by_id: dict[str, int] = field(default_factory=dict)
    begun: list[str] = field(default_factory=list)
    was_made: bool = False


def _about(config: RunnableConfig, tool: str, args: Mapping[str, Any]) -> _Alike:
    configurable = config["configurable"]
    # Of all that LangGraph makes for one run of a node, this can be referred to weakly.
    run = configurable[SCRATCHPAD].get_null_resume
    attempt = configurable[_RUNTIME].execution_info.node_attempt
    alike = canonical([attempt, tool, normalise(args)])
    return _calls.setdefault(run, defaultdict(_Alike))[alike]


async def place_of(config: RunnableConfig, *, edits: bool = False) -> Place:
    """Name the place of the node that runs.

    Args:
        edits: whether a state that was edited since the run began makes another place of it. A
            decision of the model is another one then; an effect with equal arguments is not.

    Raises:
        UnknownCheckpoint: the checkpoints of its run are gone.
        DatabaseUnavailable: they are not stored in time.
    """
    configurable = config["configurable"]
    namespace: str = configurable[CHECKPOINT_NS]
    graphs = [one for one in configurable[CHECKPOINT_MAP] if _is_within(namespace, one)]
    levels: list[Any] = []
    outer: list[Any] = []
    given: list[str] = []
    begun, edited = "", list[datetime]()
    for graph in sorted(graphs, key=len):
        origin = await _origin_of(config, graph)
        if graph:
            # A node may run several graphs one after the other, and differ in nothing else.
            given.append(origin.given)
        begun = begun or origin.begun
        edited += [origin.edited_at] if origin.edited_at is not None else []
        # Without the numbers of graphs that a node runs: they go on where it is tried again.
        task = next(
            one for one in namespace[len(graph) :].strip("|").split("|") if not one.isdigit()
        )
        node, _, task_id = task.partition(":")
        at = checkpoint_of(config, graph)["configurable"]["checkpoint_id"]
        is_innermost = f"{graph}|{task}".strip("|") == namespace
        path = config["metadata"]["langgraph_path"] if is_innermost else None
        position = _position(path, graph, node, task_id, at, origin.step)
        level = [origin.steps, node, position]
        levels.append([*level, *origin.edits] if edits else level)
        outer.append(level)
    thread_id = str(configurable["thread_id"])
    turn = digest([thread_id, begun])[:12]
    spot = ".".join([digest([begun, levels])[:12], *([digest(given)[:12]] if given else [])])
    around = digest([begun, outer[:-1], given])[:12]
    edited_at = max(edited, default=None)
    return Place(thread_id, turn, spot, begun, len(levels), around, edited_at)


def _position(
    path: Sequence[Any] | None, graph: str, node: str, task_id: str, checkpoint_id: str, step: int
) -> int | None:
    """Return the how-manieth a task is of those that one step sent; None of one that was not sent.

    Two sub-agents that work side by side differ by nothing else.

    Args:
        path: the task's own, where it is the one that runs. Of those around it the id alone is
            known, which is made of the position.
    """
    if path is not None:
        return path[1] if path[0] == _SEND else None
    of = UUID(checkpoint_id).bytes
    namespace = f"{graph}|{node}" if graph else node
    for position in range(_MOST_TASKS):
        if _xxhash_str(of, namespace, str(step + 1), node, _SEND, str(position)) == task_id:
            return position
    return None


@dataclass(frozen=True)
class _Origin:
    """Tell where a checkpoint comes from.

    Attributes:
        begun: what its run began with.
        given: what was given to it, but for ids of messages, which may be made again.
        steps: how many steps ago.
        edits: checkpoints since then in which someone edited the state.
        step: LangGraph's number of it.
        edited_at: when the newest of these edits was stored, UTC.
    """

    begun: str
    given: str
    steps: int
    edits: tuple[str, ...]
    step: int
    edited_at: datetime | None = None


async def _origin_of(config: RunnableConfig, graph: str) -> _Origin:
    """Find with what the run of a graph began."""
    where = checkpoint_of(config, graph)
    passed: list[CheckpointTuple] = []
    origin = _known(where)
    found: CheckpointTuple | None = (
        await wait_until_stored(config, where) if origin is None else None
    )
    while origin is None:
        if found is None:
            raise UnknownCheckpoint(
                "The checkpoints at the start of this run of the thread "
                f"{where['configurable']['thread_id']} no longer exist, so its earlier effects "
                "cannot be identified. Nothing was done now; check its ledger, and start again."
            )
        if found.metadata.get("source") == "input" or found.parent_config is None:
            origin = _Origin(
                _begun(config, found), _given(config, found), 0, (), found.metadata.get("step", -1)
            )
            _remember(found.config, origin)
            break
        passed.append(found)
        where = found.parent_config
        origin = _known(where)
        if origin is None:
            found = await saver_of(config).aget_tuple(where)
    for one in reversed(passed):
        source, id_ = one.metadata.get("source"), one.config["configurable"]["checkpoint_id"]
        edits, edited_at = origin.edits, origin.edited_at
        if source == "update":
            edits, edited_at = (*edits, id_), datetime.fromisoformat(one.checkpoint["ts"])
        steps, step = origin.steps + (source == "loop"), one.metadata.get("step", -1)
        origin = replace(origin, steps=steps, edits=edits, step=step, edited_at=edited_at)
        _remember(one.config, origin)
    return origin


def _begun(config: RunnableConfig, found: CheckpointTuple) -> str:
    """Name a run by what it was given: the client's messages where each has an id, else by its row.

    A server that was killed gives a message once more, and a client that had no answer too.
    """
    id_: str = found.config["configurable"]["checkpoint_id"]
    given = _fields_of(found.checkpoint["channel_values"].get(_INPUT))
    if not isinstance(given, Mapping) or not given.get("messages"):
        return id_
    said = given["messages"] if isinstance(given["messages"], list) else [given["messages"]]
    try:
        messages: list[BaseMessage] = convert_to_messages(said)
    except (NotImplementedError, TypeError, ValueError):
        # Messages of the adopter's own, which are no chat messages.
        return id_
    if not all(one.id for one in messages):
        return id_
    rest = {key: value for key, value in given.items() if key != "messages"}
    return digest(
        [
            *(storable([one.id, one.type, one.content]) for one in messages),
            *([_written(config, rest)] if rest else []),
            *([name] if (name := _agent(found)) else []),
        ]
    )


def _written(config: RunnableConfig, value: Any) -> list[str]:
    # Not by the saver's own, which may encrypt: the same would be written otherwise each time.
    form, data = _PLAIN.dumps_typed(_without_ids(value))
    return [form, data.hex()]


def _given(config: RunnableConfig, found: CheckpointTuple) -> str:
    """Return a digest of what a graph within another one was given."""
    if not found.config["configurable"][CHECKPOINT_NS]:
        return ""
    given = _written(config, found.checkpoint["channel_values"].get(_INPUT))
    return digest([*given, *([name] if (name := _agent(found)) else [])])


def _agent(found: CheckpointTuple) -> str:
    """Return the name of the agent of `create_agent` that wrote a checkpoint; "" without one."""
    return str(dict(found.metadata).get(AGENT) or "")


def _without_ids(value: Any) -> Any:
    if isinstance(value, ToolMessage) and PLAN in value.additional_kwargs:
        # Of one call more may be known later.
        return [value.name, value.tool_call_id]
    if isinstance(value, BaseMessage):
        # A model that is asked once more makes new ids of calls, and other metadata.
        calls = [[one["name"], one["args"]] for one in getattr(value, "tool_calls", ())]
        return [value.type, value.name, value.content, calls]
    value = _fields_of(value)
    if isinstance(value, Mapping):
        # A message within a model may come back as its fields.
        is_message = value.keys() >= _FIELDS_OF_MESSAGES
        return {
            key: _without_ids(one) for key, one in value.items() if not (is_message and key == "id")
        }
    if isinstance(value, list | tuple):
        return [_without_ids(one) for one in value if not _is_receipt(one)]
    # The order of a set differs from process to process.
    return sorted(map(repr, value)) if isinstance(value, set | frozenset) else value


def _fields_of(value: Any) -> Any:
    """Return a model or dataclass as the mapping that it holds."""
    if isinstance(value, BaseModel) and not isinstance(value, BaseMessage):
        return {name: getattr(value, name) for name in type(value).model_fields}
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    return value


_FIELDS_OF_MESSAGES = frozenset({"content", "type", "id", "additional_kwargs", "response_metadata"})


def _is_receipt(value: Any) -> bool:
    return isinstance(value, BaseMessage) and is_receipt(value.id)


def _remember(config: RunnableConfig, origin: _Origin) -> None:
    _origins[_name(config)] = origin
    while len(_origins) > _REMEMBERED:
        _origins.popitem(last=False)


def _known(where: RunnableConfig) -> _Origin | None:
    return _origins.get(_name(where))


def _name(where: RunnableConfig) -> tuple[str, str]:
    about = where["configurable"]
    return str(about["thread_id"]), about["checkpoint_id"]


def _is_within(namespace: str, graph: str) -> bool:
    return not graph or namespace.startswith(f"{graph}|")
