"""The next move of an action that closes, and of a plan that is over."""

from datetime import timedelta

import pytest

from daybook.state.effects.guarantees import Guarantees
from daybook.state.ledger.next_move import (
    AskDoubt,
    Claim,
    ClaimUndo,
    End,
    LookFor,
    Over,
    UndoExtra,
    Wait,
)
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.work_list import open_steps
from tests.unit.paper import (
    CHARGE,
    CLASSES,
    KEY,
    KEY_AND_PROBE,
    KEY_AND_PROBE_WITHOUT_D,
    KEY_WITHOUT_D,
    MAIL,
    NEITHER,
    ORDER,
    PATIENCE,
    PROBE,
    PROBE_WITHOUT_D,
    RESERVE,
    STORED_KEY,
    STORED_KEY_AND_PROBE,
    Paper,
    Part,
    approved,
    step_id,
)


def closing(guarantees: Guarantees, charge: Event | None = Event.UNANSWERED) -> Paper:
    """Make a closing action whose hold is done and whose charge is unknown."""
    paper = approved(RESERVE, CHARGE, ORDER, of={"charge": guarantees})
    paper.done("reserve", hold_id="h")
    paper.claimed("charge")
    if charge is not None:
        paper.answered("charge", charge)
    paper.closed()
    return paper


def wait_out(paper: Paper) -> None:
    """Let time go by until just after every attempt of the charge has settled."""
    paper.now = max(attempt.settle_at for attempt in paper.step("charge").attempts)
    paper.later(microseconds=1)


# -- what is unknown comes first ------------------------------------------------------------------


@pytest.mark.parametrize("answer", [None, Event.UNANSWERED])
@pytest.mark.parametrize("guarantees", CLASSES.values(), ids=list(CLASSES))
def test_nothing_is_undone_while_a_step_is_unknown(guarantees: Guarantees, answer):
    paper = closing(guarantees, answer)
    for _ in range(4):
        move = paper.follow()
        if paper.step("charge").state is not StepState.UNKNOWN:
            break
        assert not isinstance(move, ClaimUndo | End)
        if isinstance(move, LookFor):
            paper.looked("charge", Event.ABSENT)
        paper.later(1)


@pytest.mark.parametrize("guarantees", [STORED_KEY, KEY, KEY_WITHOUT_D])
def test_with_a_key_alone_a_closing_step_is_pushed_and_what_it_gives_undone(guarantees):
    paper = closing(guarantees)
    assert paper.due() == Claim(step_id("charge"), 2)
    paper.claimed("charge")
    paper.acknowledged("charge", charge_id="c")
    assert paper.due() == ClaimUndo(step_id("charge"), 1)
    paper.undone("charge")
    assert paper.due() == ClaimUndo(step_id("reserve"), 1)


def test_with_a_key_and_a_probe_that_has_no_bound_a_closing_step_is_pushed():
    paper = closing(KEY_AND_PROBE_WITHOUT_D)
    assert paper.due() == LookFor(step_id("charge"))
    paper.looked("charge", Event.ABSENT)
    assert paper.due() == Claim(step_id("charge"), 2)


@pytest.mark.parametrize("guarantees", [STORED_KEY_AND_PROBE, KEY_AND_PROBE, PROBE])
def test_with_a_probe_and_a_bound_a_closing_step_waits_looks_and_is_not_sent_again(guarantees):
    paper = closing(guarantees)
    settled_at = paper.step("charge").attempts[0].settle_at
    assert paper.due() == LookFor(step_id("charge"))
    paper.looked("charge", Event.ABSENT)
    assert paper.due() == Wait(settled_at, "charge may still be on its way")
    wait_out(paper)
    assert paper.due() == LookFor(step_id("charge"))
    paper.looked("charge", Event.ABSENT)
    assert paper.due_events() == [Event.FAILED]
    assert paper.follow() == ClaimUndo(step_id("reserve"), 1)


@pytest.mark.parametrize("guarantees", [STORED_KEY_AND_PROBE, KEY_AND_PROBE, PROBE])
def test_what_a_closing_look_finds_is_undone(guarantees: Guarantees):
    paper = closing(guarantees)
    paper.looked("charge", Event.FOUND, result={"charge_id": "c"})
    assert paper.due() == ClaimUndo(step_id("charge"), 1)


