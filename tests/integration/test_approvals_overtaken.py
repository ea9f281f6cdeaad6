"""What moves while a plan waits, and its question as other people's chat clients show it."""

from typing import Any

import pytest
from langgraph.types import Command

from daybook.state.errors import InputRefused, NothingPending, ToolRefused
from daybook.state.fault_points import FaultPoint, arm
from daybook.state.ledger.recovery import Event
from daybook.state.people.questions.message import ANSWER_ABOVE, is_asked
from daybook.state.receipts import ReceiptStatus
from daybook.testing.model import last_result
from tests.answers import APPROVE, MAIL, decisions, question
from tests.conftest import Agent, Shop
from tests.conversation import (
    Conversation,
    answer_of,
    outcomes_of,
    receipt_lines_of,
    receipt_of,
    receipts_of,
    texts,
)
from tests.faults.test_faults_doubt import in_doubt
from tests.purchases import PURCHASE, asked_to_buy, events, orders, still_held, with_boots


async def test_a_plan_that_a_message_cancelled_takes_no_late_approval(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    (asked,) = (await talk.state()).interrupts
    agent.model.script[:] = [[("remove_from_cart", {"sku": "BOOT-001"})], "It is out."]
    done = await talk.say("remove BOOT-001")
    assert answer_of(done) == "It is out."
    (line,) = receipt_lines_of(done)
    assert (line.kind, line.status, line.amount) == ("checkout", ReceiptStatus.NOT_DONE, 9_890)
    assert done.interrupts == ()
    assert done.values["flow"] == "shopping"
    (decided,) = await decisions(agent, talk)
    assert decided.detail["decisions"] == ["withdrawn"]
    for late in ({"decisions": [APPROVE]}, {asked.id: {"decisions": [APPROVE]}}):
        with pytest.raises(NothingPending):
            await talk.run(Command(resume=late))
    assert shop.happened() == []
    assert await events(agent, talk, "/charge") == [Event.INTENDED, Event.WITHDRAWN]
    agent.model.then([MAIL], last_result)
    await talk.say("no, mail me first")
    assert (await question(talk))["action_requests"][0]["name"] == "send_email"
    with pytest.raises(InputRefused):
        await talk.answer(APPROVE, approval_id=asked.value["approval_id"])
    assert shop.happened() == []
    await talk.approve()
    assert shop.happened() == ["mail"]


async def test_a_price_that_moved_before_the_answer_is_asked_again_each_time_with_the_difference(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent)
    first = (await question(talk))["approval_id"]
    shop.product("BOOT-001", price=12_345)
    asked = await talk.approve()
    assert shop.happened() == []
    assert agent.model.asked == 3, "the machine asks again, not the model"
    shown = asked.interrupts[0].value["action_requests"][0]["description"]
    assert "the price of BOOT-001 moved from 98.90 to 123.45 USD" in shown
    assert "was: Check out for 98.90 USD" in shown
    assert "now: Check out for 123.45 USD" in shown
    with pytest.raises(InputRefused, match="approval_id"):
        await talk.approve()  # a second click on the first version
    with pytest.raises(InputRefused):
        await talk.answer(APPROVE, approval_id=first)
    shop.product("BOOT-001", price=12_000)
    await talk.answer(APPROVE, approval_id=(await question(talk))["approval_id"])
    assert shop.happened() == []
    assert "now: Check out for 120.00 USD" in (await question(talk))["note"]
    done = await talk.answer(APPROVE, approval_id=(await question(talk))["approval_id"])
    assert shop.happened() == PURCHASE
    assert done.values["flow"] == "ordered"
    assert done.values["note"] == ""
    said = [(e.author, e.detail["decisions"]) for e in await decisions(agent, talk)]
    assert said == [("ada", ["moved"]), ("ada", ["moved"]), ("ada", ["approved"])]


async def test_stock_that_ran_out_or_a_card_that_is_gone_before_the_answer_is_not_charged(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent)
    shop.product("BOOT-001", stock=0)
    done = await talk.approve()
    assert done.interrupts == ()
    assert "BOOT-001 is no longer in stock in that quantity" in receipt_of(done)
    assert [line.sku for line in done.values["cart"].lines] == ["BOOT-001"]
    assert done.values["flow"] == "shopping"
    shop.product("BOOT-001", stock=1)
    agent.model.script[:] = [[("checkout", {})], last_result]
    await talk.say("they are back, check out")
    shop.http.delete("/admin/cards/card_ada_1").raise_for_status()
    assert outcomes_of(await talk.approve()) == [("checkout", "not done")] * 2
    assert shop.happened() == []


async def test_an_action_that_moved_does_not_take_the_one_beside_it_along(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    agent.model.then([("checkout", {}), MAIL], last_result)
    await talk.say("check out, and mail me")
    shop.product("BOOT-001", stock=0)
    asked = await talk.answer(APPROVE, APPROVE)
    assert [action["name"] for action in asked.interrupts[0].value["action_requests"]] == [
        "send_email"
    ]
    await talk.answer(APPROVE, approval_id=(await question(talk))["approval_id"])
    assert shop.happened() == ["mail"]


async def test_a_second_product_that_moved_after_the_answer_gives_the_first_back(
    agent: Agent, shop: Shop
):
    talk = Conversation(agent.graph)
    both = [("add_to_cart", {"sku": "BOOT-001"}), ("add_to_cart", {"sku": "SOCK-001"})]
    agent.model.then(both, "Both are in the cart.", [("checkout", {})], last_result)
    await talk.say("add boots and socks")
    await talk.say("check out")

    def sell_out(point: FaultPoint, about: str) -> None:
        if (point, about) == (FaultPoint.AFTER_REPLY, "reserve_inventory"):
            shop.product("SOCK-001", stock=0)

    arm(sell_out)
    try:
        done = await talk.approve()
    finally:
        arm(None)
    assert shop.happened() == ["reserve", "release"]
    assert "SOCK-001 is no longer in stock" in answer_of(done)
    assert still_held(shop) == []


async def test_a_cart_that_changed_is_asked_about_again_with_the_difference(
    agent: Agent, shop: Shop
):
    talk = Conversation(agent.graph)
    both = [("add_to_cart", {"sku": "BOOT-001"}), ("add_to_cart", {"sku": "SOCK-001"})]
    agent.model.then(both, "Both are in the cart.", [("checkout", {})], last_result)
    await talk.say("add boots and socks")
    first = (await talk.say("check out")).interrupts[0].value
    asked = await talk.happens("click-1", type="remove", sku="SOCK-001")
    assert agent.model.asked == 3, "no model is asked about an event"
    again = asked.interrupts[0].value
    assert again["approval_id"] != first["approval_id"]
    assert "was: 1 x" in again["note"]
    assert "SOCK-001" in again["note"]
    assert "now: Check out for 98.90 USD" in again["note"]
    with pytest.raises(InputRefused):
        await talk.answer(APPROVE, approval_id=first["approval_id"])
    with pytest.raises(InputRefused):
        await talk.approve()
    await talk.answer(APPROVE, approval_id=again["approval_id"])
    assert shop.happened() == PURCHASE
    assert [line["sku"] for line in orders(shop)[0]["lines"]] == ["BOOT-001"]


async def test_a_hold_that_ends_before_the_purchase_could_is_not_charged(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    shop.http.put("/admin/settings", json={"hold_seconds": 1}).raise_for_status()
    done = await talk.approve()
    assert shop.happened() == ["reserve", "release"]
    assert "The hold of reserve BOOT-001 ends before charge can finish" in answer_of(done)


async def test_a_cart_that_changed_withdraws_the_plan_that_waits_and_says_so(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent)
    state = await talk.happens("click-1", type="remove", sku="BOOT-001")
    assert state.values["cart"].lines == ()
    assert state.values["flow"] == "shopping"
    assert outcomes_of(state) == [("checkout", "not done")]
    assert agent.model.asked == 3, "no model is asked about an event"
    with pytest.raises(NothingPending):
        await talk.approve()
    assert shop.happened() == []


async def test_an_event_that_was_taken_before_or_cannot_be_leaves_the_plan_that_waits(
    agent: Agent, shop: Shop
):
    talk = await with_boots(agent)
    click = {"type": "set_quantity", "sku": "BOOT-001", "quantity": 2}
    await talk.happens("click-1", **click)
    agent.model.then([("checkout", {})], last_result)
    await talk.say("check out")
    assert (await talk.happens("click-1", **click)).interrupts
    with pytest.raises(ToolRefused):
        await talk.happens("click-2", type="remove", sku="SOCK-001")
    assert (await question(talk))["action_requests"][0]["name"] == "checkout"
    await talk.approve()
    assert shop.happened() == PURCHASE


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
    title = 'It is not known whether the mail "Hello" was sent (send_email)'
    assert request["description"].startswith(f"{title}. Did it happen?\n\nReason: ")
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
