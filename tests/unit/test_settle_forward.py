"""The next move of a plan that goes forward."""

from dataclasses import replace
from datetime import timedelta

import pytest

from daybook.state.effects.bind import take
from daybook.state.ledger.next_move import (
    AskApproval,
    AskDoubt,
    Claim,
    ClaimUndo,
    End,
    Over,
    UndoExtra,
    Wait,
    settle,
)
from daybook.state.ledger.recovery import Event, StepState
from tests.unit.paper import (
    CHARGE,
    CLASSES,
    KEY,
    MAIL,
    ONLY,
    ORDER,
    PATIENCE,
    PROBE,
    RESERVE,
    STORED_KEY_AND_PROBE,
    Paper,
    approved,
    step_id,
)


def test_a_plan_that_nobody_decided_on_asks_for_approval():
    assert Paper((RESERVE, ORDER)).due() == AskApproval()


def test_an_approved_plan_claims_its_first_step():
    assert approved(RESERVE, ORDER).due() == Claim(step_id("reserve"), 1)


def test_a_step_is_claimed_only_when_the_one_before_is_done():
    paper = approved(RESERVE, CHARGE, guarantees=KEY)
    paper.attempted("reserve", Event.UNANSWERED)
    assert paper.due() == Claim(step_id("reserve"), 2)
    paper.acknowledged("reserve")
    assert paper.due() == Claim(step_id("charge"), 1)


def test_a_plan_ends_when_all_its_steps_are_done_and_is_over_then():
    paper = approved(RESERVE, ORDER)
    paper.done("reserve")
    paper.done("order")
    assert paper.due() == End()
    paper.write(Event.SUCCEEDED)
    assert paper.due() == Over()


@pytest.mark.parametrize("decision", ["rejected", "edited", "expired", "withdrawn"])
def test_nothing_is_done_of_an_action_that_was_not_approved(decision: str):
    paper = Paper((RESERVE, ORDER))
    paper.decided(decision)
    assert paper.due_events() == [Event.CANCELLED]
    assert paper.follow() == End()
    assert {step.state for step in paper.plan.steps} == {StepState.VOID}


def test_a_rejected_action_does_not_discard_the_approved_one_beside_it():
    paper = Paper((ONLY,), (ONLY,))
    paper.decided("rejected", "approved")
    assert paper.follow() == Claim(step_id("only", 1), 1)


def test_what_policy_approves_is_done_without_asking():
    assert Paper((RESERVE, ORDER), approval="policy").due() == Claim(step_id("reserve"), 1)


def test_what_was_approved_and_then_differs_is_not_done():
    paper = approved(RESERVE, ORDER)
    paper.step("order").args = {"address_id": "another"}
    assert paper.due_events() == [Event.CANCELLED]


@pytest.mark.parametrize("bound_to", ["", "another hash"])
def test_an_approval_of_something_else_lets_nothing_be_done(bound_to: str):
    paper = Paper((RESERVE, ORDER))
    paper.decided("approved", bound_to=bound_to)
    assert paper.due_events() == [Event.CANCELLED]
    assert not paper.plan.touched


def test_an_action_that_waits_does_not_hold_back_the_one_beside_it():
    paper = Paper((ONLY,), (ONLY,))
    paper.decided("approved", "approved")
    paper.attempted("only", Event.UNANSWERED)
    assert paper.due() == Claim(step_id("only", 1), 1)
    paper.claimed("only", action=1)
    paper.write(Event.REFUSED, paper.step("only", 1), attempt=1)
    assert isinstance(paper.due(), Wait)


def test_a_failed_action_does_not_close_the_one_beside_it():
    paper = Paper((ONLY,), (ONLY,))
    paper.decided("approved", "approved")
    paper.attempted("only", Event.DECLINED)
    assert paper.follow() == Claim(step_id("only", 1), 1)
    first, second = paper.plan.actions
    assert (first.closing, second.closing) == (True, False)


def test_what_moved_before_the_first_attempt_closes_the_action_and_gives_back_what_was_taken():
    paper = approved(RESERVE, CHARGE, ORDER)
    paper.done("reserve")
    paper.write(Event.SUPERSEDED, paper.step("charge"), detail={"reason": "the price moved"})
    assert paper.due_events() == [Event.CLOSING, Event.CANCELLED]
    assert paper.follow() == ClaimUndo(step_id("reserve"), 1)
    assert paper.plan.actions[0].reason == "the price moved"


# -- holds ----------------------------------------------------------------------------------------


