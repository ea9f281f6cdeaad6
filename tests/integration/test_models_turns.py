"""Whole turns with a model over real HTTP: calls, failures at each decision, the cache."""

import logging
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
from langgraph.types import StateSnapshot

from daybook.state.errors import ModelUnavailable
from daybook.state.ledger.recovery import Event
from daybook.state.people.tool_messages import as_said
from tests.conftest import Shop
from tests.conversation import Conversation, answer_of, outcomes_of
from tests.integration.wire import KEY, Wire
from tests.provider import (
    APIS,
    Answer,
    Provider,
    Request,
    Turn,
    cut,
    ends_early,
    is_silent,
    last_result,
    status,
)
from tests.purchases import PURCHASE, entries

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
    ("buy_everything", {}, "Unknown tool buy_everything"),
    ("functions.checkout", {}, "Unknown tool unknown"),
    ("add_to_cart", {"sku": "BOOT-001", "price": 1}, "price"),
    ("add_to_cart", '{"sku": "BOOT-001", "quantity": NaN}', "not JSON numbers"),
    ("add_to_cart", '{"sku": "BOOT-001", "quantity": 1e999}', "not JSON numbers"),
    ("add_to_cart", '{"sku": "BOOT-001", "quantity": 1', "not valid JSON"),
    ("search_products", '{"query": ' + "[" * 400 + "]" * 400 + "}", "too deeply"),
    ("add_to_cart", '{"sku": "BOOT-001", "quantity": 1e30}', "whole number"),
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


SAID = f"secret words about {KEY}"
HALF = Turn(calls=(("checkout", {"card_id": "card_ada_1"}), ("add_to_cart", {"sku": "BOOT-001"})))
Fault = Callable[[Provider], AbstractAsyncContextManager[None]]
Road = Callable[[Conversation, str, str], Awaitable[StateSnapshot]]


def answering(answer: Answer) -> Fault:
    """Answer so to everything for a while."""

    @asynccontextmanager
    async def fails(provider: Provider) -> AsyncIterator[None]:
        provider.always = answer
        yield
        provider.always = None

    return fails


FAULTS: dict[str, Fault] = {
    "429": answering(status(429, SAID, retry_after_ms="1")),
    "500": answering(status(500, SAID, retry_after_ms="1")),
    "time-out": answering(is_silent),
    "cut": answering(cut(HALF, 1200)),
    "ends early": answering(ends_early(HALF, 1200)),
    "not there": Provider.away,
}

ROADS: dict[str, Road] = {
    "continued": lambda talk, said, message_id: talk.run(None),
    "same-message": lambda talk, said, message_id: talk.say(said, message_id),
}


@pytest.mark.parametrize(
    ("fault", "api", "road"),
    [
        ("429", "chat", "continued"),
        ("500", "responses", "same-message"),
        ("cut", "responses", "continued"),
        ("ends early", "chat", "same-message"),
        # Slow, for the client's own backoff; nothing of them depends on the API.
        pytest.param("time-out", "chat", "same-message", marks=pytest.mark.long),
        pytest.param("not there", "responses", "continued", marks=pytest.mark.long),
    ],
)
async def test_a_model_that_fails_at_each_decision_costs_no_effect(
    wire: Wire, shop: Shop, fault: str, api: str, road: str
):
    fails, again = FAULTS[fault], ROADS[road]

    async def through(run: Awaitable[StateSnapshot], said: str, message_id: str) -> StateSnapshot:
        async with fails(wire.provider):
            with pytest.raises(ModelUnavailable, match="Nothing was done in this step"):
                await run
        return await again(talk, said, message_id)

    async with wire.agent(api, seconds=0.5 if fault == "time-out" else 30) as agent:
        talk = Conversation(agent.graph)
        wire.provider.then([("add_to_cart", {"sku": "BOOT-001"})], "It is in the cart.")
        await talk.say("add BOOT-001")
        wire.provider.then([("checkout", {})])
        asked = await through(talk.say("check out", "m-2"), "check out", "m-2")
        assert len(asked.interrupts) == 1
        assert shop.happened() == []
        wire.provider.then(last_result)
        done = await through(talk.approve(), "check out", "m-2")
        assert "order DB-" in answer_of(done)
        assert shop.happened() == PURCHASE
        order = done.values["checkout"].orders[0].order_id
        wire.provider.then([("cancel_order", {"order_id": order})], last_result)
        await talk.say("cancel it", "m-3")
        done = await through(talk.approve(), "cancel it", "m-3")
        assert "cancelled" in answer_of(done)
        assert shop.happened() == [*PURCHASE, "cancel", "refund"]
        assert wire.provider.script == []
        decided = [e for e in await entries(agent, talk) if e.event is Event.DECIDED]
        assert len(decided) == 6


