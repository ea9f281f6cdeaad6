"""Give an answer to the question that it answers, and to no other.

LangGraph stores a bare answer (`Command(resume=...)` without an interrupt's id) before any node
sees it, and keeps it until the node that asked has ended. After a crash it would be given to the
next question, and one that was refused would be given again in the name of whoever comes next. A
guarded agent addresses its answers, and our own saver stores no bare ones; this is for the others.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from inspect import getclosurevars
from typing import Any, Protocol
from weakref import WeakKeyDictionary, WeakSet

from langchain_core.messages import ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.serde.types import INTERRUPT
from langgraph.errors import GraphInterrupt
from langgraph.types import Interrupt
from psycopg import OperationalError

from daybook.nodes.effects.engine import Ask
from daybook.state.clock import SYSTEM
from daybook.state.effects.keys import digest

CHECKPOINTER, SCRATCHPAD = "__pregel_checkpointer", "__pregel_scratchpad"
CHECKPOINT_MAP, CHECKPOINT_NS = "checkpoint_map", "checkpoint_ns"
"""Where the configuration of a running node says what runs it (see test_identity.py)."""

DURABILITY = "__pregel_durability"

SOON = 0.01
LONG = 10.0
"""Seconds to wait for a write that is made in the background, and between two checks."""

_RESUME_MAP = "__pregel_resume_map"

_taken: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()
"""Of each run of a node, which questions were given their answers."""

_removed: WeakSet[Any] = WeakSet()
"""The runs whose bare answers are stored no longer."""

_NULL_TASK = "00000000-0000-0000-0000-000000000000"
_RESUME = "__resume__"


class Run(Protocol):
    """What is remembered of a run that holds the bare answer which it was given."""

    bare: Any


def put(config: RunnableConfig, ask: Ask, run: Run) -> Any:
    """Return the answer to a question.

    The id of the interrupt is made of the question, so an answer reaches the question that it names
    however often its node runs again, and beside which others it is asked.

    Raises:
        GraphInterrupt: there is no answer yet.
        InputRefused: it does not fit its question, which stays as it was.
    """
    configurable = config["configurable"]
    scratchpad = configurable[SCRATCHPAD]
    id_ = digest([str(configurable["thread_id"]), ask.id])[:32]
    taken = _taken.setdefault(scratchpad.get_null_resume, set())
    answer = (configurable.get(_RESUME_MAP) or {}).get(id_) if id_ not in taken else None
    if answer is None and any(one.id == id_ for one in _resumed(config).asked):
        answer, run.bare = run.bare or scratchpad.get_null_resume(True), None
    if answer is None:
        raise GraphInterrupt((Interrupt(dict(ask.request), id_),))
    taken.add(id_)
    return ask.checked(answer)


def hold_answer(config: RunnableConfig, run: Run) -> None:
    """Keep a bare answer to a question of a ledger for that question.

    Whatever interrupts first would be given it, though its giver has never seen what that asks.
    """
    resumed = _resumed(config)
    if resumed.answer is None or not resumed.asked or asks_elsewhere(resumed.asked):
        return
    answer = config["configurable"][SCRATCHPAD].get_null_resume(True)
    if answer is not None:
        run.bare = answer


async def leave_question(config: RunnableConfig) -> None:
    """Store that a task waits and asks nothing, and what its own interrupts were answered.

    LangGraph stores neither of a task that ends with no question: its earlier one would stay beside
    that of another branch, and be asked once more.
    """
    task_id = config["configurable"][CHECKPOINT_NS].rpartition("|")[2].partition(":")[2]
    writes: list[tuple[str, Any]] = [(INTERRUPT, ())]
    if given := config["configurable"][SCRATCHPAD].resume:
        writes.append((_RESUME, list(given)))
    await config["configurable"][CHECKPOINTER].aput_writes(parent_of(config), writes, task_id)


async def answered_beside(config: RunnableConfig) -> set[str]:
    """Return the ids of tool calls that tasks beside this one have answered."""
    found = await config["configurable"][CHECKPOINTER].aget_tuple(parent_of(config))
    values = [write[2] for write in found.pending_writes or ()] if found is not None else []
    return {
        one.tool_call_id
        for value in values
        for one in (value if isinstance(value, list) else [value])
        if isinstance(one, ToolMessage)
    }


@asynccontextmanager
async def given_once(
    config: RunnableConfig,
    run: Run,
    is_awaited: Callable[[Sequence[Interrupt]], Awaitable[bool]],
) -> AsyncIterator[None]:
    """Give a bare answer to the nodes of the block, if it is for the question that waits.

    Args:
        config: of the node that runs.
        is_awaited: tells whether one of these questions still waits for an answer.
    """
    scratchpad, resumed = config["configurable"][SCRATCHPAD], _resumed(config)
    if resumed.answer is None:
        yield
        return
    try:
        is_there = run.bare is not None or scratchpad.get_null_resume(False) is not None
        if is_there and not (resumed.asked and await is_awaited(resumed.asked)):
            # It was taken in a run that died since, or nobody can have seen what it would answer.
            run.bare = None
            scratchpad.get_null_resume(True)
        yield
    except GraphInterrupt as asked:
        if not any(asked.args):
            # It waits for a branch beside it, whose answer this is.
            raise
        await _take_away(resumed, config, run)
        raise
    except BaseException:
        await _take_away(resumed, config, run)
        raise


@dataclass(frozen=True)
class _Resumed:
    """Say with what a run was resumed.

    Attributes:
        answer: the bare answer that it was given, or that was stored before; None without one.
        asked: the questions that waited when it began. A bare answer is for one of these: what was
            asked since, by this run or by another one, its giver has not seen.
        run: known by this.
    """

    run: Any
    answer: Any
    asked: tuple[Interrupt, ...]


def _resumed(config: RunnableConfig) -> _Resumed:
    """Return with what the outermost run was resumed.

    Of LangGraph, this alone still holds what was stored when the run began: another run of the
    thread may have answered that question meanwhile, and asked the next one. Held in
    tests/integration/test_identity.py.
    """
    scratchpad = config["configurable"][SCRATCHPAD]
    while (held := getclosurevars(scratchpad.get_null_resume).nonlocals)["parent_scratchpad"]:
        scratchpad = held["parent_scratchpad"]
    write = held["null_resume_write"]
    asked = [
        one for _, channel, value in held["pending_writes"] if channel == INTERRUPT for one in value
    ]
    answer = None if write is None else write[2]
    return _Resumed(scratchpad.get_null_resume, answer, tuple(asked))


async def _take_away(resumed: _Resumed, config: RunnableConfig, run: Run) -> None:
    """Give an answer to nobody else.

    With durability "exit" the run itself would store it, at its end.
    """
    run.bare = None
    config["configurable"][SCRATCHPAD].get_null_resume(True)
    saver: BaseCheckpointSaver[Any] = config["configurable"][CHECKPOINTER]
    keeps = getattr(saver, "keeps_bare_answers", True) or asks_elsewhere(resumed.asked)
    if keeps and resumed.run not in _removed and config["configurable"].get(DURABILITY) != "exit":
        _removed.add(resumed.run)
        await _is_stored(resumed.answer, saver, _outermost(config))
        await saver.aput_writes(_outermost(config), [(_RESUME, None)], _NULL_TASK)


def asks_elsewhere(asked: Sequence[Interrupt]) -> bool:
    """Tell whether the questions that wait are all of the graph's own, and none of a ledger."""
    values = [one.value for one in asked]
    return bool(values) and not any(
        isinstance(one, Mapping) and "approval_id" in one for one in values
    )


