"""The next move of a plan that goes forward."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from daybook.state.effects.bind import take
from daybook.state.effects.guarantees import Guarantees
from daybook.state.ledger.next_action import AskApproval, Claim, ClaimUndo, End, LookFor, Wait
from daybook.state.ledger.recovery import Event, StepState
from evals.protocol.parts import (
    CHARGE,
    MAIL,
    NEITHER,
    ONLY,
    ORDER,
    PROBE,
    RESERVE,
    STORED_KEY,
    STORED_KEY_AND_PROBE,
)
from tests.unit.paper import Paper, approved, step_id
from tests.unit.story import Story, stories

STORIES = """
# an approved plan claims its first step
reserve order: -> claim reserve 1
# a step is claimed only when the one before is done
reserve charge by KEY: reserve unanswered; -> claim reserve 2;
reserve hears acknowledged; -> claim charge 1
# a plan ends when all its steps are done and is over then
reserve order: reserve done; order done; -> end; succeeded; -> over
# what moved before the first attempt closes the action and gives back what was taken
reserve charge order: reserve done; charge superseded; -> writes closing cancelled;
=> undo reserve 1; reason: the price moved
# a charge is claimed while the hold outlasts it
reserve charge order mail by PROBE: reserve held 1us; -> claim charge 1
# a charge is not claimed when the hold ends before it can finish
reserve charge order mail by PROBE: reserve held 0s;
-> writes closing cancelled cancelled cancelled; => undo reserve 1
# a refused charge is not sent again when the hold ends before it can finish
reserve charge order mail by PROBE: reserve held 1s; charge refused; 2s; => undo reserve 1
# an order is not placed on a hold that ends before it can finish
reserve charge order mail by PROBE: reserve held 1s; charge done; 2s; => undo charge 1
# a hold that the order consumed holds back no mail
reserve charge order mail by PROBE: reserve held 1s; charge done; order done; 3600s; -> claim mail 1
# a refused step is sent again after a pause
only by ANY: only refused; -> wait 1s only is tried again; 1s; -> claim only 2
# the pause begins with the refusal and not with the claim
only: only claimed; 3s; only hears refused; -> wait 1s only is tried again
# the pause doubles with each refusal
only: only refused; 1s; only refused; -> wait 2s only is tried again
# a step that is refused too often fails with the reason
only by ANY: 3 x [only refused, 10s]; -> writes failed; => end; only is negative;
reason: no connection
# a declined step fails with the reason and gives back what was taken
reserve charge order by ANY: reserve done; charge declined; -> writes failed; => undo reserve 1;
reason: card declined
# before the pivot a failure compensates
reserve charge order mail: reserve done; charge done; order declined; => undo charge 1; mail is void
# before the pivot a doubt is put to a person
charge order: charge unanswered; 3600s; => ask charge
# what was done and comes to be in doubt is put to a person before the next step
charge order by PROBE: charge done; charge doubted; -> ask charge; charge happened; -> claim order 1
# a tool that says nothing has the worst class
only: only unanswered; -> settle only
# after the pivot a mail that was declined neither asks nor compensates nor blocks the end
reserve charge order mail: ordered; mail declined; 3600s; => end; mail is negative; not closing;
succeeded; -> over
# after the pivot a mail that was refused too often neither asks nor compensates
reserve charge order mail: ordered; 3 x [mail refused, 10s]; => end; mail is negative; not closing
# after the pivot a mail in doubt neither asks nor compensates
reserve charge order mail: ordered; mail unanswered; 3600s; => end; mail is in_doubt; not closing
# after the pivot a mail that moved is left out
reserve charge order mail: ordered; mail superseded; 3600s; => end; mail is void; not closing
"""


@stories(STORIES, {"ordered": "reserve done; charge done; order done"})
def test_going_forward(story: Story):
    story.play()


def test_nothing_is_done_of_what_was_not_approved_as_it_stands():
    assert Paper((RESERVE, ORDER)).due() == AskApproval()
    assert Paper((RESERVE, ORDER), approval="policy").due() == Claim(step_id("reserve"), 1)
    for decision, bound_to in (
        *((word, None) for word in ("rejected", "edited", "expired", "withdrawn")),
        *(("approved", bound) for bound in ("", "another hash")),
    ):
        paper = Paper((RESERVE, ORDER))
        paper.decided(decision, bound_to=bound_to)
        assert paper.due_events() == [Event.CANCELLED]
        assert paper.follow() == End()
        assert {step.state for step in paper.plan.steps} == {StepState.VOID}
        assert not paper.plan.touched
    paper = approved(RESERVE, ORDER)
    paper.step("order").args = {"address_id": "another"}
    assert paper.due_events() == [Event.CANCELLED]


@pytest.mark.parametrize(
    ("guarantees", "answer", "ends"),
    [
        (STORED_KEY, Event.UNANSWERED, StepState.IN_DOUBT),
        (STORED_KEY_AND_PROBE, Event.UNANSWERED, StepState.NEGATIVE),
        (PROBE, Event.UNANSWERED, StepState.NEGATIVE),
        (NEITHER, Event.UNANSWERED, StepState.IN_DOUBT),
        (NEITHER, Event.REFUSED, StepState.NEGATIVE),
    ],
)
def test_what_was_altered_since_it_was_sent_is_not_sent_again(
    guarantees: Guarantees, answer: Event, ends: StepState
):
    paper = approved(CHARGE, ORDER, guarantees=guarantees)
    paper.attempted("charge", answer)
    paper.step("charge").args = {"amount": 1}
    for _ in range(20):
        match paper.follow():
            case LookFor():
                paper.looked("charge", Event.ABSENT)
            case Wait(until=until):
                paper.now = until + timedelta(microseconds=1)
            case _:
                break
    assert (paper.step("charge").state, len(paper.step("charge").attempts)) == (ends, 1)


@pytest.mark.parametrize("of_the_first", ["rejected", "unanswered", "declined"])
def test_an_action_neither_discards_nor_holds_back_nor_closes_the_one_beside_it(of_the_first):
    paper = Paper((ONLY,), (ONLY,))
    paper.decided("rejected" if of_the_first == "rejected" else "approved", "approved")
    if of_the_first != "rejected":
        paper.attempted("only", Event(of_the_first))
    assert paper.follow() == Claim(step_id("only", 1), 1)
    closing = [action.closing for action in paper.plan.actions]
    assert closing == [of_the_first == "declined", False]
    if of_the_first == "unanswered":
        paper.claimed("only", action=1)
        paper.write(Event.REFUSED, paper.step("only", 1), attempt=1)
        assert isinstance(paper.due(), Wait)


ORDER_WITH_CHARGE = replace(
    ORDER, binds={"charge_id": take("charge", "charge_id").model_dump(mode="json")}
)
MAIL_WITH_ORDER = replace(
    MAIL, binds={"subject": take("order", "order_id").model_dump(mode="json")}
)


def _said_to_have_happened(name: str, *parts, **more: Any) -> Paper:
    """Let a person say that a step in doubt happened, and no more."""
    paper = approved(*parts)
    for part in parts[: [part.name for part in parts].index(name)]:
        paper.done(part.name)
    paper.attempted(name, Event.UNANSWERED)
    paper.write(Event.IN_DOUBT, paper.step(name), payload={"reason": "no proof", **more})
    result = {**more.get("shown", {}), "reference": ""}
    said = {"result": result, "reference": "", "said": "it happened"}
    paper.write(Event.HAPPENED, paper.step(name), author="ada", payload=said)
    return paper


def test_an_argument_is_taken_from_what_the_other_side_showed_when_it_was_doubted():
    shown = {"charge_id": "c", "amount": 7}
    paper = _said_to_have_happened("charge", CHARGE, ORDER_WITH_CHARGE, shown=shown)
    assert paper.due() == Claim(step_id("order"), 1)
    assert paper.step("charge").result["charge_id"] == "c"


def test_an_argument_that_no_result_gives_closes_the_action_and_names_it():
    paper = _said_to_have_happened("charge", CHARGE, ORDER_WITH_CHARGE)
    assert paper.due_events() == [Event.CLOSING, Event.CANCELLED]
    assert paper.follow() == ClaimUndo(step_id("charge"), 1)
    assert "charge_id" in paper.plan.actions[0].reason


def test_after_the_pivot_an_argument_that_no_result_gives_leaves_the_mail_out():
    paper = _said_to_have_happened("order", CHARGE, ORDER, MAIL_WITH_ORDER)
    assert paper.follow() == End()
    assert paper.plan.actions[0].succeeded
    assert not paper.step("mail").attempts


def test_a_late_answer_outranks_what_was_shown_when_it_was_doubted():
    paper = approved(CHARGE, ORDER)
    paper.attempted("charge", Event.UNANSWERED)
    shown = {"charge_id": "c1", "amount": 7}
    paper.write(Event.IN_DOUBT, paper.step("charge"), payload={"reason": "7?", "shown": shown})
    paper.acknowledged("charge", charge_id="c2", amount=5)
    assert paper.step("charge").result == {"charge_id": "c2", "amount": 5}