@pytest.mark.parametrize("guarantees", [PROBE_WITHOUT_D, NEITHER])
def test_without_proof_a_closing_step_is_put_to_a_person_once_it_has_settled(guarantees):
    paper = closing(guarantees)
    if guarantees.provable:
        paper.looked("charge", Event.ABSENT)
    assert isinstance(paper.due(), Wait)
    wait_out(paper)
    assert paper.follow() == AskDoubt(step_id("charge"))


@pytest.mark.parametrize("guarantees", CLASSES.values(), ids=list(CLASSES))
def test_a_closing_action_does_not_send_again_what_was_refused(guarantees: Guarantees):
    paper = closing(guarantees, Event.REFUSED)
    assert paper.due_events() == [Event.FAILED]
    assert paper.follow() == ClaimUndo(step_id("reserve"), 1)


def test_a_closing_action_claims_no_step_that_was_never_attempted():
    paper = approved(RESERVE, ORDER, MAIL)
    paper.done("reserve")
    paper.write(Event.CLOSING, detail={"action": 0, "reason": "asked to undo it"})
    assert paper.follow() == ClaimUndo(step_id("reserve"), 1)
    assert [s.state for s in paper.plan.steps][1:] == [StepState.VOID, StepState.VOID]


def test_a_person_says_that_a_closing_step_did_not_happen_and_the_rest_is_undone():
    paper = closing(NEITHER)
    wait_out(paper)
    assert paper.follow() == AskDoubt(step_id("charge"))
    paper.write(Event.NOT_HAPPENED, paper.step("charge"), author="ada")
    assert paper.due_events() == [Event.FAILED]
    assert paper.follow() == ClaimUndo(step_id("reserve"), 1)


def test_a_person_says_that_a_closing_step_happened_and_it_is_undone():
    paper = closing(NEITHER)
    wait_out(paper)
    paper.follow()
    paper.write(Event.HAPPENED, paper.step("charge"), author="ada", payload={"result": {}})
    assert paper.due() == ClaimUndo(step_id("charge"), 1)


# -- undo in reverse ------------------------------------------------------------------------------


def _three_done() -> Paper:
    paper = approved(RESERVE, CHARGE, ORDER, MAIL)
    for name in ("reserve", "charge", "order"):
        paper.done(name)
    paper.closed()
    return paper


def test_steps_are_undone_in_reverse_and_each_only_when_the_later_one_is():
    paper = _three_done()
    for name in ("order", "charge", "reserve"):
        assert paper.due() == ClaimUndo(step_id(name), 1)
        paper.undone(name)
    assert paper.due() == End()
    paper.write(Event.ENDED)
    assert paper.due() == Over()
    assert not paper.plan.succeeded


def test_an_earlier_step_waits_for_the_undo_of_a_later_one():
    paper = _three_done()
    paper.undo_claimed("order")
    for _ in range(4):
        assert getattr(paper.due(), "step_id", step_id("order")) == step_id("order")
        paper.later(1)


def test_a_step_that_nothing_undoes_is_passed_over():
    paper = approved(RESERVE, Part("cancel"), Part("refund", pivot=True))
    paper.done("reserve")
    paper.done("cancel")
    paper.attempted("refund", Event.DECLINED)
    assert paper.follow() == ClaimUndo(step_id("reserve"), 1)
    paper.undone("reserve")
    assert paper.due() == End()
    assert paper.step("cancel").state is StepState.DONE


def test_a_duplicate_is_undone_before_the_effect_itself():
    paper = approved(CHARGE, ORDER)
    paper.done("charge", id=1)
    paper.looked("charge", Event.VERIFIED, extras=[{"id": 2}])
    paper.closed()
    assert paper.due() == UndoExtra(step_id("charge"), {"id": 2})
    paper.write(Event.EXTRA_UNDONE, paper.step("charge"))
    assert paper.due() == ClaimUndo(step_id("charge"), 1)


