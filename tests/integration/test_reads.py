"""Reads: answered once, and repeated while they are true."""

import psycopg

from daybook.state.calls import ReadCall
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.purchases import bought, with_boots
from tests.reading import asks, reads, superseded
from tests.scripted import last_result

SEARCH = ("search_products", {"query": "wool socks", "max_price": 3_000})


async def test_a_second_identical_search_is_a_hit(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    first = await asks(agent, talk, SEARCH)
    second = await asks(agent, talk, SEARCH)
    assert [read.cache for read in await reads(agent, talk)] == ["miss", "hit"]
    assert first == second
    assert first[0].startswith("r1 search_products ok: 5 hits")


async def test_a_hit_does_not_ask_the_shop(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    (before,) = await asks(agent, talk, ("get_product", {"sku": "BOOT-001"}))
    shop.product("BOOT-001", price=1)
    (after,) = await asks(agent, talk, ("get_product", {"sku": "BOOT-001"}))
    assert after == before


async def test_the_ledger_in_the_state_shows_the_hit_with_the_handle_of_its_miss(agent, shop):
    talk = Conversation(agent.graph)
    agent.model.then([SEARCH], [SEARCH], "That is all.")
    seen: dict[str, ReadCall] = {}
    said = {"messages": [{"role": "user", "content": "look twice", "id": "m-1"}]}
    async for state in agent.graph.astream(said, talk.config, stream_mode="values"):
        seen |= state.get("ledger", {})
    assert [(name, call.cache, call.handle) for name, call in seen.items()] == [
        ("m-1/0.0", "miss", 1),
        ("m-1/1.0", "hit", 1),
    ]


async def test_an_argument_that_is_spelled_otherwise_is_the_same_question(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    spelled = [
        {"query": "wool socks", "max_price": 3_000},
        {"max_price": 3_000, "query": "  wool   socks "},
        {"query": "wool socks", "max_price": 3_000, "category": None},
        {"query": "wool socks", "max_price": 3_000, "limit": 5},
        {"query": "wool socks", "max_price": 3_000.0},
    ]
    for args in spelled:
        await asks(agent, talk, ("search_products", args))
    assert [read.cache for read in await reads(agent, talk)] == ["miss", *["hit"] * 4]


async def test_other_arguments_are_another_question(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    await asks(agent, talk, SEARCH)
    await asks(agent, talk, ("search_products", {"query": "wool socks", "max_price": 2_999}))
    await asks(agent, talk, ("search_products", {"query": "wool socks", "limit": 6}))
    assert [read.cache for read in await reads(agent, talk)] == ["miss"] * 3


async def test_another_thread_reads_for_itself(agent: Agent, shop: Shop):
    for _ in range(2):
        talk = Conversation(agent.graph)
        await asks(agent, talk, SEARCH)
        assert [read.cache for read in await reads(agent, talk)] == ["miss"]


async def test_a_read_whose_lifetime_is_over_is_made_again(agent, shop, postgres_url):
    talk = Conversation(agent.graph)
    await asks(agent, talk, SEARCH)
    with psycopg.connect(postgres_url) as conn:
        conn.execute("update read_call set expires_at = daybook_now() - interval '1 second'")
    await asks(agent, talk, SEARCH)
    assert [read.cache for read in await reads(agent, talk)] == ["miss", "miss"]


async def test_an_order_makes_the_catalogue_stale(agent: Agent, shop: Shop):
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


async def test_a_compensated_hold_makes_the_catalogue_stale(agent: Agent, shop: Shop):
    talk = await with_boots(agent, "dan")
    await asks(agent, talk, ("get_product", {"sku": "BOOT-001"}))
    agent.model.then([("checkout", {})], last_result)
    await talk.say("check out")
    await talk.approve()
    assert shop.happened() == ["reserve", "release"]
    await asks(agent, talk, ("get_product", {"sku": "BOOT-001"}))
    assert [read.cache for read in await reads(agent, talk)] == ["miss", "miss"]


async def test_a_cancellation_makes_the_orders_stale(agent: Agent, shop: Shop):
    talk = await bought(agent)
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


async def test_several_reads_at_once_are_answered_each_in_its_place(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    boot, sock = ("get_product", {"sku": "BOOT-001"}), ("get_product", {"sku": "SOCK-001"})
    answered = await asks(agent, talk, boot, sock, boot)
    assert ["BOOT-001" in answered[0], "SOCK-001" in answered[1], "BOOT-001" in answered[2]] == [
        True,
        True,
        True,
    ]
