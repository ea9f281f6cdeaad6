"""Forks: who goes back or edits a checkpoint is asked anew, and nothing is done again."""

from itertools import cycle
from typing import Any

import orjson
import pytest
from langgraph.types import StateSnapshot

from daybook.state.errors import DaybookError, InputRefused, NothingPending
from daybook.state.ledger.recovery import Event
from daybook.state.people.tool_messages import as_said
from daybook.state.shop.cart import Cart, CartLine
from daybook.testing.model import last_result
from tests.answers import APPROVE, MAIL, decisions, question
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of, outcomes_of, receipt_of, receipts_of, texts
from tests.history import at, before, checkpoints, edited
from tests.purchases import PURCHASE, asked_to_buy, bought, entries, orders, with_boots, work_list


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


async def forked(talk: Conversation, snapshot: StateSnapshot, **values: Any) -> StateSnapshot:
    """Edit a checkpoint and go on from there; return where that ends."""
    config = await talk.graph.aupdate_state(at(talk, snapshot.config).config, values)
    await talk.graph.ainvoke(None, at(talk, config).config)
    return await talk.state()


def words_of(snapshot: StateSnapshot) -> Any:
    return [one for one in snapshot.values["messages"] if one.type == "human"][-1]


NODES = ("receive", "decide", "intend", "approve", "respond", None)

"""What comes next at the checkpoints of a purchase; nothing at the last one."""


async def reached(talk: Conversation, node: str | None) -> StateSnapshot:
    return await talk.state() if node is None else await before(talk, node)


@pytest.mark.parametrize("node", NODES)
async def test_a_purchase_goes_on_with_edited_words_from_every_checkpoint(
    agent: Agent, shop: Shop, node: str | None
):
    talk = await bought(agent)
    snapshot = await reached(talk, node)
    agent.model.then("As you like.")
    said = {"role": "user", "content": "other words", "id": words_of(snapshot).id}
    state = await forked(talk, snapshot, messages=[said])
    said = [message.text for message in as_said(state.values["messages"])]
    assert said[-2:] == ["other words", "As you like."]
    assert ("place_order", "done") in outcomes_of(state), "an edit leaves what was done"
    assert agent.model.script == []
    assert state.interrupts == ()
    assert shop.happened() == PURCHASE
    assert await work_list(agent) == {}


@pytest.mark.parametrize("node", NODES[1:])
async def test_a_purchase_goes_on_with_an_edited_cart_from_every_checkpoint(
    agent: Agent, shop: Shop, node: str | None
):
    talk = await bought(agent)
    order = orders(shop)[-1]["order_id"]
    snapshot = await reached(talk, node)
    cart = (await talk.state()).values["cart"]
    agent.model.then("I see what is in the cart.")
    state = await forked(talk, snapshot, cart=refilled(cart, 3))
    if node is not None:
        assert answer_of(state).endswith("I see what is in the cart.")
        assert order in "".join(receipts_of(state)), "it meets what was bought"
        assert agent.model.script == []
    assert state.interrupts == ()
    assert shop.happened() == PURCHASE
    assert await work_list(agent) == {}


def as_served(values: dict[str, Any]) -> Any:
    """Return the values of a state as the server's API gives them, and as a client sends them."""
    return orjson.loads(orjson.dumps(values, default=lambda one: one.model_dump()))


@pytest.mark.parametrize("node", NODES)
async def test_a_fork_that_edits_nothing_goes_on_as_its_checkpoint_does(
    agent: Agent, shop: Shop, node: str | None
):
    talk = await bought(agent)
    snapshot = await reached(talk, node)
    values = as_served(snapshot.values)
    config = await talk.graph.aupdate_state(at(talk, snapshot.config).config, values)
    assert (await talk.graph.aget_state(config)).next == snapshot.next
    await talk.graph.ainvoke(None, at(talk, config).config)
    assert shop.happened() == PURCHASE
    assert await work_list(agent) == {}


@pytest.mark.parametrize("as_node", ["__input__", "__start__", "respond"])
@pytest.mark.parametrize("id_", [None, "m-2"], ids=["new", "edited"])
async def test_words_written_as_whatever_node_are_answered(
    agent: Agent, shop: Shop, as_node: str, id_: str | None
):
    talk = await with_boots(agent)
    agent.model.then("Socks.")
    await talk.say("what socks?", "m-2")
    config = at(talk, (await before(talk, "respond")).config).config
    agent.model.then("Hats.")
    said = {"role": "user", "content": "what hats?", "id": id_}
    config = await talk.graph.aupdate_state(config, {"messages": [said]}, as_node)
    await talk.graph.ainvoke(None, at(talk, config).config)
    assert (await texts(talk))[-2:] == ["what hats?", "Hats."]
    assert shop.happened() == []


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"plan_id": "f" * 24}, "is control state"),
        ({"flow": "ordered", "ledger": {}}, "is control state"),
        ({"messages": [{"role": "ai", "content": "Paid.", "id": "m-1/answer"}]}, "be edited"),
        ({"messages": [{"role": "user", "content": "socks", "id": "m-1"}]}, "its own turn"),
        ({"messages": [{"role": "user", "content": ""}]}, "empty"),
        ({"cart": {"lines": "none"}}, "cart"),
    ],
)
async def test_what_cannot_be_forked_says_so(agent: Agent, values: dict[str, Any], why: str):
    talk = Conversation(agent.graph)
    agent.model.then("Yes?", "Well?")
    await talk.say("hello", "m-1")
    await talk.say("hello again", "m-2")
    stood = await talk.state()
    with pytest.raises(InputRefused, match=why) as refused:
        await talk.graph.aupdate_state(talk.config, values)
    assert "Nothing was changed" in str(refused.value)
    assert (await talk.state()).config == stood.config


async def test_edited_words_are_kept_without_what_nobody_may_keep(agent: Agent):
    talk = Conversation(agent.graph)
    agent.model.then("Yes?", "No.")
    said = await talk.say("hello", "m-1")
    card = {"role": "user", "content": "my card is 4111 1111 1111 1111", "id": "m-1"}
    await forked(talk, said, messages=[card])
    assert "4111 1111" not in str(await texts(talk))


async def test_new_words_at_an_old_checkpoint_are_a_turn_of_their_own(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    agent.model.then("As you like.")
    snapshot = await before(talk, "respond")
    done = await forked(talk, snapshot, messages=[{"role": "user", "content": "wait"}])
    assert [m.text for m in done.values["messages"]][-2:] == ["wait", "As you like."]
    assert shop.happened() == []
