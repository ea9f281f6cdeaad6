"""The receipt of a plan stands in the thread also where its turn came to no answer."""

from typing import Any

import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.state.errors import ModelUnavailable
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of, outcomes_of, receipts_of
from tests.purchases import LONG, PURCHASE, agent_of, asked_to_buy


def is_down(_: Any) -> str:
    raise ModelUnavailable("the provider is down")


async def bought_without_an_answer(agent: Agent, user: str = "ada", **choices: str) -> Conversation:
    """Approve a purchase whose model is down when it is over."""
    talk = await asked_to_buy(agent, user, **choices)
    agent.model.script[:] = [is_down]
    with pytest.raises(ModelUnavailable):
        await talk.approve()
    return talk


async def test_what_was_bought_stands_in_the_thread_before_another_message(
    postgres: Postgres, shop: Shop
):
    async with agent_of(postgres, shop, LONG) as agent:
        talk = await bought_without_an_answer(agent)
        assert shop.happened() == PURCHASE
        assert ("place_order", "done") in outcomes_of(await talk.state())
        agent.model.then("Hello!", "You are welcome.")
        assert answer_of(await talk.say("hello?")) == "Hello!"
        assert answer_of(await talk.say("thanks")) == "You are welcome."


async def test_it_is_stated_once_however_often_the_model_is_down(postgres: Postgres, shop: Shop):
    async with agent_of(postgres, shop, LONG) as agent:
        talk = await bought_without_an_answer(agent)
        agent.model.script[:] = [is_down, is_down]
        for said in ("hello?", "is anybody there?"):
            with pytest.raises(ModelUnavailable):
                await talk.say(said)
        agent.model.script[:] = ["Yes.", "Fine."]
        await talk.say("anybody?")
        done = await talk.say("well then")
        assert outcomes_of(done).count(("place_order", "done")) == 1
        assert len(receipts_of(done)) == 1
