"""What LangGraph's checkpointer puts, gathered: a row of statements of its is one of ours.

Each statement that goes to Postgres by itself costs a turn of the event loop, and a transaction
around a few of them three more: of the processor's time that a purchase took, a quarter went there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langgraph.checkpoint.postgres.base import BasePostgresSaver

from daybook.checkpoints.statements import statements

_SQL = statements("saver.sql")

_BLOBS = BasePostgresSaver.UPSERT_CHECKPOINT_BLOBS_SQL
_CHECKPOINT = BasePostgresSaver.UPSERT_CHECKPOINTS_SQL
_WRITES = {
    BasePostgresSaver.INSERT_CHECKPOINT_WRITES_SQL: "put_writes",
    BasePostgresSaver.UPSERT_CHECKPOINT_WRITES_SQL: "put_writes_anew",
}


class Puts:
    """Take what is put, as a cursor would.

    Attributes:
        statement, about: what writes all of it.
    """

    def __init__(self) -> None:
        self.statement = ""
        self.about: dict[str, Any] = {}
        self._blobs: Sequence[Sequence[Any]] = ()

    async def execute(self, statement: str, row: Sequence[Any]) -> None:
        """Take a checkpoint; the blobs of its values came before it."""
        assert statement == _CHECKPOINT, "LangGraph puts a checkpoint by another statement"
        thread_id, namespace, checkpoint_id, parent_id, checkpoint, metadata = row
        channels, versions, types, blobs = _columns([row[2:] for row in self._blobs], 4)
        self.statement = _SQL["put"]
        self.about = {
            "thread_id": thread_id,
            "checkpoint_ns": namespace,
            "checkpoint_id": checkpoint_id,
            "parent_id": parent_id,
            "checkpoint": checkpoint,
            "metadata": metadata,
            "channels": channels,
            "versions": versions,
            "types": types,
            "blobs": blobs,
        }

    async def executemany(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        """Take the blobs of a checkpoint, or what a task wrote beside one."""
        if statement == _BLOBS:
            self._blobs = rows
            return
        assert statement in _WRITES, "LangGraph puts writes by another statement"
        if not rows:
            return
        thread_id, namespace, checkpoint_id, task_id, task_path = rows[0][:5]
        # One statement may meet a place once: of two writes there, the one that would stand.
        ours = rows if _WRITES[statement] == "put_writes_anew" else rows[::-1]
        places = {row[5]: row[5:] for row in ours}
        idx, channels, types, blobs = _columns([*places.values()], 4)
        self.statement = _SQL[_WRITES[statement]]
        self.about = {
            "thread_id": thread_id,
            "checkpoint_ns": namespace,
            "checkpoint_id": checkpoint_id,
            "task_id": task_id,
            "task_path": task_path,
            "places": idx,
            "channels": channels,
            "types": types,
            "blobs": blobs,
        }


def _columns(rows: Sequence[Sequence[Any]], width: int) -> list[list[Any]]:
    return [[row[column] for row in rows] for column in range(width)]
