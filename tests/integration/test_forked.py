"""The ordinary fork: a checkpoint is edited and run on from, as Studio and the SDK do."""

from typing import Any

import orjson
import pytest
from langgraph.types import StateSnapshot

from daybook.state.errors import InputRefused
from daybook.state.people.called import as_said
from daybook.testing.model import last_result
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of, outcomes_of, receipts_of, texts
from tests.history import at, before
from tests.integration.test_forks import refilled
from tests.purchases import PURCHASE, asked_to_buy, bought, orders, with_boots, work_list


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


async def test_a_whole_state_as_it_was_served_is_edited_in_one_place(agent: Agent, shop: Shop):
    talk = await bought(agent)
    snapshot = await reached(talk, "respond")
    values = as_served(snapshot.values)
    agent.model.then("I see what is in the cart.")
    values["cart"] = as_served({"cart": refilled(snapshot.values["cart"], 3)})["cart"]
    state = await forked(talk, snapshot, **values)
    assert answer_of(state).endswith("I see what is in the cart.")
    assert shop.happened() == PURCHASE


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


async def test_a_cart_edited_under_a_question_is_asked_about_anew(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    snapshot = await talk.state()
    agent.model.script[:] = [[("checkout", {})], last_result]
    cart = refilled(snapshot.values["cart"], 2).model_dump(mode="json")
    asked = await forked(talk, snapshot, cart=cart)
    assert "197.80 USD" in asked.interrupts[0].value["action_requests"][0]["description"]
    await talk.approve()
    assert len(orders(shop)) == 1
    assert shop.happened() == PURCHASE


async def test_a_read_is_decided_on_anew_with_edited_words(agent: Agent):
    talk = Conversation(agent.graph)
    agent.model.then([("search_products", {"query": "boots"})], "Boots.")
    await talk.say("boots", "m-1")
    for node in ("look", "decide", "respond"):
        agent.model.then([("search_products", {"query": "socks"})], f"Socks at {node}.")
        snapshot = await before(talk, node)
        said = {"role": "user", "content": f"socks, {node}", "id": "m-1"}
        done = await forked(talk, snapshot, messages=[said])
        assert [m.text for m in as_said(done.values["messages"])] == [
            said["content"],
            f"Socks at {node}.",
        ]
        assert "boots" not in str([m.text for m in agent.model.prompts[-1][1:]])


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"plan_id": "f" * 24}, "where the machine stands"),
        ({"flow": "ordered", "ledger": {}}, "where the machine stands"),
        ({"messages": [{"role": "ai", "content": "Paid.", "id": "m-1/answer"}]}, "as it was said"),
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