async def test_neither_the_key_nor_the_providers_words_are_kept_or_logged(
    wire: Wire, shop: Shop, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    shown = ""
    async with wire.agent() as agent:
        talk = Conversation(agent.graph)
        wire.provider.then([("add_to_cart", {"sku": "BOOT-001"}), ("checkout", {})])
        await talk.say("buy BOOT-001")
        for code in (401, 429, 500):
            async with answering(status(code, SAID, retry_after_ms="1"))(wire.provider):
                with pytest.raises(ModelUnavailable) as unavailable:
                    await (talk.approve() if code == 401 else talk.run(None))
            shown += "".join(traceback.format_exception(unavailable.value))
        async with agent.resources.postgres.pool.connection() as conn:
            query = (
                "select tablename from pg_tables where schemaname = 'daybook' "
                "and has_table_privilege(format('%I.%I', schemaname, tablename), 'select')"
            )
            tables = [row["tablename"] for row in await (await conn.execute(query)).fetchall()]
            assert {"ledger_event", "ledger_payload", "checkpoint_writes"} <= set(tables)
            for table in tables:
                rows = await (await conn.execute(f"select t::text from {table} t")).fetchall()
                shown += repr(rows)
        shown += repr(await talk.state())
    shown += caplog.text
    assert "BOOT-001" in shown
    assert KEY not in shown
    assert "secret words" not in shown


BREAK = {"mode": "explicit"}


def blocks(request: Request) -> list[tuple[str, bool]]:
    """Return what each message says, and whether the cache may end there."""
    found = []
    for item in request.body["messages" if request.is_chat else "input"]:
        content: Any = item.get("content") if "content" in item else item.get("output")
        parts = content if isinstance(content, list) else [{"text": content or ""}]
        marked = any(part.get("prompt_cache_breakpoint") == BREAK for part in parts)
        found.append(("".join(part.get("text") or "" for part in parts), marked))
    return found


@pytest.mark.parametrize("api", APIS)
async def test_a_threads_prompts_are_cached_up_to_the_tail_and_longer_where_a_person_is_awaited(
    wire: Wire, shop: Shop, api: str
):
    wire.provider.then([ADD], "In the cart.", [("checkout", {})], last_result, "Hello.")
    async with wire.agent(api) as agent:
        talk, other = Conversation(agent.graph), Conversation(agent.graph)
        added = await talk.say("add BOOT-001")
        asked = await talk.say("check out")
        assert asked.interrupts
        lifetime = asked.values["asked"]["lifetime"]
        done = await talk.approve()
        assert "order DB-" in answer_of(done)
        # The first call after the pause is of the same epoch: its cache is warm, and it is used.
        assert done.values["asked"]["epoch"] == asked.values["asked"]["epoch"]
        assert done.values["asked"]["shared"] == sum(asked.values["asked"]["zones"][:3])
        await other.say("hello")
    report = added.values["asked"]
    assert datetime.fromisoformat(report["at"]).tzinfo == UTC
    assert report["zones"][0] >= 1_024

    *requests, of_the_other = wire.provider.requests
    before: list[str] = []
    for request in requests:
        first, *between, tail = blocks(request)
        assert first[1]
        assert first[0].startswith("You are Daybook")
        assert not tail[1]
        assert tail[0].startswith("# Now")
        assert sum(marked for _, marked in between) == 1
        assert [marked for _, marked in between][-1]
        cached = [text for text, _ in (first, *between)]
        assert cached[: len(before)] == before
        before = cached
    after_the_change = [text for text, _ in blocks(requests[1])][:-1]
    assert not any("98.90" in text and "total" in text for text in after_the_change)

    keys = {request.body["prompt_cache_key"] for request in requests}
    assert len(keys | {of_the_other.body["prompt_cache_key"]}) == 2
    assert talk.thread_id not in str(keys)
    usual = requests[0].body
    assert usual["prompt_cache_options"] == {"mode": "explicit", "ttl": "30m"}
    assert "prompt_cache_retention" not in usual
    before_the_pause = requests[2].body
    if api == "chat":
        assert before_the_pause["prompt_cache_retention"] == "24h"
        assert lifetime == 86_400
    else:
        assert before_the_pause["prompt_cache_options"]["ttl"] == "12h"
        assert lifetime == 43_200
