"""Reads: answered once and repeated while they are true; what cannot be read is said."""

from typing import Any

import psycopg
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import Field

from checkpoints.reads import Read
from state.calls import ReadCall
from state.recovery import Event
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.purchases import bought, entries, rebuilt, with_boots
from tests.scripted import Prompt, ScriptedModel, last_result

SEARCH = ("search_products", {"query": "wool socks", "max_price": 3_000})


class GarblingModel(ScriptedModel):
    """Call a tool first with arguments that are no JSON, then follow the script."""

    garbled: list[str] = Field(default_factory=list)

    def _generate(self, messages: Prompt, *args: Any, **kwargs: Any) -> ChatResult:
        if not self.garbled:
            return super()._generate(messages, *args, **kwargs)
        self.prompts.append(messages)
        call = {
            "type": "invalid_tool_call",
            "name": self.garbled.pop(0),
            "args": '{"query": "wool',
            "id": "call_1",
            "error": "unterminated string",
        }
        message = AIMessage("", invalid_tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=message)])


async def reads(agent: Agent, talk: Conversation) -> list[Read]:
    """Return the reads of all turns of a conversation, in the order in which they were made."""
    received = [e.turn_id for e in await entries(agent, talk) if e.event is Event.RECEIVED]
    found = await agent.resources.postgres.reads.of_turns(talk.thread_id, received)
    return sorted(found, key=lambda read: read.read_at)


async def asks(agent: Agent, talk: Conversation, *calls: tuple[str, dict[str, Any]]) -> list[str]:
    """Let the model make these calls at once; return what it was answered, in order."""
    agent.model.then(list(calls), "That is all.")
    state = await talk.say("look it up")
    assert answer_of(state) == "That is all.", "the turn goes on to its end"
    answered = [m.text for m in agent.model.prompts[-1] if m.type == "tool"]
    return answered[-len(calls) :]


def superseded(agent: Agent) -> str:
    """Return the line of the last prompt that names what is out of date."""
    return agent.model.prompts[-1][-1].text.rsplit("superseded: ", 1)[1]


# -- the cache ------------------------------------------------------------------------------------


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


async def test_the_ledger_in_the_state_shows_the_hit_with_the_handle_of_its_miss(
    agent: Agent, shop: Shop
):
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
        {"query": "wool socks", "max_price": "3000"},
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


async def test_a_read_whose_lifetime_is_over_is_made_again(
    agent: Agent, shop: Shop, postgres_url: str
):
    talk = Conversation(agent.graph)
    await asks(agent, talk, SEARCH)
    with psycopg.connect(postgres_url) as conn:
        conn.execute("update read_call set expires_at = clock_timestamp() - interval '1 second'")
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


# -- what cannot be read --------------------------------------------------------------------------


