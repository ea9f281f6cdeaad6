"""A question as other people's chat clients show it: beneath a message, in every turn."""

from typing import Any

import pytest
from langgraph.types import Command

from daybook.state.people.questions.asked import ANSWER_ABOVE, is_asked
from daybook.testing.model import last_result
from tests.answers import decisions, question
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of, outcomes_of, receipts_of, texts
from tests.faults.test_faults_doubt import in_doubt
from tests.purchases import PURCHASE, asked_to_buy, with_boots


async def last(talk: Conversation) -> Any:
    """Return the last message of a conversation."""
    return (await talk.state()).values["messages"][-1]


async def test_what_is_asked_is_the_last_message_in_a_second_turn_and_no_prompt_holds_it(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent)
    shown = await last(talk)
    assert shown.type == "ai"
    assert "98.90 USD" in shown.text
    assert "visa ending in 4242" in shown.text
    await talk.run(None)
    assert [m.id for m in (await talk.state()).values["messages"]].count(shown.id) == 1
    await talk.approve()
    assert shop.happened() == PURCHASE
    agent.model.then("You are welcome.")
    await talk.say("thank you")
    for prompt in agent.model.prompts:
        assert all(shown.text not in message.text for message in prompt)


@pytest.mark.parametrize("word", ["Approve.", "OK, go ahead please!", "yes, check out"])
async def test_a_typed_yes_is_put_back_and_withdraws_nothing(agent: Agent, shop: Shop, word: str):
    talk = await asked_to_buy(agent)
    asked, prompts = (await question(talk))["approval_id"], agent.model.asked
    for times in (1, 2):
        again = await talk.say(word, f"yes-{times}")
        assert answer_of(again) == ANSWER_ABOVE
        assert (await question(talk))["approval_id"] == asked
    await talk.say(word, "yes-2")
    assert (await texts(talk)).count(ANSWER_ABOVE) == 2
    assert agent.model.asked == prompts
    assert await decisions(agent, talk) == []
    assert shop.happened() == []
    done = await talk.approve()
    assert shop.happened() == PURCHASE
    assert done.values["flow"] == "ordered"
    agent.model.then("Bye.")
    await talk.say("yes")
    assert answer_of(await talk.state()) == "Bye.", "nothing waits, so it is a message"


async def test_agent_inbox_shows_and_answers_a_question_in_langchains_form(
    agent: Agent, shop: Shop
):
    """It sends `args` with a decision: the edited call, whose fields are text."""
    talk = await asked_to_buy(agent)
    (request,) = (await question(talk))["action_requests"]
    edited = {"action": request["name"], "args": {**request["args"], "card_id": "none"}}
    await talk.run(Command(resume={"decisions": [{"type": "edit", "args": edited}]}))
    assert shop.happened() == []
    yes = {"type": "approve", "args": {"action": request["name"], "args": request["args"]}}
    done = await talk.run(Command(resume={"decisions": [yes]}))
    assert shop.happened() == PURCHASE
    assert done.interrupts == ()


async def test_agent_inbox_settles_a_doubt_in_the_box_that_it_shows(agent: Agent, shop: Shop):
    talk = await in_doubt(agent, shop)
    asked = (await talk.state()).interrupts[0].value
    assert "reject" in asked["review_configs"][0]["allowed_decisions"]
    (request,) = asked["action_requests"]
    title = 'Nobody can tell whether the mail "Hello" went out (send_email)'
    assert request["description"].startswith(f"{title}. What do you know?\n\nWhy: ")
    [shown] = [m.text for m in (await talk.state()).values["messages"] if is_asked(m.id)][1:]
    assert shown == request["description"]
    answer = {"decisions": [{"type": "reject", "args": "it did not happen"}]}
    agent.model.then(last_result)
    done = await talk.run(Command(resume=answer))
    assert done.interrupts == ()
    assert shop.happened() == ["mail", "mail"], "it was tried again"


@pytest.mark.parametrize("by", ["run", "update"])
async def test_a_question_that_is_marked_as_resolved_is_withdrawn_and_says_so(
    agent: Agent, shop: Shop, by: str
):
    """By agent-chat-ui a run that goes to the end, by Agent Inbox an update that does."""
    talk = await asked_to_buy(agent)
    if by == "run":
        await talk.run(Command(goto="__end__"))
    else:
        nobody: Any = {"configurable": {"thread_id": talk.thread_id}}
        await agent.graph.aupdate_state(nobody, None, as_node="__end__")
    done = await talk.state()
    assert done.interrupts == ()
    assert (await texts(talk))[:4] == [
        *("add BOOT-001", "It is in the cart.", "check out"),
        "Stopped: Check out for 98.90 USD.",
    ]
    assert (len(receipts_of(done)), outcomes_of(done)) == (1, [("checkout", "not done")])
    assert [one.detail["decisions"] for one in await decisions(agent, talk)] == [["withdrawn"]]
    agent.model.script[:] = [[("checkout", {})], last_result]
    await talk.say("check out")
    await talk.approve()
    assert shop.happened() == PURCHASE


@pytest.mark.parametrize("by", ["run", "update"])
async def test_a_doubt_that_is_marked_as_resolved_stays_asked(agent: Agent, shop: Shop, by: str):
    talk = await in_doubt(agent, shop)
    before = (await talk.state()).interrupts[0].value
    if by == "run":
        await talk.run(Command(goto="__end__"))
    else:
        await agent.graph.aupdate_state(talk.config, None, as_node="__end__")
    (waits,) = (await talk.state()).interrupts
    assert waits.value == before
    agent.model.then(last_result)
    assert (await talk.answer({"type": "respond", "message": "it happened"})).interrupts == ()


@pytest.mark.parametrize("of", ["an answer", "a purchase"])
async def test_an_answer_that_is_regenerated_is_said_once(agent: Agent, shop: Shop, of: str):
    """As agent-chat-ui asks for it: a run from the checkpoint before the answer, without input."""
    talk = await (asked_to_buy(agent) if of == "a purchase" else with_boots(agent))
    if of == "a purchase":
        await talk.approve()
    before = (await talk.state()).values["messages"]
    past = [one async for one in agent.graph.aget_state_history(talk.config)]
    for snapshot in [one for one in past if one.next == ("respond",)]:
        at = {**talk.config["configurable"], **snapshot.config["configurable"]}
        await agent.graph.ainvoke(None, {"configurable": {**at, "user_id": "ada"}})
        after = (await talk.state()).values["messages"]
        assert [(m.id, m.text) for m in after] == [(m.id, m.text) for m in before]
        assert after[-1].text.count("order DB-") <= 1
