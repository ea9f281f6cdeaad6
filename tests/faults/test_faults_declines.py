"""Declines: final for their attempt, told to the user, and followed by another card."""

import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.state.ledger.recovery import Event
from daybook.testing.model import last_result
from tests.conftest import Shop
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

STORED = {"honour": True, "stores_failures": True}
NOT_STORED = {"honour": True, "stores_failures": False}
IGNORED = {"honour": False}

SERVICES = pytest.mark.parametrize(
    "keys", [STORED, NOT_STORED, IGNORED], ids=["failures-stored", "not-stored", "keys-ignored"]
)


@SERVICES
async def test_a_decline_releases_what_was_held_and_a_second_card_buys_under_a_new_checkout(
    postgres: Postgres, shop: Shop, keys: dict[str, bool]
):
    shop.keys(**keys)
    async with agent_of(postgres, shop, LONG) as agent:
        talk = await asked_to_buy(agent, "dan", card_id="card_dan_1")
        done = await talk.approve()
        assert shop.happened() == ["reserve", "release"]
        told = "checkout failed: The card was declined. Undone: reserve BOOT-001."
        assert answer_of(done) == told
        assert await events(agent, talk, "/charge") == [
            Event.INTENDED,
            Event.ATTEMPTED,
            Event.DECLINED,
            Event.FAILED,
        ]
        assert agent.model.asked == 4
        assert done.values["checkout"].card_id is None, "it is not chosen again by itself"
        assert [line.sku for line in done.values["cart"].lines] == ["BOOT-001"]
        agent.model.then([("checkout", {"card_id": "card_dan_2"})], last_result)
        await talk.say("use the other card")
        done = await talk.approve()
        assert shop.happened() == ["reserve", "release", *PURCHASE]
        assert still_held(shop) == []
        assert done.values["flow"] == "ordered"
        assert "charged to card_dan_2" in answer_of(done)
        charges = [e.op for e in await entries(agent, talk) if e.op and e.op.endswith("/charge")]
        first, second = dict.fromkeys(charges)
        assert first.split("/")[1] != second.split("/")[1]
        charged = [reference for effect, reference in shop.effects() if effect == "charge"]
        assert charged == [f"{second}/1"]


@pytest.mark.parametrize(
    ("mode", "seconds", "keys"),
    [("drop", 0.0, IGNORED), ("timeout", 30.0, NOT_STORED), ("late", 0.25, STORED)],
)
async def test_a_decline_that_nobody_heard_ends_without_a_charge(
    postgres: Postgres, shop: Shop, mode: str, seconds: float, keys: dict[str, bool]
):
    shop.keys(**keys)
    async with agent_of(postgres, shop, SHORT) as agent:
        talk = await asked_to_buy(agent, "dan")
        shop.fault("charges", mode, seconds=seconds)
        done = await talk.approve()
        await calm(shop)
        assert shop.happened() == ["reserve", "release"]
        assert "The card was declined." in answer_of(done)
        assert await work_list(agent) == {}
        assert await entries(agent, talk)
