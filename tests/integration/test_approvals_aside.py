"""A question that waits while its user asks about something else, and what cancels it."""

from typing import Any

import pytest

from daybook.state.errors import ModelUnavailable, NothingPending
from daybook.state.ledger.recovery import Event
from daybook.state.people.questions.message import ANSWER_ABOVE
from daybook.testing.model import last_result
from tests.answers import APPROVE, MAIL, decisions, edit, question
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of, outcomes_of, receipts_of, texts
from tests.cuts import cut_at
from tests.purchases import PURCHASE, asked_to_buy, events, orders

CHANGED = "Your message changed the cart, so the pending checkout was cancelled."
TWO = ("set_quantity", {"sku": "BOOT-001", "quantity": 2})


async def looked(agent: Agent, *more: Any) -> tuple[Conversation, dict[str, Any]]:
    """Ask to buy, look at the cart meanwhile, and return the question as it was put first."""
    talk = await asked_to_buy(agent)
    first = await question(talk)
    agent.model.script[:] = [[("get_cart", {})], "One pair of boots.", *more]
    await talk.say("what's in my cart?", "looks")
    return talk, first


async def test_a_message_that_only_reads_leaves_the_question_as_it_was(agent: Agent, shop: Shop):
    talk, first = await looked(agent, last_result)
    waits = await talk.state()
    assert answer_of(waits) == "One pair of boots."
    assert waits.interrupts[0].value == first
    assert waits.values["flow"] == "buying"
    assert await decisions(agent, talk) == []
    threads = agent.resources.postgres.threads
    (thread,) = await threads.of_user("ada", agent.graph.domain, agent.resources.world)
    assert thread.status == "waiting"
    done = await talk.approve()
    assert shop.happened() == PURCHASE
    assert done.values["flow"] == "ordered"
    assert "order DB-" in answer_of(done)
    told = agent.model.prompts[-1]
    assert "[later]" in told[-2].text, "what came of it stands behind what was asked meanwhile"
    agent.model.script[:] = ["You are welcome."]
    assert answer_of(await talk.say("thank you")) == "You are welcome."
    said = [message.text for message in agent.model.prompts[-1]]
    assert said.index("One pair of boots.") < said.index(answer_of(done))


async def test_the_model_is_shown_that_the_call_waits(agent: Agent):
    await looked(agent)
    (waits,) = [one for one in agent.model.prompts[-1] if "has not answered" in one.text]
    assert waits.type == "tool"


async def test_several_messages_may_come_between_and_another_answer_is_taken_too(
    agent: Agent, shop: Shop
):
    talk, first = await looked(agent, "Boots keep for years.", last_result)
    await talk.say("how long do they last?")
    again = await talk.say("yes", "typed")
    assert answer_of(again) == ANSWER_ABOVE
    assert (await question(talk)) == first
    other = edit(card_id="card_ada_1", address_id="addr_ada_1")
    asked = await talk.answer(other, approval_id=first["approval_id"])
    assert asked.interrupts == ()
    assert shop.happened() == PURCHASE


