"""A step whose attempt may have been done: wait, look, send again, fail, or ask a person."""

from dataclasses import replace
from datetime import timedelta

import pytest

from daybook.state.effects.guarantees import Guarantees, Patience
from daybook.state.ledger.next_move import AskDoubt, Claim, LookFor, Wait
from daybook.state.ledger.recovery import Event, StepState
from tests.unit.paper import (
    CHARGE,
    CLASSES,
    KEY,
    KEY_AND_PROBE,
    KEY_AND_PROBE_WITHOUT_D,
    KEY_WITHOUT_D,
    NEITHER,
    ONLY,
    ORDER,
    PATIENCE,
    PROBE,
    PROBE_WITHOUT_D,
    RETENTION,
    STORED_KEY,
    STORED_KEY_AND_PROBE,
    Paper,
    approved,
    step_id,
)

ID = step_id("only")
KEYED = {name: known for name, known in CLASSES.items() if known.honours_key}
PROBED = {name: known for name, known in CLASSES.items() if known.provable}
WITHOUT_PROOF = {"probe without D": PROBE_WITHOUT_D, "neither": NEITHER}


def unknown(guarantees: Guarantees, answer: Event | None = Event.UNANSWERED) -> Paper:
    """Make a step that was attempted once; without an answer its sender died."""
    paper = approved(ONLY, guarantees=guarantees)
    paper.claimed("only")
    if answer is not None:
        paper.answered("only", answer)
    return paper


def settle_at(paper: Paper) -> Wait:
    """Return the waiting until every attempt has settled."""
    until = max(attempt.settle_at for attempt in paper.step("only").attempts)
    return Wait(until, "only may still be on its way")


def wait_out(paper: Paper) -> None:
    """Let time go by until just after every attempt has settled."""
    paper.now = settle_at(paper).until
    paper.later(microseconds=1)


# -- with a key -----------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [None, Event.UNANSWERED])
@pytest.mark.parametrize("guarantees", [STORED_KEY, KEY, KEY_WITHOUT_D])
def test_a_tool_that_honours_keys_is_sent_again_at_once(guarantees: Guarantees, answer):
    assert unknown(guarantees, answer).due() == Claim(ID, 2)


@pytest.mark.parametrize(
    "guarantees", [STORED_KEY_AND_PROBE, KEY_AND_PROBE, KEY_AND_PROBE_WITHOUT_D]
)
def test_a_key_and_a_probe_look_first_and_send_again_without_waiting(guarantees: Guarantees):
    paper = unknown(guarantees)
    assert paper.due() == LookFor(ID)
    paper.looked("only", Event.ABSENT)
    assert paper.due() == Claim(ID, 2)


def _seconds_before_the_key_is_forgotten(guarantees: Guarantees) -> float:
    needed = PATIENCE.budget + PATIENCE.settle_after(guarantees)
    return (RETENTION - needed).total_seconds()


@pytest.mark.parametrize("guarantees", KEYED.values(), ids=list(KEYED))
def test_a_key_counts_while_budget_and_d_end_before_it_is_forgotten(guarantees: Guarantees):
    paper = unknown(guarantees)
    paper.later(_seconds_before_the_key_is_forgotten(guarantees))
    paper.later(microseconds=-1)
    if guarantees.provable:
        paper.looked("only", Event.ABSENT)
    assert paper.due() == Claim(ID, 2)


@pytest.mark.parametrize("guarantees", [STORED_KEY, KEY, KEY_WITHOUT_D, KEY_AND_PROBE_WITHOUT_D])
def test_a_key_that_may_be_forgotten_counts_as_no_key(guarantees: Guarantees):
    paper = unknown(guarantees)
    paper.later(_seconds_before_the_key_is_forgotten(guarantees))
    if guarantees.provable:
        paper.looked("only", Event.ABSENT)
    assert paper.due_events() == [Event.IN_DOUBT]


def test_the_first_attempt_begins_the_retention_and_not_the_last():
    paper = unknown(STORED_KEY)
    paper.later(1800)
    paper.attempted("only", Event.UNANSWERED)
    paper.later(_seconds_before_the_key_is_forgotten(STORED_KEY) - 1800)
    wait_until_settled = settle_at(paper).until - paper.now
    assert wait_until_settled < timedelta(0)
    assert paper.due_events() == [Event.IN_DOUBT]


