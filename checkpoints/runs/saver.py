"""LangGraph's checkpointer, with fencing and encryption.

A runner that was taken over writes no checkpoint any more. With a key nothing of a conversation is
left readable: LangGraph would encrypt lists and objects, and let plain text stand. What is put is
one statement each: one that goes to Postgres by itself costs a turn of the event loop, and a
transaction around a few of them three more, a quarter of a purchase's processor time.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from langchain_core.runnables import RunnableConfig
from langgraph._internal._constants import RETURN
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_serializable_checkpoint_metadata,
)
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.types import ERROR, INTERRUPT, _DeltaSnapshot
from psycopg import AsyncCursor
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import Jsonb

from daybook.checkpoints.encryption import Cipher, Confidential, Sealed
from daybook.checkpoints.pending_writes import Statement, Unstored
from daybook.checkpoints.pool import Pool, rows_of
from daybook.checkpoints.runs.runners import Runners
from daybook.checkpoints.statements import statements
from daybook.state.errors import TakenOver
from daybook.state.fault_points import FaultPoint, reached

_SQL = statements("saver.sql")

_STRUCTURE = frozenset({"source", "step", "parents", "run_id"})
"""What LangGraph and pruning look for in the metadata of a checkpoint, within Postgres."""

_NULL_TASK, _RESUME = "00000000-0000-0000-0000-000000000000", "__resume__"
"""Under which LangGraph stores an answer that names no question."""

CHECKPOINT = ("thread_id", "checkpoint_ns", "checkpoint_id")
"""By what columns the checkpointer's rows are named."""

Row = Mapping[str, str | int]
"""Which row: the columns that name it."""

Rows = Sequence[Sequence[Any]]

_BLOBS = ("channels", "versions", "types", "blobs")
"""The columns of values that stand apart."""

_WRITTEN = ("tasks", "paths", "places", "written", "written_types", "written_blobs")
"""The columns of what tasks wrote beside a checkpoint's parent, from the task's id on."""

Dump: TypeAlias = Callable[[str, str, str, str, str, Sequence[tuple[str, Any]]], Rows]
"""LangGraph's own, which serializes what a task wrote."""


