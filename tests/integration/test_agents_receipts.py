"""What a client of an agent under the middleware sees: the model's text, and receipts beside it."""

import uuid
from collections.abc import AsyncIterator
from typing import Any

import pytest
from langchain.agents.middleware import ModelCallLimitMiddleware
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
)
from langchain_core.outputs import ChatGenerationChunk

from daybook.checkpoints.postgres import Postgres
from daybook.state.people.policy import Policy, Rule
from daybook.state.receipts import is_receipt
from daybook.testing.model import Prompt, ScriptedModel, Turn
from tests.cases.test_cases import Bank, fresh
from tests.conftest import Shop
from tests.integration.desk import CARD, CHARGE, LOOK, TIP, Desk, open_desk
from tests.integration.test_agents_beside import SAID, A, B, within

UNASKED = Policy(
    rules=(Rule(name="unasked", tools=("charge_card", "tip"), approval="nobody"),),
)
DONE = ("charge_card", "done")


class StreamingModel(ScriptedModel):
    """Stream each answer of the script word by word."""

    async def _astream(
        self, messages: Prompt, *args: Any, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        message = self._generate(messages).generations[0].message
        assert isinstance(message, AIMessage)
        if message.tool_calls:
            calls = AIMessageChunk("", tool_calls=message.tool_calls)
            yield ChatGenerationChunk(message=calls)
        for word in message.text.split():
            yield ChatGenerationChunk(message=AIMessageChunk(f"{word} "))


@pytest.fixture
async def desk(postgres: Postgres, shop: Shop) -> AsyncIterator[Desk]:
    async with open_desk(postgres, shop.url, model=StreamingModel(), policy=UNASKED) as desk:
        yield desk


async def kinds(desk: Desk) -> list[str]:
    """Return the types of the thread's messages, receipts by that name."""
    messages = (await desk.state()).values["messages"]
    return [one.name if is_receipt(one.id) else one.type for one in messages]


async def streamed(desk: Desk, given: Any) -> dict[str, list[Any]]:
    """Run the agent as a client does that streams; return what came, by stream mode."""
    came: dict[str, list[Any]] = {"messages": [], "custom": [], "values": []}
    stream = desk.agent.astream(given, desk.config, stream_mode=["messages", "custom", "values"])
    async for mode, event in stream:
        came[mode].append(event)
    return came


# -- what a client sees ----------------------------------------------------------------------------


@pytest.mark.parametrize("is_guarded", [False, True], ids=["plain", "guarded"])
async def test_a_client_streams_the_models_text_and_the_receipt_under_the_stored_ids(
    desk: Desk, shop: Shop, is_guarded: bool
):
    if is_guarded:
        assert desk.ledger is not None
        desk.agent = desk.ledger.guarded(desk.agent)
    desk.model.then([CHARGE, LOOK], "I charged your card.")
    said = {"role": "user", "content": "charge me", "id": str(uuid.uuid4())}
    came = await streamed(desk, {"messages": [said]})

    assert await kinds(desk) == ["human", "ai", "tool", "tool", "receipt", "ai"]
    *_, receipt, answer = (await desk.state()).values["messages"]
    chunks = [one for one, _ in came["messages"] if one.id == answer.id]
    assert [chunk.text for chunk in chunks if chunk.text] == ["I ", "charged ", "your ", "card. "]
    assert answer.text == "I charged your card. "
    assert [one.text for one, _ in came["messages"] if one.id == receipt.id] == [receipt.text]
    assert {one.id for one, _ in came["messages"] if one.type in ("ai", "AIMessageChunk")} == {
        one.id for one in (await desk.state()).values["messages"] if one.type == "ai"
    }

    [line] = receipt.additional_kwargs["receipt"]
    [charged] = shop.http.get("/effects").json()
    assert (line["kind"], line["status"], line["amount"]) == (*DONE, 1200)
    assert line["id"] == charged["detail"]["charge_id"]
    events = [event for event in came["custom"] if "receipt" in event]
    assert events == [{"id": receipt.id, "receipt": [line], "text": receipt.text}]
    assert came["values"][-1]["messages"][-1].id == answer.id
    assert not any(is_receipt(one.id) for prompt in desk.model.prompts for one in prompt)


async def test_the_receipt_is_stored_before_the_model_is_asked_again(desk: Desk, shop: Shop):
    def fails(prompt: Prompt) -> str:
        raise ConnectionError("the model cannot be reached")

    desk.model.then([CHARGE], fails)
    with pytest.raises(ConnectionError):
        await desk.say("charge me")
    assert await kinds(desk) == ["human", "ai", "tool", "receipt"]
    desk.model.then("done")
    await desk.go_on()
    assert await kinds(desk) == ["human", "ai", "tool", "receipt", "ai"]
    assert await desk.receipts() == [DONE]
    assert shop.happened() == ["charge"]


async def test_a_receipt_is_stored_where_the_model_is_not_asked_again(
    postgres: Postgres, shop: Shop
):
    limit: Any = ModelCallLimitMiddleware(run_limit=1, exit_behavior="end")
    async with open_desk(postgres, shop.url, before=[limit], policy=UNASKED) as desk:
        desk.model.then([CHARGE])
        await desk.say("charge me")
        assert await desk.receipts() == [DONE]
        assert shop.happened() == ["charge"]


# -- identity of decisions -------------------------------------------------------------------------


def tip(amount: int) -> Turn:
    return [("tip", {"card_id": CARD, "amount": amount})]


async def test_a_replay_stores_each_receipt_once_behind_its_own_call(desk: Desk):
    desk.model.then([CHARGE], [TIP], "done")
    await desk.say("charge me, and a tip")
    told = ["human", "ai", "tool", "receipt", "ai", "tool", "receipt", "ai"]
    assert await kinds(desk) == told
    history = [one async for one in desk.agent.aget_state_history(desk.config)]
    desk.model.then(*["done"] * len(history))
    for snapshot in history:
        await desk.agent.ainvoke(None, snapshot.config)
        assert await kinds(desk) == told
        assert await desk.receipts() == [DONE, ("tip", "done")]


# -- several agents --------------------------------------------------------------------------------


async def test_two_agents_in_one_graph_store_a_receipt_each_and_show_neither_to_a_model(
    paying: Bank,
):
    models = [ScriptedModel(script=[[call], "done"]) for call in (A, B)]
    first, second = (paying.agent(model) for model in models)
    state = await within(paying, first=first, second=second).ainvoke(SAID, fresh())
    assert paying.paid == ["a", "b"]
    assert [bool(is_receipt(one.id)) for one in state["messages"]] == [
        *(False, False, False, True, False),
        *(False, False, True, False),
    ]
    assert len({one.id for one in state["messages"]}) == len(state["messages"])
    prompts = [prompt for model in models for prompt in model.prompts]
    assert not any(is_receipt(one.id) for prompt in prompts for one in prompt)
