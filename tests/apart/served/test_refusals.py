"""What the server's clients may not do, and how they are told."""

import asyncio
from typing import Any

import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.state.errors import ThreadBusy
from tests.apart.served.conftest import Talk, is_refused_as, skus
from tests.conftest import Shop, shop_agent
from tests.conversation import Conversation
from tests.purchases import until

pytestmark = pytest.mark.asyncio(loop_scope="session")


def message(content: Any, **more: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": content, **more}]}


async def test_a_thread_that_another_process_works_on_is_busy_and_that_is_said(
    talk: Talk, beside: Postgres
):
    await talk.say("add BOOT-013")
    async with beside.locks.hold(talk.thread_id):
        refused = await talk.say("show my cart")
    assert is_refused_as(refused, "ThreadBusy")
    assert "Nothing was done" in refused["__error__"]["message"]
    assert skus(await talk.say("show my cart")) == ["BOOT-013"]


async def test_a_process_beside_the_server_is_told_while_the_server_works(
    talk: Talk, shop: Shop, beside: Postgres
):
    await talk.say("add BOOT-013")
    await talk.say("check out")
    shop.fault("charges", "slow", seconds=2)
    async with shop_agent(beside, shop) as agent:
        other = Conversation(agent.graph, thread=talk.thread_id)
        approving = asyncio.create_task(talk.answer({"type": "approve"}))
        await until(lambda: "reserve" in shop.happened(), "the first hold")
        with pytest.raises(ThreadBusy, match="Nothing was done"):
            await other.approve()
        bought = await approving
    assert bought["flow"] == "ordered"
    assert shop.happened() == ["reserve", "charge", "order", "mail"]
