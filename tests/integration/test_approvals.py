"""What people answer to the question about a plan, and edits of it."""

from typing import Any

import pytest
from langgraph.types import Command

from daybook.state.errors import ForeignThread, InputRefused, NothingPending
from daybook.testing.model import last_result
from tests.answers import APPROVE, MAIL, REJECT, decisions, edit, question
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.cuts import cut_at
from tests.purchases import PURCHASE, asked_to_buy, bought_until, entries, successor, with_boots


async def test_an_approval_that_names_its_question_is_recorded_with_who_gave_it_and_counts_once(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent)
    stranger = Conversation(agent.graph, "ben", talk.thread_id)
    with pytest.raises(ForeignThread):
        await stranger.answer(REJECT)
    assert await decisions(agent, talk) == []
    (asked,) = (await talk.state()).interrupts
    answer = {"decisions": [APPROVE], "approval_id": asked.value["approval_id"]}
    await talk.run(Command(resume={asked.id: answer}))
    (decided,) = await decisions(agent, talk)
    assert (decided.author, decided.role) == ("ada", "customer")
    assert decided.detail["decisions"] == ["approved"]
    with pytest.raises(NothingPending):
        await talk.approve()
    assert shop.happened() == PURCHASE


INBOX_EDIT = {"type": "edit", "args": {"action": "checkout", "args": {"card_id": "card_ada_1"}}}


async def test_every_way_of_saying_no_does_nothing_and_what_was_rejected_can_be_asked_for_again(
    agent: Agent, shop: Shop
):
    talk = await with_boots(agent)
    ways = [
        {"decisions": [{"type": "reject", "message": "too dear"}]},
        {"decisions": [{"type": "respond", "message": "too dear"}]},
        {"decisions": [{"type": "reject", "args": "too dear"}]},
        {"decisions": [{"type": "reject"}]},
    ]
    for no in ways:
        agent.model.then([("checkout", {})], last_result)
        await talk.say("check out")
        done = await talk.run(Command(resume=no))
        assert done.interrupts == ()
        assert answer_of(done).startswith("checkout rejected by ada")
        assert ("too dear" in str(no)) == answer_of(done).endswith(": too dear")
        assert [line.sku for line in done.values["cart"].lines] == ["BOOT-001"]
        assert done.values["flow"] == "shopping"
    assert shop.happened() == []
    decided = await decisions(agent, talk)
    assert [one.detail["decisions"] for one in decided] == [["rejected"]] * len(ways)
    assert decided[0].payload["told"] == {"0": "too dear"}
    agent.model.then([("checkout", {})], last_result)
    await talk.say("all right, do it")
    done = await talk.run(Command(resume={"decisions": [INBOX_EDIT]}))
    assert done.interrupts == ()
    assert shop.happened() == PURCHASE


WRONG: list[Any] = [
    {},
    {"decisions": []},
    {"decisions": [APPROVE, APPROVE]},
    {"decisions": [{"type": "buy"}]},
    {"decisions": [{"type": "edit"}]},
    {"decisions": [APPROVE], "price": 1},
    {"decisions": [APPROVE], "approval_id": "another"},
    {"decisions": [{"type": "edit", "args": "another card"}]},
    [{"type": "accept", "args": None}],
    {"decisions": [{"type": "ignore", "args": None}]},
    "yes",
    True,
    {"decisions": [edit(card_id=10**30)]},
    {"decisions": [edit(card_id="half a character: \ud800")]},
    {"decisions": [{"type": "reject", "message": "x" * 100_000}]},
]


async def test_an_answer_of_the_wrong_shape_changes_nothing_and_can_be_given_again(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent)
    before = await entries(agent, talk)
    for wrong in WRONG:
        with pytest.raises(InputRefused, match="Nothing was changed"):
            await talk.run(Command(resume=wrong))
        assert await entries(agent, talk) == before
        assert (await question(talk))["action_requests"][0]["name"] == "checkout"
    assert shop.happened() == []
    await talk.approve()
    assert shop.happened() == PURCHASE