def test_a_duplicate_that_nothing_undoes_does_not_hold_back_a_closing_action():
    paper = approved(RESERVE, Part("note"), ORDER)
    paper.done("reserve")
    paper.done("note")
    paper.looked("note", Event.VERIFIED, extras=[{"id": 2}])
    paper.closed()
    assert not isinstance(paper.due(), UndoExtra)


@pytest.mark.parametrize("failed", [False, True])
def test_an_undo_without_an_answer_is_repeated_after_a_pause(failed: bool):
    paper = _three_done()
    paper.undo_claimed("order")
    if failed:
        paper.later(1)
        detail = {"reason": "no connection", "final": False}
        paper.write(Event.UNDO_FAILED, paper.step("order"), attempt=1, detail=detail)
    pause = Wait(paper.now + timedelta(seconds=1), "the undo of order is tried again")
    assert paper.due() == pause
    paper.now = pause.until
    assert paper.due() == ClaimUndo(step_id("order"), 2)


def test_the_pause_between_undos_doubles():
    paper = _three_done()
    paper.undo_claimed("order")
    paper.later(1)
    paper.undo_claimed("order")
    assert paper.due() == Wait(paper.now + timedelta(seconds=2), "the undo of order is tried again")


def _unanswered_undos(count: int) -> Paper:
    paper = _three_done()
    for _ in range(count):
        paper.undo_claimed("order")
        paper.later(1)
    paper.now = paper.step("order").undos[0].settle_at + PATIENCE.unproved
    return paper


def test_an_undo_that_nothing_proves_for_too_long_is_put_to_a_person():
    paper = _unanswered_undos(PATIENCE.attempts)
    assert paper.due() == ClaimUndo(step_id("order"), PATIENCE.attempts + 1)
    paper.later(microseconds=1)
    assert paper.due_events() == [Event.UNDO_STUCK]
    assert paper.follow() == AskDoubt(step_id("order"))


def test_an_undo_is_sent_as_often_as_may_be_before_a_person_is_asked():
    paper = _unanswered_undos(PATIENCE.attempts - 1)
    paper.later(100)
    assert paper.due() == ClaimUndo(step_id("order"), PATIENCE.attempts)


def test_an_undo_of_which_a_person_says_that_it_did_not_happen_is_sent_once_more():
    paper = _unanswered_undos(PATIENCE.attempts)
    paper.later(1)
    paper.follow()
    paper.write(Event.NOT_HAPPENED, paper.step("order"), author="bea")
    paper.later(100)
    assert paper.due() == ClaimUndo(step_id("order"), PATIENCE.attempts + 1)


def _stuck() -> Paper:
    paper = _three_done()
    paper.undo_claimed("order")
    refused = {"reason": "already shipped", "final": True}
    paper.write(Event.UNDO_FAILED, paper.step("order"), attempt=1, detail=refused)
    return paper


def test_an_undo_that_is_refused_for_good_is_put_to_a_person_with_the_reason():
    paper = _stuck()
    assert paper.due_events() == [Event.UNDO_STUCK]
    assert paper.follow() == AskDoubt(step_id("order"))
    assert paper.step("order").reason == "already shipped"


def test_a_person_who_undid_it_by_hand_lets_the_earlier_steps_be_undone():
    paper = _stuck()
    paper.follow()
    paper.write(Event.HAPPENED, paper.step("order"), author="bea")
    assert paper.step("order").state is StepState.UNDONE
    assert paper.due() == ClaimUndo(step_id("charge"), 1)


def test_a_person_who_says_that_the_undo_did_not_happen_lets_it_be_repeated():
    paper = _stuck()
    paper.follow()
    paper.write(Event.NOT_HAPPENED, paper.step("order"), author="bea")
    paper.later(100)
    assert paper.due() == ClaimUndo(step_id("order"), 2)


# -- late evidence --------------------------------------------------------------------------------


def test_a_duplicate_that_is_found_when_the_effect_was_undone_is_undone_too():
    paper = approved(RESERVE, ORDER, guarantees=PROBE)
    paper.done("reserve", id="first")
    paper.closed()
    paper.undone("reserve")
    paper.write(Event.ENDED)
    assert open_steps(paper.plan) == {}
    second = {"id": "second"}
    paper.looked("reserve", Event.VERIFIED, extras=[second])
    [row] = open_steps(paper.plan).values()
    assert row.due_at is not None
    assert paper.due() == UndoExtra(step_id("reserve"), second)
    paper.write(Event.EXTRA_UNDONE, paper.step("reserve"))
    assert paper.due() == Over()
    assert open_steps(paper.plan) == {}


