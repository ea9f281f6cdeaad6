"""Open an agent in a notebook; it stays open from one cell to the next."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from daybook.graph.build import build
from daybook.graph.database import open_database_of
from daybook.graph.guarded import GuardedGraph
from daybook.graph.merchants.resources import merchants_from
from daybook.graph.merchants.resources import open_resources as open_merchant_resources
from daybook.graph.model.choice import chosen_model
from daybook.graph.serve import Opened
from daybook.graph.settings.environment import MERCHANTS as MERCHANTS_VARIABLE
from daybook.graph.settings.environment import Settings, settings_from
from daybook.graph.shop.resources import open_shop_agent
from daybook.nodes.past.plans import thread_plans
from daybook.nodes.running.work import Resources
from daybook.state.receipts import ReceiptLine
from daybook.tools.domain import Domain
from daybook.tools.merchants.domain import MERCHANTS
from daybook.tools.receipts.lines import receipt_lines

_Opener = Callable[[Settings], AbstractAsyncContextManager[Opened]]


@dataclass(frozen=True)
class Agent:
    """An agent that is open until it is closed, or opened again.

    Attributes:
        home: the folder of the embedded parts (DAYBOOK_HOME).
    """

    graph: GuardedGraph
    domain: Domain
    resources: Resources
    home: Path
    _open: AsyncExitStack

    async def receipts(self, thread_id: str) -> list[ReceiptLine]:
        """Return what became of each effect of a thread, oldest first, from the ledger."""
        return receipt_lines(await thread_plans(self.resources.postgres.ledger, thread_id))

    async def close(self) -> None:
        """Stop what was started for it, and remove a temporary folder. Twice does nothing."""
        await self._open.aclose()
        if _agents.get(self.domain.name) is self:
            del _agents[self.domain.name]


_agents: dict[str, Agent] = {}
"""The open agents by domain: a cell that is run again would open a second one."""


async def open_shop() -> Agent:
    """Open the shop's agent, with the database, the shop and the model that the settings name.

    Without DAYBOOK_HOME, embedded servers use a temporary folder. A cell that is run again first
    closes what it had opened.

    Raises:
        DaybookError: something cannot be started or reached; the message says what.

    Example:
        >>> shop = await open_shop()  # doctest: +SKIP
        >>> await shop.graph.ainvoke({"messages": [...]}, config)  # doctest: +SKIP
        >>> await shop.close()  # doctest: +SKIP
    """
    return await _opened("shop", open_shop_agent)


async def open_merchants(*urls: str, wallet: Path) -> Agent:
    """Open the agent that buys from merchants of the Universal Commerce Protocol.

    Args:
        wallet: a file of instruments and addresses (docs/merchants.md).

    Raises:
        DaybookError: something cannot be started or reached; the message says what.

    Example:
        >>> buyer = await open_merchants(url, wallet=Path("wallet.json"))  # doctest: +SKIP
    """

    @asynccontextmanager
    async def opener(settings: Settings) -> AsyncIterator[Opened]:
        told = {
            **os.environ,
            "DAYBOOK_HOME": str(settings.home),
            MERCHANTS_VARIABLE: " ".join(urls),
        }
        merchants = replace(merchants_from(told), wallet=wallet)
        async with open_merchant_resources(settings, merchants) as resources:
            graph = build(MERCHANTS, lambda: resources, resources.postgres.saver)
            yield Opened(graph, MERCHANTS, resources)

    return await _opened(MERCHANTS.name, opener)


async def open_agent(domain: Domain, services: Any) -> Agent:
    """Open the agent of a domain of your own, with the database and the model of the settings.

    Args:
        services: passed to the domain's tools as `ctx.services`; you close it yourself.

    Raises:
        DaybookError: something cannot be started or reached; the message says what.

    Example:
        >>> desk = await open_agent(DESK, services=HttpService(url, CONTRACT))  # doctest: +SKIP
    """

    @asynccontextmanager
    async def opener(settings: Settings) -> AsyncIterator[Opened]:
        async with (
            open_database_of(domain, settings) as postgres,
            chosen_model(settings, domain) as model,
        ):
            resources = Resources(postgres=postgres, model=model, services=services)
            graph = build(domain, lambda: resources, postgres.saver)
            yield Opened(graph, domain, resources)

    return await _opened(domain.name, opener)


async def _opened(name: str, opener: _Opener) -> Agent:
    if name in _agents:
        await _agents[name].close()
    async with AsyncExitStack() as stack:
        settings = settings_from()
        if not os.environ.get("DAYBOOK_HOME"):
            settings = replace(settings, home=await _temporary_home(stack))
        opened = await stack.enter_async_context(opener(settings))
        kept = stack.pop_all()
    agent = Agent(opened.graph, opened.domain, opened.resources, settings.home, kept)
    _agents[name] = agent
    return agent


async def _temporary_home(stack: AsyncExitStack) -> Path:
    folder = await asyncio.to_thread(
        tempfile.TemporaryDirectory, prefix="daybook-notebook-", ignore_cleanup_errors=True
    )
    stack.push_async_callback(asyncio.to_thread, folder.cleanup)
    return Path(folder.name)