@dataclass(frozen=True)
class Wrote:
    """What a task wrote beside a checkpoint."""

    config: RunnableConfig
    writes: Sequence[tuple[str, Any]]
    task_id: str
    task_path: str

    @property
    def can_wait(self) -> bool:
        """Tell whether it is for the next checkpoint, and neither a question nor a failure."""
        failed = any(channel == ERROR for channel, _ in self.writes)
        return not (failed or self.asks) and not self.is_anew and self.task_id != _NULL_TASK

    @property
    def asks(self) -> bool:
        """Tell whether it is a question."""
        return any(channel == INTERRUPT for channel, _ in self.writes)

    @property
    def is_anew(self) -> bool:
        """Tell whether it stands instead of what the task wrote there before."""
        return all(channel in WRITES_IDX_MAP for channel, _ in self.writes)

    @property
    def is_result(self) -> bool:
        """Tell whether it is what a task of a node returned."""
        return any(channel == RETURN for channel, _ in self.writes)

    def rows(self, dump: Dump) -> Rows:
        """Return its rows."""
        return dump(*_at(self.config), self.task_id, self.task_path, self.writes)


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
        unstored: Unstored,
    ) -> None:
        super().__init__(cast(Any, pool), serde=serde)
        self._pool = pool
        self._cipher = cipher
        self._runners = runners
        self._unstored = unstored
        self._holding: dict[tuple[str, str], bool] = {}
        self._held: dict[tuple[str, str, str], list[Wrote]] = {}

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Store a checkpoint (see the base class), or let it wait for the next transaction.

        Raises:
            TakenOver: another process runs the thread by now.
        """
        if self._cipher.is_on:
            checkpoint, new_versions = _sealed_values(checkpoint, new_versions)
        parent_id = config["configurable"].get("checkpoint_id")
        place: Row = dict(zip(CHECKPOINT, (*_place(config), checkpoint["id"]), strict=True))
        inside, apart = _inside_and_apart(checkpoint)
        versions = {name: new_versions[name] for name in new_versions if name in apart}
        blobs = self._dump_blobs(*_place(config), apart, versions)
        # It comes from the config too: what a client put beside a checkpoint.
        whole: dict[str, Any] = {**get_serializable_checkpoint_metadata(config, metadata)}
        shown = {name: value for name, value in whole.items() if name in _STRUCTURE}
        about = Confidential(whole, shown)
        # A task's result, however, is kept.
        results = [
            row
            for one in self._taken(config)
            if one.is_result
            for row in one.rows(self._dump_writes)
        ]
        row = {
            **place,
            "parent_id": parent_id,
            "checkpoint": Jsonb(inside),
            "metadata": about,
            **_columns(_BLOBS, [row[2:] for row in blobs]),
            **_columns(_WRITTEN, [row[3:] for row in results]),
        }
        thread_id = _place(config)[0]
        if _place(config) in self._holding:
            self._unstored.begin(thread_id)
        if self._holding.get(_place(config)):
            self._wait(thread_id, "put", row)
        else:
            reached(FaultPoint.BEFORE_CHECKPOINT, "put")
            await self._put(thread_id, "put", row)
            reached(FaultPoint.AFTER_CHECKPOINT, "put")
        return {"configurable": {**place}}

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Store what a task wrote (see the base class), or hold it back.

        Raises:
            TakenOver: another process runs the thread by now.
        """
        if task_id == _NULL_TASK:
            writes = [write for write in writes if write[0] != _RESUME]
        if not writes:
            return
        wrote = Wrote(config, writes, task_id, task_path)
        if wrote.can_wait and _place(config) in self._holding:
            self._held.setdefault(_at(config), []).append(wrote)
            return
        thread_id, waits = _place(config)[0], self._holding.get(_place(config)) and wrote.asks
        for one in (*self._taken(config), wrote):
            rows = one.rows(self._dump_writes)
            statement = "put_writes_anew" if one.is_anew else "put_writes"
            row = _written(rows, anew=one.is_anew)
            if waits:
                self._wait(thread_id, statement, row)
                continue
            reached(FaultPoint.BEFORE_CHECKPOINT, "writes")
            await self._put(thread_id, statement, row)
            reached(FaultPoint.AFTER_CHECKPOINT, "writes")

    @contextmanager
    def holding(self, thread_id: str, *, defers: bool = False) -> Iterator[None]:
        """Hold back what nodes write in a run, until its checkpoint or a question is stored.

        LangGraph stores what a node wrote, and right behind it the checkpoint that holds the same.
        In between a node that runs again could be spared; ours may run again at any time. What a
        node wrote is stored only where no checkpoint follows: it asks, or another one failed.

        Args:
            defers: checkpoints and questions wait too (see `Unstored`): for nodes that go on from
                any earlier checkpoint, and whose run stores at its end what waits.
        """
        place = thread_id, ""
        self._holding[place] = defers
        try:
            yield
        finally:
            del self._holding[place]
            for at in [at for at in self._held if at[:2] == place]:
                del self._held[at]

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a checkpoint; None if there is none, as by a name that no row can have."""
        return await super().aget_tuple(config) if _can_be_kept(config) else None

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Yield checkpoints, newest first; none of, or before, one that no row can be called."""
        if all(_can_be_kept(one) for one in (config, before) if one is not None):
            async for found in super().alist(config, filter=filter, before=before, limit=limit):
                yield found

    async def values(self, thread_id: str) -> dict[str, Any]:
        """Return the state that a thread stands in; nothing if it has none."""
        stored = await self.aget_tuple(
            {"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}}
        )
        return stored.checkpoint["channel_values"] if stored else {}

    async def questions(self, thread_id: str) -> dict[str, Sequence[Any]]:
        """Return the questions at the head of a thread, by the task that asks."""
        return self.questions_in(await rows_of(self._pool, *self.asks_questions(thread_id)))

    def asks_questions(self, thread_id: str) -> Statement:
        """Return what asks for the questions at the head of a thread, for `questions_in`."""
        return _SQL["asked"], {"thread_id": thread_id}

    def questions_in(self, rows: Sequence[DictRow]) -> dict[str, Sequence[Any]]:
        """Return the questions that rows tell of, by the task that asks."""
        loads = self.serde.loads_typed
        return {row["task_id"]: loads((row["type"], bytes(row["blob"]))) for row in rows}

    def _taken(self, config: RunnableConfig) -> list[Wrote]:
        """Take out what was held back beside a checkpoint."""
        return self._held.pop(_at(config), [])

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Keep what runs stored that a server drops from its registry (deleted, or rolled back).

        What a run did to the world stands; so does the conversation in which it was decided.
        """

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy the checkpoints of a thread to another one, oldest first.

        The ledger's record stays with the first thread: what it did, the other one did not.
        """
        about: RunnableConfig = {"configurable": {"thread_id": source_thread_id}}
        stored = [one async for one in self.alist(about)]
        for one in reversed(stored):
            parent = one.parent_config["configurable"] if one.parent_config else {}
            place = {
                **parent,
                "thread_id": target_thread_id,
                "checkpoint_ns": one.config["configurable"].get("checkpoint_ns", ""),
            }
            versions = one.checkpoint["channel_versions"]
            to = await self.aput({"configurable": place}, one.checkpoint, one.metadata, versions)
            by_task: dict[str, list[tuple[str, Any]]] = {}
            for task_id, channel, value in one.pending_writes or ():
                by_task.setdefault(task_id, []).append((channel, value))
            for task_id, writes in by_task.items():
                await self.aput_writes(to, writes, task_id)

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Delete threads whole, or keep them: what is old of a turn went when the turn ended.

        Args:
            strategy: "delete_all", else nothing is deleted.
        """
        if strategy == "delete_all":
            for thread_id in thread_ids:
                await self.adelete_thread(str(thread_id))

    def _wait(self, thread_id: str, statement: str, row: dict[str, Any]) -> None:
        row = {**row, "epoch": self._runners.epoch_of(thread_id)}
        self._unstored.begin(thread_id)
        self._unstored.add(thread_id, (_SQL[statement], row))

    async def _put(self, thread_id: str, statement: str, row: dict[str, Any]) -> None:
        epoch = self._runners.epoch_of(thread_id)
        while True:
            try:
                await self._put_in(epoch, thread_id, statement, row)
                return
            except TakenOver:
                # By this process itself, where a branch beside the one that writes has begun an
                # effect meanwhile.
                if (ours := self._runners.later_epoch(thread_id, epoch)) is None:
                    raise
                epoch = ours

    async def _put_in(
        self, epoch: int | None, thread_id: str, statement: str, row: dict[str, Any]
    ) -> None:
        row = {**row, "epoch": epoch}
        with self._unstored.taken(thread_id) as before:
            async with self._pool.connection() as conn:
                if not before:
                    await conn.execute(_SQL[statement], row)
                    return
                # What goes through one pipeline is one transaction.
                async with conn.pipeline():
                    for one in (*before, (_SQL[statement], row)):
                        await conn.execute(*one)

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        """Open a cursor for the base class: on a connection of its own, so without its lock."""
        async with (
            self._pool.connection() as conn,
            conn.cursor(binary=True, row_factory=dict_row) as cursor,
        ):
            yield cursor


def _sealed_values(
    checkpoint: Checkpoint, new_versions: ChannelVersions
) -> tuple[Checkpoint, ChannelVersions]:
    """Let plain values be stored as LangGraph stores objects: apart, and encrypted.

    Those that did not change as well: they may stand plain in the checkpoint before, which was
    written without a key.
    """
    values, versions = checkpoint["channel_values"], checkpoint["channel_versions"]
    plain = {
        name: Sealed(value)
        for name, value in values.items()
        if isinstance(value, str | int | float) and not isinstance(value, bool)
    }
    sealed = {**checkpoint, "channel_values": {**values, **plain}}
    unchanged = {name: versions[name] for name in plain if name in versions}
    return cast(Checkpoint, sealed), {**unchanged, **new_versions}


def _inside_and_apart(checkpoint: Checkpoint) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a checkpoint as its row holds it, and the values that stand in rows of their own."""
    inside, apart = dict[str, Any](), dict[str, Any]()
    for name, value in checkpoint["channel_values"].items():
        if isinstance(value, _DeltaSnapshot):
            inside[name], apart[name] = True, value
        elif value is None or isinstance(value, str | int | float | bool):
            inside[name] = value
        else:
            apart[name] = value
    return {**checkpoint, "channel_values": inside}, apart


def _written(writes: Rows, *, anew: bool) -> dict[str, Any]:
    """Return what one task wrote, as its statement takes it.

    Args:
        again: it stands instead of what the task wrote there before.
    """
    thread_id, namespace, checkpoint_id, task_id, task_path = writes[0][:5]
    # One statement may meet a place once: of two writes there, the one that would stand.
    places = {row[5]: row[5:] for row in (writes if anew else writes[::-1])}
    return {
        "thread_id": thread_id,
        "checkpoint_ns": namespace,
        "checkpoint_id": checkpoint_id,
        "task_id": task_id,
        "task_path": task_path,
        **_columns(("places", "channels", "types", "blobs"), [*places.values()]),
    }


def _columns(names: Sequence[str], rows: Rows) -> dict[str, list[Any]]:
    return {name: [row[column] for row in rows] for column, name in enumerate(names)}


def _place(config: RunnableConfig) -> tuple[str, str]:
    return config["configurable"]["thread_id"], config["configurable"].get("checkpoint_ns", "")


def _can_be_kept(config: RunnableConfig) -> bool:
    """Tell whether Postgres takes a place as text; clients write what they like into addresses."""
    named = config["configurable"]
    text = "".join(str(named.get(name, "")) for name in CHECKPOINT)
    try:
        return b"\x00" not in text.encode()
    except UnicodeEncodeError:
        return False


def _at(config: RunnableConfig) -> tuple[str, str, str]:
    return *_place(config), config["configurable"].get("checkpoint_id", "")
