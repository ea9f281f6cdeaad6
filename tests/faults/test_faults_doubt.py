"""A mail that nobody can look up: put before a person, with the evidence, and done as they say."""

import pytest

from daybook.state.errors import ForeignThread, NothingPending
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.people.questions.message import asks
from daybook.testing.model import last_result
from tests.answers import says
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.purchases import SHORT, calm, entries, events, work_list

BUDGET = SHORT

MAIL = ("send_email", {"subject": "Hello", "body": "As you asked."})


async def in_doubt(agent: Agent, shop: Shop, mode: str = "drop") -> Conversation:
    """Bring a mail to the question whether it happened."""
    talk = Conversation(agent.graph)
    agent.model.then([MAIL], last_result)
    await talk.say("mail me")
    # Silence before the final dot is answered: the message is not taken. A drop comes after it.
    shop.fault("mail", mode, seconds=30)
    await talk.approve()
    return talk


async def test_a_mail_without_an_answer_is_asked_about_with_the_evidence(agent: Agent, shop: Shop):
    talk = await in_doubt(agent, shop)
    question = (await talk.state()).interrupts[0].value["action_requests"][0]
    assert question["name"] == "in_doubt"
    assert question["args"]["tool"] == "send_email"
    assert question["args"]["arguments"] == MAIL[1]
    assert [a["answer"] for a in question["args"]["attempts"]] == ["unanswered"]
    assert set((await work_list(agent)).values()) == {StepState.IN_DOUBT}
    before = await entries(agent, talk)
    unsure = (await talk.answer(says("I am not sure"))).interrupts[0].value
    said = "The answer does not say whether it happened. Nothing was changed; answer "
    assert unsure["action_requests"][0]["description"].startswith(said)
    with pytest.raises(ForeignThread):
        await Conversation(agent.graph, "ben", talk.thread_id).answer(says("it did not happen"))
    assert await entries(agent, talk) == before
    # A new message does not let the question be forgotten.
    asked = await talk.say("what about my mail?")
    assert asked.interrupts[0].value["action_requests"][0]["name"] == "in_doubt"
    done = await talk.answer(says("it happened"))
    shown = [m.text for m in done.values["messages"] if asks(m.id, unsure["approval_id"])]
    assert len(shown) == 2, "once more behind what its person said"
    assert all(one.startswith("It is not known") for one in shown), "why is over"
    assert shop.happened() == ["mail"], "it is not sent again"
    assert answer_of(done).endswith("send_email confirmed: the mail was handed to the mail server")
    said = next(e for e in await entries(agent, talk) if e.event is Event.HAPPENED)
    assert (said.author, said.role) == ("ada", "customer")
    assert await work_list(agent) == {}
    with pytest.raises(NothingPending):
        await talk.answer(says("it happened"))


async def test_a_mail_that_a_person_says_did_not_happen_is_sent_once_more(agent: Agent, shop: Shop):
    talk = await in_doubt(agent, shop, mode="slow")
    await calm(shop)
    assert shop.happened() == [], "the shop did not take the first one"
    await talk.answer(says("it did not happen"))
    assert shop.happened() == ["mail"]
    mail = await events(agent, talk, "/send_email")
    assert mail.count(Event.ATTEMPTED) == 2
    assert mail[-1] is Event.ACKNOWLEDGED
