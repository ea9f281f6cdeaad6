"""What a model says that is not so is not shown as it is: what is so stands first."""

from typing import Any

import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.state.errors import ModelUnavailable
from daybook.state.ledger.recovery import Event
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.purchases import LONG, agent_of, asked_to_buy, entries, with_boots
from tests.scripted import Prompt

DECLINED = "checkout failed: The card was declined. Undone: reserve BOOT-001."
NOTHING_ORDERED = f"Nothing was ordered: {DECLINED}"


async def declined(agent: Agent, *answers: Any) -> tuple[Conversation, str]:
    """Approve a checkout whose card is declined; the model says what it is given."""
    talk = await asked_to_buy(agent, "dan", card_id="card_dan_1")
    agent.model.script.clear()
    agent.model.then(*answers)
    return talk, answer_of(await talk.approve())


async def refused(agent: Agent, talk: Conversation) -> list[str]:
    """Return the words that were refused, from the ledger."""
    decided = [e for e in await entries(agent, talk) if e.event is Event.DECIDED]
    return [one["text"] for e in decided for one in (e.payload or {}).get("unsaid", ())]


async def test_a_model_that_says_placed_of_what_was_declined_says_it_once_more(
    postgres: Postgres, shop: Shop
):
    notes: list[str] = []

    def again(prompt: Prompt) -> str:
        notes.append(prompt[-1].text)
        return "Your card was declined, so nothing was ordered."

    async with agent_of(postgres, shop, LONG) as agent:
        talk, answer = await declined(agent, "Placed it.", again)
        assert answer == f"{DECLINED}\n\nYour card was declined, so nothing was ordered."
        assert NOTHING_ORDERED in notes[0]
        assert await refused(agent, talk) == ["Placed it."]


async def test_a_model_that_insists_is_set_right(postgres: Postgres, shop: Shop):
    async with agent_of(postgres, shop, LONG) as agent:
        said = "Placed it. Shall I look for socks too?"
        talk, answer = await declined(agent, "Placed it.", said)
        assert answer == f"{NOTHING_ORDERED}\n\nShall I look for socks too?"
        assert await refused(agent, talk) == ["Placed it.", said]


async def test_a_model_that_is_gone_when_it_is_asked_once_more_is_set_right(
    postgres: Postgres, shop: Shop
):
    def fails(_: Any) -> str:
        raise ModelUnavailable("the provider is down")

    async with agent_of(postgres, shop, LONG) as agent:
        _, answer = await declined(agent, "Placed it.", fails)
        assert answer == NOTHING_ORDERED


async def test_what_came_of_a_plan_is_said_by_the_machine_whatever_the_model_says(
    postgres: Postgres, shop: Shop
):
    async with agent_of(postgres, shop, LONG) as agent:
        talk = await asked_to_buy(agent)
        agent.model.script.clear()
        agent.model.then("Anything else?")
        first, last = answer_of(await talk.approve()).split("\n\n")
        assert first.startswith("checkout confirmed: order DB-")
        assert last == "Anything else?"


async def test_a_note_of_the_machine_lets_nobody_act(postgres: Postgres, shop: Shop):
    """The person asked what something costs: that nothing was ordered is no wish to order."""
    async with agent_of(postgres, shop, LONG) as agent:
        talk = await with_boots(agent)
        agent.model.script.clear()
        mail = ("send_email", {"subject": "Yours", "body": "Here it is."})
        agent.model.then("I have mailed it to you.", [mail, ("checkout", {})])
        done = await talk.say("what is in my cart?")
        assert answer_of(done) == "Nothing was mailed."
        assert done.interrupts == ()
        assert shop.happened() == []
        [entry] = [e for e in await entries(agent, talk) if e.event is Event.DECIDED][-1:]
        assert (entry.payload or {})["calls"] == []


async def test_a_model_may_look_something_up_before_it_says_it_once_more(
    postgres: Postgres, shop: Shop
):
    async with agent_of(postgres, shop, LONG) as agent:
        look = [("get_product", {"sku": "BOOT-001"})]
        agent.model.then("BOOT-001 costs 12.00 USD.", look, "It costs 98.90 USD.")
        talk = Conversation(agent.graph)
        assert answer_of(await talk.say("what does BOOT-001 cost?")) == "It costs 98.90 USD."
        assert await refused(agent, talk) == ["BOOT-001 costs 12.00 USD."]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Cancelled your order.", "Nothing was cancelled."),
        (
            "Your order DB-12345678 is placed.",
            "Nothing was ordered.",
        ),
        ("It costs 12.00 USD and 900 are in stock.", "98.90 USD"),
        ("It is 98.90 USD. I have charged your card.", "Nothing was charged."),
        ("I've mailed it to you, okay?", "Nothing was mailed."),
        ("Look at BOOT-777 too.", "BOOT-777 stands in nothing that was read or done."),
    ],
)
async def test_what_nothing_shows_is_not_said(
    postgres: Postgres, shop: Shop, said: str, shown: str
):
    async with agent_of(postgres, shop, LONG) as agent:
        agent.model.then([("get_product", {"sku": "BOOT-001"})], said, said)
        talk = Conversation(agent.graph)
        answer = answer_of(await talk.say("tell me about BOOT-001"))
        assert shown in answer.split("\n\n")[0]
        assert said not in answer


@pytest.mark.parametrize(
    "said",
    [
        "It costs 98.90 USD. Two pairs would be 197.80 USD.",
        "Shall I place the order? Your card is charged once you approve.",
        "Nothing was ordered yet.",
        "I can't cancel what was never ordered.",
        "Ich habe das gelesen: 98,90 USD.",
    ],
)
async def test_what_is_so_or_cannot_be_judged_is_said_as_it_is(
    postgres: Postgres, shop: Shop, said: str
):
    async with agent_of(postgres, shop, LONG) as agent:
        agent.model.then([("get_product", {"sku": "BOOT-001"})], said)
        talk = Conversation(agent.graph)
        assert answer_of(await talk.say("tell me about BOOT-001")) == said
        assert await refused(agent, talk) == []
