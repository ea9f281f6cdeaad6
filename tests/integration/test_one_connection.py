"""A pool of one connection is enough: nobody takes a second one while a page is open."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.nodes.running.identity import session_of
from daybook.state.clock import SYSTEM
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.testing.model import Prompt, last_result
from daybook.tools.shop.domain import SHOP
from tests.conftest import Agent, Shop, shop_agent
from tests.conversation import Conversation, answer_of
from tests.purchases import PATIENCE, PURCHASE, all_is_settled, bought, orders, shop_database


@pytest.fixture
async def postgres(postgres_url: str) -> AsyncIterator[Postgres]:
    """Yield the test's database, over one connection."""
    async with open_postgres(
        postgres_url, tenant_id="default", stored_types=SHOP.restored_types, size=1
    ) as postgres:
        yield postgres


@pytest.fixture
async def agent(postgres: Postgres, shop: Shop) -> AsyncIterator[Agent]:
    """Yield the shop's agent over that connection."""
    async with SYSTEM.timeout(PATIENCE), shop_agent(postgres, shop) as agent:
        yield agent


async def test_a_purchase_and_its_cancellation(agent: Agent, shop: Shop):
    talk = await bought(agent)
    order = orders(shop)[-1]["order_id"]
    agent.model.then([("cancel_order", {"order_id": order})], last_result)
    await talk.say("cancel my order")
    await talk.approve()
    await all_is_settled(agent, talk, shop)
    assert shop.happened()[: len(PURCHASE)] == PURCHASE


async def test_a_decision_beside_which_somebody_wrote(agent: Agent, postgres_url: str, shop: Shop):
    async with shop_database(postgres_url) as other:
        talk = Conversation(agent.graph)
        agent.model.then("Hello.")
        await talk.say("hello")
        session = session_of(talk.config, "default")

        def meanwhile(prompt: Prompt) -> str:
            async def write() -> None:
                async with other.ledger.page(session) as page:
                    page.write(
                        Entry(Event.APPLIED, turn_id="e", detail={"call": "event"}, payload={})
                    )

            asyncio.run_coroutine_threadsafe(write(), loop).result()
            return "Boots."

        loop = asyncio.get_running_loop()
        agent.model.then(meanwhile)
        assert answer_of(await talk.say("what do you have?")) == "Boots."