async def test_of_two_actions_in_one_question_each_has_its_own_answer(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    for first, second, happens in [
        (REJECT, REJECT, []),
        (APPROVE, REJECT, ["mail"]),
        (APPROVE, APPROVE, ["mail", "mail", *PURCHASE]),
    ]:
        agent.model.then([MAIL, ("checkout", {})], last_result)
        asked = await talk.say("mail me, and check out")
        names = [r["name"] for r in asked.interrupts[0].value["action_requests"]]
        assert names == ["send_email", "checkout"]
        done = await talk.answer(first, second)
        assert shop.happened() == happens
        assert done.values["flow"] == ("ordered" if second == APPROVE else "shopping")
        results = [m.text for m in agent.model.prompts[-1] if m.type == "tool"][-2:]
        for given, result in zip((first, second), results, strict=True):
            assert ("confirmed" if given == APPROVE else "rejected by ada") in result


@pytest.mark.parametrize("pages", [0, 5])
async def test_an_answer_that_is_given_once_more_after_a_death_lets_the_thread_go_on(
    agent: Agent, shop: Shop, postgres_url: str, pages: int
):
    """A server that was killed runs its unfinished runs again, answers too."""
    talk = await bought_until(agent, pages)
    async with successor(agent, postgres_url) as later:
        heir = Conversation(later.graph, "ada", talk.thread_id)
        assert (await heir.state()).interrupts == (), "what was answered is asked no more"
        with pytest.raises(NothingPending):
            await heir.answer(REJECT)
        done = await heir.approve()
        assert done.values["flow"] == "ordered"
        assert shop.happened() == PURCHASE
        with pytest.raises(NothingPending):
            await heir.approve()


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


async def test_an_edit_that_cannot_be_taken_is_asked_again_with_the_reason(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent, "ben", card_id="card_ben_1", address_id="addr_ben_1")
    for wrong, reason in (
        (edit(card_id="card_ada_1", address_id="addr_ben_1"), "You have no card_id card_ada_1"),
        (edit("search_products", query="boots"), "search_products is not a write"),
    ):
        again = await talk.answer(wrong)
        described = again.interrupts[0].value["action_requests"][0]["description"]
        assert "cannot be applied: " in described
        assert reason in described
    assert shop.happened() == []
    assert await decisions(agent, talk) == []
    done = await talk.approve()
    assert shop.happened() == PURCHASE
    assert "charged to card_ben_1" in answer_of(done)


@pytest.mark.parametrize(("mail", "done"), [(APPROVE, ["mail"]), (REJECT, [])], ids=["yes", "no"])
async def test_an_action_beside_an_edited_one_has_its_own_answer(
    agent: Agent, shop: Shop, mail: dict[str, Any], done: list[str]
):
    talk = await with_boots(agent, "hugo")
    agent.model.then([MAIL, ("checkout", {})], last_result)
    await talk.say("mail me, and check out")
    await talk.answer(mail, edit(card_id="card_hugo_1"))
    assert shop.happened() == [*done, *PURCHASE]
    charged = next(e for e in shop.http.get("/effects").json() if e["effect"] == "charge")
    assert charged["detail"]["card_id"] == "card_hugo_1"


async def test_what_a_person_changed_is_told_and_not_proposed_again(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    agent.model.then([MAIL], [MAIL], last_result)
    await talk.say("mail me")
    await talk.answer(edit("send_email", subject="Other", body="Edited."))
    told = [m.text for m in agent.model.prompts[-1] if m.type == "tool"]
    assert told[0].startswith(
        "send_email confirmed as ada changed it, to send_email with subject Other, body Edited.: "
    )
    assert "The original call is not tried again" in told[1]
    assert [mail["subject"] for mail in shop.http.get("/mail").json()] == ["Other"]
    agent.model.then([MAIL], last_result)
    asked = await talk.say("now the other one too")
    assert len(asked.interrupts) == 1, "a new wish is asked about"


async def test_what_a_person_changed_is_not_proposed_again_after_a_death(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    agent.model.then([MAIL])
    await talk.say("mail me")
    change = edit("send_email", subject="Other", body="Edited.")
    with cut_at("after_commit:decision"):
        await talk.answer(change)
    agent.model.then([MAIL], last_result)
    # As the worker and the chat take it up: the ledger holds the answer.
    assert not (await talk.run({"events": []})).interrupts
    assert [mail["subject"] for mail in shop.http.get("/mail").json()] == ["Other"]
