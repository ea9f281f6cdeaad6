"""Edits of a plan that waits: carried out, asked again, or refused with the reason."""

from typing import Any

import pytest

from daybook.testing.model import last_result
from tests.answers import APPROVE, MAIL, REJECT, decisions, edit
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.cuts import cut_at
from tests.purchases import PURCHASE, asked_to_buy, with_boots


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
        (edit(card_id="card_ada_1", address_id="addr_ben_1"), "There is no card_id card_ada_1"),
        (edit("search_products", query="boots"), "search_products is no write"),
    ):
        again = await talk.answer(wrong)
        described = again.interrupts[0].value["action_requests"][0]["description"]
        assert "cannot be taken: " in described
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
    assert "As it was proposed it is not tried again" in told[1]
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