def test_with_a_probe_a_forgotten_key_leaves_what_the_probe_proves():
    paper = unknown(STORED_KEY_AND_PROBE)
    paper.later(RETENTION.total_seconds())
    assert paper.due() == LookFor(ID)
    paper.looked("only", Event.ABSENT)
    assert paper.due() == Claim(ID, 2)


def test_a_keyed_step_that_is_never_answered_is_sent_again_with_pauses():
    paper = unknown(KEY)
    for _ in range(PATIENCE.attempts - 1):
        paper.attempted("only", Event.UNANSWERED)
    pause = PATIENCE.pause(PATIENCE.attempts)
    assert paper.due() == Wait(paper.now + pause, "only is tried again")
    paper.later(pause.total_seconds())
    assert paper.due() == Claim(ID, PATIENCE.attempts + 1)


# -- with a probe ---------------------------------------------------------------------------------


@pytest.mark.parametrize("guarantees", PROBED.values(), ids=list(PROBED))
@pytest.mark.parametrize("answer", [None, Event.UNANSWERED])
def test_a_tool_with_a_probe_is_looked_for_first(guarantees: Guarantees, answer):
    assert unknown(guarantees, answer).due() == LookFor(ID)


@pytest.mark.parametrize("guarantees", PROBED.values(), ids=list(PROBED))
def test_what_is_found_is_done(guarantees: Guarantees):
    paper = unknown(guarantees)
    paper.looked("only", Event.FOUND, result={"id": 1})
    assert paper.step("only").state is StepState.DONE


def test_without_a_key_nothing_is_sent_again_while_an_attempt_may_still_land():
    paper = unknown(PROBE)
    paper.looked("only", Event.ABSENT)
    assert paper.due() == settle_at(paper)
    paper.now = settle_at(paper).until
    assert paper.due() == settle_at(paper)


def test_absence_is_looked_for_again_once_every_attempt_has_settled():
    paper = unknown(PROBE)
    paper.later(1)
    paper.looked("only", Event.ABSENT)
    wait_out(paper)
    assert paper.due() == LookFor(ID)
    paper.looked("only", Event.ABSENT)
    assert paper.due() == Claim(ID, 2)


def test_a_look_that_began_when_an_attempt_settled_proves_nothing():
    paper = unknown(PROBE)
    paper.now = settle_at(paper).until
    paper.looked("only", Event.ABSENT)
    paper.later(1)
    assert paper.due() == LookFor(ID)


def test_a_look_counts_from_when_it_began_and_not_from_when_it_was_written():
    paper = unknown(PROBE)
    began_at = paper.now.isoformat()
    wait_out(paper)
    paper.write(Event.ABSENT, paper.step("only"), detail={"began_at": began_at})
    assert paper.due() == LookFor(ID)


def test_an_attempt_after_a_look_makes_the_look_worthless():
    paper = unknown(PROBE)
    wait_out(paper)
    paper.looked("only", Event.ABSENT)
    assert paper.due() == Claim(ID, 2)
    paper.later(1)
    paper.attempted("only", Event.UNANSWERED)
    assert paper.due() == LookFor(ID)
    paper.looked("only", Event.ABSENT)
    assert paper.due() == settle_at(paper)


def test_absence_needs_every_attempt_to_have_settled_and_not_the_last_alone():
    paper = approved(ONLY, guarantees=PROBE)
    paper.claimed("only")
    late = paper.now + timedelta(seconds=100)
    paper.step("only").attempts[0].settle_at = late
    paper.attempted("only", Event.UNANSWERED)
    paper.later(50)
    paper.looked("only", Event.ABSENT)
    assert paper.due() == Wait(late, "only may still be on its way")


@pytest.mark.parametrize("guarantees", PROBED.values(), ids=list(PROBED))
def test_an_unreachable_probe_blocks_and_is_asked_again_with_growing_pauses(guarantees: Guarantees):
    paper = unknown(guarantees)
    for pause in (1, 2, 4, 4):
        paper.looked("only", Event.UNREACHABLE)
        assert paper.due() == Wait(paper.now + timedelta(seconds=pause), "look-up failed")
        paper.later(pause)
        assert paper.due() == LookFor(ID)


@pytest.mark.parametrize("guarantees", PROBED.values(), ids=list(PROBED))
def test_a_service_that_is_away_is_no_reason_for_doubt_until_it_is_away_for_too_long(
    guarantees: Guarantees,
):
    paper = unknown(guarantees)
    paper.later(PATIENCE.unproved.total_seconds())
    for _ in range(2 * PATIENCE.attempts):
        paper.looked("only", Event.UNREACHABLE)
    paper.later(5)
    assert paper.due() == LookFor(ID)
    paper.later(100)
    assert paper.due_events() == [Event.IN_DOUBT]


