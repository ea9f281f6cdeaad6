"""What a run did stands, also where a client has the server drop the run itself."""

import pytest
from langgraph_sdk.client import LangGraphClient

from tests.apart.served.conftest import OF_ONE_PROCESS, Talk, buying, receipts_in, said
from tests.conftest import Shop
from tests.purchases import PURCHASE, hurry

pytestmark = pytest.mark.asyncio(loop_scope="session")


@OF_ONE_PROCESS
async def test_a_message_that_rolls_a_purchase_back_goes_on_with_it(
    client: LangGraphClient, talk: Talk, shop: Shop
):
    await buying(client, talk, shop, "charges")
    run = await client.runs.create(
        talk.thread_id,
        "shop",
        input={"messages": [{"role": "user", "content": "show my cart"}]},
        context={"user_id": "ada"},
        multitask_strategy="rollback",
    )
    hurry(shop)
    await client.runs.join(talk.thread_id, run["run_id"])
    assert shop.happened() == PURCHASE
    values = await talk.run(input={"events": []})
    assert "__error__" not in values
    assert "place order: done, DB-" in receipts_in(values)


@OF_ONE_PROCESS
async def test_a_purchase_whose_run_is_rolled_back_is_gone_on_with(
    client: LangGraphClient, talk: Talk, shop: Shop
):
    run_id = await buying(client, talk, shop, "charges")
    await client.runs.cancel(talk.thread_id, run_id, wait=True, action="rollback")
    hurry(shop)
    values = await talk.run(input={"events": []})
    assert "place order: done, DB-" in receipts_in(values)
    assert shop.happened() == PURCHASE


async def test_a_run_that_is_deleted_leaves_the_conversation_as_it_is(
    client: LangGraphClient, talk: Talk, shop: Shop
):
    await talk.say("add BOOT-013")
    [run] = await client.runs.list(talk.thread_id)
    await client.runs.delete(talk.thread_id, run["run_id"])
    assert "BOOT-013" in said(await talk.say("show my cart"))
