"""An error that a service keeps under its key comes back for as long as the key lives.

Nothing is proved by it, so it comes to a person in the end, and is not sent again for ever.
"""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from langgraph.types import StateSnapshot

from daybook.graph.resume import TAKES_UP, left_in
from daybook.state.clock import SYSTEM
from tests.conversation import Conversation, answer_of
from tests.strangers.agent import StrangersAgent, agent_on
from tests.strangers.domains import stripe_v1 as adopted
from tests.strangers.services import Kind, StripeV1

PATIENCE = 20.0
"""Seconds after which a test gives up waiting for a question."""


@pytest.fixture
def service() -> StripeV1:
    return StripeV1()


@pytest.fixture
async def agent(postgres_url: str, service: StripeV1) -> AsyncIterator[StrangersAgent]:
    async with agent_on(postgres_url, service, adopted, unproved=0.2) as agent:
        yield agent


async def taken_up(agent: StrangersAgent, talk: Conversation) -> StateSnapshot:
    """Take the thread up, as a worker does, until it is over or a person is asked."""
    async with SYSTEM.timeout(PATIENCE):
        while (left := await left_in(await talk.state(), agent.resources.postgres)) in TAKES_UP:
            await talk.run(TAKES_UP[left])
            # It may not be due yet.
            await SYSTEM.sleep(0.05)
    return await talk.state()


async def asked(agent: StrangersAgent, talk: Conversation) -> dict[str, Any]:
    """Return the question that a person is asked in the end."""
    now = await taken_up(agent, talk)
    assert now.interrupts, f"nobody was asked: {answer_of(now)}"
    question: dict[str, Any] = now.interrupts[0].value
    return question


@pytest.mark.parametrize("mode", ["error before", "error after"])
@pytest.mark.parametrize("kind", ["charge", "order"])
async def test_an_effect_whose_error_is_kept_comes_to_a_person_or_is_found(
    agent: StrangersAgent, service: StripeV1, kind: Kind, mode: Any
):
    service.spoil(kind, mode, "mia")
    talk = await agent.asked_to_buy()
    done = await talk.approve()
    if (kind, mode) != ("charge", "error after"):
        question = await asked(agent, talk)
        assert question["in_doubt"].endswith(f"/{kind}/1")
    else:
        # A search shows it.
        assert answer_of(done).startswith("buy confirmed")
    assert service.happened("mia").count("charge") <= 1
    assert service.happened("mia").count("order") <= 1


@pytest.mark.parametrize(("mode", "undone"), [("error before", 0), ("error after", 1)])
async def test_an_undo_whose_error_is_kept_comes_to_a_person(agent, service, mode, undone):
    service.spoil("order", "decline", "mia")
    service.spoil("refund", mode, "mia")
    talk = await agent.asked_to_buy()
    await talk.approve()
    question = await asked(agent, talk)
    (request,) = question["action_requests"]
    assert "refund, the undo of charge" in request["description"]
    assert service.happened("mia").count("refund") == undone
    await talk.answer({"type": "respond", "message": "it happened re_1"})
    done = await taken_up(agent, talk)
    assert answer_of(done) == "buy failed: It is sold out. Undone: charge."
