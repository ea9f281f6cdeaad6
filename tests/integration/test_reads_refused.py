"""What cannot be read or called: it is said to the model, and the turn goes on."""

from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.purchases import bought
from tests.reading import asks, reads


async def test_what_is_no_tool_is_answered_with_those_that_there_are(agent: Agent, shop: Shop):
    pay = {"amount": 1, "currency": "USD", "card_id": "card_ada_1"}
    unknown, step = await asks(
        agent, Conversation(agent.graph), ("teleport", {"to": "shop"}), ("charge_payment", pay)
    )
    assert unknown.startswith("teleport refused: There is no tool teleport. The tools are: ")
    assert "There is no tool charge_payment" in step, "a step of a plan is none of the model's"
    assert shop.happened() == []


async def test_calls_that_do_not_fit_are_answered_with_what_is_wrong(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    reads = await asks(
        agent,
        talk,
        ("search_products", {"max_price": 3_000}),
        ("search_products", {"query": "socks", "max_price": -1}),
        ("search_products", {"query": "socks", "colour": "red"}),
        ("get_product", {"sku": "../users/ben"}),
    )
    assert all(" refused: The arguments do not fit: " in text for text in reads)
    for name, text in zip(("query", "max_price", "colour"), reads[:3], strict=True):
        assert f" {name}: " in text
    changes = await asks(
        agent,
        talk,
        ("add_to_cart", {"sku": "BOOT-999"}),
        ("add_to_cart", {"sku": "BOOT-001", "quantity": 0}),
        ("remove_from_cart", {"sku": "BOOT-001"}),
        ("set_quantity", {"sku": "BOOT-001", "quantity": "many"}),
    )
    assert all(" refused: " in text for text in changes)
    assert (await talk.state()).values["cart"].lines == ()
    checkout, order, mail = await asks(
        agent,
        talk,
        ("checkout", {}),
        ("cancel_order", {"order_id": "DB-1"}),
        ("send_email", {"subject": "", "body": "Hi."}),
    )
    assert "The cart is empty" in checkout
    assert "There is no such order" in order
    assert "The arguments do not fit: subject" in mail
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
