"""The interview: a brief is handed over, and the next agent sees what came of it."""

from typing import Any

import pytest

from daybook.state.ledger.recovery import Event
from daybook.state.people.called import as_said
from daybook.testing.model import Prompt, last_result
from daybook.tools.shop.positions import INTERVIEWER_SYSTEM
from daybook.tools.shop.prompt import SYSTEM
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.cuts import cut_at
from tests.purchases import entries

ICELAND = "something warm for Iceland"
CHATTER = "My cousin Torvald climbs with crampons and swears by his grandmother's porridge."


def begins(agent: Agent, goal: str = ICELAND) -> None:
    """Script the shopper, who hands over, and the interviewer's first question."""
    agent.model.then([("start_interview", {"goal": goal})], "What will you use it for?")


def written(prompt: Prompt) -> str:
    """Return all that stands in a prompt, calls included."""
    calls = [str(getattr(message, "tool_calls", "")) for message in prompt]
    return "\n".join([*(message.text for message in prompt), *calls])


def tail(prompt: Prompt) -> list[str]:
    return prompt[-1].text.split("\n")


async def interviewed(agent: Agent, talk: Conversation | None = None) -> Conversation:
    """Have an interview up to its last question."""
    talk = talk or Conversation(agent.graph)
    begins(agent)
    await talk.say("I need something for a trip, not sure what")
    noted = {"category": "sleeping-bags", "must_have": ["warm"]}
    agent.model.then([("note_brief", noted)], "How warm must it be?")
    await talk.say(f"To sleep outside. {CHATTER}")
    return talk


async def test_the_interviewer_owns_the_work_until_the_brief_is_handed_over(agent: Agent):
    talk = await interviewed(agent)
    state = (await talk.state()).values
    assert (state["flow"], state["brief"].category) == ("interviewing", "sleeping-bags")
    # The person reads one conversation.
    said = as_said(state["messages"])
    assert [message.type for message in said] == ["human", "ai"] * 2
    assert answer_of(await talk.state()) == "How warm must it be?"
    assert [prompt[0].text == INTERVIEWER_SYSTEM for prompt in agent.model.prompts] == [
        False,
        True,
        True,
        True,
    ]
    assert "owner: interviewer" in tail(agent.model.prompts[-1])
    agent.model.then(
        [("note_brief", {"max_price": 30_000}), ("hand_over", {})],
        [("search_products", {"query": "warm", "category": "sleeping-bags"})],
        last_result,
    )
    done = await talk.say("Down to minus ten, at most 300 dollars")
    assert done.values["flow"] == "shopping"
    assert "SBAG-" in answer_of(done)
    assert agent.model.prompts[-1][0].text == SYSTEM


async def test_the_shopper_sees_the_brief_and_what_the_user_wrote_and_not_the_interviewer(
    agent: Agent,
):
    talk = await interviewed(agent)
    agent.model.then([("hand_over", {})], "Here is what I can do for you.")
    await talk.say("As warm as an oven, ask my aunt")
    prompt = agent.model.prompts[-1]
    assert "owner: shopper" in tail(prompt)
    assert "brief: goal=something warm for Iceland; category=sleeping-bags; must have warm" in tail(
        prompt
    )
    assert f"## Goal\n- {ICELAND}" in prompt[1].text
    seen = written(prompt)
    assert CHATTER in seen
    for word in ("How warm", "What will you use", "note_brief"):
        assert word not in seen
    agent.model.then("Good.")
    await talk.say("thanks")
    seen = written(agent.model.prompts[-1])
    assert "Here is what I can do for you." in seen
    assert "How warm" not in seen
    told = [e.payload["text"] for e in await entries(agent, talk) if e.event is Event.APPLIED]
    assert told == [
        f"interview: goal={ICELAND}",
        "brief: category=sleeping-bags; must have warm",
        "brief handed over to the shopper",
    ]


