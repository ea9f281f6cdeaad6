"""Ends of a run at chosen moments, in the middle of a process that lives on.

What a killed process leaves behind is the database and the shop as they were at that moment. A
`Cut` leaves the same: no handler of the house takes it for an error, because it is no `Exception`.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.checkpoints.ledger.page import Page
from daybook.checkpoints.postgres import Postgres
from daybook.state.fault_points import FaultPoint, arm
from daybook.state.session import Session

Moment = Literal["before", "after"]


class Cut(BaseException):
    """End a run as the death of its process does."""


@contextmanager
def cut_at(moment: str) -> Iterator[None]:
    """End the run of the block at a fault point: `POINT:ABOUT`, or `POINT`. Nothing comes after it."""
    wanted, _, about = moment.partition(":")
    fuse = Fuse()

    def strike(point: FaultPoint, what: str) -> None:
        if not fuse.blown and point == wanted and about in ("", what):
            fuse.light(0)
        fuse.passes()

    arm(strike)
    try:
        with pytest.raises(Cut):
            yield
    finally:
        arm(None)


@dataclass
class Fuse:
    """Count the moments that pass and cut the one that is chosen.

    Attributes:
        left: moments that still pass; None cuts none.
        blown: whether the cut was made.
    """

    left: int | None = None
    blown: bool = False

    def light(self, moments: int) -> None:
        """Let so many moments pass, and cut the next one."""
        self.left, self.blown = moments, False

    def put_out(self) -> None:
        """Let all moments pass from now on."""
        self.left, self.blown = None, False

    def passes(self) -> None:
        """Let one moment pass.

        Raises:
            Cut: it is the chosen one, or comes after it: a dead process does nothing more.
        """
        if self.blown:
            raise Cut
        if self.left is None:
            return
        if self.left == 0:
            self.blown = True
            raise Cut
        self.left -= 1


class CutLedger(Ledger):
    """A ledger whose process dies just before a page is committed, or just after."""

    def __init__(self, postgres: Postgres, fuse: Fuse, moment: Moment) -> None:
        super().__init__(postgres.pool, cluster=postgres.cluster, unstored=postgres.unstored)
        self._fuse, self._moment = fuse, moment

    @asynccontextmanager
    async def page(self, session: Session, *where: Any, **of: Any) -> AsyncIterator[Page]:
        async with super().page(session, *where, **of) as page:
            yield page
            if self._moment == "before":
                # Within the transaction: it is rolled back, as a lost connection does.
                self._passes(session.thread_id)
        if self._moment == "after":
            self._passes(session.thread_id)

    def _passes(self, thread_id: str) -> None:
        try:
            self._fuse.passes()
        except Cut:
            # A dead process stores nothing any more.
            self._unstored.end(thread_id)
            raise


class CutSaver(AsyncPostgresSaver):
    """A checkpointer whose process dies just before it stores something."""

    def __init__(self, postgres: Postgres, fuse: Fuse) -> None:
        super().__init__(postgres.pool.source, serde=postgres.saver.serde)
        self._fuse = fuse

    async def aput(self, *what: Any) -> RunnableConfig:
        self._fuse.passes()
        return await super().aput(*what)

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        self._fuse.passes()
        await super().aput_writes(config, writes, task_id, task_path)
