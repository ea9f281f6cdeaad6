"""The stand-in where it buys from merchants: its table row by row, and no guess with goods."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel

from daybook.demo.model.commands import Command
from daybook.demo.model.merchants import TABLE
from daybook.graph.build import build
from daybook.tools.merchants.domain import MERCHANTS
from tests.conversation import Conversation, answer_of
from tests.merchants.conftest import Buyer
from tests.merchants.stranger import Stranger
from tests.opened import standing_in  # noqa: F401
from tests.stand_in import approving, played

HONEST = "OPENAI_API_KEY"
"""Stands in the sentence for what is not understood."""


class Talk:
    """A conversation with the stand-in at two merchants."""

    def __init__(self, talk: Conversation, merchants: Sequence[Stranger]) -> None:
        self.talk, self.merchants = talk, merchants

    async def says(self, text: str) -> str:
        """Say something, and return the answer."""
        return answer_of(await self.talk.say(text))

    async def inside(self) -> list[tuple[str, str, int]]:
        """Return what is in the carts: merchant, item, quantity."""
        values = (await self.talk.state()).values
        return [
            (cart.merchant, line.sku, line.quantity)
            for cart in values["carts"]
            for line in cart.lines
        ]


@pytest.fixture
def graph(buyer: Buyer, standing_in: BaseChatModel):  # noqa: F811
    """Build the agent with the stand-in as its model, asked over HTTP."""
    resources = replace(buyer.resources, model=standing_in)
    return build(MERCHANTS, lambda: resources, buyer.postgres.saver)


@pytest.fixture
async def talk(graph: Any, merchant: Stranger, other: Stranger) -> Talk:
    other.price = 9_900
    return Talk(Conversation(graph), (merchant, other))


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
async def test_a_row_of_the_table_calls_what_it_says(
    row: Command, graph: Any, buyer: Buyer, merchant: Stranger
):
    talk = Conversation(graph)
    assert await played(talk, buyer.postgres, row) == row.calls
    if row.name not in ("hello", "yes"):
        assert HONEST not in answer_of(await talk.state())


async def test_each_cart_is_bought_at_its_merchant(talk: Talk):
    here, there = talk.merchants
    await talk.says("find a boot")
    await talk.says("add the first")
    await talk.says("add the second")
    asked = await talk.says("check out")
    assert here.name in asked
    assert there.name in asked
    done = await approving(talk.talk, f"check out at {there.name.partition(':')[2]}")
    (order,) = done.values["orders"]
    assert order.merchant == there.name
    assert order.order_id in answer_of(done)
    assert order.order_id in await talk.says("what did I order?")
    assert here.sessions == {}


async def test_what_is_open_is_given_back(talk: Talk):
    here, _ = talk.merchants
    await talk.says("find a boot")
    await talk.says("add the first")
    await talk.says("check out")
    found = await talk.talk.answer({"type": "reject", "message": "too dear"})
    assert "too dear" in answer_of(found)
    assert here.open_sessions == ["chk_1"]
    await talk.says("cancel the checkout")
    assert here.open_sessions == []
    assert here.orders == {}


async def test_it_takes_out_what_is_meant_and_asks_where_that_is_not_clear(talk: Talk):
    here, there = talk.merchants
    await talk.says("find a boot")
    await talk.says("add the first")
    await talk.says("add the second")
    await talk.says("remove the boot")
    assert len(await talk.inside()) == 2
    await talk.says(f"remove the boot at {there.name.partition(':')[2]}")
    assert await talk.inside() == [(here.name, "BOOT", 1)]
    await talk.says("make it 3")
    assert await talk.inside() == [(here.name, "BOOT", 3)]
