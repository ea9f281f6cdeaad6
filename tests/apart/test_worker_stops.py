"""A worker undoes what was stopped: its queue waits by real seconds."""

from tests.conftest import Agent, Shop
from tests.conversation import receipt_of
from tests.integration.test_stop import finished, stopped, stops_of
from tests.purchases import (
    PURCHASE,
    all_is_settled,
    asked_to_buy,
    bought_until,
)


async def test_what_is_unknown_is_settled_first_and_then_undone(agent: Agent, shop: Shop):
    shop.keys(honour=False)
    talk = await asked_to_buy(agent)
    shop.fault("charges", "drop")
    shop.fault("lookups", "refuse", times=1000)
    await talk.approve()
    assert receipt_of(await talk.state()).startswith("This is not settled yet")
    asked = agent.model.asked
    said = await stopped(agent, talk)
    assert "charge was sent, and it is being settled whether it happened" in said
    assert "It is undone: reserve BOOT-001." in said
    shop.http.delete("/admin/faults").raise_for_status()
    told = "\n".join(stops_of(await finished(agent, talk)))
    assert "Stopped by ada: Check out for 98.90 USD." in told
    assert "Undone: reserve BOOT-001, charge. Nothing else was done." in told
    assert shop.happened() == ["reserve", "charge", "refund", "release"]
    assert agent.model.asked == asked
    await all_is_settled(agent, talk, shop)


async def test_nobody_is_at_work_and_a_worker_undoes_it(agent: Agent, shop: Shop):
    talk = await bought_until(agent, 3)
    assert shop.happened() == PURCHASE[:2]
    await stopped(agent, talk)
    told = "\n".join(stops_of(await finished(agent, talk)))
    assert "Undone: reserve BOOT-001, charge." in told
    assert shop.happened() == ["reserve", "charge", "refund", "release"]
    await all_is_settled(agent, talk, shop)
