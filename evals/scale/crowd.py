"""People who wait for an approval: one is really brought there, and copied."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from daybook.graph.serve import Opened
from daybook.state.clock import SYSTEM
from evals.scale.copies import Template, put, template_of
from evals.scale.shopping import Talk

_LONG = timedelta(days=1)
_FIRST = "person-0000000"


class Crowd:
    """Those who wait in one database.

    Attributes:
        count: how many they are; the first one was really brought there.
    """

    def __init__(self, opened: Opened, conn: AsyncConnection[DictRow], template: Template) -> None:
        self._opened, self._conn, self._template = opened, conn, template
        self._chance = random.Random(1)
        self.count = 1

    async def come(self, count: int, until: datetime | None = None) -> list[Talk]:
        """Let so many more come, and the server look how many there are.

        Args:
            until: when their questions expire; None: a day from now.
        """
        users = [f"person-{self.count + n:07}" for n in range(count)]
        at = until or SYSTEM.now() + _LONG
        threads = await put(self._conn, self._template, users, self._chance, at)
        self.count += count
        await self._conn.execute("vacuum analyze")
        graph = self._opened.graph
        return [Talk(graph, user, thread) for user, thread in zip(users, threads, strict=True)]


async def gathered(opened: Opened, conn: AsyncConnection[DictRow]) -> Crowd:
    """Bring the first one to a question.

    Args:
        conn: to the agent's database, as its owner.
    """
    talk = Talk(opened.graph, _FIRST)
    await talk.ask_to_buy()
    cart = (await opened.graph.aget_state(talk.config)).values["cart"].cart_id
    return Crowd(opened, conn, await template_of(conn, talk.thread_id, _FIRST, cart))
