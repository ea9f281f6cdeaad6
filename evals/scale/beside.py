"""What is done beside many threads: a purchase, the worker's look, the console's pages, lists."""

from __future__ import annotations

import contextlib
import io
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command
from starlette.requests import Request

from daybook import build
from daybook.app.cli.people import print_threads
from daybook.app.console import inbox
from daybook.app.console.ledger import search
from daybook.app.conversations.terminal import Terminal
from daybook.app.doctor import database
from daybook.app.ledger.listing import listed as listed_steps
from daybook.app.ledger.listing import print_steps
from daybook.app.operating.metrics import Scraper
from daybook.checkpoints.runs.jobs import queue_of
from daybook.domain import GuardedGraph, Settings, settings_from
from daybook.graph.serve import Opened, Served
from daybook.graph.shop.resources import open_resources
from daybook.state.session import Person
from daybook.tools.shop.domain import SHOP
from evals.servers import SKU

_IDLE = timedelta(seconds=30)
_MOST = 50


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


@asynccontextmanager
async def open_agent(environment: Mapping[str, str]) -> AsyncIterator[Opened]:
    """Open the shop's agent as a server does: the console's pages find it too."""
    settings = settings_from(environment)
    served = Served(SHOP, lambda: open_resources(settings))
    async with served.checkpointer():
        resources = served()
        graph = build(SHOP, lambda: resources, resources.postgres.saver)
        yield Opened(graph, SHOP, resources)


def acts(opened: Opened, settings: Settings) -> dict[str, Callable[[], Awaitable[Any]]]:
    """Return what is done beside many threads, by name; pages are of the agent opened last."""
    postgres = opened.resources.postgres
    scraper = Scraper(postgres)
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
            print_steps(await listed_steps(settings, None, _MOST), as_json=False)

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
