"""Three users who have shopped: two of one tenant, and one of another who has the same user id.

Whatever is not the asker's holds the word MARK.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

import httpx

from daybook.checkpoints.people.history import History
from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.state.clock import SYSTEM
from daybook.state.context import Rows
from daybook.state.people.facts import fact_of
from daybook.state.session import Session
from daybook.testing.model import last_result
from daybook.tools.shop.domain import SHOP
from daybook.tools.shop.history import VIEWS as SHOP_VIEWS
from tests.conftest import Agent, Shop, shop_agent
from tests.conversation import Conversation
from tests.purchases import asked_to_buy, bought, orders, rebuilt, with_boots
from tests.shop_process import ShopProcess

MARK = "quokka"
"""Stands in every row that is not the asker's: threads are named by it."""

ASKER = "dan"
"""Whose history is asked about."""

VIEWS = ("turns", "effects", "plans", "reads", "changes", "facts", "events")

TABLES = ("thread", "ledger_event", "ledger_payload", "open_step", "read_call", "fact")
"""Tables of which the views show columns."""


@dataclass
class Past:
    """Hold the database, and what the asker has done in it."""

    url: str
    postgres: Postgres
    history: History
    session: Session
    talk: Conversation
    order_id: str
    cancelled: str

    async def ask(self, sql: str) -> Rows:
        """Ask as the asker."""
        return await self.history.query(self.session, sql, SHOP_VIEWS)


def session_of(talk: Conversation, user: str, tenant: str = "default") -> Session:
    """Make the session in which a user asks."""
    return Session(tenant, talk.thread_id, user, user, "customer", "worker")


@asynccontextmanager
async def shopped(url: str, shop_process: ShopProcess) -> AsyncIterator[Past]:
    """Let all of them shop; yield what came of it."""
    async with AsyncExitStack() as stack:
        http = stack.enter_context(httpx.Client(base_url=shop_process.url))
        http.post("/admin/reset").raise_for_status()
        shop = Shop(shop_process.url, shop_process.smtp_url, http)
        ours, others = [
            await stack.enter_async_context(
                open_postgres(url, tenant_id=tenant, stored_types=SHOP.restored_types)
            )
            for tenant in ("default", "other")
        ]
        agent = await stack.enter_async_context(shop_agent(ours, shop))
        for user, where in (("ada", agent), (ASKER, rebuilt(agent, postgres=others))):
            await _stranger(where, user)
        talk = await with_boots(agent, ASKER, "mine")
        agent.model.then([("checkout", {})], last_result)
        await talk.say("check out")
        await talk.approve()
        order_id, cancelled = "", ""
        for keeps in (False, True):
            talk = await bought(agent, ASKER, card_id="card_dan_2")
            order_id = orders(shop, ASKER)[-1]["order_id"]
            if not keeps:
                cancelled = order_id
                agent.model.then([("cancel_order", {"order_id": order_id})], last_result)
                await talk.say("cancel that order")
                await talk.approve()
        await _looks_and_removes(agent, talk, "boots")
        await ours.memory.put(
            ASKER, fact_of("shoe size", "43", "fact", talk.thread_id, SYSTEM.now())
        )
        session = session_of(talk, ASKER)
        yield Past(
            url,
            ours,
            History(ours.pool, longest=timedelta(seconds=0.5)),
            session,
            talk,
            order_id,
            cancelled,
        )


async def _stranger(agent: Agent, user: str) -> None:
    """Let somebody do what the asker does, with the mark in all of it."""
    tenant = agent.resources.postgres.tenant_id
    talk = await asked_to_buy(agent, user, f"{MARK}-{tenant}", **_card(user))
    await talk.approve()
    await _looks_and_removes(agent, talk, MARK)
    fact = fact_of("shoe size", MARK, "fact", talk.thread_id, SYSTEM.now())
    await agent.resources.postgres.memory.put(user, fact)
    # And a question that waits, so that there is an open step.
    waiting = await with_boots(agent, user, f"{MARK}-{tenant}-waits")
    agent.model.then([("checkout", _card(user))])
    await waiting.say("check out")


def _card(user: str) -> dict[str, str]:
    return {"card_id": "card_dan_2" if user == ASKER else "card_ada_1"}


async def _looks_and_removes(agent: Agent, talk: Conversation, words: str) -> None:
    agent.model.then(
        [("search_products", {"query": f"boots {words}", "limit": 5})],
        [("add_to_cart", {"sku": "BOOT-002"})],
        [("remove_from_cart", {"sku": "BOOT-002"})],
        "It is out again.",
    )
    await talk.say(f"put BOOT-002 in and take it out, {words}")