async def test_a_message_that_changes_the_cart_cancels_it_and_says_so(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    first = await question(talk)
    agent.model.script[:] = [[TWO], "There are two now."]
    done = await talk.say("make it two")
    assert done.interrupts == ()
    assert CHANGED in "".join(receipts_of(done))
    assert outcomes_of(done) == [("checkout", "not done")]
    assert done.values["flow"] == "shopping"
    assert [line.quantity for line in done.values["cart"].lines] == [2]
    with pytest.raises(NothingPending):
        await talk.answer(APPROVE, approval_id=first["approval_id"])
    agent.model.script[:] = [[("checkout", {})], last_result]
    await talk.say("check out")
    await talk.approve()
    assert shop.happened() == PURCHASE
    assert [line["quantity"] for line in orders(shop)[0]["lines"]] == [2]


@pytest.mark.parametrize(
    "call",
    [
        ("add_to_cart", {"sku": "BOOT-001", "variant": "43"}),
        ("remember", {"subject": "shoe size", "value": "43"}),
        ("checkout", {"card_id": "card_nobody"}),
    ],
    ids=lambda call: call[0],
)
async def test_what_is_refused_or_changes_nothing_of_it_cancels_nothing(
    agent: Agent, shop: Shop, call: tuple[str, dict[str, Any]]
):
    talk = await asked_to_buy(agent)
    first = await question(talk)
    agent.model.script[:] = [[call], "Well.", last_result]
    await talk.say("my shoe size is 43")
    assert await question(talk) == first
    await talk.approve()
    assert shop.happened() == PURCHASE


async def test_another_effect_cancels_it_and_is_asked_about(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    agent.model.script[:] = [[MAIL], last_result]
    asked = await talk.say("mail me first")
    assert "asked for something else, so the pending checkout was cancelled" in "".join(
        receipts_of(asked)
    )
    assert (await question(talk))["action_requests"][0]["name"] == "send_email"
    await talk.approve()
    assert shop.happened() == ["mail"]
    assert await events(agent, talk, "/charge") == [Event.INTENDED, Event.WITHDRAWN]


async def test_the_same_purchase_with_another_card_is_asked_about_in_its_place(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent, "ben", card_id="card_ben_1", address_id="addr_ben_1")
    agent.model.script[:] = [
        [("checkout", {"card_id": "card_ben_2", "address_id": "addr_ben_1"})],
        last_result,
    ]
    asked = await talk.say("with the other card")
    assert asked.interrupts[0].value["action_requests"][0]["args"]["card_id"] == "card_ben_2"
    await talk.approve()
    assert shop.happened() == PURCHASE


async def test_a_price_that_moved_meanwhile_is_asked_about_again(agent: Agent, shop: Shop):
    talk, _ = await looked(agent, last_result)
    shop.product("BOOT-001", price=12_345)
    asked = await talk.approve()
    assert shop.happened() == []
    assert "now: Check out for 123.45 USD" in asked.interrupts[0].value["note"]
    await talk.answer(APPROVE, approval_id=(await question(talk))["approval_id"])
    assert shop.happened() == PURCHASE


async def test_a_change_outside_the_chat_cancels_it_as_before(agent: Agent, shop: Shop):
    talk, _ = await looked(agent)
    state = await talk.happens("click", type="remove", sku="BOOT-001")
    assert (state.interrupts, state.values["flow"]) == ((), "shopping")
    assert outcomes_of(state) == [("checkout", "not done")]
    assert shop.happened() == []


async def test_the_wish_to_stop_stops_it(agent: Agent, shop: Shop):
    talk, _ = await looked(agent)
    done = await talk.say("stop")
    assert (done.interrupts, done.values["flow"]) == ((), "shopping")
    assert [one.detail["decisions"] for one in await decisions(agent, talk)] == [["withdrawn"]]
    assert shop.happened() == []


async def test_a_question_waits_while_the_model_is_away(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    first = await question(talk)
    agent.model.script[:] = [ModelUnavailable("It is away.")]
    with pytest.raises(ModelUnavailable):
        await talk.say("what's in my cart?")
    assert answer_of(await talk.say("yes")) == ANSWER_ABOVE
    assert await question(talk) == first
    agent.model.script[:] = [last_result]
    await talk.approve()
    assert shop.happened() == PURCHASE


@pytest.mark.parametrize(
    ("at", "is_cancelled"),
    [
        ("after_commit:received", False),
        ("after_commit:decided", False),
        ("after_commit:turn_done", False),
        ("before_commit:decision", True),
        ("after_commit:decision", True),
    ],
)
async def test_a_process_that_dies_meanwhile_leaves_it_waiting_or_cancelled(
    agent: Agent, shop: Shop, at: str, is_cancelled: bool
):
    talk = await asked_to_buy(agent)
    first = await question(talk)
    read = [[("get_cart", {})], "One pair of boots."]
    agent.model.script[:] = [[TWO], "There are two now."] if is_cancelled else read
    with cut_at(at):
        await talk.say("and now?", "now")
    await talk.taken_over()
    done = await talk.run(None)
    if is_cancelled:
        assert done.interrupts == ()
        assert "".join(receipts_of(done)).count(CHANGED) == 1
        assert [line.quantity for line in done.values["cart"].lines] == [2]
        assert shop.happened() == []
        return
    assert done.interrupts[0].value == first
    assert (await texts(talk)).count("One pair of boots.") == 1
    agent.model.script[:] = [last_result]
    await talk.approve()
    assert shop.happened() == PURCHASE
