"""Declines: final for their attempt, told to the user, and followed by another card."""

from collections.abc import AsyncIterator

import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.state.ledger.recovery import Event
from tests.conftest import Agent, Shop
from tests.conversation import answer_of
from tests.purchases import (
    LONG,
    PURCHASE,
    SHORT,
    agent_of,
    asked_to_buy,
    calm,
    entries,
    events,
    still_held,
    work_list,
)
from tests.scripted import last_result

SERVICES = [
    pytest.param({"honour": True, "stores_failures": True}, id="failures-stored"),
    pytest.param({"honour": True, "stores_failures": False}, id="failures-not-stored"),
    pytest.param({"honour": False}, id="keys-ignored"),
]


@pytest.fixture(params=SERVICES)
async def unkind(request: pytest.FixtureRequest, shop: Shop) -> Shop:
    """Yield a shop that stores failures, one that does not, and one that ignores keys."""
    shop.keys(**request.param)
    return shop


@pytest.fixture
async def agent(postgres: Postgres, unkind: Shop) -> AsyncIterator[Agent]:
    """Yield the agent of such a shop."""
    async with agent_of(postgres, unkind, LONG) as agent:
        yield agent


async def test_a_decline_releases_what_was_held_and_says_why(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent, "dan")
    done = await talk.approve()
    assert shop.happened() == ["reserve", "release"]
    assert answer_of(done) == "checkout failed: The card was declined. Undone: reserve BOOT-001."
    assert await events(agent, talk, "/charge") == [
        Event.INTENDED,
        Event.ATTEMPTED,
        Event.DECLINED,
        Event.FAILED,
    ]
    assert agent.model.asked == 4


@pytest.mark.parametrize(("mode", "seconds"), [("drop", 0.0), ("timeout", 30.0), ("late", 0.25)])
async def test_a_decline_that_nobody_heard_ends_without_a_charge(
    postgres: Postgres, unkind: Shop, mode: str, seconds: float
):
    async with agent_of(postgres, unkind, SHORT) as agent:
        talk = await asked_to_buy(agent, "dan")
        unkind.fault("charges", mode, seconds=seconds)
        done = await talk.approve()
        await calm(unkind)
        assert unkind.happened() == ["reserve", "release"]
        assert "The card was declined." in answer_of(done)
        assert await work_list(agent) == {}
        assert await entries(agent, talk)


async def test_a_second_card_buys_once_under_a_new_checkout(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent, "dan")
    await talk.approve()
    agent.model.then([("checkout", {"card_id": "card_dan_2"})], last_result)
    await talk.say("use the other card")
    done = await talk.approve()
    assert shop.happened() == ["reserve", "release", *PURCHASE]
    assert still_held(shop) == []
    assert done.values["flow"] == "ordered"
    assert "charged to card_dan_2" in answer_of(done)
    charges = [e for e in await entries(agent, talk) if e.op and e.op.endswith("/charge")]
    first, second = dict.fromkeys(e.op for e in charges)
    assert first.split("/")[1] != second.split("/")[1]
    assert [reference for effect, reference in shop.effects() if effect == "charge"] == [
        f"{second}/1"
    ]


async def test_a_declined_card_is_not_chosen_again_by_itself(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent, "dan", card_id="card_dan_1")
    declined = await talk.approve()
    assert declined.values["checkout"].card_id is None
    assert [line.sku for line in declined.values["cart"].lines] == ["BOOT-001"]
