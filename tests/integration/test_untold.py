"""What came of a plan is told, also where the turn in which it ended came to no answer."""

from typing import Any

import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.state.errors import ModelUnavailable
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of, texts
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


async def test_who_says_something_else_meanwhile_is_told_first_what_came_of_it(
    postgres: Postgres, shop: Shop
):
    async with agent_of(postgres, shop, LONG) as agent:
        talk = await bought_without_an_answer(agent)
        assert shop.happened() == PURCHASE
        agent.model.then("Hello!", "You are welcome.")
        first, last = answer_of(await talk.say("hello?")).split("\n\n")
        assert first.startswith("Meanwhile: checkout confirmed: order DB-")
        assert last == "Hello!"
        assert answer_of(await talk.say("thanks")) == "You are welcome."


async def test_a_refusal_of_the_bank_is_told_too(postgres: Postgres, shop: Shop):
    async with agent_of(postgres, shop, LONG) as agent:
        talk = await bought_without_an_answer(agent, "dan", card_id="card_dan_1")
        agent.model.then("Hello!")
        answer = answer_of(await talk.say("hello?"))
        assert answer.startswith("Meanwhile: checkout failed: The card was declined.")


async def test_it_is_told_once_however_often_the_model_is_down(postgres: Postgres, shop: Shop):
    async with agent_of(postgres, shop, LONG) as agent:
        talk = await bought_without_an_answer(agent)
        agent.model.script[:] = [is_down, is_down]
        for said in ("hello?", "is anybody there?"):
            with pytest.raises(ModelUnavailable):
                await talk.say(said)
        agent.model.script[:] = ["Yes.", "Fine."]
        await talk.say("anybody?")
        await talk.say("well then")
        told = [text for text in await texts(talk) if "checkout confirmed" in text]
        assert len(told) == 1
        assert told[0].endswith("Yes.")
        assert told[0].count("checkout confirmed") == 1
