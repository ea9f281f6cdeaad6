"""The stand-in's table of the shop, row by row over the wire, and what the results are said as."""

import re
from dataclasses import replace

import pytest
from langchain_core.language_models import BaseChatModel

from daybook.demo.model.commands import Command
from daybook.demo.model.shop import INTERVIEW, TABLE
from daybook.graph.build import build
from daybook.graph.guarded import GuardedGraph
from daybook.tools.shop.domain import SHOP
from tests.conftest import Agent
from tests.conversation import Conversation, answer_of
from tests.stand_in import played

HONEST = "OPENAI_API_KEY"
"""Stands in the sentence for what is not understood."""


@pytest.fixture
def graph(agent: Agent, standing_in: BaseChatModel) -> GuardedGraph:
    """Build the shop's agent with the stand-in as its model, asked over HTTP."""
    resources = replace(agent.resources, model=standing_in)
    return build(SHOP, lambda: resources, agent.resources.postgres.saver)


@pytest.mark.parametrize("row", [*TABLE, *INTERVIEW], ids=lambda row: row.name)
async def test_a_row_of_the_table_calls_what_it_says(
    row: Command, graph: GuardedGraph, agent: Agent
):
    talk = Conversation(graph)
    assert await played(talk, agent.resources.postgres, row) == row.calls
    if row.name not in ("hello", "yes"):
        assert HONEST not in answer_of(await talk.state())


async def test_a_cart_is_filled_by_place_name_and_number_and_changed(graph: GuardedGraph):
    talk = Conversation(graph)

    async def cart(text: str) -> dict[str, int]:
        return {line.sku: line.quantity for line in (await talk.say(text)).values["cart"].lines}

    await talk.say("find waterproof hiking boots under 150")
    filled = await cart("add the second and two pairs of SOCK-002")
    assert filled == {"BOOT-013": 1, "SOCK-002": 2}
    assert await cart("add 1") == {**filled, "BOOT-001": 1}
    assert await cart("add the Pebble Strand boots") == {**filled, "BOOT-001": 2}
    assert await cart("set sock-002 to 5, and remove the peble strand boot") == {
        "BOOT-013": 1,
        "SOCK-002": 5,
    }
    assert await cart("remove the socks") == {"BOOT-013": 1}
    assert await cart("make it 3") == {"BOOT-013": 1}


async def test_what_is_ambiguous_is_asked_and_changes_nothing(graph: GuardedGraph):
    talk = Conversation(graph)
    await talk.say("find waterproof boots under 150")
    done = await talk.say("add the waterproof boots")
    assert {"BOOT-001", "BOOT-013"} <= set(re.findall(r"BOOT-\d+", answer_of(done)))
    await talk.say("add BOOT-001 and BOOT-013")
    done = await talk.say("remove the boots, and check out")
    assert done.interrupts == ()
    assert [line.sku for line in done.values["cart"].lines] == ["BOOT-001", "BOOT-013"]
