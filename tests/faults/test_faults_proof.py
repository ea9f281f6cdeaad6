"""What a look-up shows: nothing, the effect, a second one, or that it cannot look."""

from dataclasses import replace

import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.state.ledger.recovery import Event
from daybook.tools.services.http import HttpService
from daybook.tools.shop.services import SHOP_CONTRACT
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.purchases import (
    LONG,
    PURCHASE,
    SHORT,
    agent_of,
    asked_to_buy,
    entries,
    events,
    hurry,
    rebuilt,
    sent,
)


@pytest.mark.parametrize(
    ("honour", "mode"),
    [(True, "refuse"), (False, "drop")],
    ids=["keys-honoured-refuse", "keys-ignored-drop"],
)
async def test_a_look_up_that_fails_is_no_proof_of_absence(
    postgres: Postgres, shop: Shop, honour: bool, mode: str
):
    shop.keys(honour=honour)
    async with agent_of(postgres, shop, LONG) as agent:
        talk = await asked_to_buy(agent)
        shop.fault("charges", "drop")
        shop.fault("lookups", mode, times=2, match="/charge")
        done = await talk.approve()
        assert shop.happened() == PURCHASE
        charge = await events(agent, talk, "/charge")
        assert charge.count(Event.UNREACHABLE) == 2
        assert charge[-1] is Event.FOUND
        assert sent(charge) == 1
        assert "order DB-" in answer_of(done)


@pytest.mark.parametrize("honour", [True, False], ids=["keys-honoured", "keys-ignored"])
async def test_what_was_answered_is_built_on_under_a_key_or_once_it_is_shown(
    postgres: Postgres, shop: Shop, honour: bool
):
    shop.keys(honour=honour)
    async with agent_of(postgres, shop, LONG) as agent:
        talk = await asked_to_buy(agent)
        shop.fault("lookups", "refuse", times=2, match="/reserve")
        done = await talk.approve()
        assert shop.happened() == PURCHASE
        assert "order DB-" in answer_of(done)
        hold = [e.event for e in await entries(agent, talk) if e.op and "/reserve" in e.op]
        assert Event.ACKNOWLEDGED in hold
        if honour:
            assert hold[-1] is Event.UNREACHABLE
        else:
            assert hold[-3:] == [Event.UNREACHABLE, Event.UNREACHABLE, Event.VERIFIED]


async def test_what_does_not_show_the_evidence_is_put_before_a_person(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    charge = next(e for e in await entries(agent, talk) if e.op and e.op.endswith("/charge"))
    # Something else was done under this name: the look-up finds it, and it is not what was meant.
    other = {**charge.payload["args"], "amount": 1}
    shop.keys(honour=False)
    body = {"reference": charge.step_id, "user_id": "ada", **other}
    shop.http.post("/charges", json=body).raise_for_status()
    shop.fault("charges", "late", seconds=0.25)
    asked = await talk.approve()
    question = asked.interrupts[0].value["action_requests"][0]
    assert question["name"] == "in_doubt"
    assert "expected {'amount': 9890" in question["description"]
    assert shop.happened()[:2] == ["charge", "reserve"]


async def test_a_look_up_takes_no_longer_than_an_attempt(postgres: Postgres, shop: Shop):
    async with agent_of(postgres, shop, SHORT) as agent:
        talk = await asked_to_buy(agent)
        # A client that would wait for it, and a look-up that is answered when nobody needs it.
        patient = HttpService(shop.url, SHOP_CONTRACT, seconds=2 * LONG)
        services = replace(agent.resources.services, shop=patient)
        try:
            shop.fault("lookups", "slow", seconds=LONG)
            done = await Conversation(
                rebuilt(agent, services=services).graph, thread=talk.thread_id
            ).approve()
        finally:
            await patient.close()
        hurry(shop)
        assert Event.UNREACHABLE in await events(agent, talk, "/reserve/BOOT-001")
        assert shop.happened() == PURCHASE
        assert "order DB-" in answer_of(done)
