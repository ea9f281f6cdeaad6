"""Forks: who goes back and decides otherwise is asked anew, and what was done is not done again."""

from itertools import cycle
from typing import Any

import pytest

from daybook.state.errors import DaybookError, InputRefused, NothingPending
from daybook.state.ledger.recovery import Event
from daybook.state.people.called import as_said
from daybook.state.shop.cart import Cart, CartLine
from daybook.testing.model import last_result
from tests.answers import APPROVE, MAIL, decisions, question
from tests.conftest import Agent, Shop
from tests.conversation import answer_of, outcomes_of, receipt_of
from tests.history import at, before, checkpoints, edited
from tests.purchases import (
    PURCHASE,
    asked_to_buy,
    bought,
    entries,
    orders,
    with_boots,
    work_list,
)


def refilled(cart: Cart, quantity: int) -> Cart:
    """Put boots into a cart by hand, as somebody does who edits its state."""
    boots = CartLine(sku="BOOT-001", name="Boots", quantity=quantity, unit_price=9_890)
    return cart.model_copy(update={"lines": (boots,)})


# -- of a purchase that ended ------------------------------------------------------------------------


async def test_another_message_from_before_a_purchase_meets_what_was_bought(
    agent: Agent, shop: Shop
):
    talk = await with_boots(agent)
    snapshot = (await checkpoints(talk))[0]
    agent.model.then([("checkout", {})], last_result, [("checkout", {})], last_result)
    await talk.say("check out")
    await talk.approve()
    order = orders(shop)[-1]["order_id"]
    await at(talk, snapshot.config).say("buy it")
    done = await talk.state()
    said = [one.text for one in as_said(done.values["messages"])]
    assert said[-2] == "buy it"
    assert order in receipt_of(done), "it is told what was bought meanwhile"
    assert "checkout refused: The cart is empty" in said[-1]
    assert done.interrupts == ()
    assert shop.happened() == PURCHASE


EDITS: list[dict[str, Any]] = [
    {"cart": 2},
    {"cart": 1, "flow": "shopping"},
    # The view of the ledger, the plan, and what the state includes of it.
    {"ledger": {}, "flow": "shopping"},
    {"plan_id": None, "flow": "shopping"},
    {"plan_id": "f" * 24},
    {"applied": 0, "advanced": 0},
    {"decision": None},
]


@pytest.mark.parametrize(
    "first", [1, 4, *(pytest.param(n, marks=pytest.mark.long) for n in (0, 2, 3, 5, 6))]
)
async def test_edited_state_of_an_ended_purchase_buys_nothing_again(
    agent: Agent, shop: Shop, first: int
):
    """The edits have their turns at the checkpoints; which one begins is the parameter."""
    talk = await bought(agent)
    cart = (await checkpoints(talk))[-1].values["cart"]
    for snapshot, edit in zip(await checkpoints(talk), cycle(EDITS[first:] + EDITS[:first])):
        agent.model.script[:] = [[("checkout", {})], last_result] * 3
        values = dict(edit)
        if "cart" in values:
            values["cart"] = refilled(cart, values["cart"])
        try:
            await edited(talk, snapshot, **values)
        except DaybookError as error:
            assert "Nothing was" in str(error)
        state = await talk.state()
        assert state.interrupts == (), f"{edit} at {snapshot.next}"
        assert shop.happened() == PURCHASE, f"{edit} at {snapshot.next}"
    agent.model.script[:] = [[("checkout", {})], last_result]
    done = await talk.say("check out")
    assert done.interrupts == ()
    assert shop.happened() == PURCHASE
    assert await work_list(agent) == {}


async def test_a_rewritten_decision_is_not_carried_out_beside_the_recorded_one(
    agent: Agent, shop: Shop
):
    talk = await bought(agent)
    order = orders(shop)[-1]["order_id"]
    name, args = MAIL
    for node in ("intend", "approve"):
        snapshot = await before(talk, node)
        calls = [{"name": name, "args": args}]
        pending = {**snapshot.values["decision"], "calls": calls}
        done = await edited(talk, snapshot, decision=pending)
        assert order in answer_of(done)
        assert done.interrupts == ()
    assert shop.happened() == PURCHASE
    assert agent.model.asked == 4


