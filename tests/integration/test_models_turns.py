"""Whole turns with a model over real HTTP: a purchase, calls of every sort, answers without words."""

import pytest

from daybook.state.people.called import as_said
from tests.conftest import Shop
from tests.conversation import Conversation, answer_of, outcomes_of
from tests.integration.wire import Wire
from tests.provider import APIS
from tests.purchases import entries

ADD = ("add_to_cart", {"sku": "BOOT-001"})


@pytest.mark.parametrize("api", APIS)
async def test_calls_and_results_go_back_under_ids_that_are_unique_in_the_thread(
    wire: Wire, api: str
):
    wire.provider.then([("get_cart", {}), ADD], "One.", [("get_cart", {})], "Still one.")
    async with wire.agent(api) as agent:
        talk = Conversation(agent.graph)
        await talk.say("add BOOT-001")
        await talk.say("and now?")
    last = wire.provider.requests[-1]
    if api == "chat":
        said = last.body["messages"]
        made = [call["id"] for m in said for call in m.get("tool_calls") or ()]
        answered = [m["tool_call_id"] for m in said if m["role"] == "tool"]
    else:
        said = last.body["input"]
        made = [i["call_id"] for i in said if i.get("type") == "function_call"]
        answered = [i["call_id"] for i in said if i.get("type") == "function_call_output"]
    assert made == answered
    assert len(set(made)) == 3


CANNOT_BE_MADE = [
    ("buy_everything", {}, "There is no tool buy_everything"),
    ("functions.checkout", {}, "There is no tool unknown"),
    ("add_to_cart", {"sku": "BOOT-001", "price": 1}, "price"),
    ("add_to_cart", '{"sku": "BOOT-001", "quantity": NaN}', "no numbers of JSON"),
    ("add_to_cart", '{"sku": "BOOT-001", "quantity": 1e999}', "no numbers of JSON"),
    ("add_to_cart", '{"sku": "BOOT-001", "quantity": 1', "not valid JSON"),
    ("search_products", '{"query": ' + "[" * 400 + "]" * 400 + "}", "too deeply"),
    ("add_to_cart", '{"sku": "BOOT-001", "quantity": 1e30}', "valid integer"),
    ("add_to_cart", '{"sku": "BOOT-001", "quantity": 9223372036854775808}', "too large"),
    ("search_products", {"query": "boots", "max_price": "9" * 40}, "without quotes"),
    ("cancel_order", {"order_id": "DB-1"}, "refused"),
]


@pytest.mark.parametrize("api", APIS)
async def test_a_call_that_cannot_be_made_is_answered_and_the_model_goes_on(
    wire: Wire, shop: Shop, api: str
):
    wrong = [[(name, args)] for name, args, _ in CANNOT_BE_MADE]
    wire.provider.then(*wrong, [ADD], "Now it is in the cart.")
    async with wire.agent(api) as agent:
        talk = Conversation(agent.graph)
        state = await talk.say("boots")
        assert answer_of(state) == "Now it is in the cart."
        assert [line.quantity for line in state.values["cart"].lines] == [1]
        assert shop.happened() == []
        await entries(agent, talk)
    for (_, _, told), request in zip(CANNOT_BE_MADE, wire.provider.requests[1:], strict=False):
        assert told in request.results[-1]


async def test_an_answer_without_text_leaves_no_turn_without_a_message(wire: Wire, shop: Shop):
    wire.provider.then("", [ADD], " \n", [("checkout", {})], "")
    async with wire.agent() as agent:
        talk = Conversation(agent.graph)
        for said in ("boots", "add them"):
            last = (await talk.say(said)).values["messages"][-1]
            assert (last.type, bool(last.text.strip())) == ("ai", True)
        await talk.say("check out")
        done = await talk.approve()
        assert ("place_order", "done") in outcomes_of(done)
        assert all(message.text.strip() for message in as_said(done.values["messages"]))


async def test_what_a_model_writes_in_strange_letters_is_kept_as_postgres_can_keep_it(wire: Wire):
    wire.provider.then(
        [("search_products", '{"query": "so\\u0000cks \\ud83d"}'), ("a\ud83d\x00", {})], "None ☃."
    )
    async with wire.agent() as agent:
        talk = Conversation(agent.graph)
        assert answer_of(await talk.say("socks")) == "None ☃."
        await entries(agent, talk)
