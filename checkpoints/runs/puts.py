"""What is stored of a checkpoint, and of what tasks wrote beside one: each is one statement.

Each statement that goes to Postgres by itself costs a turn of the event loop, and a transaction
around a few of them three more: of the processor's time that a purchase took, a quarter went there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langgraph.checkpoint.base import Checkpoint
from langgraph.checkpoint.serde.types import _DeltaSnapshot
from psycopg.types.json import Jsonb

from daybook.checkpoints.encryption import Confidential
from daybook.checkpoints.statements import statements

_SQL = statements("saver.sql")

Row = Mapping[str, str | int]
"""Which row: the columns that name it."""

CHECKPOINT = ("thread_id", "checkpoint_ns", "checkpoint_id")
"""By what columns the checkpointer's rows are named."""

Rows = Sequence[Sequence[Any]]

_WRITTEN = ("tasks", "paths", "places", "written", "written_types", "written_blobs")
"""The columns of what tasks wrote beside a checkpoint's parent, from the task's id on."""


@dataclass(frozen=True)
class Put:
    """One statement, and what it is about."""

    statement: str
    about: dict[str, Any]


def inside_and_apart(checkpoint: Checkpoint) -> tuple[dict[str, Any], dict[str, Any]]:
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


def put_checkpoint(
    place: Row,
    parent_id: str | None,
    checkpoint: dict[str, Any],
    metadata: Confidential,
    blobs: Rows,
    writes: Rows = (),
) -> Put:
    """Put a checkpoint.

    Args:
        place: its key.
        blobs: its values that stand apart, as LangGraph's checkpointer dumps them.
        writes: what is left of what tasks wrote beside its parent, dumped likewise.
    """
    channels, versions, types, values = _columns([row[2:] for row in blobs], 4)
    about = {
        **place,
        "parent_id": parent_id,
        "checkpoint": Jsonb(checkpoint),
        "metadata": metadata,
        "channels": channels,
        "versions": versions,
        "types": types,
        "blobs": values,
    }
    columns = _columns([row[3:] for row in writes], len(_WRITTEN))
    return Put(_SQL["put"], {**about, **dict(zip(_WRITTEN, columns, strict=True))})


def put_writes(writes: Rows, *, anew: bool) -> Put:
    """Put what one task wrote.

    Args:
        anew: it stands in the place of what the task wrote there before.
    """
    thread_id, namespace, checkpoint_id, task_id, task_path = writes[0][:5]
    # One statement may meet a place once: of two writes there, the one that would stand.
    ours = writes if anew else writes[::-1]
    places = {row[5]: row[5:] for row in ours}
    idx, channels, types, blobs = _columns([*places.values()], 4)
    about = {
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
    return Put(_SQL["put_writes_anew" if anew else "put_writes"], about)


def _columns(rows: Rows, width: int) -> list[list[Any]]:
    return [[row[column] for row in rows] for column in range(width)]
