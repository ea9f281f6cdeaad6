"""What the entries of a plan add up to, and how the state shows a step."""

from dataclasses import replace
from json import dumps

import pytest

from daybook.nodes.effects.engine import reading
from daybook.state.calls import WriteCall, call_of
from daybook.state.clock import SYSTEM
from daybook.state.effects.bind import take
from daybook.state.ledger.recovery import Event, StepState
from evals.protocol.parts import CHARGE, ONLY, ORDER, Part
from tests.unit.paper import Paper, approved
from tests.unit.story import Story, stories

STORIES = """
# an attempt without an answer stays open
only: only unanswered; only is unknown; only#1 open
# a refusal settles its attempt
only: only refused; only is unknown; only#1 settled_by refused
# a decline settles its attempt
only: only declined; only is unknown; only#1 settled_by declined
# an answer belongs to its own attempt
only: only claimed; only claimed; only#1 hears declined; only#1 settled_by declined; only#2 open
# a late decline settles an attempt that had no answer
only: only unanswered; only hears declined; only#1 settled_by declined
# an acknowledgement outranks what was believed before
only: only refused; only hears acknowledged; only#1 settled_by acknowledged; only is done;
only gave only
# a late decline does not outrank an acknowledgement
only: only done; only hears declined; only#1 settled_by acknowledged; only is done
# an acknowledgement outranks an absent look
only: only unanswered; only absent; only hears acknowledged; only is done
# a person's word that it did not happen settles every attempt
only: only unanswered; only claimed; only doubted; only not_happened; only is unknown;
only#1 settled_by not_happened; only#2 settled_by not_happened
# the first result of a step is kept
charge: charge claimed; charge claimed; charge#2 hears acknowledged; charge#1 answers otherwise;
charge gave charge
"""


@stories(STORIES)
def test_what_comes_of_an_attempt(story: Story):
    story.play()


def test_a_verification_after_an_undo_began_keeps_the_result_that_the_undo_needs():
    paper = approved(CHARGE, ORDER)
    paper.claimed("charge")
    paper.looked("charge", Event.FOUND, result={"charge_id": "c"})
    paper.closed()
    paper.undo_claimed("charge")
    paper.acknowledged("charge", charge_id="c")
    paper.looked("charge", Event.VERIFIED)
    assert paper.step("charge").result == {"charge_id": "c"}


@pytest.fixture
def stuck() -> Paper:
    """Charge, close, and try to undo it twice; the first undo failed, and it is stuck."""
    paper = approved(CHARGE, ORDER)
    paper.done("charge", charge_id="c")
    paper.closed()
    paper.undo_claimed("charge")
    paper.undo_claimed("charge")
    paper.write(Event.UNDO_FAILED, paper.step("charge"), attempt=1, detail={"final": True})
    first, second = paper.step("charge").undos
    assert (first.answer, second.answer) == (Event.UNDO_FAILED, None), "each has its own answer"
    paper.write(Event.UNDO_STUCK, paper.step("charge"))
    return paper


def test_a_persons_word_that_a_stuck_undo_happened_keeps_what_the_step_had_done(stuck: Paper):
    said = {"result": {"reference": ""}, "reference": "", "said": "it happened"}
    stuck.write(Event.HAPPENED, stuck.step("charge"), author="ada", payload=said)
    assert stuck.step("charge").state is StepState.UNDONE
    assert stuck.step("charge").result == {"charge_id": "c"}


def test_a_person_settles_the_undo_that_is_stuck_and_not_the_attempt_before_it(stuck: Paper):
    stuck.write(Event.NOT_HAPPENED, stuck.step("charge"), author="bea")
    assert {undo.answer for undo in stuck.step("charge").undos} == {Event.NOT_HAPPENED}
    assert stuck.step("charge").attempts[0].answer is Event.ACKNOWLEDGED


BOUND = {"charge_id": take("charge", "charge_id").model_dump(mode="json")}


def test_an_approval_is_bound_to_all_that_is_done_and_to_nothing_that_happens():
    one = replace(ONLY, args={"amount": 1})
    papers = [
        Paper((part,))
        for part in (
            *(one, one, one),
            replace(ONLY, args={"amount": 2}),
            replace(one, binds=BOUND),
            replace(one, preconditions={"price": 5}),
        )
    ]
    papers[1].step("only").tool = "another"
    papers[2].step("only").gen = 2
    assert len({paper.plan.binding_hash for paper in papers}) == len(papers)
    before = papers[0].plan.binding_hash
    papers[0].decided("approved")
    papers[0].done("only")
    assert papers[0].plan.binding_hash == before
    plan = Paper((ONLY,), approval="policy").plan
    assert (plan.decided, plan.is_bound, plan.actions[0].decision) == (True, True, "approved")


def test_what_earlier_results_gave_is_sent_again_as_it_was_whatever_becomes_of_them():
    bound = {"payment": take("charge", "payment").model_dump(mode="json")}
    paper = approved(CHARGE, replace(ORDER, binds=bound))
    paper.done("charge", payment={"id": "CH-1", "by": "card"})
    order = paper.step("order")
    order_id = order.step_id
    first = paper.plan.actions[0].first_bindings(order)
    assert first is not None
    paper.claimed("order", payload=first)
    sent = dumps(reading(paper.plan, order_id, paper.now, SYSTEM).args)
    assert sent == '{"payment": {"id": "CH-1", "by": "card"}}'
    paper.write(Event.IN_DOUBT, paper.step("charge"))
    assert dumps(reading(paper.plan, order_id, paper.now, SYSTEM).args) == sent
    named = {"result": {"payment": {"id": "CH-2"}}, "reference": "CH-2"}
    paper.write(Event.HAPPENED, paper.step("charge"), payload=named)
    assert dumps(reading(paper.plan, order_id, paper.now, SYSTEM).args) == sent
    assert paper.plan.actions[0].first_bindings(order) is None, "it is fixed once"


def test_a_step_is_shown_with_its_whole_write_ahead_record():
    bound = {"charge_id": take("charge", "charge_id").model_dump(mode="json")}
    part = Part("order", pivot=True, args={"n": 1}, binds=bound, preconditions={"stock": True})
    paper = approved(part)
    call = call_of(paper.step("order"), "write")
    assert type(call) is WriteCall
    assert call.model_dump() == {
        "kind": "write",
        "tool": "order",
        "args": {"n": 1, "charge_id": "<charge_id of charge>"},
        "idempotency_key": "op/0/order/1",
        "preconditions": {"stock": True},
        "evidence": {},
        "status": StepState.INTENDED,
        "executed_at": None,
        "result": None,
        "compensating_action": None,
    }
