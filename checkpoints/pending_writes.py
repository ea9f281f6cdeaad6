"""Writes of a run that are not stored yet: they go with its thread's next transaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

from psycopg import DatabaseError

from daybook.state.errors import TakenOver
from daybook.state.fault_points import FaultPoint, reached

Statement: TypeAlias = tuple[str, Mapping[str, Any]]
"""A statement and its parameters."""


class Unstored:
    """The rows of runs in progress in this process that wait for a transaction.

    A run that dies before that is continued from the checkpoint before: the ledger knows what
    was decided and done since, so nothing is decided or done again. Each commit that is saved so is
    a wait for the disk.
    """

    def __init__(self) -> None:
        self._rows: dict[str, list[Statement]] = {}

    def begin(self, thread_id: str) -> None:
        """Let rows of a thread wait from now on."""
        self._rows.setdefault(thread_id, [])

    def end(self, thread_id: str) -> None:
        """Let no row wait any more; those that do are dropped."""
        self._rows.pop(thread_id, None)

    def takes(self, thread_id: str) -> bool:
        """Tell whether rows of a thread may wait."""
        return thread_id in self._rows

    def waits(self, thread_id: str) -> bool:
        """Tell whether any does."""
        return bool(self._rows.get(thread_id))

    def holds(self, thread_id: str, statement: str) -> bool:
        """Tell whether a row of a statement waits."""
        return any(one == statement for one, _ in self._rows.get(thread_id, ()))

    def add(self, thread_id: str, *rows: Statement) -> None:
        """Let rows wait."""
        self._rows[thread_id] += rows

    @contextmanager
    def taken(self, thread_id: str) -> Iterator[list[Statement]]:
        """Yield what waits, for a transaction that is committed within the block.

        Where that fails they wait on.

        Raises:
            TakenOver: another process runs the thread by now, or it was erased.
        """
        waiting = self._rows.get(thread_id, [])
        rows = [*waiting]
        if rows:
            reached(FaultPoint.BEFORE_CHECKPOINT, "put")
        with refusing(thread_id):
            yield rows
        del waiting[: len(rows)]
        if rows:
            reached(FaultPoint.AFTER_CHECKPOINT, "put")


_OVERTAKEN = "DB001"


@contextmanager
def refusing(thread_id: str) -> Iterator[None]:
    """Tell by its name that the server refuses what a runner writes that was taken over.

    Raises:
        TakenOver: another process runs the thread by now, or it was erased.
    """
    try:
        yield
    except DatabaseError as error:
        if error.sqlstate != _OVERTAKEN:
            raise
        raise TakenOver(thread_id) from error
