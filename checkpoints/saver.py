"""LangGraph's checkpointer, fenced: a runner that was taken over writes no checkpoint any more."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.base import SerializerProtocol
from psycopg import AsyncConnection, AsyncCursor, DatabaseError
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from checkpoints.runners import Runners
from checkpoints.statements import statements
from state.errors import TakenOver
from state.fault_points import FaultPoint, reached

_SQL = statements("runner.sql")

_OVERTAKEN = "DB001"

_written: ContextVar[str | None] = ContextVar("thread that is written to", default=None)


class FencedSaver(AsyncPostgresSaver):
    """Write checkpoints in one transaction with the look whether this process is still the runner.

    What is written outside of a run (a client that edits state) is not fenced: it has no epoch.
    """

    def __init__(
        self,
        pool: AsyncConnectionPool[AsyncConnection[DictRow]],
        runners: Runners,
        serde: SerializerProtocol,
    ) -> None:
        super().__init__(pool, serde=serde)
        self._pool = pool
        self._runners = runners

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Store a checkpoint (see the base class).

        Raises:
            TakenOver: another process runs the thread by now.
        """
        reached(FaultPoint.BEFORE_CHECKPOINT, "put")
        with _writing(config):
            stored = await super().aput(config, checkpoint, metadata, new_versions)
        reached(FaultPoint.AFTER_CHECKPOINT, "put")
        return stored

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Store what a task wrote (see the base class).

        Raises:
            TakenOver: another process runs the thread by now.
        """
        reached(FaultPoint.BEFORE_CHECKPOINT, "writes")
        with _writing(config):
            await super().aput_writes(config, writes, task_id, task_path)
        reached(FaultPoint.AFTER_CHECKPOINT, "writes")

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        """Open a cursor for the base class: on a connection of its own, so without its lock."""
        thread_id = _written.get()
        epoch = self._runners.epoch_of(thread_id) if thread_id is not None else None
        if epoch is None:
            async with (
                self._pool.connection() as conn,
                conn.cursor(binary=True, row_factory=dict_row) as cursor,
            ):
                yield cursor
            return
        try:
            async with (
                self._pool.connection() as conn,
                conn.pipeline(),
                conn.transaction(),
                conn.cursor(binary=True, row_factory=dict_row) as cursor,
            ):
                await conn.execute(_SQL["fence"], {"thread_id": thread_id, "epoch": epoch})
                yield cursor
        except DatabaseError as error:
            if error.sqlstate != _OVERTAKEN:
                raise
            raise TakenOver(str(thread_id)) from error


@contextmanager
def _writing(config: RunnableConfig) -> Iterator[None]:
    """Say for the length of the block which thread is written to."""
    token = _written.set(config["configurable"]["thread_id"])
    try:
        yield
    finally:
        _written.reset(token)