@pytest.mark.parametrize("guarantees", PROBED.values(), ids=list(PROBED))
def test_a_look_up_that_fails_by_a_fault_of_its_own_comes_to_a_person(guarantees: Guarantees):
    paper = unknown(guarantees)
    for _ in range(PATIENCE.attempts):
        paper.looked_in_vain("only")
    paper.later(10)
    assert paper.due() == LookFor(ID), "what was sent may still land"
    paper.later(100)
    paper.looked_in_vain("only")
    assert paper.due_events() == [Event.IN_DOUBT]


@pytest.mark.parametrize("guarantees", [KEY, KEY_WITHOUT_D, STORED_KEY])
def test_what_is_sent_again_and_again_without_an_answer_comes_to_a_person(guarantees: Guarantees):
    paper = unknown(replace(guarantees, retention=timedelta(days=1)))
    for _ in range(PATIENCE.attempts):
        paper.claimed("only")
    paper.later(PATIENCE.unproved.total_seconds())
    assert isinstance(paper.due(), Claim)
    paper.later(100)
    assert paper.due_events() == [Event.IN_DOUBT]


def test_a_look_that_worked_ends_the_row_of_failed_ones():
    paper = unknown(PROBE)
    paper.looked("only", Event.UNREACHABLE)
    paper.looked("only", Event.UNREACHABLE)
    paper.looked("only", Event.ABSENT)
    wait_out(paper)
    paper.looked("only", Event.UNREACHABLE)
    assert paper.due() == Wait(paper.now + timedelta(seconds=1), "look-up failed")


# -- without proof --------------------------------------------------------------------------------


@pytest.mark.parametrize("guarantees", WITHOUT_PROOF.values(), ids=list(WITHOUT_PROOF))
@pytest.mark.parametrize("answer", [None, Event.UNANSWERED])
def test_without_proof_a_person_is_asked_once_every_attempt_has_settled(guarantees, answer):
    paper = unknown(guarantees, answer)
    if guarantees.provable:
        paper.looked("only", Event.ABSENT)
    assert paper.due() == settle_at(paper)
    paper.now = settle_at(paper).until
    assert paper.due() == settle_at(paper)
    paper.later(microseconds=1)
    assert paper.due_events() == [Event.IN_DOUBT]
    assert paper.follow() == AskDoubt(ID)


@pytest.mark.parametrize("guarantees", WITHOUT_PROOF.values(), ids=list(WITHOUT_PROOF))
def test_without_proof_nothing_is_ever_sent_again_by_itself(guarantees: Guarantees):
    paper = unknown(guarantees)
    for _ in range(20):
        paper.later(30)
        if isinstance(paper.follow(), LookFor):
            paper.looked("only", Event.ABSENT)
        assert not isinstance(paper.follow(), Claim)
    assert paper.due() == AskDoubt(ID)


def test_with_a_bound_absence_is_proof_and_nobody_is_asked():
    paper = unknown(PROBE)
    wait_out(paper)
    paper.looked("only", Event.ABSENT)
    assert paper.due() == Claim(ID, 2)


# -- in doubt -------------------------------------------------------------------------------------


def in_doubt(*parts) -> Paper:
    """Make a plan whose first step is in doubt."""
    paper = approved(*parts)
    paper.attempted(parts[0].name, Event.UNANSWERED)
    paper.write(Event.IN_DOUBT, paper.step(parts[0].name), detail={"reason": "no proof"})
    return paper


def test_a_step_in_doubt_is_put_to_a_person():
    assert in_doubt(ONLY).due() == AskDoubt(ID)


def test_evidence_that_does_not_match_is_put_to_a_person_whatever_is_guaranteed():
    paper = unknown(STORED_KEY_AND_PROBE)
    paper.write(Event.IN_DOUBT, paper.step("only"), payload={"reason": "expected 5, shows 7"})
    assert paper.due() == AskDoubt(ID)
    assert paper.step("only").reason == "expected 5, shows 7"


@pytest.mark.parametrize("event", [Event.ABSENT, Event.UNREACHABLE, Event.UNANSWERED])
def test_a_doubt_stays_while_nothing_answers_it(event: Event):
    paper = in_doubt(ONLY)
    if event is Event.UNANSWERED:
        paper.answered("only", event)
    else:
        paper.looked("only", event)
    assert paper.due() == AskDoubt(ID)


