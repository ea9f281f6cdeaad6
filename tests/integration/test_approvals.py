"""What people answer to the question about a plan, in every shape."""

from typing import Any

import pytest
from langgraph.types import Command

from daybook.state.errors import ForeignThread, InputRefused, NothingPending
from tests.answers import APPROVE, MAIL, REJECT, decisions, question
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.purchases import (
    PURCHASE,
    asked_to_buy,
    bought_until,
    entries,
    successor,
    with_boots,
)
from tests.scripted import last_result


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
    pytest.param(
        {
            "decisions": [
                {"type": "edit", "edited_action": {"name": "checkout", "args": {"card_id": 10**30}}}
            ]
        },
        id="huge-number",
    ),
    pytest.param({"decisions": [{"type": "reject", "message": "x" * 100_000}]}, id="100-kB"),
    pytest.param(
        {
            "decisions": [
                {"type": "edit", "edited_action": {"name": "checkout", "args": {"a": "\ud800"}}}
            ]
        },
        id="half-a-character",
    ),
]


@pytest.mark.parametrize("wrong", WRONG)
async def test_an_answer_of_the_wrong_shape_changes_nothing_and_can_be_given_again(
    agent: Agent, shop: Shop, wrong: Any
):
    talk = await asked_to_buy(agent)
    before = await entries(agent, talk)
    with pytest.raises(InputRefused, match="Nothing was changed"):
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


@pytest.mark.parametrize("pages", [1, 2, 4, 6])
async def test_an_answer_that_is_given_once_more_after_a_death_lets_the_thread_go_on(
    agent: Agent, shop: Shop, postgres_url: str, pages: int
):
    """A server that was killed runs its unfinished runs again, answers too."""
    talk = await bought_until(agent, pages)
    async with successor(agent, postgres_url) as later:
        heir = Conversation(later.graph, "ada", talk.thread_id)
        with pytest.raises(NothingPending):
            await heir.answer(REJECT)
        done = await heir.approve()
        assert done.values["flow"] == "ordered"
        assert shop.happened() == PURCHASE
        with pytest.raises(NothingPending):
            await heir.approve()
