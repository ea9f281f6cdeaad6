"""One Postgres and one shop; people who wait in a database; what is done beside them."""

from __future__ import annotations

import contextlib
import io
import os
import random
import statistics
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command
from psycopg import AsyncConnection, sql
from psycopg.rows import DictRow
from starlette.requests import Request

from daybook import build
from daybook.app.cli.conversation import print_threads
from daybook.app.console import inbox
from daybook.app.console.ledger import search
from daybook.app.conversations.terminal import Terminal
from daybook.app.doctor.database import database
from daybook.app.ledger.listing import print_unsettled, unsettled
from daybook.app.operating.scraper import Scraper
from daybook.checkpoints.runs.jobs import queue_of
from daybook.domain import GuardedGraph, Settings, settings_from
from daybook.graph.serve import Opened, Served
from daybook.graph.shop.resources import open_resources
from daybook.state.clock import SYSTEM
from daybook.state.session import Person
from daybook.tools.shop.domain import SHOP
from evals.scale.copies import TABLES, Template, put, template_of
from evals.servers import SKU, Server, Shop

_LONG = timedelta(days=1)
_IDLE = timedelta(seconds=30)
_FIRST = "person-0000000"
_MOST = 50
_TICK = os.sysconf("SC_CLK_TCK")

Act = Callable[[], Awaitable[Any]]


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

    @asynccontextmanager
    async def agent(self, url: str) -> AsyncIterator[Opened]:
        """Open the shop's agent as a server does: the console's pages find it too."""
        settings = settings_from(self.environment(url))
        served = Served(SHOP, lambda: open_resources(settings))
        async with served.checkpointer():
            resources = served()
            graph = build(SHOP, lambda: resources, resources.postgres.saver)
            yield Opened(graph, SHOP, resources)


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
        approve: Command[Any] = Command(resume={"decisions": [{"type": "approve"}]})
        return await self.graph.ainvoke(approve, self.config)

    async def buy(self) -> None:
        """Buy one pair of boots, from the first word to the answer."""
        await self.ask_to_buy()
        done = await self.approve()
        assert done["flow"] == "ordered", "a purchase ends with an order"


class Crowd:
    """Those who wait in one database.

    Attributes:
        count: how many they are; the first one was really brought there.
    """

    def __init__(self, opened: Opened, conn: AsyncConnection[DictRow], template: Template) -> None:
        self.opened, self.conn, self._template = opened, conn, template
        self._chance = random.Random(1)
        self.count = 1

    @classmethod
    async def gathered(cls, opened: Opened, conn: AsyncConnection[DictRow]) -> Crowd:
        """Bring the first one to a question.

        Args:
            conn: to the agent's database, as its owner.
        """
        talk = Talk(opened.graph, _FIRST)
        await talk.ask_to_buy()
        cart = (await opened.graph.aget_state(talk.config)).values["cart"].cart_id
        return cls(opened, conn, await template_of(conn, talk.thread_id, _FIRST, cart))

    async def come(self, count: int, until: datetime | None = None) -> list[Talk]:
        """Let so many more come, and the server look how many there are.

        Args:
            until: when their questions expire; None: a day from now.
        """
        users = [f"person-{self.count + n:07}" for n in range(count)]
        at = until or SYSTEM.now() + _LONG
        came = await put(self.conn, self._template, users, self._chance, at)
        self.count += count
        await self.conn.execute("vacuum analyze")
        graph = self.opened.graph
        return [Talk(graph, user, thread) for user, thread in zip(users, came, strict=True)]

    async def weights(self) -> Mapping[str, tuple[int, int]]:
        """Return the bytes of each table, and of its indexes."""
        found = {}
        for table in TABLES:
            query = sql.SQL("select pg_table_size({0}) as rows, pg_indexes_size({0}) as indexes")
            row = await (await self.conn.execute(query.format(sql.Literal(table)))).fetchone()
            assert row is not None
            found[table] = row["rows"], row["indexes"]
        return found


def acts(opened: Opened, settings: Settings) -> Mapping[str, Act]:
    """Return what is done beside many threads, by name; pages are of the agent opened last."""
    postgres = opened.resources.postgres
    scraper = Scraper(postgres, [opened.domain])
    queue = queue_of(postgres.tenant_id, opened.domain.name, opened.resources.world)
    numbers = iter(range(1_000_000))

    async def look() -> None:
        about = opened.domain.name, _IDLE, opened.resources.world, queue
        async with postgres.stalled.claimed(*about):
            pass

    async def listed() -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            await print_threads(settings, Terminal(), user=None, as_json=True)

    async def still_open() -> None:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            await unsettled(settings, None, _MOST, print_unsettled)

    return {
        "a purchase": lambda: Talk(opened.graph, f"buyer-{next(numbers):07}").buy(),
        "the worker's look": look,
        "the inbox": lambda: inbox.page(_asks("/console/inbox")),
        "the search": lambda: search(_asks("/console/search")),
        "daybook threads": listed,
        "ledger --open": still_open,
        "/metrics": scraper.scrape,
        "doctor": lambda: database(settings),
    }


def _asks(path: str) -> Request:
    """Ask for a page, as an operator who is signed in."""
    scope = {"type": "http", "method": "GET", "path": path, "headers": [], "query_string": b""}
    request = Request(scope)
    request.state.person = Person("operator", "operator")
    return request


@dataclass(frozen=True)
class Cost:
    """Of one time: median milliseconds, and those of the processor (ours and Postgres')."""

    ms: float
    cpu_ms: float

    def __str__(self) -> str:
        return f"{self.ms:,.1f} ({self.cpu_ms:,.1f})"


async def costs(server: Server, times: int, *some: Act) -> list[Cost]:
    """Measure things in turns, after each was done once: what else the machine does, all meet."""
    taken: list[list[tuple[float, float]]] = [[] for _ in some]
    for act in some:
        await act()
    for _ in range(times):
        for act, of_it in zip(some, taken, strict=True):
            cpu, began = _cpu_s(server), SYSTEM.monotonic()
            await act()
            of_it.append((SYSTEM.monotonic() - began, _cpu_s(server) - cpu))
    return [
        Cost(
            1000 * statistics.median(seconds for seconds, _ in of_it),
            1000 * statistics.mean(cpu for _, cpu in of_it),
        )
        for of_it in taken
    ]


def _cpu_s(server: Server) -> float:
    """Return the processor's time that this process and all of Postgres' have taken."""
    ticks, parent = 0, server.pid
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                if int(folder.name) == parent:
                    # Those that are gone too.
                    ticks += sum(map(int, fields[11:15]))
                elif int(fields[1]) == parent:
                    ticks += int(fields[11]) + int(fields[12])
    return ticks / _TICK + sum(os.times()[:2])
