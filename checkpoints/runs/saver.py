"""LangGraph's checkpointer, fenced and sealed.

A runner that was taken over writes no checkpoint any more. With a key nothing of a conversation is
left readable: LangGraph would encrypt lists and objects, and let plain text stand.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_serializable_checkpoint_metadata,
)
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.base import SerializerProtocol
from psycopg import AsyncCursor
from psycopg.rows import DictRow, dict_row

from daybook.checkpoints.encryption import Cipher, Sealed
from daybook.checkpoints.pool import Pool
from daybook.checkpoints.runs.fence import refusing
from daybook.checkpoints.runs.puts import Puts
from daybook.checkpoints.runs.runners import Runners
from daybook.state.fault_points import FaultPoint, reached

_STRUCTURE = frozenset({"source", "step", "parents", "run_id"})
"""What LangGraph and pruning look for in the metadata of a checkpoint, within Postgres."""

_SEALED = "sealed"

_NULL_TASK, _RESUME = "00000000-0000-0000-0000-000000000000", "__resume__"
"""Under which LangGraph stores an answer that names no question."""

_REMEMBERED = 1000
"""Threads of which it is known what is stored."""

_written: ContextVar[str | None] = ContextVar("thread that is written to", default=None)


class FencedSaver(AsyncPostgresSaver):
    """Write checkpoints in one statement with the look whether this process is still the runner.

    What is written outside of a run (a client that edits state) is not fenced: it has no epoch.

    An answer that names no question is for the run that was given it, and is not stored: whoever
    ran the thread next would give it, in their own name. Where its run dies, the question stands.
    """

    keeps_bare_answers = False

    def __init__(
        self,
        pool: Pool,
        runners: Runners,
        serde: SerializerProtocol,
        cipher: Cipher,
    ) -> None:
        super().__init__(pool, serde=serde)
        self._pool = pool
        self._cipher = cipher
        self._stored: OrderedDict[tuple[str, str], dict[str, Any]] = OrderedDict()
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
        if self._cipher.is_on:
            config, metadata = self._sealed_metadata(config, metadata)
            checkpoint, new_versions = self._sealed_values(config, checkpoint, new_versions)
        with _writing(config):
            stored = await super().aput(config, checkpoint, metadata, new_versions)
        if self._cipher.is_on:
            self._remember(config, new_versions)
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
        if task_id == _NULL_TASK:
            writes = [write for write in writes if write[0] != _RESUME]
            if not writes:
                return
        reached(FaultPoint.BEFORE_CHECKPOINT, "writes")
        with _writing(config):
            await super().aput_writes(config, writes, task_id, task_path)
        reached(FaultPoint.AFTER_CHECKPOINT, "writes")

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Keep what runs stored that a server drops from its registry (deleted, or rolled back).

        What a run did to the world stands; so does the conversation in which it was decided.
        """

    def _sealed_metadata(
        self, config: RunnableConfig, metadata: CheckpointMetadata
    ) -> tuple[RunnableConfig, CheckpointMetadata]:
        """Seal what a client may have put beside a checkpoint; it comes from the config, too."""
        whole: dict[str, Any] = {**get_serializable_checkpoint_metadata(config, metadata)}
        # Of a checkpoint that was copied by way of its rows.
        whole.pop(_SEALED, None)
        kept = {name: value for name, value in whole.items() if name in _STRUCTURE}
        rest = {name: value for name, value in whole.items() if name not in _STRUCTURE}
        place = {
            name: value
            for name, value in config["configurable"].items()
            if name in ("thread_id", "checkpoint_ns", "checkpoint_id")
        }
        sealed = {**kept, _SEALED: self._cipher.sealed(rest)}
        return {"configurable": place}, cast(CheckpointMetadata, sealed)

    def _sealed_values(
        self, config: RunnableConfig, checkpoint: Checkpoint, new_versions: ChannelVersions
    ) -> tuple[Checkpoint, ChannelVersions]:
        """Let plain values be stored as LangGraph stores objects: apart, and encrypted.

        Those that did not change as well: they may stand plain in the checkpoint before, which was
        written without a key. One that this process has stored is not encrypted once more.
        """
        values, versions = checkpoint["channel_values"], checkpoint["channel_versions"]
        plain = {
            name: Sealed(value)
            for name, value in values.items()
            if isinstance(value, str | int | float) and not isinstance(value, bool)
        }
        stored = self._stored.get(_place(config), {})
        unknown = {
            name: versions[name]
            for name in plain
            if name in versions and stored.get(name) != versions[name]
        }
        sealed = {**checkpoint, "channel_values": {**values, **plain}}
        return cast(Checkpoint, sealed), {**unknown, **new_versions}

    def _remember(self, config: RunnableConfig, versions: ChannelVersions) -> None:
        """Remember what is stored of the threads that were at work last."""
        place = _place(config)
        self._stored[place] = {**self._stored.pop(place, {}), **versions}
        if len(self._stored) > _REMEMBERED:
            self._stored.popitem(last=False)

    async def _load_checkpoint_tuple(self, value: DictRow) -> CheckpointTuple:
        """Make a checkpoint of its row."""
        loaded = await super()._load_checkpoint_tuple(value)
        metadata: dict[str, Any] = {**loaded.metadata}
        if isinstance(sealed := metadata.pop(_SEALED, None), dict):
            return loaded._replace(
                metadata=cast(CheckpointMetadata, {**metadata, **self._cipher.opened(sealed)})
            )
        return loaded

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        """Open a cursor for the base class: on a connection of its own, so without its lock."""
        thread_id = _written.get()
        # Only what is put goes through a pipeline: whoever reads while a thread is put reads.
        if thread_id is None or not pipeline:
            async with (
                self._pool.connection() as conn,
                conn.cursor(binary=True, row_factory=dict_row) as cursor,
            ):
                yield cursor
            return
        puts = Puts()
        yield cast(AsyncCursor[DictRow], puts)
        if puts.statement:
            epoch = self._runners.epoch_of(thread_id)
            with refusing(thread_id):
                async with self._pool.connection() as conn:
                    await conn.execute(puts.statement, {**puts.about, "epoch": epoch})


def _place(config: RunnableConfig) -> tuple[str, str]:
    return config["configurable"]["thread_id"], config["configurable"].get("checkpoint_ns", "")


@contextmanager
def _writing(config: RunnableConfig) -> Iterator[None]:
    """Say for the length of the block which thread is written to."""
    token = _written.set(config["configurable"]["thread_id"])
    try:
        yield
    finally:
        _written.reset(token)
