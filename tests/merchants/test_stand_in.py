"""What the stand-in says to a newcomer: plain words, and no guess with goods."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field

from daybook.graph.build import build
from daybook.tools.merchants.domain import MERCHANTS
from tests.conversation import Conversation, answer_of
from tests.merchants.conftest import Buyer
from tests.merchants.stranger import Stranger
from tests.stand_in import answered

JARGON = (
    "open_checkout first",
    "refresh_checkout",
    "ready_for_complete",
    "instrument_id",
    "refused",
)


class StandIn(BaseChatModel):
    """The stand-in, in this process."""

    tools: list[dict[str, Any]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "stand-in"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        return StandIn(tools=[convert_to_openai_tool(one) for one in tools])

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        message = answered(messages, self.tools)
        return ChatResult(generations=[ChatGeneration(message=message)])


class Talk:
    """A conversation with the stand-in, held in plain words."""

    def __init__(self, talk: Conversation, merchants: Sequence[Stranger]) -> None:
        self.talk, self.merchants = talk, merchants

    async def says(self, text: str) -> str:
        """Say something, and return the answer, in which there is no word of the machine's."""
        said = answer_of(await self.talk.say(text))
        assert [word for word in JARGON if word in said] == []
        return said

    async def bought(self) -> list[tuple[str, str, int]]:
        """Return what is in the carts: merchant, item, quantity."""
        values = (await self.talk.state()).values
        return [
            (cart.merchant, line.item_id, line.quantity)
            for cart in values["carts"]
            for line in cart.lines
        ]


@pytest.fixture
async def talk(buyer: Buyer, merchant: Stranger, other: Stranger) -> Talk:
    other.price = 9_900
    resources = replace(buyer.resources, model=StandIn())
    graph = build(MERCHANTS, lambda: resources, buyer.postgres.saver)
    return Talk(Conversation(graph), (merchant, other))


async def test_whoever_understands_nothing_is_told_what_can_be_said(talk: Talk):
    assert 'Try "find a backpack"' in await talk.says("asdf qwer")
    assert '"what did I order?"' in await talk.says("help")
    assert "no list to choose from" in await talk.says("add the first")
    assert await talk.says("remove it") == "There is nothing in a cart."
    assert "nothing to cancel" in await talk.says("cancel")
    assert "Nothing was ordered" in await talk.says("what did I order?")
    assert "I asked nothing" in await talk.says("yes")
    assert await talk.says("never mind") == "All right. Nothing was changed."
    assert await talk.bought() == []


async def test_both_merchants_are_searched_and_the_cheaper_one_is_shown(talk: Talk):
    here, there = talk.merchants
    found = await talk.says("find a boot")
    assert f"1. **Trail Boot** at {here.name} (BOOT), 129.00 USD" in found
    assert f"2. **Trail Boot** at {there.name} (BOOT), 99.00 USD" in found
    cheaper = await talk.says("cheaper one")
    assert cheaper.index("99.00") < cheaper.index("129.00")
    assert await talk.bought() == []
    assert f"1. **Trail Boot** at {there.name}" in await talk.says("under 100")
    # Of what was shown, and not of what was found.
    assert "Added: 1 x Trail Boot" in await talk.says("add the first")
    assert await talk.bought() == [(there.name, "BOOT", 1)]


async def test_nothing_found_is_said_and_changes_no_list(talk: Talk):
    await talk.says("find a boot")
    assert "Nothing was found for purple unicorn" in await talk.says("find a purple unicorn")


async def test_a_merchant_that_nobody_knows_is_named_and_nothing_is_done(talk: Talk):
    here, _there = talk.merchants
    said = await talk.says("find a boot at amazon")
    assert 'I do not know a merchant "amazon"' in said
    assert here.name in said
    await talk.says("find a boot")
    assert 'I do not know a merchant "zalando"' in await talk.says("add the boot at zalando")
    await talk.says("add the first")
    assert 'I do not know a merchant "amazon"' in await talk.says("check out at amazon")
    assert await talk.bought() == [(here.name, "BOOT", 1)]
    assert here.sessions == {}


async def test_a_merchant_that_is_down_is_left_out(talk: Talk):
    here, there = talk.merchants
    there.url = "http://127.0.0.1:9"

    async def down(asked: Any) -> Any:
        raise ConnectionError

    there.does("profile", down, down, down)
    found = await talk.says("find a boot")
    assert f"at {here.name} (BOOT)" in found
    assert "left out here" in found


