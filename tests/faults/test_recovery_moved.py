"""A question that is asked again because something moved, and a process that dies meanwhile."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from daybook.state.errors import InputRefused
from daybook.state.ledger.recovery import Event
from daybook.testing.model import Prompt, Turn
from tests.answers import APPROVE, question
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.cuts import Cut, CutLedger, Fuse
from tests.purchases import (
    PURCHASE,
    entries,
    orders,
    still_held,
    successor,
    work_list,
)

MOST_MOMENTS = 40

Move = Callable[[Conversation, Shop], Awaitable[Any]]


async def a_price(talk: Conversation, shop: Shop) -> None:
    """Let the price move, and approve what was asked before that."""
    shop.product("BOOT-001", price=11_000)
    await talk.answer(APPROVE, approval_id=(await question(talk))["approval_id"])


async def a_cart(talk: Conversation, shop: Shop) -> None:
    """Take the socks out of the cart on the shop's page."""
    await talk.happens("click-1", type="remove", sku="SOCK-001")


def decides(prompt: Prompt) -> Turn:
    """Decide by what the prompt says and not by how often it was asked."""
    latest = max(index for index, message in enumerate(prompt) if message.type == "human")
    results = [message.text for message in prompt[latest:] if message.type == "tool"]
    if results:
        return results[-1]
    if prompt[latest].text == "check out":
        return [("checkout", {})]
    return [("add_to_cart", {"sku": "BOOT-001"}), ("add_to_cart", {"sku": "SOCK-001"})]


async def asked_about_both(agent: Agent) -> Conversation:
    """Bring a purchase of boots and socks to the question."""
    talk = Conversation(agent.graph)
    await talk.say("add boots and socks")
    await talk.say("check out")
    return talk


@pytest.mark.parametrize(
    ("moves", "first", "every"),
    [
        # Each begins elsewhere: what is written between the two questions is the same.
        pytest.param(a_price, 0, 2, id="price-each-second-page"),
        pytest.param(a_cart, 1, 2, id="cart-each-second-page"),
        pytest.param(a_price, 0, 1, id="price-every-page", marks=pytest.mark.long),
        pytest.param(a_cart, 0, 1, id="cart-every-page", marks=pytest.mark.long),
    ],
)
async def test_a_process_may_die_on_the_way_to_the_second_question(
    agent: Agent, shop: Shop, postgres_url: str, moves: Move, first: int, every: int
):
    async with successor(agent, postgres_url) as later:
        agent.model.script[:] = [decides] * 10 * MOST_MOMENTS
        for moments in range(first, MOST_MOMENTS, every):
            shop.http.post("/admin/reset").raise_for_status()
            if not await dies_after(moments, agent, later, shop, moves):
                assert moments >= 1, "there is at least one page on that way"
                return
    raise AssertionError("the sweep does not end")


async def dies_after(moments: int, agent: Agent, later: Agent, shop: Shop, moves: Move) -> bool:
    """Die after so many pages, take over, approve what is asked then, and judge what came of it."""
    talk = await asked_about_both(agent)
    first = (await question(talk))["approval_id"]
    postgres, fuse = agent.resources.postgres, Fuse()
    kept, postgres.ledger = postgres.ledger, CutLedger(postgres, fuse, "after")
    died = False
    fuse.light(moments)
    try:
        await moves(talk, shop)
    except Cut:
        died = True
    finally:
        postgres.ledger = kept
    heir = Conversation(later.graph, "ada", talk.thread_id)
    if died:
        await heir.run(None)
        assert shop.happened() == []
        if (await question(heir))["approval_id"] == first:
            # It died before it was written down: the client, who heard nothing, says it again.
            await moves(heir, shop)
    asked = await question(heir)
    assert asked["approval_id"] != first
    assert "was: " in asked["note"]
    with pytest.raises(InputRefused):
        await heir.answer(APPROVE, approval_id=first)
    assert shop.happened() == []
    await heir.answer(APPROVE, approval_id=asked["approval_id"])
    bought = 1 if moves is a_cart else 2
    assert shop.happened() == ["reserve"] * bought + PURCHASE[1:]
    assert len(orders(shop)) == 1
    assert still_held(shop) == []
    assert await work_list(later, heir) == {}
    decided = [e for e in await entries(later, heir) if e.event is Event.DECISION]
    assert [e.detail["decisions"] for e in decided] == [["moved"], ["approved"]]
    return died