def _ended_without_charge() -> Paper:
    paper = closing(PROBE)
    wait_out(paper)
    paper.looked("charge", Event.ABSENT)
    paper.follow()
    paper.undone("reserve")
    assert paper.due() == End()
    paper.write(Event.ENDED)
    assert paper.due() == Over()
    return paper


@pytest.mark.parametrize("event", [Event.ACKNOWLEDGED, Event.FOUND])
def test_a_late_effect_reopens_a_plan_that_is_over_and_is_undone(event: Event):
    paper = _ended_without_charge()
    result = {"result": {"charge_id": "c"}}
    if event is Event.ACKNOWLEDGED:
        paper.answered("charge", event, payload=result)
        assert isinstance(paper.due(), Wait | LookFor), "our own look-up has not shown it"
        paper.looked("charge", Event.VERIFIED)
    else:
        paper.looked("charge", event, **result)
    assert paper.due() == ClaimUndo(step_id("charge"), 1)
    assert paper.step("charge").result == {"charge_id": "c"}
    paper.undone("charge")
    assert paper.due() == Over()


@pytest.mark.parametrize("event", [Event.UNANSWERED, Event.REFUSED, Event.DECLINED])
def test_late_evidence_against_an_effect_reopens_nothing(event: Event):
    paper = _ended_without_charge()
    paper.answered("charge", event)
    assert paper.due() == Over()


def test_a_late_acknowledgement_before_the_end_is_undone_before_the_earlier_steps():
    paper = closing(PROBE, Event.REFUSED)
    paper.follow()
    assert paper.step("charge").state is StepState.NEGATIVE
    paper.acknowledged("charge", charge_id="c")
    assert paper.due() == ClaimUndo(step_id("charge"), 1)


def test_a_late_acknowledgement_of_a_step_that_was_undone_changes_nothing():
    paper = _three_done()
    for name in ("order", "charge", "reserve"):
        paper.undone(name)
    paper.acknowledged("charge", number=1, charge_id="c")
    assert paper.due() == End()


def test_a_late_acknowledgement_of_a_declined_mail_reopens_no_order():
    paper = approved(ORDER, MAIL)
    paper.done("order")
    paper.attempted("mail", Event.DECLINED)
    assert paper.follow() == End()
    paper.write(Event.SUCCEEDED)
    paper.acknowledged("mail")
    assert paper.due() == Over()


def test_a_late_acknowledgement_of_an_open_plan_lets_it_go_on():
    paper = approved(CHARGE, ORDER)
    paper.attempted("charge", Event.DECLINED)
    (failed,) = paper.due().entries
    paper.take(failed)
    paper.acknowledged("charge", charge_id="c")
    assert paper.due() == Claim(step_id("order"), 1)


def test_what_closes_says_why():
    paper = approved(CHARGE, ORDER)
    for _ in range(PATIENCE.attempts):
        paper.attempted("charge", Event.REFUSED, detail={"reason": "no connection"})
        paper.later(10)
    paper.follow()
    assert paper.plan.actions[0].reason == "no connection"
    assert paper.plan.actions[0].closing


def test_nobody_comes_again_and_again_while_a_person_is_asked():
    # What came under a key is built upon although no look-up shows it yet.
    paper = approved(CHARGE, ORDER, guarantees=KEY_AND_PROBE)
    paper.claimed("charge")
    paper.answered("charge", Event.ACKNOWLEDGED, payload={"result": {"id": "CH-1"}})
    paper.looked("charge", Event.ABSENT)
    assert paper.due() == Claim(step_id("order"), 1)
    paper.claimed("order")
    paper.write(Event.IN_DOUBT, paper.step("order"))
    assert paper.due() == AskDoubt(step_id("order"))
    assert [row.due_at for row in open_steps(paper.plan).values()] == [None, None]
