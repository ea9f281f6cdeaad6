"""Whole plans at a yard of strangers: holds, a charge, a parcel made of both, an order, a label.

What the yard really did is the judge.
"""

from datetime import timedelta
from typing import Literal

import pytest

from daybook.app.ledger.reconcile import Reconciler
from daybook.graph.serve import Opened
from daybook.state.clock import SYSTEM
from daybook.state.effects.bind import take
from daybook.state.effects.guarantees import Guarantees
from daybook.testing.http import Answer, Request, as_json
from daybook.tools.draft import StepDraft
from tests.answers import says
from tests.conversation import answer_of
from tests.strangers.yard import (
    KEYED,
    PROBED,
    UNSURE,
    Yard,
    charged_and_ordered,
    labelled,
    no,
    opened,
    packed_and_ordered,
    yard,
)


@pytest.mark.parametrize("guarantees", [KEYED, PROBED], ids=["keyed", "looked up"])
async def test_an_undo_is_made_of_what_earlier_results_gave_its_step(postgres_url, guarantees):
    service = Yard(honours_keys=guarantees.honours_key)
    service.refuses("order")
    async with opened(postgres_url, service, yard(packed_and_ordered, guarantees)) as agent:
        done = await (await agent.asked_to_buy()).approve()
        assert service.done[4:] == [
            ("unpack", {"charge": "charge-1", "holds": ["hold-1", "hold-2"]}),
            ("refund", {"charge": "charge-1", "amount": 50}),
            ("release", {"hold": "hold-2"}),
            ("release", {"hold": "hold-1"}),
        ]
        assert answer_of(done) == ("buy failed: It said no. Undone: boots, socks, charge, pack.")


async def test_what_follows_the_pivot_and_is_in_doubt_is_told_as_that(postgres_url: str):
    service = Yard(honours_keys=False, loses=["label"])
    domain = yard(labelled, UNSURE, KEYED, looks_up=False)
    async with opened(postgres_url, service, domain) as agent:
        asked = await (await agent.asked_to_buy()).approve()
        assert answer_of(asked) == "buy confirmed: done, and it is not known whether label was done"
        (question,) = asked.interrupts
        assert question.value["in_doubt"].endswith("/label/1")


@pytest.mark.parametrize("word", ["undo", "it happened"])
async def test_a_word_without_a_reference_gives_no_empty_one(postgres_url: str, word: str):
    def steps(op: str) -> list[StepDraft]:
        charge, order = charged_and_ordered(op)
        taken = {"charge": take("charge", "reference")}
        return [charge, StepDraft("order", "order", order.op, {}, taken, pivot=True)]

    service = Yard(honours_keys=False, loses=["charge"])

    def instead(request: Request, kind: str) -> Answer | None:
        return no("gone") if kind == "refund" and not request.json()["charge"] else None

    service.instead = instead
    domain = yard(steps, UNSURE, KEYED, looks_up=False, reference="reference")
    async with opened(postgres_url, service, domain) as agent:
        talk = await agent.asked_to_buy()
        await talk.approve()
        asked = await talk.answer(says(word))
        assert [kind for kind, _ in service.done] == ["charge"], "something was built on nothing"
        assert "Undone" not in answer_of(asked)
        assert (
            "the undo of charge" in asked.interrupts[0].value["action_requests"][0]["description"]
        )


@pytest.mark.parametrize("word", ["it happened", "it did not happen"])
async def test_an_undo_is_not_sent_again_when_its_key_may_be_forgotten(postgres_url, word):
    kept = 3.0
    service = Yard(loses=["refund"])
    began: list[float] = []

    def instead(request: Request, kind: str) -> Answer | Literal["hang up"] | None:
        if kind == "order":
            return no()
        if kind != "refund":
            return None
        began.append(SYSTEM.monotonic())
        if len(began) == 1:
            return None
        if began[-1] - began[0] < kept:
            return "hang up"
        service.keys.clear()
        return None

    service.instead = instead
    forgetting = Guarantees(honours_key=True, retention=timedelta(seconds=kept))
    domain = yard(labelled, back=forgetting, looks_back=False, settled_by=frozenset())
    async with opened(postgres_url, service, domain, unproved=60.0) as agent:
        talk = await agent.asked_to_buy()
        asked = await talk.approve()
        assert len(service.did("refund")) == 1, "given back twice"
        question = asked.interrupts[0].value
        assert "forgotten its key" in question["action_requests"][0]["description"]
        service.instead = lambda request, kind: None
        service.keys.clear()
        done = await talk.answer(says(word))
        assert answer_of(done) == "buy failed: It said no. Undone: charge."
        assert len(service.did("refund")) == (1 if word == "it happened" else 2)


async def test_an_undo_that_can_be_looked_up_is_not_sent_again_blindly(postgres_url: str):
    service = Yard(honours_keys=False, loses=["refund"])
    unseen = iter(range(1))

    def instead(request: Request, kind: str) -> Answer | None:
        if (request.method, kind) == ("POST", "order"):
            return no()
        if (request.method, kind) == ("GET", "refund") and next(unseen, None) is not None:
            return as_json(200, {"data": []})
        return None

    service.instead = instead
    async with opened(postgres_url, service, yard(labelled, PROBED)) as agent:
        done = await (await agent.asked_to_buy()).approve()
        assert len(service.did("refund")) == 1, "given back twice"
        assert answer_of(done) == "buy failed: It said no. Undone: charge."


async def test_what_was_never_sent_and_cannot_be_looked_up_yet_is_no_disagreement(postgres_url):
    service = Yard()
    service.refuses("charge")
    domain = yard(labelled)
    async with opened(postgres_url, service, domain) as agent:
        failed = await agent.asked_to_buy()
        await failed.approve()
        waiting = await agent.asked_to_buy()
        reconciler = Reconciler(Opened(agent.graph, domain, agent.resources), applies=False)
        for talk in (failed, waiting):
            assert [one async for one in reconciler.of_thread(talk.thread_id)] == []
