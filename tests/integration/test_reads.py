"""Reads: answered once and repeated while they are true; what cannot be read is said to the model."""

import psycopg

from daybook.testing.model import last_result
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.purchases import bought, with_boots
from tests.reading import asks, reads, superseded

SEARCH = ("search_products", {"query": "wool socks", "max_price": 3_000})


async def test_the_same_question_is_asked_once_in_its_lifetime_however_it_is_spelled(
    agent: Agent, shop: Shop, postgres_url: str
):
    talk = Conversation(agent.graph)
    (first,) = await asks(agent, talk, SEARCH)
    assert first.startswith("r1 search_products ok: 5 hits")
    for args in (
        {"query": "wool socks", "max_price": 3_000},
        {"max_price": 3_000, "query": "  wool   socks "},
        {"query": "wool socks", "max_price": 3_000, "category": None},
        {"query": "wool socks", "max_price": 3_000, "limit": 5},
        {"query": "wool socks", "max_price": 3_000.0},
    ):
        assert await asks(agent, talk, ("search_products", args)) == [first]
    hits = ["miss", *["hit"] * 5]
    assert [read.cache for read in await reads(agent, talk)] == hits
    await asks(agent, talk, ("search_products", {"query": "wool socks", "max_price": 2_999}))
    await asks(agent, talk, ("search_products", {"query": "wool socks", "limit": 6}))
    other = Conversation(agent.graph)
    await asks(agent, other, SEARCH)
    assert [read.cache for read in await reads(agent, other)] == ["miss"], "of its own thread"
    with psycopg.connect(postgres_url) as conn:
        conn.execute("update read_call set expires_at = daybook_now() - interval '1 second'")
    await asks(agent, talk, SEARCH)
    assert [read.cache for read in await reads(agent, talk)] == [*hits, *["miss"] * 3]


async def test_an_order_makes_the_catalogue_stale_and_a_cancellation_the_orders(agent, shop):
    talk = Conversation(agent.graph)
    boots = ("search_products", {"query": "boots", "category": "hiking-boots"})
    await asks(agent, talk, boots)
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})], "In the cart.")
    await talk.say("add BOOT-001")
    agent.model.then([("checkout", {})], last_result)
    await talk.say("check out")
    await talk.approve()
    assert "r1" in superseded(agent).split()
    await asks(agent, talk, boots)
    assert [read.cache for read in await reads(agent, talk)] == ["miss", "miss"]
    (before,) = await asks(agent, talk, ("list_orders", {}))
    assert " | placed | " in before
    order = before.split("\n")[1].split(" | ")[0]
    agent.model.then([("cancel_order", {"order_id": order})], last_result)
    await talk.say("cancel it")
    await talk.approve()
    (after,) = await asks(agent, talk, ("list_orders", {}))
    assert " | cancelled | " in after


async def test_the_cart_is_never_read_from_the_cache(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    await asks(agent, talk, ("get_cart", {}))
    await talk.happens("click-1", type="remove", sku="BOOT-001")
    await asks(agent, talk, ("get_cart", {}))
    before, after = await reads(agent, talk)
    assert [before.cache, after.cache] == ["uncached", "uncached"]
    assert [line["sku"] for line in before.result["lines"]] == ["BOOT-001"]
    assert after.result["lines"] == []


async def test_several_reads_at_once_are_answered_each_in_its_place_and_a_hit_asks_nobody(
    agent: Agent, shop: Shop
):
    talk = Conversation(agent.graph)
    boot, sock = ("get_product", {"sku": "BOOT-001"}), ("get_product", {"sku": "SOCK-001"})
    answered = await asks(agent, talk, boot, sock, boot)
    asked = ["BOOT-001", "SOCK-001", "BOOT-001"]
    assert all(sku in text for sku, text in zip(asked, answered, strict=True))
    shop.product("BOOT-001", price=1)
    (again,) = await asks(agent, talk, boot)
    assert "98.90 USD" in again
    (recalled,) = await asks(agent, talk, ("recall", {"handle": 1}))
    assert "r1, still good" in recalled


async def test_what_is_no_tool_is_answered_with_those_that_there_are(agent: Agent, shop: Shop):
    pay = {"amount": 1, "currency": "USD", "card_id": "card_ada_1"}
    unknown, step = await asks(
        agent, Conversation(agent.graph), ("teleport", {"to": "shop"}), ("charge_payment", pay)
    )
    assert unknown.startswith("teleport refused: There is no tool teleport. The tools are: ")
    assert "There is no tool charge_payment" in step, "a step of a plan is none of the model's"
    assert shop.happened() == []


async def test_what_the_shop_does_not_have_is_answered_and_asked_for_again(agent, shop):
    talk = Conversation(agent.graph)
    missing = ("get_product", {"sku": "BOOT-999"})
    answered = await asks(
        agent,
        talk,
        missing,
        ("search_products", {"query": "socks", "category": "spaceships"}),
        ("search_products", {"query": " "}),
    )
    assert all(" refused: " in text for text in answered)
    await asks(agent, talk, missing)
    assert [read.cache for read in await reads(agent, talk)] == ["failed"] * 4


async def test_the_order_of_another_customer_is_not_shown(agent: Agent, shop: Shop):
    await bought(agent, "ben", card_id="card_ben_1", address_id="addr_ben_1")
    order = shop.http.get("/orders", params={"user_id": "ben"}).json()["orders"][0]["order_id"]
    talk = Conversation(agent.graph, "ada")
    read, cancelled = await asks(
        agent, talk, ("get_order", {"order_id": order}), ("cancel_order", {"order_id": order})
    )
    assert f"There is no order {order} of yours" in read
    assert f"There is no order {order} of yours" in cancelled