async def test_an_unknown_tool_is_answered_with_those_that_there_are(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    (answered,) = await asks(agent, talk, ("teleport", {"to": "shop"}))
    assert answered.startswith("teleport refused: There is no tool teleport. The tools are: ")


async def test_a_step_of_a_plan_is_no_tool_of_the_model(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    pay = {"amount": 1, "currency": "USD", "card_id": "card_ada_1"}
    (answered,) = await asks(agent, talk, ("charge_payment", pay))
    assert "There is no tool charge_payment" in answered
    assert shop.happened() == []


async def test_arguments_that_do_not_fit_are_answered_with_what_is_wrong(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    answered = await asks(
        agent,
        talk,
        ("search_products", {"max_price": 3_000}),
        ("search_products", {"query": "socks", "max_price": -1}),
        ("search_products", {"query": "socks", "colour": "red"}),
        ("get_product", {"sku": "../users/ben"}),
    )
    assert all(" refused: The arguments do not fit: " in text for text in answered)
    assert [
        " query: " in answered[0],
        " max_price: " in answered[1],
        " colour: " in answered[2],
    ] == [
        True,
        True,
        True,
    ]


async def test_changes_that_do_not_fit_are_answered_with_what_is_wrong(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    answered = await asks(
        agent,
        talk,
        ("add_to_cart", {"sku": "BOOT-999"}),
        ("add_to_cart", {"sku": "BOOT-001", "quantity": 0}),
        ("remove_from_cart", {"sku": "BOOT-001"}),
        ("set_quantity", {"sku": "BOOT-001", "quantity": "many"}),
    )
    assert all(" refused: " in text for text in answered)
    assert (await talk.state()).values["cart"].lines == ()


async def test_writes_that_do_not_fit_are_answered_and_nobody_is_asked(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    answered = await asks(
        agent,
        talk,
        ("checkout", {}),
        ("cancel_order", {"order_id": "DB-1"}),
        ("send_email", {"subject": "", "body": "Hi."}),
    )
    assert "The cart is empty" in answered[0]
    assert "There is no such order" in answered[1]
    assert "The arguments do not fit: subject" in answered[2]
    assert shop.happened() == []


async def test_arguments_that_are_no_json_are_answered_and_the_turn_goes_on(
    agent: Agent, shop: Shop
):
    model = GarblingModel(garbled=["search_products"])
    garbling = rebuilt(agent, model=model)
    talk = Conversation(garbling.graph)
    model.then("I could not search.")
    state = await talk.say("wool socks")
    (answered,) = [m.text for m in model.prompts[-1] if m.type == "tool"]
    assert "refused: The arguments are not valid JSON." in answered
    assert answer_of(state) == "I could not search."


async def test_what_the_shop_does_not_have_is_answered(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    answered = await asks(
        agent,
        talk,
        ("get_product", {"sku": "BOOT-999"}),
        ("search_products", {"query": "socks", "category": "spaceships"}),
        ("search_products", {"query": " "}),
    )
    assert all(" refused: " in text for text in answered)
    assert [read.cache for read in await reads(agent, talk)] == ["failed"] * 3


async def test_a_failed_read_is_not_repeated_as_a_hit(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    missing = ("get_product", {"sku": "BOOT-999"})
    await asks(agent, talk, missing)
    await asks(agent, talk, missing)
    assert [read.cache for read in await reads(agent, talk)] == ["failed", "failed"]


async def test_the_order_of_another_customer_is_not_shown(agent: Agent, shop: Shop):
    await bought(agent, "ben", card_id="card_ben_1", address_id="addr_ben_1")
    order = shop.http.get("/orders", params={"user_id": "ben"}).json()["orders"][0]["order_id"]
    talk = Conversation(agent.graph, "ada")
    read, cancelled = await asks(
        agent, talk, ("get_order", {"order_id": order}), ("cancel_order", {"order_id": order})
    )
    assert f"There is no order {order} of yours" in read
    assert f"There is no order {order} of yours" in cancelled


# -- what was removed -----------------------------------------------------------------------------

BOOTS = ("search_products", {"query": "boots", "category": "hiking-boots", "limit": 20})


async def finds(agent: Agent, talk: Conversation, words: str) -> str:
    """Let the model search for boots after the user has said something; return what it was shown."""
    agent.model.then([BOOTS], "That is all.")
    await talk.say(words)
    return last_result(agent.model.prompts[-1])


async def with_removed_boots(agent: Agent) -> Conversation:
    """Begin a conversation in which one pair of boots was put into the cart and taken out."""
    talk = await with_boots(agent)
    await talk.happens("click-1", type="remove", sku="BOOT-001")
    return talk


async def test_a_removed_product_is_not_shown_again(agent: Agent, shop: Shop):
    talk = await with_removed_boots(agent)
    shown = await finds(agent, talk, "what else do you have for my feet?")
    assert "BOOT-002" in shown
    assert "BOOT-001" not in shown


async def test_a_removed_product_is_shown_when_the_user_asks_for_it(agent: Agent, shop: Shop):
    talk = await with_removed_boots(agent)
    assert "BOOT-001" in await finds(agent, talk, "show me BOOT-001 again")


async def test_a_hit_hides_what_was_removed_since_its_miss(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    assert "BOOT-001" in await finds(agent, talk, "what do you have?")
    await talk.happens("click-1", type="remove", sku="BOOT-001")
    assert "BOOT-001" not in await finds(agent, talk, "what else?")
    assert [read.cache for read in await reads(agent, talk)] == ["miss", "hit"]


async def test_a_removed_product_that_is_added_again_is_shown_again(agent: Agent, shop: Shop):
    talk = await with_removed_boots(agent)
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})], "In the cart.")
    await talk.say("I want BOOT-001 after all")
    assert "BOOT-001" in await finds(agent, talk, "what else?")
