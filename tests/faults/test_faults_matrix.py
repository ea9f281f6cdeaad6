"""Every effect under every fault, with keys honoured or ignored: it happens exactly once."""

from collections import Counter
from collections.abc import AsyncIterator
from itertools import product

import pytest
from _pytest.mark.structures import ParameterSet

from daybook.checkpoints.postgres import Postgres
from daybook.testing.model import last_result
from tests.conftest import Agent, Shop
from tests.conversation import answer_of
from tests.purchases import PURCHASE, SHORT, agent_of, all_is_settled, asked_to_buy, bought, orders

SECONDS = {"refuse": 0.0, "timeout": 30.0, "drop": 0.0, "late": 0.25, "slow": 0.6}
"""How long each fault lasts: a budget is 0.4 s, so only a late answer comes within it."""

HONOURED, IGNORED = True, False


def faults(*endpoints: str, every: int) -> list[ParameterSet]:
    """Let each endpoint, each fault and both ways with keys have their turns.

    Args:
        every: how many of the threefold pairs there are to one that is taken; the others are of
            `make long`.
    """
    return [
        pytest.param(
            honour,
            endpoint,
            mode,
            id=f"{'keys-honoured' if honour else 'keys-ignored'}-{endpoint}-{mode}",
            marks=pytest.mark.long if number % every else [],
        )
        for number, (mode, honour, endpoint) in enumerate(
            product(SECONDS, (HONOURED, IGNORED), endpoints)
        )
    ]


@pytest.fixture
async def agent(
    request: pytest.FixtureRequest, postgres: Postgres, shop: Shop
) -> AsyncIterator[Agent]:
    """Yield an agent of a shop that honours keys, and of one that ignores them."""
    shop.keys(honour=request.param)
    async with agent_of(postgres, shop, SHORT) as agent:
        yield agent


@pytest.mark.parametrize(
    ("agent", "endpoint", "mode"), faults("holds", "charges", "orders", every=5), indirect=["agent"]
)
async def test_a_purchase_happens_once_whatever_one_call_of_it_meets(
    agent: Agent, shop: Shop, endpoint: str, mode: str
):
    talk = await asked_to_buy(agent)
    shop.fault(endpoint, mode, seconds=SECONDS[mode])
    done = await talk.approve()
    await all_is_settled(agent, talk, shop)
    assert shop.happened() == PURCHASE
    assert "order DB-" in answer_of(done)
    assert done.values["flow"] == "ordered"
    assert agent.model.asked == 4


@pytest.mark.parametrize("agent", [HONOURED], indirect=True)
@pytest.mark.parametrize("mode", ["refuse", "slow"])
async def test_a_mail_that_was_refused_or_taken_slowly_is_sent_once(
    agent: Agent, shop: Shop, mode: str
):
    talk = await asked_to_buy(agent)
    shop.fault("mail", mode, seconds=0.1)
    done = await talk.approve()
    await all_is_settled(agent, talk, shop)
    assert shop.happened() == PURCHASE
    assert "confirmation mailed" in answer_of(done)
    assert agent.model.asked == 4


@pytest.mark.parametrize(
    ("agent", "endpoint", "mode"), faults("cancellations", "refunds", every=3), indirect=["agent"]
)
async def test_a_cancellation_happens_once_whatever_one_call_of_it_meets(
    agent: Agent, shop: Shop, endpoint: str, mode: str
):
    talk = await bought(agent)
    order = orders(shop)[-1]["order_id"]
    agent.model.then([("cancel_order", {"order_id": order})], last_result)
    await talk.say(f"cancel {order}")
    shop.fault(endpoint, mode, seconds=SECONDS[mode])
    done = await talk.approve()
    await all_is_settled(agent, talk, shop)
    assert shop.happened() == [*PURCHASE, "cancel", "refund"]
    assert answer_of(done) == f"cancel_order confirmed: order {order} cancelled, 98.90 USD refunded"
    assert agent.model.asked == 6


@pytest.mark.parametrize(
    ("agent", "endpoint", "mode"), faults("releases", "refunds", every=3), indirect=["agent"]
)
async def test_a_compensation_happens_once_whatever_one_call_of_it_meets(
    agent: Agent, shop: Shop, endpoint: str, mode: str
):
    talk = await asked_to_buy(agent)
    shop.fault("orders", "refuse", times=agent.resources.patience.attempts)
    shop.fault(endpoint, mode, seconds=SECONDS[mode])
    done = await talk.approve()
    await all_is_settled(agent, talk, shop)
    assert Counter(shop.happened()) == Counter(["reserve", "charge", "refund", "release"])
    assert "checkout failed: The service is unavailable." in answer_of(done)
    assert done.values["flow"] == "shopping"
    assert agent.model.asked == 4
