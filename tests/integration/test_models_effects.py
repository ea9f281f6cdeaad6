"""A model that fails at any decision never costs an effect, and its provider's words stay away."""

import logging
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from langgraph.types import StateSnapshot

from daybook.state.errors import ModelUnavailable
from daybook.state.ledger.recovery import Event
from tests.conftest import Shop
from tests.conversation import Conversation, answer_of, outcomes_of
from tests.integration.wire import KEY, Wire
from tests.provider import Answer, Provider, Turn, cut, ends_early, is_silent, last_result, status
from tests.purchases import PURCHASE, entries

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


async def test_a_new_message_after_a_failure_finds_what_was_done(wire: Wire, shop: Shop):
    async with wire.agent() as agent:
        talk = Conversation(agent.graph)
        wire.provider.then([("add_to_cart", {"sku": "BOOT-001"}), ("checkout", {})])
        await talk.say("buy BOOT-001")
        async with FAULTS["500"](wire.provider):
            with pytest.raises(ModelUnavailable):
                await talk.approve()
        wire.provider.then("It is ordered.")
        assert ("place_order", "done") in outcomes_of(await talk.state())
        state = await talk.say("what became of it?")
        assert answer_of(state) == "It is ordered."
        assert "checkout confirmed: order DB-" in wire.provider.requests[-1].results[-1]
        assert shop.happened() == PURCHASE


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