def test_a_late_acknowledgement_withdraws_the_question():
    paper = in_doubt(CHARGE, ORDER)
    paper.acknowledged("charge", charge_id="c")
    assert paper.due() == Claim(step_id("order"), 1)


def test_a_person_who_says_that_it_happened_lets_the_plan_go_on():
    paper = in_doubt(CHARGE, ORDER)
    said = {"result": {"reference": "c"}}
    paper.write(Event.HAPPENED, paper.step("charge"), author="ada", payload=said)
    assert paper.due() == Claim(step_id("order"), 1)


def test_a_person_who_says_that_it_did_not_happen_lets_it_be_sent_again():
    paper = in_doubt(ONLY)
    paper.write(Event.NOT_HAPPENED, paper.step("only"), author="ada")
    assert paper.due() == Claim(ID, 2)


def test_what_was_said_not_to_have_happened_is_doubted_anew_when_sent_again_without_an_answer():
    paper = in_doubt(ONLY)
    paper.write(Event.NOT_HAPPENED, paper.step("only"), author="ada")
    paper.attempted("only", Event.UNANSWERED)
    wait_out(paper)
    assert paper.follow() == AskDoubt(ID)


# -- a refusal or a decline beside an open attempt ------------------------------------------------


@pytest.mark.parametrize("guarantees", CLASSES.values(), ids=list(CLASSES))
def test_a_refusal_settles_its_own_attempt_only(guarantees: Guarantees):
    paper = unknown(guarantees)
    for _ in range(PATIENCE.attempts):
        paper.attempted("only", Event.REFUSED)
    for _ in range(3):
        paper.later(30)
        if isinstance(paper.follow(), LookFor):
            paper.looked("only", Event.UNREACHABLE)
        assert paper.step("only").state is not StepState.NEGATIVE


def test_a_refused_retry_without_a_key_is_not_repeated_before_absence_is_certain_again():
    paper = unknown(PROBE)
    wait_out(paper)
    paper.looked("only", Event.ABSENT)
    paper.attempted("only", Event.REFUSED)
    paper.later(100)
    assert paper.due() == LookFor(ID)


@pytest.mark.parametrize("guarantees", [PROBE, KEY_AND_PROBE, STORED_KEY_AND_PROBE])
@pytest.mark.parametrize("answer", [Event.REFUSED, Event.UNANSWERED])
def test_what_was_tried_often_enough_fails_once_absence_is_certain(guarantees: Guarantees, answer):
    paper = unknown(guarantees, None)
    while len(paper.step("only").attempts) < PATIENCE.attempts:
        paper.later(100)
        paper.looked("only", Event.ABSENT)
        paper.attempted("only", answer)
    if answer is Event.UNANSWERED:
        paper.looked("only", Event.ABSENT)
    assert paper.due() == settle_at(paper)
    wait_out(paper)
    assert paper.due() == LookFor(ID)
    paper.looked("only", Event.ABSENT)
    assert paper.due_events() == [Event.FAILED]


def test_a_stored_decline_settles_every_attempt_under_the_key():
    paper = unknown(STORED_KEY)
    paper.attempted("only", Event.DECLINED)
    assert paper.due_events() == [Event.FAILED]


def test_a_stored_decline_that_was_forgotten_settles_nothing_that_was_sent_since():
    """The first sender heard the decline and was suspended until the key was forgotten."""
    paper = unknown(STORED_KEY_AND_PROBE, answer=None)
    paper.now += RETENTION
    paper.looked("only", Event.ABSENT)
    paper.later(1)
    paper.claimed("only")
    paper.answered("only", Event.DECLINED, 1)
    assert paper.due() == LookFor(ID)


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("guarantees", [KEY, KEY_AND_PROBE, PROBE, PROBE_WITHOUT_D, NEITHER])
def test_a_decline_that_is_not_stored_settles_its_own_attempt_only(guarantees, number: int):
    paper = approved(ONLY, guarantees=guarantees)
    paper.claimed("only")
    paper.claimed("only")
    paper.answered("only", Event.DECLINED, number=number)
    for _ in range(3):
        if isinstance(paper.follow(), LookFor):
            paper.looked("only", Event.UNREACHABLE)
        assert paper.step("only").state is not StepState.NEGATIVE
        paper.later(1)


