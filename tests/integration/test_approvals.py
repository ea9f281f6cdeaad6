"""What people answer to the question about a plan, in every shape, in time and too late."""

from typing import Any

import pydantic
import pytest
from langgraph.types import Command

from state.entry import Entry
from state.errors import ForeignThread, NothingPending, ToolRefused
from state.recovery import Event
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.purchases import PURCHASE, asked_to_buy, entries, events, still_held, with_boots
from tests.scripted import last_result

MAIL = ("send_email", {"subject": "Hello", "body": "As you asked."})
APPROVE = {"type": "approve"}
REJECT = {"type": "reject", "message": "too dear"}


def edit(name: str = "checkout", **args: str) -> dict[str, Any]:
    """Edit the call that is asked about."""
    return {"type": "edit", "edited_action": {"name": name, "args": args}}


async def decisions(agent: Agent, talk: Conversation) -> list[Entry]:
    """Return what the ledger says that people decided."""
    return [e for e in await entries(agent, talk) if e.event is Event.DECISION]


async def question(talk: Conversation) -> dict[str, Any]:
    """Return the one question that waits."""
    (asked,) = (await talk.state()).interrupts
    value: dict[str, Any] = asked.value
    return value


async def test_an_approval_is_recorded_with_who_gave_it(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    await talk.approve()
    (decided,) = await decisions(agent, talk)
    assert (decided.author, decided.role) == ("ada", "customer")
    assert decided.detail["decisions"] == ["approved"]
    assert shop.happened() == PURCHASE


async def test_a_rejection_does_nothing_and_keeps_the_cart(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    done = await talk.answer(REJECT)
    assert shop.happened() == []
    assert answer_of(done) == "checkout rejected by ada: too dear"
    assert [line.sku for line in done.values["cart"].lines] == ["BOOT-001"]
    assert done.values["flow"] == "shopping"
    (decided,) = await decisions(agent, talk)
    assert decided.detail["decisions"] == ["rejected"]
    assert decided.payload["told"] == {"0": "too dear"}


async def test_what_was_rejected_can_be_asked_for_again(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    await talk.answer(REJECT)
    agent.model.then([("checkout", {})], last_result)
    await talk.say("all right, do it")
    await talk.approve()
    assert shop.happened() == PURCHASE


async def test_a_response_counts_as_a_rejection_with_its_message(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    done = await talk.answer({"type": "respond", "message": "only if it ships today"})
    assert shop.happened() == []
    assert answer_of(done) == "checkout rejected by ada: only if it ships today"
    (decided,) = await decisions(agent, talk)
    assert decided.detail["decisions"] == ["rejected"]


async def test_an_edit_to_another_card_and_address_is_carried_out_without_asking_again(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent, "ben", card_id="card_ben_1", address_id="addr_ben_1")
    done = await talk.answer(edit(card_id="card_ben_2", address_id="addr_ben_2"))
    assert done.interrupts == ()
    assert shop.happened() == PURCHASE
    found = {e["effect"]: e["detail"] for e in shop.http.get("/effects").json()}
    assert found["charge"]["card_id"] == "card_ben_2"
    assert found["order"]["address_id"] == "addr_ben_2"
    assert "charged to card_ben_2" in answer_of(done)
    edited, approved = await decisions(agent, talk)
    assert (edited.author, edited.detail["decisions"]) == ("ben", ["edited"])
    assert (approved.author, approved.detail["decisions"]) == ("ben", ["approved"])
    assert agent.model.asked == 4


async def test_an_edit_that_moves_other_money_is_asked_again_and_needs_the_new_approval_id(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent, "hugo")
    shop.product("BOOT-001", price=10_990)
    again = await talk.answer(edit(card_id="card_hugo_1", address_id="addr_hugo_1"))
    assert shop.happened() == []
    asked = again.interrupts[0].value
    assert "109.90 USD" in asked["action_requests"][0]["description"]
    with pytest.raises(pydantic.ValidationError):
        await talk.answer(APPROVE)
    assert shop.happened() == []
    await talk.answer(APPROVE, approval_id=asked["approval_id"])
    assert shop.happened() == PURCHASE


async def test_an_edit_that_cannot_be_taken_is_asked_again_with_the_reason(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent, "ben", card_id="card_ben_1", address_id="addr_ben_1")
    again = await talk.answer(edit(card_id="card_ada_1", address_id="addr_ben_1"))
    described = again.interrupts[0].value["action_requests"][0]["description"]
    assert "The edit of checkout cannot be taken: There is no card_id card_ada_1" in described
    assert shop.happened() == []
    assert await decisions(agent, talk) == []
    done = await talk.approve()
    assert shop.happened() == PURCHASE
    assert "charged to card_ben_1" in answer_of(done)


async def test_an_edit_to_a_tool_that_is_no_write_is_asked_again_with_the_reason(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent)
    again = await talk.answer(edit("search_products", query="boots"))
    described = again.interrupts[0].value["action_requests"][0]["description"]
    assert "search_products is no write" in described
    await talk.answer(REJECT)
    assert shop.happened() == []


async def test_an_edit_to_another_tool_goes_through_the_approval_of_that_tool(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent)
    again = await talk.answer(edit(MAIL[0], **MAIL[1]))
    assert shop.happened() == []
    asked = again.interrupts[0].value
    assert [request["name"] for request in asked["action_requests"]] == ["send_email"]
    done = await talk.answer(APPROVE, approval_id=asked["approval_id"])
    assert shop.happened() == ["mail"]
    assert done.values["flow"] == "shopping"


WRONG = [
    pytest.param({}, id="nothing"),
    pytest.param({"decisions": []}, id="no-decision"),
    pytest.param({"decisions": [APPROVE, APPROVE]}, id="two-for-one"),
    pytest.param({"decisions": [{"type": "buy"}]}, id="unknown-type"),
    pytest.param({"decisions": [{"type": "edit"}]}, id="edit-of-nothing"),
    pytest.param({"decisions": [APPROVE], "price": 1}, id="unknown-field"),
    pytest.param([{"type": "edit", "args": "another card"}], id="inbox-edit-of-nothing"),
    pytest.param({"decisions": [APPROVE], "approval_id": "another"}, id="stale-approval-id"),
    pytest.param("yes", id="text"),
    pytest.param(True, id="yes"),
]


@pytest.mark.parametrize("wrong", WRONG)
async def test_an_answer_of_the_wrong_shape_changes_nothing_and_can_be_given_again(
    agent: Agent, shop: Shop, wrong: Any
):
    talk = await asked_to_buy(agent)
    before = await entries(agent, talk)
    with pytest.raises(pydantic.ValidationError):
        await talk.run(Command(resume=wrong))
    assert await entries(agent, talk) == before
    assert (await question(talk))["action_requests"][0]["name"] == "checkout"
    assert shop.happened() == []
    await talk.approve()
    assert shop.happened() == PURCHASE


INBOX = [
    pytest.param([{"type": "accept", "args": None}], PURCHASE, id="accept"),
    pytest.param([{"type": "ignore", "args": None}], [], id="ignore"),
    pytest.param([{"type": "response", "args": "not now"}], [], id="response"),
    pytest.param(
        [{"type": "edit", "args": {"action": "checkout", "args": {"card_id": "card_ada_1"}}}],
        PURCHASE,
        id="edit",
    ),
    pytest.param({"decisions": [{"type": "reject", "args": "not now"}]}, [], id="hitl-reject"),
    pytest.param(
        {
            "decisions": [
                {"type": "edit", "args": {"action": "checkout", "args": {"card_id": "card_ada_1"}}}
            ]
        },
        PURCHASE,
        id="hitl-edit",
    ),
]


@pytest.mark.parametrize(("given", "happens"), INBOX)
async def test_the_answers_of_agent_inbox_are_read(
    agent: Agent, shop: Shop, given: Any, happens: list[str]
):
    talk = await asked_to_buy(agent)
    done = await talk.run(Command(resume=given))
    assert shop.happened() == happens
    assert done.interrupts == ()
    if "not now" in str(given):
        assert answer_of(done) == "checkout rejected by ada: not now"


async def test_an_answer_that_names_its_question_is_taken(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    (asked,) = (await talk.state()).interrupts
    answer = {"decisions": [APPROVE], "approval_id": asked.value["approval_id"]}
    await talk.run(Command(resume={asked.id: answer}))
    assert shop.happened() == PURCHASE


async def test_an_answer_when_nothing_waits_is_refused(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    with pytest.raises(NothingPending):
        await talk.approve()
    assert shop.happened() == []


async def test_an_answer_on_a_thread_that_never_was_is_refused(agent: Agent, shop: Shop):
    with pytest.raises(NothingPending):
        await Conversation(agent.graph).approve()


async def test_a_second_click_is_refused(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    await talk.approve()
    with pytest.raises(NothingPending):
        await talk.approve()
    assert shop.happened() == PURCHASE


async def test_a_new_message_withdraws_the_plan_that_waits_and_says_so(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    agent.model.script[:] = ["What colour would you like?"]
    done = await talk.say("wait, do they come in blue?")
    notice, answer = answer_of(done).split("\n\n")
    assert notice.endswith("this was withdrawn: Check out for 98.90 USD.")
    assert answer == "What colour would you like?"
    assert done.interrupts == ()
    assert done.values["flow"] == "shopping"
    (decided,) = await decisions(agent, talk)
    assert decided.detail["decisions"] == ["withdrawn"]
    with pytest.raises(NothingPending):
        await talk.approve()
    assert shop.happened() == []
    assert await events(agent, talk, "/charge") == [Event.INTENDED, Event.WITHDRAWN]


async def test_an_approval_of_a_withdrawn_plan_by_its_old_name_does_nothing(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent)
    (asked,) = (await talk.state()).interrupts
    agent.model.script[:] = ["What colour would you like?"]
    await talk.say("wait, do they come in blue?")
    with pytest.raises(NothingPending):
        await talk.run(Command(resume={asked.id: {"decisions": [APPROVE]}}))
    assert shop.happened() == []


async def test_an_approval_of_a_withdrawn_plan_does_not_answer_the_next_question(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent)
    old = (await question(talk))["approval_id"]
    agent.model.script[:] = [[MAIL], last_result]
    await talk.say("no, mail me first")
    assert (await question(talk))["action_requests"][0]["name"] == "send_email"
    with pytest.raises(pydantic.ValidationError):
        await talk.answer(APPROVE, approval_id=old)
    assert shop.happened() == []
    await talk.approve()
    assert shop.happened() == ["mail"]


@pytest.mark.parametrize(
    ("first", "second", "happens"),
    [
        (APPROVE, REJECT, ["mail"]),
        (REJECT, APPROVE, PURCHASE),
        (APPROVE, APPROVE, ["mail", *PURCHASE]),
        (REJECT, REJECT, []),
    ],
    ids=["mail-alone", "purchase-alone", "both", "neither"],
)
async def test_of_two_actions_in_one_question_each_has_its_own_answer(
    agent: Agent, shop: Shop, first: dict[str, Any], second: dict[str, Any], happens: list[str]
):
    talk = await with_boots(agent)
    agent.model.then([MAIL, ("checkout", {})], last_result)
    asked = await talk.say("mail me, and check out")
    names = [r["name"] for r in asked.interrupts[0].value["action_requests"]]
    assert names == ["send_email", "checkout"]
    done = await talk.answer(first, second)
    assert shop.happened() == happens
    assert done.values["flow"] == ("ordered" if second == APPROVE else "shopping")
    results = [m.text for m in agent.model.prompts[-1] if m.type == "tool"][-2:]
    told = ["confirmed" if answer == APPROVE else "rejected by ada" for answer in (first, second)]
    assert [word in result for word, result in zip(told, results, strict=True)] == [True, True]


async def test_an_approved_action_beside_an_edited_one_is_done(agent: Agent, shop: Shop):
    talk = await with_boots(agent, "hugo")
    agent.model.then([MAIL, ("checkout", {})], last_result)
    await talk.say("mail me, and check out")
    await talk.answer(APPROVE, edit(card_id="card_hugo_1"))
    assert shop.happened() == ["mail", *PURCHASE]
    charged = next(e for e in shop.http.get("/effects").json() if e["effect"] == "charge")
    assert charged["detail"]["card_id"] == "card_hugo_1"


async def test_a_rejected_action_beside_an_edited_one_is_not_done(agent: Agent, shop: Shop):
    talk = await with_boots(agent, "hugo")
    agent.model.then([MAIL, ("checkout", {})], last_result)
    await talk.say("mail me, and check out")
    await talk.answer(REJECT, edit(card_id="card_hugo_1"))
    assert shop.happened() == PURCHASE


async def test_a_price_that_moved_before_the_answer_is_not_charged(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    shop.product("BOOT-001", price=12_345)
    done = await talk.approve()
    assert shop.happened() == []
    assert "the price of BOOT-001 moved from 98.90 to 123.45 USD" in answer_of(done)
    assert done.values["flow"] == "shopping"
    agent.model.then([("checkout", {})], last_result)
    asked = await talk.say("then for that price")
    assert "123.45 USD" in asked.interrupts[0].value["action_requests"][0]["description"]
    await talk.approve()
    assert shop.happened() == PURCHASE


async def test_stock_that_ran_out_before_the_answer_is_not_charged(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    shop.product("BOOT-001", stock=0)
    done = await talk.approve()
    assert shop.happened() == []
    assert "BOOT-001 is no longer in stock in that quantity" in answer_of(done)
    assert [line.sku for line in done.values["cart"].lines] == ["BOOT-001"]


async def test_a_second_product_that_moved_gives_the_first_back(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    both = [("add_to_cart", {"sku": "BOOT-001"}), ("add_to_cart", {"sku": "SOCK-001"})]
    agent.model.then(both, "Both are in the cart.", [("checkout", {})], last_result)
    await talk.say("add boots and socks")
    await talk.say("check out")
    shop.product("SOCK-001", stock=0)
    done = await talk.approve()
    assert shop.happened() == ["reserve", "release"]
    assert "SOCK-001 is no longer in stock" in answer_of(done)
    assert still_held(shop) == []


async def test_a_hold_that_ends_before_the_purchase_could_is_not_charged(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    shop.http.put("/admin/settings", json={"hold_seconds": 1}).raise_for_status()
    done = await talk.approve()
    assert shop.happened() == ["reserve", "release"]
    assert "What reserve BOOT-001 holds ends before charge can finish" in answer_of(done)


async def test_a_cart_that_changed_withdraws_the_plan_that_waits_and_says_so(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent)
    state = await talk.happens("click-1", type="remove", sku="BOOT-001")
    assert state.values["cart"].lines == ()
    assert state.values["flow"] == "shopping"
    assert answer_of(state).endswith("this was withdrawn: Check out for 98.90 USD.")
    assert agent.model.asked == 3, "no model is asked about an event"
    with pytest.raises(NothingPending):
        await talk.approve()
    assert shop.happened() == []


async def test_an_event_that_was_taken_before_leaves_the_plan_that_waits(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    await talk.happens("click-1", type="set_quantity", sku="BOOT-001", quantity=2)
    agent.model.then([("checkout", {})], last_result)
    await talk.say("check out")
    again = await talk.happens("click-1", type="set_quantity", sku="BOOT-001", quantity=2)
    assert again.interrupts
    await talk.approve()
    assert shop.happened() == PURCHASE


async def test_an_event_that_cannot_be_taken_leaves_the_plan_that_waits(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    with pytest.raises(ToolRefused):
        await talk.happens("click-1", type="remove", sku="SOCK-001")
    assert (await question(talk))["action_requests"][0]["name"] == "checkout"
    await talk.approve()
    assert shop.happened() == PURCHASE


@pytest.mark.parametrize("beside", [[], [MAIL]], ids=["alone", "beside-a-rejected-mail"])
async def test_a_cart_that_was_bought_is_not_bought_again_from_a_rewritten_state(
    agent: Agent, shop: Shop, beside: list[Any]
):
    talk = await with_boots(agent)
    cart = (await talk.state()).values["cart"]
    agent.model.then([*beside, ("checkout", {})], "It is bought.")
    await talk.say("check out")
    await talk.answer(*([REJECT] * len(beside)), APPROVE)
    assert shop.happened() == PURCHASE
    await agent.graph.aupdate_state(talk.config, {"cart": cart, "flow": "shopping"}, "respond")
    agent.model.then([("checkout", {})], last_result)
    refused = await talk.say("check out again")
    assert "This cart was bought already" in answer_of(refused)
    assert shop.happened() == PURCHASE


async def test_a_stranger_can_neither_approve_nor_spoil_the_approval(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    stranger = Conversation(agent.graph, "ben", talk.thread_id)
    with pytest.raises(ForeignThread):
        await stranger.answer(REJECT)
    assert await decisions(agent, talk) == []
    await talk.approve()
    (decided,) = await decisions(agent, talk)
    assert (decided.author, decided.detail["decisions"]) == ("ada", ["approved"])
    assert shop.happened() == PURCHASE
