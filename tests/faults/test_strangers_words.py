"""A person's word on what a service answered wrongly: what it binds, and what is undone by it."""

from dataclasses import replace

import pytest

from daybook.testing import wrong_answers as wrong
from daybook.testing.http import Answer, Request, as_json
from daybook.testing.wrong_answers import Row
from daybook.tools.registry import Registry
from tests.answers import says
from tests.conversation import answer_of
from tests.faults.test_strangers_evidence import BOUGHT, in_doubt
from tests.strangers.agent import agent_on
from tests.strangers.domains import Adopted
from tests.strangers.domains import wrong as adopted
from tests.strangers.services import Wrong

NOTHING = as_json(200, {"matches": []})


async def test_a_person_may_name_what_was_answered_and_no_look_up_showed(postgres_url: str):
    service = Wrong()
    service.lie("look", "charge", "mia", NOTHING)
    async with agent_on(postgres_url, service, adopted, budget=1.0) as agent:
        talk = await in_doubt(agent, service, "charge")
        name = service.effects[0]["id"]
        asked = (await talk.state()).interrupts[0].value["action_requests"][0]["description"]
        assert name in asked, "whoever looks at the other side must know what was named"
        done = await talk.answer(says(f"it happened {name}"))
        assert not done.interrupts, done.interrupts[0].value["note"]
        assert service.happened("mia") == BOUGHT
        assert answer_of(done).startswith("buy confirmed: done")


@pytest.mark.parametrize("word", ["undo", "it happened"])
async def test_a_word_that_names_nothing_undoes_nothing_of_somebody_else(
    postgres_url: str, word: str
):
    service = Wrong()
    theirs = service.charged(service.STRANGER, 13190)
    service.lie("reply", "charge", "mia", wrong.instead(theirs))
    service.lie("look", "charge", "mia", wrong.instead(theirs))
    service.spoil("order", "decline", "mia", times=100)
    async with agent_on(postgres_url, service, adopted, budget=1.0) as agent:
        talk = await in_doubt(agent, service, "charge")
        asked = (await talk.state()).interrupts[0].value["action_requests"][0]["description"]
        assert theirs["id"] in asked, "whoever says that it happened must see what"
        asked = await talk.answer(says(word))
        assert "refund" not in service.happened(), "the charge of somebody else was given back"
        assert asked.interrupts, "what was charged is forgotten"


# -- an undo that nothing but a look keeps from twice ----------------------------------------------


def looked_for() -> Adopted:
    """Adopt a service that does not say that something was given back already."""
    tools = adopted.domain.registry
    charge, refund, order = (tools.effect(name) for name in ("charge", "refund", "order"))
    assert charge.undo is not None
    unsettled = replace(charge, undo=replace(charge.undo, settled_by=frozenset()))
    steps = (unsettled, refund, order)
    registry = Registry(offered=(tools.offered("buy"),), steps=steps)
    return replace(adopted, domain=replace(adopted.domain, registry=registry))


class Blind(Wrong):
    """Show nobody what was given back."""

    def look(self, request: Request) -> Answer:
        return self.failed() if request.path == "/refunds" else super().look(request)


async def test_an_undo_that_cannot_be_looked_up_comes_to_a_person_and_is_sent_on_their_word(
    postgres_url: str,
):
    service = Blind()
    service.spoil("order", "decline", "mia", times=100)
    service.spoil("refund", "error before", "mia")
    async with agent_on(postgres_url, service, looked_for(), 1.0, unproved=1.0) as agent:
        talk = await agent.asked_to_buy()
        asked = await talk.approve()
        assert service.happened("mia") == ["charge"]
        assert asked.interrupts, f"nobody was asked: {answer_of(asked)}"
        assert "refund, the undo of charge" in str(asked.interrupts[0].value)
        done = await talk.answer(says("it did not happen"))
        assert not done.interrupts, "it is sent once more, as a person said"
        assert service.happened("mia") == ["charge", "refund"]
        assert "Undone: charge." in answer_of(done)


# -- a service that does it twice ------------------------------------------------------------------


class Double(Wrong):
    """Charge twice under one reference."""

    def perform(self, kind: str, asked: Row, reference: str, key: str = "") -> Row:
        done = super().perform(kind, asked, reference, key)
        if kind == "charge":
            super().perform(kind, asked, reference, key)
        return done


@pytest.mark.parametrize("order", ["does it", "declines it"])
async def test_of_what_was_done_twice_a_reviewer_names_one_and_the_other_is_theirs(
    postgres_url: str, order: str
):
    service = Double()
    if order == "declines it":
        service.spoil("order", "decline", "mia", times=100)
    async with agent_on(postgres_url, service, adopted, budget=1.0) as agent:
        talk = await agent.asked_to_buy()
        asked = await talk.approve()
        assert service.happened("mia") == ["charge", "charge"]
        text = asked.interrupts[0].value["action_requests"][0]["description"]
        assert "CH-1" in text
        assert "CH-2" in text
        done = await talk.answer(says("it happened CH-1"))
        assert not done.interrupts, "it is asked once"
        last = "order" if order == "does it" else "refund"
        assert service.happened("mia") == ["charge", "charge", last]
        if order == "declines it":
            assert "Undone: charge." in answer_of(done)
