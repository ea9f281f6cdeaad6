"""Tools that an operator switches off or limits: what the model calls is answered in words."""

import asyncio

from daybook.state.ledger.recovery import Event
from daybook.state.people.rules import Limit
from daybook.testing.model import last_result
from tests.answers import MAIL, edit
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.purchases import PURCHASE, asked_to_buy, entries, shop_database, with_boots, work_list
from tests.reading import asks, reads

SOCKS = ("search_products", {"query": "wool socks"})
BOOTS = ("search_products", {"query": "boots"})
ADD = ("add_to_cart", {"sku": "BOOT-001"})

HOURLY = Limit(1, 3_600)


async def off(agent: Agent, tool: str, why: str = "fraud wave") -> None:
    await agent.resources.postgres.rules.switch(tool, is_off=True, why=why, by="olga")


async def on(agent: Agent, tool: str) -> None:
    await agent.resources.postgres.rules.switch(tool, is_off=False, why="", by="olga")


async def limited(agent: Agent, tool: str, limit: Limit | None) -> None:
    await agent.resources.postgres.rules.limit(tool, limit, by="olga")


async def left(agent: Agent, tool: str) -> int:
    """Return the tokens that are left."""
    bucket = (await agent.resources.postgres.rules.all())[tool].bucket
    assert bucket is not None
    return bucket.tokens


# ---- reads -----------------------------------------------------------------------------------


async def test_a_read_that_is_off_is_answered_with_why_and_not_from_the_cache(agent, shop):
    talk = Conversation(agent.graph)
    (answered,) = await asks(agent, talk, SOCKS)
    assert " search_products ok: " in answered
    await off(agent, "search_products", "the index is rebuilt")
    refused, product = await asks(agent, talk, SOCKS, ("get_product", {"sku": "BOOT-001"}))
    assert refused == (
        "search_products refused: The tool search_products is switched off by the operator: "
        "the index is rebuilt."
    )
    assert " get_product ok" in product, "others of the same decision are read"
    await on(agent, "search_products")
    await asks(agent, talk, SOCKS)
    found = [read.cache for read in await reads(agent, talk) if read.tool == "search_products"]
    assert found == ["miss", "failed", "hit"]


async def test_a_limited_read_is_refused_in_all_threads_when_its_tokens_are_used_up(agent, shop):
    talk = Conversation(agent.graph)
    await limited(agent, "search_products", HOURLY)
    first, second = await asks(agent, talk, SOCKS, BOOTS)
    assert " search_products ok: " in first
    assert "search_products was called too often (1 in 3600 s at most): try again in " in second
    (cached,) = await asks(agent, talk, SOCKS)
    assert cached == first, "a read from the cache needs no token"
    (refused,) = await asks(agent, Conversation(agent.graph), BOOTS)
    assert "search_products was called too often" in refused
    await limited(agent, "search_products", None)
    (answered,) = await asks(agent, talk, BOOTS)
    assert " search_products ok: " in answered


async def test_a_limit_is_exact_across_processes(agent: Agent, postgres_url: str):
    rules = agent.resources.postgres.rules
    await rules.limit("search_products", Limit(3, 3_600), by="olga")
    async with shop_database(postgres_url) as other:
        takes = [r.take("search_products") for r in (rules, other.rules) for _ in range(8)]
        barred = await asyncio.gather(*takes)
    assert barred.count(None) == 3
    assert await left(agent, "search_products") == 0


# ---- changes ---------------------------------------------------------------------------------


async def test_a_change_that_is_off_or_limited_changes_nothing_and_says_why(agent, shop):
    talk = Conversation(agent.graph)
    await off(agent, "add_to_cart", "stocktaking")
    (refused,) = await asks(agent, talk, ADD)
    assert refused.endswith("add_to_cart is switched off by the operator: stocktaking.")
    assert (await talk.state()).values["cart"].lines == ()
    await on(agent, "add_to_cart")
    await limited(agent, "add_to_cart", HOURLY)
    added, refused = await asks(agent, talk, ADD, ("add_to_cart", {"sku": "SOCK-001"}))
    assert "+BOOT-001 x1" in added
    assert "add_to_cart was called too often" in refused
    assert [line.sku for line in (await talk.state()).values["cart"].lines] == ["BOOT-001"]


# ---- plans -----------------------------------------------------------------------------------


async def test_a_plan_is_refused_when_it_or_a_step_of_it_is_off_and_nothing_is_written(agent, shop):
    talk = await with_boots(agent)
    for tool in ("checkout", "reserve_inventory", "charge_payment", "send_email"):
        await off(agent, tool, "fraud wave")
        agent.model.then([("checkout", {})], last_result)
        refused = await talk.say("check out")
        assert refused.interrupts == ()
        assert answer_of(refused) == (
            f"checkout refused: The tool {tool} is switched off by the operator: fraud wave."
        )
        assert refused.values["flow"] == "shopping"
        await on(agent, tool)
    await off(agent, "send_email")
    (refused,) = await asks(agent, talk, MAIL)
    assert "send_email is switched off" in refused
    assert (await talk.state()).interrupts == ()
    assert await work_list(agent) == {}
    assert Event.OPENED not in [entry.event for entry in await entries(agent, talk)]


async def test_a_plan_takes_one_token_when_it_is_proposed_and_none_when_it_is_edited(agent, shop):
    await limited(agent, "checkout", HOURLY)
    talk = await asked_to_buy(agent, "ben", card_id="card_ben_1", address_id="addr_ben_1")
    done = await talk.answer(edit(card_id="card_ben_2", address_id="addr_ben_2"))
    assert "charged to card_ben_2" in answer_of(done)
    assert shop.happened() == PURCHASE
    agent.model.then([ADD], [("checkout", {})], last_result)
    refused = await talk.say("the same once more")
    assert refused.interrupts == ()
    assert "checkout was called too often" in answer_of(refused)


async def test_an_edit_is_asked_again_with_the_reason_when_a_step_is_off(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent, "ben", card_id="card_ben_1", address_id="addr_ben_1")
    await off(agent, "charge_payment", "fraud wave")
    again = await talk.answer(edit(card_id="card_ben_2", address_id="addr_ben_2"))
    described = again.interrupts[0].value["action_requests"][0]["description"]
    assert "charge_payment is switched off by the operator: fraud wave" in described
    assert shop.happened() == []


# ---- whose rules -----------------------------------------------------------------------------


async def test_the_rules_of_another_tenant_do_not_apply(agent, shop, postgres_url):
    async with shop_database(postgres_url, "other") as other:
        for tool in ("add_to_cart", "checkout", "charge_payment"):
            await other.rules.switch(tool, is_off=True, why="closed", by="eve")
            await other.rules.limit(tool, HOURLY, by="eve")
        assert await agent.resources.postgres.rules.all() == {}
        talk = await asked_to_buy(agent)
        await talk.approve()
        assert shop.happened() == PURCHASE
        rules = await other.rules.all()
    assert {rule.bucket.tokens for rule in rules.values() if rule.bucket} == {1}