async def test_a_cart_that_was_written_by_hand_is_bought_by_an_approval_of_its_own(
    agent: Agent, shop: Shop
):
    talk = await bought(agent)
    cart = (await talk.state()).values["cart"]
    await agent.graph.aupdate_state(talk.config, {"cart": refilled(cart, 2)}, "respond")
    agent.model.then([("checkout", {})], last_result)
    asked = await talk.say("check out")
    assert "197.80 USD" in asked.interrupts[0].value["action_requests"][0]["description"]
    assert shop.happened() == PURCHASE
    await talk.approve()
    assert shop.happened() == PURCHASE * 2


# -- of a purchase that waits ------------------------------------------------------------------------


async def test_another_decision_at_the_same_turn_withdraws_the_question_and_asks_its_own(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent)
    old = await question(talk)
    snapshot = await before(talk, "decide", ordinal=0)
    agent.model.script[:] = [[("checkout", {})], last_result]
    await edited(talk, snapshot, cart=refilled(snapshot.values["cart"], 2))
    asked = await question(talk)
    assert asked["approval_id"] != old["approval_id"]
    assert "197.80 USD" in asked["action_requests"][0]["description"]
    with pytest.raises(InputRefused):
        await talk.answer(APPROVE, approval_id=old["approval_id"])
    assert shop.happened() == []
    done = await talk.approve()
    assert shop.happened() == PURCHASE
    assert orders(shop)[-1]["total"] == 2 * 9_890
    withdrawn, *carried_out = outcomes_of(done)
    assert withdrawn == ("checkout", "not done")
    assert ("place_order", "done") in carried_out
    assert [d.detail["decisions"] for d in await decisions(agent, talk)] == [
        ["withdrawn"],
        ["approved"],
    ]
    assert await work_list(agent) == {}


async def test_the_question_of_the_branch_that_was_left_can_no_longer_be_answered(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent)
    waiting = (await checkpoints(talk))[0]
    snapshot = await before(talk, "decide", ordinal=0)
    agent.model.script[:] = ["I see."] * 3
    await edited(talk, snapshot, cart=refilled(snapshot.values["cart"], 2))
    for place in (talk, at(talk, waiting.config)):
        with pytest.raises(NothingPending):
            await place.approve()
    assert answer_of(await talk.state()).endswith("I see.")
    assert shop.happened() == []
    assert await work_list(agent) == {}


# -- each branch remembers what it decided -----------------------------------------------------------


def calls_in(agent: Agent) -> list[str]:
    """Return what the last prompt says that was called, in order."""
    return [
        call["args"]["sku"]
        for m in agent.model.prompts[-1]
        for call in getattr(m, "tool_calls", ())
    ]


async def test_each_branch_goes_on_with_its_own_decisions_and_changes(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    head = (await checkpoints(talk))[0]
    snapshot = await before(talk, "decide", ordinal=0)
    agent.model.then([("add_to_cart", {"sku": "SOCK-001"})], "Socks are in the cart.")
    state = await edited(
        talk,
        snapshot,
        checkout=snapshot.values["checkout"].model_copy(update={"card_id": "card_ada_2"}),
    )
    assert [line.sku for line in state.values["cart"].lines] == ["SOCK-001"]
    assert answer_of(state) == "Socks are in the cart."
    other = (await checkpoints(talk))[0]
    agent.model.then("One.", "Two.", "Three.")
    await at(talk, head.config).say("and?")
    assert calls_in(agent) == ["BOOT-001"]
    await at(talk, other.config).say("and?")
    assert calls_in(agent) == ["SOCK-001"]
    texts = [m.text for m in agent.model.prompts[-1]]
    assert texts.index("Socks are in the cart.") > texts.index("add BOOT-001")
    await talk.say("go on")
    assert calls_in(agent) == ["SOCK-001"]
    found = [entry.event for entry in await entries(agent, talk)]
    assert found.count(Event.APPLIED) == 2