async def _is_stored(given: Any, saver: BaseCheckpointSaver[Any], where: RunnableConfig) -> None:
    """Wait for an answer that its run writes in the background: later, it would undo its removal.

    What is not there in time is left: its run has lost the database, or has been told so.
    """
    with suppress(TimeoutError):
        async with SYSTEM.timeout(LONG):
            while not await _holds(given, saver, where):
                # There is no event to wait for: whoever writes it tells nobody.
                await SYSTEM.sleep(SOON)


async def _holds(given: Any, saver: BaseCheckpointSaver[Any], where: RunnableConfig) -> bool:
    try:
        stored = await saver.aget_tuple(where)
    except OperationalError:
        # A connection may be lost at this moment; where the database is, the removal says so.
        return False
    return (_NULL_TASK, _RESUME, given) in (stored.pending_writes or () if stored else ())


def parent_of(config: RunnableConfig) -> RunnableConfig:
    """Name the checkpoint from which a node runs."""
    return checkpoint_of(config, config["configurable"].get(CHECKPOINT_NS, "").rpartition("|")[0])


def _outermost(config: RunnableConfig) -> RunnableConfig:
    """Name the checkpoint beside which a bare answer is stored: of the graph that was given it.

    Beside that of an agent within another graph, it would hide every later answer.
    """
    return checkpoint_of(config, min(config["configurable"][CHECKPOINT_MAP], key=len))


def checkpoint_of(config: RunnableConfig, namespace: str) -> RunnableConfig:
    """Name the checkpoint from which a node's graph runs, or a graph around that one."""
    configurable = config["configurable"]
    return {
        "configurable": {
            "thread_id": str(configurable["thread_id"]),
            "checkpoint_ns": namespace,
            "checkpoint_id": configurable[CHECKPOINT_MAP][namespace],
        }
    }
