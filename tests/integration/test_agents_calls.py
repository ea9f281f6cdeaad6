"""Calls as no provider should write them: each is answered by itself, as what it came to."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage, ToolCall

from tests.conftest import Shop
from tests.integration.desk import CARD, YES, Desk


def charge(order: str, amount: int, id_: str | None) -> ToolCall:
    args = {"order_id": order, "card_id": CARD, "amount": amount}
    return ToolCall(name="charge_card", args=args, id=id_, type="tool_call")


def look(id_: str | None) -> ToolCall:
    return ToolCall(name="find_card", args={"user": "ada"}, id=id_, type="tool_call")


def says(calls: list[ToolCall]) -> Callable[[Any], AIMessage]:
    """Make a model's turn of calls as they are."""
    return lambda prompt: AIMessage("", tool_calls=calls)


def amounts(told: list[str]) -> list[Any]:
    return [json.loads(text)["amount"] for text in told]


@pytest.mark.parametrize("id_", [None, "", "same"])
async def test_each_of_two_effects_and_a_read_without_an_id_of_its_own_is_told(
    desk: Desk, shop: Shop, id_: str | None
):
    calls = [look(id_), charge("o-1", 500, id_), charge("o-2", 600, id_)]
    desk.model.then(says(calls), "done")
    await desk.say("charge both")
    await desk.answer(YES, YES)
    told = await desk.told()
    assert told.count(CARD) == 1
    assert amounts([text for text in told if text != CARD]) == [500, 600]
    assert shop.happened() == ["charge", "charge"]


async def test_an_effect_without_an_id_whose_question_is_overtaken_is_told_as_withdrawn(
    desk: Desk, shop: Shop
):
    desk.model.then(says([charge("o-1", 500, None)]), "never mind")
    await desk.say("charge me")
    await desk.say("wait")
    [told] = await desk.told()
    assert "withdrawn" in told
    assert shop.happened() == []


async def test_arguments_that_no_checkpoint_holds_are_refused_in_words(desk: Desk, shop: Shop):
    calls = [charge("o-1", 2**70, "a"), charge("o-2", 600, "b")]
    desk.model.then(says(calls), "done")
    [asked] = (await desk.say("charge both")).interrupts
    assert len(asked.value["action_requests"]) == 1
    await desk.answer(YES)
    refused, done = await desk.told()
    assert "could not be executed" in refused
    assert amounts([done]) == [600]
    assert shop.happened() == ["charge"]


async def test_a_tool_that_there_is_not_is_not_said_to_change_the_world(desk: Desk, shop: Shop):
    nothing = ToolCall(name="charge_cart", args={}, id="a", type="tool_call")
    desk.model.then(says([nothing]), "done")
    await desk.say("charge me")
    [told] = await desk.told()
    assert "charge_cart is not a valid tool" in told
    assert shop.happened() == []