def _held(seconds: float, microseconds: int = 0) -> Paper:
    """Make a plan whose hold outlasts budget and D by so much."""
    paper = approved(RESERVE, CHARGE, ORDER, MAIL, guarantees=PROBE)
    needed = PATIENCE.budget + PATIENCE.settle_after(PROBE)
    more = timedelta(seconds=seconds, microseconds=microseconds)
    paper.done("reserve", expires_at=(paper.now + needed + more).isoformat())
    return paper


def test_a_charge_is_claimed_while_the_hold_outlasts_it():
    assert _held(0, 1).due() == Claim(step_id("charge"), 1)


def test_a_charge_is_not_claimed_when_the_hold_ends_before_it_can_finish():
    paper = _held(0)
    assert paper.due_events() == [Event.CLOSING, *[Event.CANCELLED] * 3]
    assert paper.follow() == ClaimUndo(step_id("reserve"), 1)


def test_a_refused_charge_is_not_sent_again_when_the_hold_ends_before_it_can_finish():
    paper = _held(1)
    paper.attempted("charge", Event.REFUSED)
    paper.later(2)
    assert paper.follow() == ClaimUndo(step_id("reserve"), 1)


def test_an_order_is_not_placed_on_a_hold_that_ends_before_it_can_finish():
    paper = _held(1)
    paper.done("charge")
    paper.later(2)
    assert paper.follow() == ClaimUndo(step_id("charge"), 1)


def test_a_hold_that_the_order_consumed_holds_back_no_mail():
    paper = _held(1)
    paper.done("charge")
    paper.done("order")
    paper.later(3600)
    assert paper.due() == Claim(step_id("mail"), 1)


# -- refusals and declines ------------------------------------------------------------------------


@pytest.mark.parametrize("guarantees", CLASSES.values(), ids=list(CLASSES))
def test_a_refused_step_is_sent_again_after_a_pause(guarantees):
    paper = approved(ONLY, guarantees=guarantees)
    paper.attempted("only", Event.REFUSED)
    assert paper.due() == Wait(paper.now + timedelta(seconds=1), "only is tried again")
    paper.later(1)
    assert paper.due() == Claim(step_id("only"), 2)


def test_the_pause_begins_with_the_refusal_and_not_with_the_claim():
    paper = approved(ONLY)
    paper.claimed("only")
    paper.later(3)
    paper.answered("only", Event.REFUSED)
    assert paper.due() == Wait(paper.now + timedelta(seconds=1), "only is tried again")


def test_the_pause_doubles_with_each_refusal():
    paper = approved(ONLY)
    paper.attempted("only", Event.REFUSED)
    paper.later(1)
    paper.attempted("only", Event.REFUSED)
    assert paper.due() == Wait(paper.now + timedelta(seconds=2), "only is tried again")


@pytest.mark.parametrize("guarantees", CLASSES.values(), ids=list(CLASSES))
def test_a_step_that_is_refused_too_often_fails_with_the_reason(guarantees):
    paper = approved(ONLY, guarantees=guarantees)
    for _ in range(PATIENCE.attempts):
        paper.attempted("only", Event.REFUSED, detail={"reason": "no connection"})
        paper.later(10)
    assert paper.due_events() == [Event.FAILED]
    assert paper.follow() == End()
    assert paper.step("only").state is StepState.NEGATIVE
    assert paper.plan.actions[0].reason == "no connection"


@pytest.mark.parametrize("guarantees", CLASSES.values(), ids=list(CLASSES))
def test_a_declined_step_fails_with_the_reason_and_gives_back_what_was_taken(guarantees):
    paper = approved(RESERVE, CHARGE, ORDER, guarantees=guarantees)
    paper.done("reserve")
    paper.attempted("charge", Event.DECLINED, payload={"reason": "card declined"})
    assert paper.due_events() == [Event.FAILED]
    assert paper.follow() == ClaimUndo(step_id("reserve"), 1)
    assert paper.plan.actions[0].reason == "card declined"


# -- the pivot ------------------------------------------------------------------------------------


def _ordered() -> Paper:
    paper = approved(RESERVE, CHARGE, ORDER, MAIL)
    for name in ("reserve", "charge", "order"):
        paper.done(name)
    return paper


def test_a_declined_mail_neither_compensates_nor_blocks_the_end():
    paper = _ordered()
    paper.attempted("mail", Event.DECLINED)
    assert paper.follow() == End()
    paper.write(Event.SUCCEEDED)
    assert paper.plan.succeeded
    assert not paper.plan.actions[0].closing


def test_a_mail_that_is_refused_too_often_neither_compensates_nor_blocks_the_end():
    paper = _ordered()
    for _ in range(PATIENCE.attempts):
        paper.attempted("mail", Event.REFUSED)
        paper.later(10)
    assert paper.follow() == End()
    assert paper.step("mail").state is StepState.NEGATIVE
    assert paper.plan.actions[0].succeeded