async def test_one_of_two_carts_is_asked_for_and_the_answer_is_its_name(talk: Talk):
    _here, there = talk.merchants
    await talk.says("find a boot")
    await talk.says("add the first")
    await talk.says("add the second")
    assert "At which merchant" in await talk.says("check out")
    port = there.name.partition(":")[2]
    await talk.says(port)
    (asked,) = (await talk.talk.state()).interrupts
    assert f"Order at {there.name}" in str(asked.value)
    found = await talk.talk.approve()
    assert [one.merchant for one in found.values["orders"]] == [there.name]
    assert "Done: order order_1" in answer_of(found)
    assert "I did not understand" not in answer_of(found)


async def test_what_is_open_is_given_back_and_what_is_ordered_is_the_merchants(talk: Talk):
    here, _ = talk.merchants
    await talk.says("find a boot")
    await talk.says("add the first")
    await talk.says("check out")
    found = await talk.talk.answer({"type": "reject", "message": ""})
    assert "Not ordered" in answer_of(found)
    assert here.open_sessions == ["chk_1"]
    assert "was given back" in await talk.says("cancel")
    assert here.open_sessions == []
    await talk.says("check out")
    await talk.talk.approve()
    assert "order_1" in await talk.says("what did I order?")
    assert f"{here.url}/o/order_1" in await talk.says("where is my order?")
    assert "its merchant's to cancel" in await talk.says("cancel my order")
    assert len(here.orders) == 1


async def test_it_takes_out_what_is_meant_and_asks_where_that_is_not_clear(talk: Talk):
    here, there = talk.merchants
    await talk.says("find a boot")
    await talk.says("add the first")
    await talk.says("add the second")
    assert "Which of these" in await talk.says("remove the boot")
    assert 'I do not see "tent"' in await talk.says("remove the tent")
    port = there.name.partition(":")[2]
    assert "Taken out: Trail Boot" in await talk.says(f"remove the boot at {port}")
    assert await talk.bought() == [(here.name, "BOOT", 1)]
    assert "3 x Trail Boot" in await talk.says("make it three")


PROGRESS = """# Progress

## Read before
- r1 search_catalog "boot": shop.example/BOOT
- r2 search_catalog "unicorn": nothing"""
NOW = "# Now\nflow: choosing\nuser: ada\ncarts: none"
OPENED = """r3 recall ok: r1, still good
r1 search_catalog ok: 1 hits
1. shop.example | BOOT | Trail Boot | 129.00 USD"""
TOOLS = [
    convert_to_openai_tool({"name": name, "description": name, "parameters": parameters})
    for name, parameters in {
        "search_catalog": {"type": "object", "properties": {"query": {"type": "string"}}},
        "recall": {"type": "object", "properties": {"handle": {"type": "integer"}}},
        "add_to_cart": {
            "type": "object",
            "properties": {
                "merchant": {"type": "string"},
                "item_id": {"type": "string"},
                "quantity": {"type": "integer"},
            },
        },
    }.items()
]


def test_a_list_that_stands_no_more_in_the_prompt_is_opened_again_and_asked_about():
    system, now = SystemMessage(PROGRESS), SystemMessage(NOW)
    first = HumanMessage("add the first")
    opening = answered([system, first, now], TOOLS)
    (call,) = opening.tool_calls
    assert (call["name"], call["args"]) == ("recall", {"handle": 1})
    opened = ToolMessage(OPENED, tool_call_id=call["id"])
    # It may not be the list that is meant: nothing is put into a cart by it.
    offer = answered([system, first, opening, opened, now], TOOLS)
    assert offer.text == "Shall I add Trail Boot at shop.example (BOOT)? Say yes, or a number."
    taken = answered([system, first, AIMessage(offer.text), HumanMessage("yes"), now], TOOLS)
    (call,) = taken.tool_calls
    wanted = {"merchant": "shop.example", "item_id": "BOOT", "quantity": 1}
    assert (call["name"], call["args"]) == ("add_to_cart", wanted)


async def test_an_offer_is_taken_up_by_yes_alone(talk: Talk):
    here, _ = talk.merchants
    await talk.says("find a boot")
    assert "Shall I add Trail Boot" in await talk.says("i want the first one")
    assert await talk.bought() == []
    await talk.says("yes")
    assert await talk.bought() == [(here.name, "BOOT", 1)]
