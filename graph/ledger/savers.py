"""Checkpointers: the ledger's own, and an adapter for those without asynchronous methods."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import Any, TypeVar, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.types import INTERRUPT, TASKS
from langgraph.constants import START
from langgraph.types import Interrupt, Send
from psycopg import OperationalError

from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.runs.saver import FencedSaver
from daybook.graph.ledger.answers import CHECKPOINTER, DURABILITY, LONG, SOON, asks_elsewhere
from daybook.state.clock import SYSTEM
from daybook.state.errors import DatabaseUnavailable, ForeignDomain, InputRefused
from daybook.state.run_input import checked_id

_NULL_TASK, _RESUME = "00000000-0000-0000-0000-000000000000", "__resume__"

_DUE, _JOIN = "branch:to:", "join:"
"""What the channels are called by which LangGraph lets a node run."""

_REMEMBERED = 1000
"""Threads that are known to be of the program."""

Saver = BaseCheckpointSaver[Any]
T = TypeVar("T")


class LedgerSaver(BaseCheckpointSaver[Any]):
    """Store checkpoints in the ledger's database, which is opened when it is first needed.

    A runner that was taken over can write to it no longer. A bare answer to a question of the
    ledger is not stored: the next run would give it in its own name. One to a question of the
    graph's own is.

    Args:
        connect: returns the database of the event loop that runs.
        run: runs a coroutine for a caller that has no event loop.
        program: threads of another one are refused, before any node of theirs is run here.
    """

    keeps_bare_answers = False

    def __init__(
        self,
        connect: Callable[[], Awaitable[Postgres]],
        run: Callable[[Any], Any],
        program: str,
    ) -> None:
        super().__init__()
        self._connect = connect
        self._run = run
        self._program = program
        self._ours: OrderedDict[str, None] = OrderedDict()

    def get_next_version(self, current: Any, channel: None) -> str:
        """Name the next version of a channel."""
        return FencedSaver.get_next_version(cast(FencedSaver, self), current, channel)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a checkpoint.

        Raises:
            ForeignDomain: the thread is of another program.
            InputRefused: its id cannot be kept.
        """
        await self._refuse_foreign(config["configurable"]["thread_id"])
        return await self._done(lambda saver: saver.aget_tuple(config))

    async def _refuse_foreign(self, thread_id: Any) -> None:
        thread_id = checked_id(thread_id, "a thread")
        if thread_id in self._ours:
            return
        whose = await (await self._connect()).threads.whose(thread_id)
        if whose is None or whose.domain is None:
            return
        if whose.domain != self._program:
            raise ForeignDomain(thread_id, whose.domain)
        self._ours[thread_id] = None
        while len(self._ours) > _REMEMBERED:
            self._ours.popitem(last=False)

    async def alist(
        self, config: RunnableConfig | None, **options: Any
    ) -> AsyncIterator[CheckpointTuple]:
        """Yield checkpoints, newest first.

        Raises:
            ForeignDomain: the thread is of another program.
        """
        if config is not None:
            await self._refuse_foreign(config["configurable"]["thread_id"])
        async for one in (await self._connect()).saver.alist(config, **options):
            yield one

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Store a checkpoint; a thread whose run has ended by it is at rest."""
        stored = await self._done(
            lambda saver: saver.aput(config, checkpoint, metadata, new_versions)
        )
        about = config["configurable"]
        if not about.get("checkpoint_ns") and not due_nodes(checkpoint):
            stalled = (await self._connect()).stalled
            await stalled.rest(str(about["thread_id"]), status="idle")
        return stored

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Store what a task wrote, and answers to questions of the graph's own."""
        saver = (await self._connect()).saver
        resumes = [one for one in writes if one[0] == _RESUME] if task_id == _NULL_TASK else []
        if resumes:
            is_removal = all(value is None for _, value in resumes)
            if is_removal or asks_elsewhere(await _asked(saver, config)):
                # As LangGraph's own saver does, which ours keeps from storing any.
                await AsyncPostgresSaver.aput_writes(saver, config, resumes, task_id, task_path)
            writes = [one for one in writes if one[0] != _RESUME]
        if writes:
            await self._done(lambda saver: saver.aput_writes(config, writes, task_id, task_path))

    async def _done(self, act: Callable[[FencedSaver], Awaitable[T]]) -> T:
        """Read or store: once more where the server has ended the session meanwhile."""
        postgres = await self._connect()
        try:
            return await act(postgres.saver)
        except OperationalError:
            await postgres.drop_broken()
            return await act(postgres.saver)

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete the checkpoints of a thread.

        Raises:
            ForeignDomain: the thread is of another program.
        """
        await self._refuse_foreign(thread_id)
        await self._done(lambda saver: saver.adelete_thread(thread_id))

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a checkpoint."""
        return cast("CheckpointTuple | None", self._run(self.aget_tuple(config)))

    def list(self, config: RunnableConfig | None, **options: Any) -> Iterator[CheckpointTuple]:
        """Yield checkpoints, newest first."""

        async def every() -> Any:
            return [one async for one in self.alist(config, **options)]

        yield from self._run(every())

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Store a checkpoint."""
        put = self.aput(config, checkpoint, metadata, new_versions)
        return cast(RunnableConfig, self._run(put))

    def put_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Store what a task wrote."""
        self._run(self.aput_writes(config, writes, task_id, task_path))

    def delete_thread(self, thread_id: str) -> None:
        """Delete the checkpoints of a thread."""
        self._run(self.adelete_thread(thread_id))


