"""See to it that an answer is given to the question that it answers, and to no other one.

LangGraph stores a bare answer (`Command(resume=...)` without an interrupt's id) before any node
sees it, and keeps it until the node that asked has ended. After a crash it would be given to the
next question, and one that was refused would be given again in the name of whoever comes next. A
guarded agent addresses its answers, and our own saver stores no bare ones; this is for the others.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any
from weakref import WeakKeyDictionary

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.errors import GraphInterrupt
from langgraph.types import Interrupt
from pydantic import TypeAdapter, ValidationError

from daybook.nodes.effects.engine import Ask
from daybook.state.clock import SYSTEM
from daybook.state.effects.keys import digest
from daybook.state.run_input import misfit

CHECKPOINTER, SCRATCHPAD = "__pregel_checkpointer", "__pregel_scratchpad"
CHECKPOINT_MAP, CHECKPOINT_NS = "checkpoint_map", "checkpoint_ns"
"""Where the configuration of a running node says what runs it.

Held in tests/integration/test_middleware.py.
"""

DURABILITY = "__pregel_durability"

SOON = 0.01
LONG = 10.0
"""Seconds for which a write is waited for that is made in the background, and between two looks."""

_RESUME_MAP = "__pregel_resume_map"

_taken: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()
"""Of each run of a node, which questions were given their answers."""

_NULL_TASK = "00000000-0000-0000-0000-000000000000"
_RESUME, _INTERRUPT = "__resume__", "__interrupt__"


def put(config: RunnableConfig, ask: Ask) -> Any:
    """Return the answer to a question; None where no node runs that could be interrupted.

    The id of the interrupt is made of the question, so an answer reaches the question that it names
    however often its node runs again, and beside which others it is asked.

    Raises:
        GraphInterrupt: there is no answer yet.
        InputRefused: it does not fit its question, which stays as it was.
    """
    configurable = config.get("configurable", {})
    if SCRATCHPAD not in configurable:
        return None
    scratchpad = configurable[SCRATCHPAD]
    id_ = digest([str(configurable["thread_id"]), ask.id])[:32]
    taken = _taken.setdefault(scratchpad.get_null_resume, set())
    adapter: TypeAdapter[Any] = TypeAdapter(ask.answers)
    answer = (configurable.get(_RESUME_MAP) or {}).get(id_) if id_ not in taken else None
    if answer is None:
        answer = scratchpad.get_null_resume(True)
    if answer is None:
        schema = adapter.json_schema()
        raise GraphInterrupt((Interrupt(dict(ask.request), id_, response_schema=schema),))
    taken.add(id_)
    try:
        return adapter.validate_python(answer)
    except ValidationError as error:
        raise misfit(error) from error


@asynccontextmanager
async def given_once(
    config: RunnableConfig, is_awaited: Callable[[Sequence[Interrupt]], Awaitable[bool]]
) -> AsyncIterator[None]:
    """Give a bare answer to the nodes of the block, if it is for the question that waits.

    Args:
        config: of the node that runs.
        waits: tells whether one of these questions still waits for an answer.
    """
    scratchpad = config["configurable"][SCRATCHPAD]
    given = scratchpad.get_null_resume(False)
    if given is None:
        yield
        return
    saver: BaseCheckpointSaver[Any] = config["configurable"][CHECKPOINTER]
    try:
        # Questions of graphs within are beside that of the outermost one, too.
        if not await _is_awaited(await saver.aget_tuple(_outermost(config)), is_awaited):
            # It was taken in a run that died since, or nobody can have seen what it would answer.
            scratchpad.get_null_resume(True)
        yield
    except GraphInterrupt as asked:
        if not any(asked.args):
            # It waits for a branch beside it, whose answer this is.
            raise
        await _take_away(given, config)
        raise
    except BaseException:
        await _take_away(given, config)
        raise


async def _take_away(given: Any, config: RunnableConfig) -> None:
    """Give an answer to nobody else.

    With durability "exit" the run itself would store it, at its end.
    """
    config["configurable"][SCRATCHPAD].get_null_resume(True)
    saver: BaseCheckpointSaver[Any] = config["configurable"][CHECKPOINTER]
    if getattr(saver, "keeps_bare_answers", True) and not _ends_with_run(config):
        await _is_stored(given, saver, _outermost(config))
        await saver.aput_writes(_outermost(config), [(_RESUME, None)], _NULL_TASK)


def _ends_with_run(config: RunnableConfig) -> bool:
    return bool(config["configurable"].get(DURABILITY) == "exit")


async def _is_awaited(
    stored: CheckpointTuple | None, is_awaited: Callable[[Sequence[Interrupt]], Awaitable[bool]]
) -> bool:
    asked = [
        interrupt
        for _, channel, value in (stored.pending_writes or () if stored else ())
        if channel == _INTERRUPT
        for interrupt in value
    ]
    return bool(asked) and await is_awaited(asked)


async def _is_stored(given: Any, saver: BaseCheckpointSaver[Any], where: RunnableConfig) -> None:
    """Wait for an answer that its run writes in the background: later, it would undo its removal.

    What is not there in time is left: its run has lost the database, or has been told so.
    """
    with suppress(TimeoutError):
        async with SYSTEM.timeout(LONG):
            while True:
                stored = await saver.aget_tuple(where)
                writes = (stored.pending_writes or ()) if stored else ()
                if (_NULL_TASK, _RESUME, given) in writes:
                    return
                # There is no event to wait for: whoever writes it tells nobody.
                await SYSTEM.sleep(SOON)


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
            "thread_id": configurable["thread_id"],
            "checkpoint_ns": namespace,
            "checkpoint_id": configurable[CHECKPOINT_MAP][namespace],
        }
    }
