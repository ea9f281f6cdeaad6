"""The people: each shops in a thread of their own, and leaves as soon as they have approved.

What they approved is carried out by the workers alone. People come back for the next purchase when
their thread is at rest, and they answer truthfully when they are asked whether a mail was sent.
"""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command
from psycopg import OperationalError

from daybook.checkpoints.postgres import Postgres
from daybook.graph.guarded import GuardedGraph
from daybook.state.clock import SYSTEM
from daybook.state.errors import (
    DatabaseUnavailable,
    InputRefused,
    ModelUnavailable,
    NothingPending,
    ServiceUnavailable,
    ThreadBusy,
)
from daybook.state.fault_points import FaultPoint
from daybook.tools.services.mail import message_id
from evals.crash.script import SKU
from evals.crash.shop import Shop

_AT_REST = """
select h.open_plan is null and t.status in ('idle', 'waiting') and r.lease_until is null
    and not exists (
        select from open_step s where s.thread_id = t.thread_id and s.due_at is not null) as is_so
from thread t join thread_head h using (thread_id) join runner r using (thread_id)
where t.thread_id = %s"""

_PAUSE_S = 0.5
_THOUGHT_S = 1.5

_COMES_BACK = (
    DatabaseUnavailable,
    ModelUnavailable,
    OperationalError,
    ServiceUnavailable,
    ThreadBusy,
)


class Left(Exception):
    """A person has approved and left."""


def leaves(point: FaultPoint, about: str) -> None:
    """Leave a run once the approval is written down; for `daybook.state.fault_points.arm`.

    Raises:
        Left: it is.
    """
    if point is FaultPoint.AFTER_COMMIT and about == "decision":
        raise Left


class Person:
    """Shop in one thread until the storm is over.

    Attributes:
        approved: how many plans they approved.
    """

    def __init__(self, number: int, graph: GuardedGraph, postgres: Postgres, shop: Shop) -> None:
        self.thread_id = str(uuid.uuid4())
        self.user = f"person-{number}"
        self.approved = 0
        self._graph = graph
        self._postgres = postgres
        self._shop = shop
        self._config: RunnableConfig = {
            "configurable": {"thread_id": self.thread_id, "user_id": self.user},
            "recursion_limit": 200,
        }

    async def shop_until(self, over: asyncio.Event, chance: random.Random) -> None:
        """Buy, and cancel some of it, again and again."""
        while not over.is_set():
            # They look at what they have bought; the machine is to be busy with workers.
            await SYSTEM.sleep(chance.uniform(0, 2 * _THOUGHT_S))
            await self.buy()
            await self.is_at_rest()
            if chance.random() < 0.3 and not over.is_set():
                await self._approve("cancel that order")
                await self.is_at_rest()

    async def buy(self) -> None:
        """Put something into the cart, check out, approve and leave."""
        await self._say(f"add {SKU}")
        await self._approve("check out")

    async def is_at_rest(self) -> None:
        """Wait until nothing of the thread is left to do, and answer what is asked meanwhile."""
        while True:
            found: Any = await self._surely(self._row)
            if found and found["is_so"]:
                state = await self._surely(lambda: self._graph.aget_state(self._config))
                if not state.interrupts:
                    return
                await self._answer(state.interrupts[0].value)
            await SYSTEM.sleep(_PAUSE_S)

    async def _say(self, text: str) -> None:
        said = {"role": "user", "content": text, "id": str(uuid.uuid4())}
        await self._surely(lambda: self._run({"messages": [said]}))

    async def _approve(self, text: str) -> None:
        await self._say(text)
        state = await self._surely(lambda: self._graph.aget_state(self._config))
        if not state.interrupts or "in_doubt" in state.interrupts[0].value:
            return
        question = state.interrupts[0].value
        answer = {
            "decisions": [{"type": "approve"} for _ in question["action_requests"]],
            "approval_id": question["approval_id"],
        }
        self.approved += 1
        with suppress(Left):
            await self._surely(lambda: self._run(Command(resume=answer)))

    async def _answer(self, question: Any) -> None:
        if "in_doubt" not in question:
            return
        reference = message_id(question["in_doubt"])
        happened = any(one["reference"] == reference for one in await self._shop.effects())
        said = f"it happened {reference}" if happened else "it did not happen"
        answer = {
            "decisions": [{"type": "respond", "message": said}],
            "approval_id": question["approval_id"],
        }
        await self._surely(lambda: self._run(Command(resume=answer)))

    async def _run(self, given: Any) -> None:
        await self._graph.ainvoke(given, self._config)

    async def _row(self) -> Any:
        async with self._postgres.pool.connection() as conn:
            return await (await conn.execute(_AT_REST, (self.thread_id,))).fetchone()

    async def _surely(self, act: Callable[[], Awaitable[Any]]) -> Any:
        """Do it again where the database was away, or somebody else was at the thread."""
        while True:
            try:
                return await act()
            except _COMES_BACK:
                await SYSTEM.sleep(_PAUSE_S)
            except (NothingPending, InputRefused):
                # It was taken, and the confirmation was lost.
                return None
