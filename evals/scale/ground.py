"""What everything here runs on: one Postgres with several databases, one shop, agents on both."""

from __future__ import annotations

import random
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from daybook.graph.build import build
from daybook.graph.guarded import GuardedGraph
from daybook.graph.serve import Opened, Served
from daybook.graph.settings.environment import Settings, settings_from
from daybook.graph.shop.resources import open_resources
from daybook.state.clock import SYSTEM
from daybook.state.fault_points import FaultPoint
from daybook.tools.shop.domain import SHOP
from evals.scale.copies import Template, put, template_of
from evals.servers import SKU, Server, Shop, open_server, open_shop


@dataclass(frozen=True)
class Ground:
    """A server and a shop; a database is made by name."""

    folder: Path
    server: Server
    shop: Shop

    def environment(self, url: str) -> dict[str, str]:
        """Return the variables by which a process finds a database and the shop."""
        return {
            "DATABASE_URL": url,
            "SHOP_URL": self.shop.url,
            "SMTP_URL": self.shop.smtp_url,
            "DAYBOOK_HOME": str(self.folder / "home"),
        }

    def settings(self, url: str) -> Settings:
        """Return the settings of a process that works on a database."""
        return settings_from(self.environment(url))


@asynccontextmanager
async def open_ground(folder: Path) -> AsyncIterator[Ground]:
    """Start server and shop; nothing of them outlives the block."""
    async with open_server(folder) as server, open_shop(folder / "shop") as shop:
        yield Ground(folder, server, shop)


@asynccontextmanager
async def open_agent(settings: Settings) -> AsyncIterator[Opened]:
    """Open the shop's agent as a server does: the console's pages find it too."""
    served = Served(SHOP, lambda: open_resources(settings))
    async with served.checkpointer():
        resources = served()
        graph = build(SHOP, lambda: resources, resources.postgres.saver)
        yield Opened(graph, SHOP, resources)


class Gone(Exception):
    """The process of a run is no more."""


def dies_at_the_approval(point: FaultPoint, about: str) -> None:
    """End a run once its approval is written down; for `daybook.state.fault_points.arm`.

    Raises:
        Gone: it is.
    """
    if point is FaultPoint.AFTER_COMMIT and about == "decision":
        raise Gone


@dataclass(frozen=True)
class Talk:
    """One person's thread."""

    graph: GuardedGraph
    user: str
    thread_id: str = field(default_factory=lambda: str(uuid.uuid4()))

    @property
    def config(self) -> RunnableConfig:
        """Return what a run of it is given."""
        about = {"thread_id": self.thread_id, "user_id": self.user}
        return {"configurable": about, "recursion_limit": 200}

    async def say(self, text: str) -> Any:
        """Say something; return the state that it led to."""
        said = {"role": "user", "content": text, "id": str(uuid.uuid4())}
        return await self.graph.ainvoke({"messages": [said]}, self.config)

    async def ask_to_buy(self) -> None:
        """Bring a purchase to its question."""
        await self.say(f"add {SKU}")
        asked = await self.say("check out")
        assert "__interrupt__" in asked, "a checkout asks for an approval"

    async def approve(self) -> Any:
        """Approve what is asked."""
        return await self.graph.ainvoke(
            Command(resume={"decisions": [{"type": "approve"}]}), self.config
        )

    async def buy(self) -> None:
        """Buy one pair of boots, from the first word to the answer."""
        await self.ask_to_buy()
        done = await self.approve()
        assert done["flow"] == "ordered", "a purchase ends with an order"


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