async def test_the_words_that_led_to_a_hand_over_go_with_it_whole(agent: Agent):
    """What the person has said is not asked again by whoever goes on."""
    talk = Conversation(agent.graph)
    agent.model.then("Nice. What is it for?")
    await talk.say("Hello, I walk with my dad, who is 71.")
    begins(agent)
    led = "For two weeks in the hills;\nblue is my colour, and size is 43."
    await talk.say(led)
    given = written(agent.model.prompts[-1])
    assert agent.model.prompts[-1][0].text == INTERVIEWER_SYSTEM
    assert " ".join(led.split()) in given
    assert "Hello, I walk with my dad, who is 71." in given
    agent.model.then([("note_brief", {"category": "socks"}), ("hand_over", {})], "These.")
    await talk.say("Nothing scratchy; that is all, go ahead and look")
    given = written(agent.model.prompts[-1])
    assert agent.model.prompts[-1][0].text == SYSTEM
    assert "Nothing scratchy; that is all, go ahead and look" in given
    for earlier in (led, "Hello, I walk with my dad, who is 71."):
        assert given.count(" ".join(earlier.split())) == 1
    assert "What will you use it for?" not in given


async def test_the_interviewer_can_neither_fill_the_cart_nor_check_out_nor_note_what_there_is_not(
    agent: Agent, shop: Shop
):
    talk = await interviewed(agent)
    agent.model.then(
        [("add_to_cart", {"sku": "SBAG-001"}), ("checkout", {})],
        lambda prompt: " ".join(m.text for m in prompt if m.type == "tool")[-600:],
    )
    done = await talk.say("just buy any")
    assert "add_to_cart refused: add_to_cart is not possible at this point" in answer_of(done)
    assert "checkout refused: checkout is not possible at this point" in answer_of(done)
    assert done.values["cart"].lines == ()
    agent.model.then([("note_brief", {"category": "hammocks"})], last_result)
    done = await talk.say("or a hammock")
    assert "There is no category hammocks; there are: backpacks," in answer_of(done)
    assert done.values["brief"].category == "sleeping-bags"
    # The page still can.
    line = {"sku": "SBAG-001", "name": "A bag", "quantity": 1, "unit_price": 9_000}
    there = await talk.happens("e1", type="add", line=line)
    assert [one.sku for one in there.values["cart"].lines] == ["SBAG-001"]
    assert there.values["flow"] == "interviewing"
    assert shop.happened() == []


async def test_what_the_customer_wants_instead_reaches_the_shopper(agent: Agent):
    talk = await interviewed(agent)
    agent.model.then([("hand_over", {"wish": "see their orders"})], "You have none.")
    await talk.say("stop asking, which orders do I have?")
    assert any(
        line.startswith("brief:") and line.endswith("wants now=see their orders")
        for line in tail(agent.model.prompts[-1])
    )
    agent.model.then("Yes.")
    await talk.say("sure?")
    assert "wants now" not in written(agent.model.prompts[-1])


async def test_what_is_decided_beside_the_hand_over_is_refused_and_breaks_nothing(agent: Agent):
    """The calls of one decision are of one agent; the flow moves between them."""
    talk = Conversation(agent.graph)
    again: list[tuple[str, dict[str, Any]]] = [("start_interview", {"goal": "a tent"})]
    agent.model.then([*again, *again], "What for?")
    assert (await talk.say("a tent or so")).values["flow"] == "interviewing"
    agent.model.then([("hand_over", {"declined": True}), ("note_brief", {"size": "2"})], "So.")
    done = await talk.say("do not ask")
    assert (done.values["flow"], done.values["brief"].size) == ("shopping", "")


@pytest.mark.parametrize("moment", ["after_commit:decided", "after_commit:applied"])
async def test_a_process_that_dies_in_the_hand_over_hands_over_once(agent: Agent, moment: str):
    talk = await interviewed(agent)
    agent.model.then([("hand_over", {"wish": "see bags"})], "Here they are.")
    with cut_at(moment):
        await talk.say("very", "m")
    done = await talk.run(None)
    assert (done.values["flow"], answer_of(done)) == ("shopping", "Here they are.")
    assert (await of_turn(agent, talk)).count(Event.APPLIED) == 1
    prompt = agent.model.prompts[-1]
    assert prompt[0].text == SYSTEM
    assert "wants now=see bags" in prompt[-1].text


async def of_turn(agent: Agent, talk: Conversation) -> list[Event]:
    """Return what the ledger holds of the turn `m`."""
    return [entry.event for entry in await entries(agent, talk) if entry.turn_id == "m"]