def test_a_mail_in_doubt_neither_asks_nor_compensates_nor_blocks_the_end():
    paper = _ordered()
    paper.attempted("mail", Event.UNANSWERED)
    paper.later(3600)
    assert paper.follow() == End()
    assert paper.step("mail").state is StepState.IN_DOUBT
    assert paper.plan.actions[0].succeeded


def test_a_mail_that_moved_after_the_pivot_is_left_out():
    paper = _ordered()
    paper.write(Event.SUPERSEDED, paper.step("mail"))
    assert paper.due() == End()


def test_before_the_pivot_a_failure_compensates():
    paper = approved(RESERVE, CHARGE, ORDER, MAIL)
    paper.done("reserve")
    paper.done("charge")
    paper.attempted("order", Event.DECLINED)
    assert paper.follow() == ClaimUndo(step_id("charge"), 1)
    assert paper.step("mail").state is StepState.VOID


def test_before_the_pivot_a_doubt_is_put_to_a_person():
    paper = approved(CHARGE, ORDER)
    paper.attempted("charge", Event.UNANSWERED)
    paper.later(3600)
    assert paper.follow() == AskDoubt(step_id("charge"))


# -- duplicates -----------------------------------------------------------------------------------


def _doubled(*parts) -> Paper:
    paper = approved(*parts, guarantees=PROBE)
    paper.attempted(parts[0].name, Event.UNANSWERED)
    paper.looked(parts[0].name, Event.FOUND, result={"id": 1}, extras=[{"id": 2}, {"id": 3}])
    return paper


def test_every_duplicate_is_undone_before_the_next_step():
    paper = _doubled(CHARGE, ORDER)
    assert paper.due() == UndoExtra(step_id("charge"), {"id": 2})
    paper.write(Event.EXTRA_UNDONE, paper.step("charge"))
    assert paper.due() == UndoExtra(step_id("charge"), {"id": 3})
    paper.write(Event.EXTRA_UNDONE, paper.step("charge"))
    assert paper.due() == Claim(step_id("order"), 1)


def test_a_duplicate_that_a_verification_shows_is_undone():
    paper = approved(CHARGE, ORDER, guarantees=PROBE)
    paper.done("charge", id=1)
    paper.looked("charge", Event.VERIFIED, extras=[{"id": 2}])
    assert paper.due() == UndoExtra(step_id("charge"), {"id": 2})


def test_a_duplicate_that_nothing_undoes_is_not_tried_to_be_undone():
    paper = _doubled(ONLY)
    assert not isinstance(paper.due(), UndoExtra)


def test_a_duplicate_that_shows_after_the_end_is_undone():
    paper = approved(CHARGE, ORDER, guarantees=PROBE)
    paper.done("charge", id=1)
    paper.done("order")
    paper.write(Event.SUCCEEDED)
    paper.looked("charge", Event.VERIFIED, extras=[{"id": 2}])
    assert paper.due() == UndoExtra(step_id("charge"), {"id": 2})


# -- the decision itself --------------------------------------------------------------------------


def test_a_tool_that_says_nothing_has_the_worst_class():
    paper = approved(ONLY)
    paper.attempted("only", Event.UNANSWERED)
    unknown = settle(paper.plan, {}, PATIENCE, paper.now)
    assert unknown == Wait(paper.step("only").attempts[0].settle_at, "only may still be on its way")


def test_deciding_changes_nothing_and_decides_the_same_again():
    paper = approved(CHARGE, ORDER, guarantees=STORED_KEY_AND_PROBE)
    paper.attempted("charge", Event.UNANSWERED)
    before = len(paper.entries)
    assert paper.due() == paper.due()
    assert (len(paper.entries), paper.step("charge").state) == (before, StepState.UNKNOWN)


# -- arguments that are taken from results ---------------------------------------------------------

ORDER_WITH_CHARGE = replace(
    ORDER, binds={"charge_id": take("charge", "charge_id").model_dump(mode="json")}
)
MAIL_WITH_ORDER = replace(
    MAIL, binds={"subject": take("order", "order_id").model_dump(mode="json")}
)


def _said_to_have_happened(name: str, *parts, **more: object) -> Paper:
    """Let a person say that a step in doubt happened, and no more."""
    paper = approved(*parts)
    for part in parts[: [part.name for part in parts].index(name)]:
        paper.done(part.name)
    paper.attempted(name, Event.UNANSWERED)
    paper.write(Event.IN_DOUBT, paper.step(name), payload={"reason": "no proof", **more})
    said = {"result": {"reference": ""}, "said": "it happened"}
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
