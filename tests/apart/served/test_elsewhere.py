"""Questions that are answered, withdrawn and put by another process, as the server tells them."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from langgraph_sdk.client import LangGraphClient

from daybook.graph.settings.environment import settings_from
from daybook.graph.shop.resources import open_shop_agent
from tests.answers import APPROVE
from tests.apart.served.conftest import Talk, said
from tests.conftest import Shop
from tests.conversation import Conversation
from tests.purchases import PURCHASE
from tests.shop_process import ShopProcess

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def elsewhere(
    served_database: str, shop_process: ShopProcess, talk: Talk
) -> AsyncIterator[Conversation]:
    """Open the same thread in another process, as a terminal does."""
    settings = settings_from(
        {
            "DATABASE_URL": served_database,
            "SHOP_URL": shop_process.url,
            "SMTP_URL": shop_process.smtp_url,
        }
    )
    async with open_shop_agent(settings) as opened:
        yield Conversation(opened.graph, thread=talk.thread_id)


async def told(client: LangGraphClient, talk: Talk) -> tuple[str, list[str]]:
    """Return a thread's status, and what is asked, which a search finds too while it waits."""
    thread = await client.threads.get(talk.thread_id)
    found = await client.threads.search(status="interrupted", limit=1000)
    ids = [one["thread_id"] for one in found]
    assert (talk.thread_id in ids) is (thread["status"] == "interrupted")
    return thread["status"], [one["value"]["approval_id"] for one in await talk.questions()]


@pytest.mark.parametrize("is_approved", [True, False], ids=["answered", "withdrawn"])
async def test_a_question_that_is_over_elsewhere_waits_no_more(
    client: LangGraphClient, talk: Talk, elsewhere: Conversation, shop: Shop, is_approved: bool
):
    await talk.say("add BOOT-013")
    await talk.say("check out")
    question = await talk.question()
    assert await told(client, talk) == ("interrupted", [question["approval_id"]])
    if is_approved:
        await elsewhere.answer(APPROVE)
    else:
        await elsewhere.say("find wool socks")
    assert await told(client, talk) == ("idle", [])
    assert bool(shop.happened()) is is_approved


async def test_a_question_that_was_put_elsewhere_waits(
    client: LangGraphClient, talk: Talk, elsewhere: Conversation
):
    await talk.say("add BOOT-013")
    asked = await elsewhere.say("check out")
    [one] = asked.interrupts
    assert (await client.threads.get(talk.thread_id))["status"] == "interrupted"
    shown = [(told["id"], told["value"]) for told in await talk.questions()]
    assert shown == [(one.id, one.value)]


async def test_a_question_that_was_put_elsewhere_is_answered_here(
    talk: Talk, elsewhere: Conversation, shop: Shop
):
    await talk.say("add BOOT-013")
    await elsewhere.say("check out")
    assert "order DB-" in said(await talk.answer(APPROVE))
    assert shop.happened() == PURCHASE