@pytest.mark.parametrize("guarantees", [KEY, KEY_AND_PROBE, PROBE])
def test_a_decline_is_final_when_claimed_after_all_earlier_attempts_had_settled(guarantees):
    paper = unknown(guarantees)
    wait_out(paper)
    paper.attempted("only", Event.DECLINED)
    assert paper.due_events() == [Event.FAILED]


def test_a_refused_attempt_does_not_hold_back_a_decline():
    paper = unknown(KEY)
    wait_out(paper)
    paper.attempted("only", Event.REFUSED)
    paper.later(1)
    paper.attempted("only", Event.DECLINED)
    assert paper.due_events() == [Event.FAILED]


def test_a_decline_is_final_when_every_other_attempt_was_refused():
    paper = approved(ONLY, guarantees=KEY)
    paper.claimed("only")
    paper.attempted("only", Event.REFUSED)
    paper.answered("only", Event.DECLINED, number=1)
    assert paper.due_events() == [Event.FAILED]


def test_failures_that_are_stored_say_nothing_where_no_key_is_honoured():
    paper = approved(ONLY, guarantees=replace(PROBE, stores_failures=True))
    paper.claimed("only")
    paper.attempted("only", Event.DECLINED)
    assert paper.due() == LookFor(ID)


def test_a_decline_claimed_when_an_earlier_attempt_settled_is_not_final():
    paper = unknown(KEY)
    paper.now = settle_at(paper).until
    paper.attempted("only", Event.DECLINED)
    assert Event.FAILED not in _written(paper)


def test_a_decline_of_an_attempt_that_is_not_the_last_is_not_final():
    paper = unknown(KEY)
    wait_out(paper)
    paper.claimed("only")
    paper.claimed("only")
    paper.answered("only", Event.DECLINED, number=2)
    assert Event.FAILED not in _written(paper)


@pytest.mark.parametrize("guarantees", [KEY_WITHOUT_D, KEY_AND_PROBE_WITHOUT_D])
def test_without_a_bound_a_decline_beside_an_open_attempt_is_never_final(guarantees: Guarantees):
    paper = unknown(guarantees)
    wait_out(paper)
    paper.attempted("only", Event.DECLINED)
    assert Event.FAILED not in _written(paper)


def _written(paper: Paper) -> list[Event]:
    before = len(paper.entries)
    paper.follow()
    return [entry.event for entry in paper.entries[before:]]


# -- patience -------------------------------------------------------------------------------------


def test_pauses_double_up_to_their_limit():
    patience = Patience(backoff=timedelta(seconds=1), backoff_limit=timedelta(seconds=5))
    pauses = [patience.pause(failures).total_seconds() for failures in (0, 1, 2, 3, 4, 10)]
    assert pauses == [1, 1, 2, 4, 5, 5]


def test_who_fails_for_much_longer_than_a_hiccup_is_asked_less_and_less():
    patience = Patience(backoff=timedelta(seconds=1), backoff_limit=timedelta(seconds=5))
    pauses = [patience.pause(failures).total_seconds() for failures in (11, 12, 16, 1_000)]
    assert pauses == [10, 20, 300, 300]


def test_where_d_is_unknown_a_pause_of_its_own_stands_for_it():
    assert PATIENCE.settle_after(NEITHER) == PATIENCE.unknown_settle
    assert PATIENCE.settle_after(PROBE) == PROBE.settle


AT_THE_DOOR = {"code": "unauthorized", "at_the_door": True}


@pytest.mark.parametrize("guarantees", CLASSES.values(), ids=list(CLASSES))
def test_who_is_turned_away_at_the_door_hears_nothing_of_what_was_sent_before(guarantees):
    """The first one was done, and its answer lost; then our key was changed, and all is 401."""
    paper = unknown(guarantees)
    for _ in range(PATIENCE.attempts):
        paper.later(100)
        paper.attempted("only", Event.DECLINED, detail=AT_THE_DOOR)
    for _ in range(3):
        paper.later(30)
        if isinstance(paper.follow(), LookFor):
            paper.looked("only", Event.UNREACHABLE)
        assert paper.step("only").state is not StepState.NEGATIVE


@pytest.mark.parametrize("guarantees", CLASSES.values(), ids=list(CLASSES))
def test_who_was_only_ever_turned_away_at_the_door_has_done_nothing(guarantees):
    paper = unknown(guarantees, Event.REFUSED)
    paper.later(100)
    paper.attempted("only", Event.DECLINED, detail=AT_THE_DOOR)
    assert paper.due_events() == [Event.FAILED]
