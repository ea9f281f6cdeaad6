"""A purchase on the real Postgres and the real shop, and what is read before it: once, and told."""

from datetime import timedelta

import psycopg
import pytest
from langgraph.types import StateSnapshot

from daybook.state.errors import ForeignWorld
from daybook.state.ledger.recovery import Event
from daybook.testing.model import last_result
from tests.answers import REJECT
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.purchases import (
    PURCHASE,
    asked_to_buy,
    bought,
    bought_until,
    orders,
    rebuilt,
    with_boots,
)
from tests.reading import asks, reads, superseded


async def test_a_purchase_reserves_charges_orders_and_mails_each_once(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    said = (await talk.state()).values["messages"]
    kinds = ["human", "ai", "tool", "ai"]
    assert [message.type for message in said] == kinds, "the call that was made is shown"
    agent.model.then([("checkout", {})], last_result)
    asked = await talk.say("check out")
    request = asked.interrupts[0].value
    assert [a["name"] for a in request["action_requests"]] == ["checkout"]
    assert "98.90 USD" in request["action_requests"][0]["description"]
    # The ledger holds the write-ahead record before the effect.
    assert shop.happened() == []
    entries = await agent.resources.postgres.ledger.entries(talk.thread_id)
    charge = next(e for e in entries if e.event is Event.INTENDED and e.op.endswith("/charge"))
    assert charge.step_id is not None
    assert charge.step_id.endswith("/charge/1")  # operation and generation: the idempotency key
    # What was approved, the card with it, and whose it is.
    approved = {"amount": 9890, "currency": "USD", "card_id": "card_ada_1"}
    assert charge.payload["args"] == approved
    assert charge.payload["preconditions"] == {"card_on_file": True}
    assert charge.payload["evidence"] == {**approved, "user_id": "ada"}
    assert await agent.resources.postgres.ledger.verify(talk.thread_id) == len(entries)
    done = await talk.approve()
    assert shop.happened() == ["reserve", "charge", "order", "mail"]
    assert "order DB-" in answer_of(done)
    assert done.values["flow"] == "ordered"
    assert done.values["cart"].lines == ()


async def test_a_declined_card_releases_the_hold_and_tells_why(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent, "dan", card_id="card_dan_1")
    done = await talk.approve()
    assert shop.happened() == ["reserve", "release"]
    assert "declined" in answer_of(done)
    assert done.values["flow"] == "shopping"


async def test_no_address_mail_or_full_name_is_stored_anywhere(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    agent.model.then([("fetch_user_profile", {})], [("checkout", {})], last_result)
    await talk.say("check out")
    await talk.approve()
    ada = shop.http.get("/users/ada").json()
    (address, *_) = ada["addresses"]
    secrets = [ada["email"], ada["name"], address["street"], address["city"]]
    async with agent.resources.postgres.pool.connection() as conn:
        for table in (
            *("ledger_event", "ledger_payload", "read_call", "open_step", "thread"),
            *("checkpoints", "checkpoint_blobs", "checkpoint_writes"),
        ):
            rows = await (await conn.execute(f"select * from {table}")).fetchall()
            stored = repr(rows)
            assert [secret for secret in secrets if secret in stored] == [], table
    assert ada["email"] in {mail["to"] for mail in shop.http.get("/mail").json()}


def charges(shop: Shop) -> list[str]:
    """Return the keys under which cards were charged."""
    return [reference for effect, reference in shop.effects() if effect == "charge"]


async def buys_again(agent: Agent, talk: Conversation) -> None:
    """Buy the same once more in the same conversation."""
    add = [("add_to_cart", {"sku": "BOOT-001"})]
    agent.model.then(add, "In the cart.", [("checkout", {})], last_result)
    await talk.say("add BOOT-001")
    await talk.say("check out")
    await talk.approve()


async def test_the_same_bought_again_and_again_after_it_was_cancelled_is_an_order_each(agent, shop):
    talk = await bought(agent)
    await buys_again(agent, talk)
    assert shop.happened() == PURCHASE * 2
    order = orders(shop)[-1]
    agent.model.then([("cancel_order", {"order_id": order["order_id"]})], last_result)
    await talk.say("cancel that order")
    await talk.approve()
    await buys_again(agent, talk)
    await bought(agent)
    assert shop.happened() == [*PURCHASE * 2, "cancel", "refund", *PURCHASE * 2]
    assert len(set(charges(shop))) == 4
    assert len({order["order_id"] for order in orders(shop)}) == 4


MAIL = ("send_email", {"subject": "Hello", "body": "Hi."})
ADD = ("add_to_cart", {"sku": "BOOT-001"})


async def test_two_equal_mails_of_one_decision_are_one(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    agent.model.then([MAIL, MAIL], last_result)
    await talk.say("mail me twice")
    done = await talk.approve()
    assert shop.happened() == ["mail"]
    assert answer_of(done).startswith("send_email refused: ")
    # What is wished for in another turn is another mail.
    agent.model.then([MAIL], "Sent.")
    await talk.say("once more, please")
    await talk.approve()
    assert shop.happened() == ["mail", "mail"]


async def test_an_effect_that_is_called_again_in_its_turn_is_done_once(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    agent.model.then([MAIL], [MAIL], last_result)
    await talk.say("mail me")
    done = await talk.approve()
    assert shop.happened() == ["mail"]
    assert answer_of(done).startswith("send_email refused: ")


async def test_an_effect_that_was_rejected_may_be_proposed_again_in_its_turn(agent, shop):
    talk = Conversation(agent.graph)
    agent.model.then([MAIL], [MAIL], "Sent.")
    await talk.say("mail me")
    await talk.answer(REJECT)
    await talk.approve()
    assert shop.happened() == ["mail"]


async def test_a_repeated_change_is_known_after_a_hand_over_within_its_turn(agent: Agent):
    talk = Conversation(agent.graph)
    size = ("remember", {"subject": "shoe size", "value": "43"})
    agent.model.then(
        [size],
        [("start_interview", {"goal": "boots"})],
        [size],
        "What for?",
    )
    await talk.say("my shoe size is 43, advise me")
    results = [m.text for m in agent.model.prompts[-1] if m.type == "tool"]
    assert results[-1].startswith("remember refused: ")


async def test_the_message_of_a_declined_checkout_given_again_tries_nothing_again(agent, shop):
    talk = await asked_to_buy(agent, "dan")
    declined = await talk.approve()
    said = [one for one in declined.values["messages"] if one.type == "human"][-1]
    again = await talk.say(said.text, said.id)
    assert answer_of(again) == answer_of(declined)
    assert shop.happened() == ["reserve", "release"]
    assert agent.model.asked == 4


def quantity(state: StateSnapshot) -> int:
    """Return how many pieces are in the cart."""
    return sum(line.quantity for line in state.values["cart"].lines)


async def test_a_change_that_a_message_repeats_is_done_once(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    agent.model.then([ADD] * 8, [ADD], "It is in.")
    done = await talk.say("add BOOT-001")
    assert quantity(done) == 1
    assert answer_of(done) == "It is in."
    refused = [m for m in agent.model.prompts[-1] if m.type == "tool" and "refused" in m.text]
    assert len(refused) == 8


async def test_other_spellings_and_other_arguments(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    agent.model.then([ADD], [("add_to_cart", {"sku": "BOOT-001", "quantity": 1})], "In.")
    assert quantity(await talk.say("add BOOT-001")) == 1, "a default that is written out"
    agent.model.then([("add_to_cart", {"sku": "BOOT-001", "quantity": 2})], "Three.")
    assert quantity(await talk.say("two more")) == 3


CALLS = [
    ("set_quantity", {"sku": "BOOT-001", "quantity": 4}),
    ("set_quantity", {"sku": "boot-001", "quantity": 4}),
    ("add_to_cart", {"sku": "BOOT-001", "quantity": 2}),
]


@pytest.mark.parametrize("call", CALLS, ids=["set", "set, spelt otherwise", "added"])
async def test_more_than_there_is_is_refused(agent: Agent, shop: Shop, call):
    shop.product("BOOT-001", stock=3)
    talk = Conversation(agent.graph)
    agent.model.then([("add_to_cart", {"sku": "BOOT-001", "quantity": 2})], "Added.")
    await talk.say("two of the boots")
    agent.model.then([call], last_result)
    said = answer_of(await talk.say("two more"))
    assert "Only 3 of BOOT-001" in said
    assert [line.quantity for line in (await talk.state()).values["cart"].lines] == [2]


AT_ONCE = timedelta(0)


async def test_a_thread_is_refused_where_another_shop_is_reached(agent: Agent, shop: Shop):
    talk = await bought_until(agent, 1)
    before = shop.happened()
    elsewhere = rebuilt(agent, world="shop-elsewhere")
    with pytest.raises(ForeignWorld, match=r"uses shop-.* reaches shop-elsewhere"):
        await Conversation(elsewhere.graph, "ada", talk.thread_id).run(None)
    threads, stalled = agent.resources.postgres.threads, agent.resources.postgres.stalled
    assert await threads.of_user("ada", agent.domain.name, "shop-elsewhere") == []
    async with stalled.claimed(agent.domain.name, AT_ONCE, "shop-elsewhere") as (found, _):
        assert found == []
    async with stalled.claimed(agent.domain.name, AT_ONCE, agent.resources.world) as (found, _):
        assert [one.thread_id for one in found] == [talk.thread_id]
    assert shop.happened() == before
    await talk.run(None)
    assert shop.happened() == PURCHASE


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
    assert unknown.startswith("teleport refused: Unknown tool teleport. The tools are: ")
    assert "Unknown tool charge_payment" in step, "a step of a plan is none of the model's"
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
    assert f"You have no order {order}" in read
    assert f"You have no order {order}" in cancelled
