"""The context of reads and changes: the state, the services, the past, a model scope."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from daybook.nodes.running.model_call import OwnScope
from daybook.nodes.running.work import Work
from daybook.state.context import (
    LedgerReader,
    PlanContext,
    ReadContext,
    Recalled,
    Rows,
)
from daybook.state.errors import ToolRefused
from daybook.state.ledger.plan import Operation
from daybook.tools.boundary import ours


def text_of(state: Mapping[str, Any], message_id: str) -> str:
    """Return the text of a message of the conversation, or nothing."""
    messages = state.get("messages") or ()
    return next((one.text for one in messages if one.id == message_id), "")


def reading(state: Mapping[str, Any], work: Work) -> ReadContext[Any]:
    """Make the context of a read or of a change of state."""
    return ReadContext(
        session=work.session,
        state=state,
        services=work.resources.services,
        past=OwnPast(work),
        scope=OwnScope(work),
        clock=work.clock,
    )


def planning(state: Mapping[str, Any], work: Work) -> PlanContext[Any]:
    """Make the context that plans and observations are given."""
    return PlanContext(
        session=work.session,
        state=state,
        services=work.resources.services,
        ledger=OwnLedger(work.ledger),
        turn_id=state["turn"]["turn_id"],
    )


@dataclass(frozen=True)
class OwnPast:
    """Let a tool ask what was read in this thread, and what was done for its user."""

    work: Work

    async def read(self, handle: int) -> Recalled:
        """Open a read of this thread again.

        Raises:
            ToolRefused: there is no such handle.
        """
        with ours():
            found = await self.work.reads.by_handle(self.work.session.thread_id, handle)
        if found is None:
            raise ToolRefused(
                f"There is no result r{handle} in this conversation. Handles are at the start of "
                'results, and under "Earlier reads".'
            )
        return Recalled(found.handle, found.tool, found.result, found.superseded)

    async def query(self, sql: str) -> Rows:
        """Ask the person's own past in SQL.

        Raises:
            ToolRefused: the query cannot be run; the message says why.
        """
        history = self.work.resources.postgres.history
        with ours():
            return await history.query(self.work.session, sql, self.work.domain.views)


@dataclass(frozen=True)
class OwnLedger:
    """Let a plan ask the ledger what became of an operation."""

    ledger: LedgerReader

    async def operation(self, op: str) -> Operation | None:
        """Return the newest generation of an operation."""
        with ours():
            return await self.ledger.operation(op)