def due_nodes(checkpoint: Checkpoint) -> set[str]:
    """Name the nodes that are to run from a checkpoint; one with several edges by its channel."""
    values = checkpoint["channel_values"]
    due = {one.removeprefix(_DUE) for one in values if one.startswith((_DUE, _JOIN, START))}
    return due | {one.node for one in values.get(TASKS) or () if isinstance(one, Send)}


async def _asked(saver: Saver, config: RunnableConfig) -> list[Interrupt]:
    """Return the questions that wait at a checkpoint."""
    found = await saver.aget_tuple(config)
    writes = found.pending_writes or () if found is not None else ()
    return [one for _, channel, value in writes if channel == INTERRUPT for one in value]


class ThreadedSaver(BaseCheckpointSaver[Any]):
    """Use a saver's synchronous methods, in threads: it has no others, or another event loop."""

    def __init__(self, saver: Saver) -> None:
        super().__init__(serde=saver.serde)
        self._saver = saver
        self.get_next_version = saver.get_next_version  # type: ignore[method-assign]

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a checkpoint."""
        return await asyncio.to_thread(self._saver.get_tuple, config)

    async def alist(
        self, config: RunnableConfig | None, **options: Any
    ) -> AsyncIterator[CheckpointTuple]:
        """Yield checkpoints, newest first."""
        for one in await asyncio.to_thread(lambda: [*self._saver.list(config, **options)]):
            yield one

    async def aput(self, *given: Any) -> RunnableConfig:
        """Store a checkpoint."""
        return await asyncio.to_thread(self._saver.put, *given)

    async def aput_writes(self, *given: Any) -> None:
        """Store what a task wrote."""
        await asyncio.to_thread(self._saver.put_writes, *given)


def saver_of(config: RunnableConfig) -> Saver:
    """Return the checkpointer of the graph whose node runs."""
    saver: Saver = config["configurable"][CHECKPOINTER]
    return saver


def use_threads(config: RunnableConfig) -> RunnableConfig:
    """Return the configuration with a checkpointer that this event loop can use."""
    saver = saver_of(config)
    if isinstance(saver, LedgerSaver | ThreadedSaver):
        return config
    return {
        **config,
        "configurable": {**config["configurable"], CHECKPOINTER: ThreadedSaver(saver)},
    }


async def wait_until_stored(config: RunnableConfig, where: RunnableConfig) -> CheckpointTuple:
    """Return a checkpoint from which something runs, once it is stored.

    Raises:
        InputRefused: it is not stored before the run has ended.
        DatabaseUnavailable: it is not stored in time.
    """
    if config["configurable"].get(DURABILITY) == "exit":
        raise InputRefused(
            'A graph with effects cannot run with durability="exit": a crash would lose the '
            'record of its effects. Nothing was done; use "sync".'
        )
    try:
        async with SYSTEM.timeout(LONG):
            # There is no event to wait for: whoever writes it tells nobody.
            while (found := await saver_of(config).aget_tuple(where)) is None:
                await SYSTEM.sleep(SOON)
            return found
    except TimeoutError as error:
        raise DatabaseUnavailable(
            f"The checkpoint was not stored within {LONG:.0f} s, so nothing was done. Retry when "
            "its database can be reached."
        ) from error
