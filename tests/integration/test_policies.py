"""Who may approve: customers, clerks, operators; what policy approves by itself."""

import pytest

from daybook.state.errors import ForeignThread, InputRefused, StaffMayNot
from daybook.state.ledger.recovery import Event
from daybook.state.money import Money
from daybook.state.people.policy import Policy, Rule
from daybook.testing.model import last_result
from tests.answers import APPROVE, MAIL, REJECT, decisions, edit, question
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.purchases import PURCHASE, asked_to_buy, entries, orders, rebuilt, with_boots

CLERKS = Rule(name="clerks charge", tools=("charge_payment",), approval="clerk")


def ruled(agent: Agent, *rules: Rule) -> Agent:
    """Build the agent again under the rules of a deployment."""
    return rebuilt(agent, policy=Policy(rules=rules))


def staff(agent: Agent, talk: Conversation, user: str = "cleo", role: str = "clerk"):  # type: ignore[no-untyped-def]
    """Let somebody who serves come into a customer's thread."""
    return Conversation(agent.graph, user, talk.thread_id, role)


async def test_what_needs_a_clerk_is_approved_by_a_clerk_in_the_customers_name_and_not_by_its_customer(
    agent: Agent, shop: Shop
):
    agent = ruled(agent, CLERKS)
    talk = await asked_to_buy(agent)
    assert (await question(talk))["needs"]["role"] == "clerk"
    asked = await talk.approve()
    assert shop.happened() == []
    assert await decisions(agent, talk) == []
    shown = asked.interrupts[0].value
    assert shown["note"] == (
        "This needs approval by a clerk, and ada is a customer. Nothing was done."
    )
    described = shown["action_requests"][0]["description"]
    assert "It needs approval by a clerk (clerks charge)." in described
    done = await staff(agent, talk).answer(APPROVE, approval_id=shown["approval_id"])
    assert shop.happened() == PURCHASE
    assert orders(shop, "ada") != []
    assert "It needs" not in answer_of(done)
    (decided,) = await decisions(agent, talk)
    assert (decided.author, decided.role, decided.at is not None) == ("cleo", "clerk", True)
    (opened,) = [e for e in await entries(agent, talk) if e.event is Event.OPENED]
    assert opened.detail["needs"] == {"role": "clerk", "doubt": "clerk", "rules": ["clerks charge"]}


async def test_whoever_may_not_approve_may_say_no_and_an_edit_of_theirs_is_asked_about_again(
    agent: Agent, shop: Shop
):
    agent = ruled(agent, CLERKS)
    mine = {"card_id": "card_ben_1", "address_id": "addr_ben_1"}
    talk = await asked_to_buy(agent, user="ben", **mine)
    assert (await talk.answer(REJECT)).interrupts == ()
    agent.model.then([("checkout", mine)], last_result)
    await talk.say("check out after all")
    asked = await talk.answer(edit(card_id="card_ben_2", address_id="addr_ben_1"))
    assert shop.happened() == []
    assert asked.interrupts[0].value["needs"]["role"] == "clerk"
    asked_again = asked.interrupts[0].value["approval_id"]
    await staff(agent, talk).answer(APPROVE, approval_id=asked_again)
    assert shop.happened() == PURCHASE


async def test_an_edit_to_another_tool_goes_through_the_policy_of_that_tool(agent, shop):
    agent = ruled(agent, Rule(name="mails", tools=("charge_payment",), approval="operator"))
    talk = await with_boots(agent)
    agent.model.then([MAIL], last_result)
    await talk.say("mail me")
    assert (await question(talk))["needs"]["role"] == "customer"
    asked = await talk.answer(edit("checkout"))
    needs = asked.interrupts[0].value
    assert (needs["action_requests"][0]["name"], needs["needs"]["role"]) == ("checkout", "operator")
    await talk.answer(APPROVE, approval_id=needs["approval_id"])
    assert shop.happened() == []
    await staff(agent, talk, "olga", "operator").answer(APPROVE, approval_id=needs["approval_id"])
    assert shop.happened() == PURCHASE


async def test_four_eyes_are_two_people(agent: Agent, shop: Shop):
    agent = ruled(
        agent, Rule(name="two", tools=("charge_payment",), approval="clerk", four_eyes=True)
    )
    talk = Conversation(agent.graph, "ada", role="operator")
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})], "It is in the cart.")
    await talk.say("add BOOT-001")
    agent.model.then([("checkout", {})], last_result)
    await talk.say("check out")
    asked = await talk.approve()
    assert shop.happened() == []
    assert "This needs approval by another user" in asked.interrupts[0].value["note"]
    await staff(agent, talk).approve()
    assert shop.happened() == PURCHASE


async def test_small_purchases_of_one_person_may_be_approved_by_policy(agent: Agent, shop: Shop):
    small = Rule(
        name="small purchases of ada",
        users=("ada",),
        up_to=Money(amount=10_000, currency="USD"),
        approval="nobody",
    )
    agent = ruled(agent, small)
    talk = await with_boots(agent)
    agent.model.then([("checkout", {})], last_result)
    done = await talk.say("check out")
    assert done.interrupts == ()
    assert shop.happened() == PURCHASE
    (opened,) = [e for e in await entries(agent, talk) if e.event is Event.OPENED]
    assert opened.author == "policy"
    assert opened.detail["needs"] == {"role": "nobody", "rules": ["small purchases of ada"]}
    shop.product("BOOT-001", price=10_001)
    other = await asked_to_buy(agent, thread=None)
    assert shop.happened() == PURCHASE
    assert (await question(other))["needs"]["role"] == "customer"


async def test_a_clerk_speaks_in_nobodys_thread_but_their_own_and_a_stranger_comes_nowhere(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent)
    with pytest.raises(StaffMayNot):
        await staff(agent, talk).say("and ten more")
    with pytest.raises(StaffMayNot):
        await staff(agent, talk).happens("click", type="remove", sku="BOOT-001")
    with pytest.raises(ForeignThread):
        await staff(agent, talk, "mallory", "customer").approve()
    with pytest.raises(InputRefused):
        await staff(agent, talk, "mallory", "admin").approve()
    assert shop.happened() == []
    assert (await question(talk))["approval_id"]
    await talk.approve()
    assert shop.happened() == PURCHASE


async def test_a_doubt_may_need_a_clerk_s_word(agent: Agent, shop: Shop):
    agent = ruled(
        agent, Rule(name="mails", tools=("send_email",), approval="customer", doubt="clerk")
    )
    talk = Conversation(agent.graph)
    agent.model.then([MAIL], last_result)
    await talk.say("mail me")
    shop.fault("mail", "drop", seconds=30)
    asked = await talk.approve()
    assert "in_doubt" in asked.interrupts[0].value
    happened = {"type": "respond", "message": "it happened"}
    barred = await talk.answer(happened)
    assert "This needs an answer from a clerk" in barred.interrupts[0].value["note"]
    done = await staff(agent, talk).answer(happened)
    assert done.interrupts == ()
    said = next(e for e in await entries(agent, talk) if e.event is Event.HAPPENED)
    assert (said.author, said.role) == ("cleo", "clerk")
