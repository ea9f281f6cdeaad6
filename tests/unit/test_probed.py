"""What the rehearsals of an effect come to, where no service of the tests answers so."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from daybook.state.effects.evidence import Look
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.effects.reference import naming
from daybook.state.effects.rehearsal import Rehearsal
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.tools.probed.answered import of_the_answer
from daybook.tools.probed.finding import Declared, Finding, Rehearsed, Undone, Verdict
from daybook.tools.probed.findings import findings
from daybook.tools.services.classify import classify
from daybook.tools.services.contract import STRIPE_V1, Compared
from daybook.tools.services.reply import Reply

NOW = datetime(2031, 5, 6, 12, tzinfo=UTC)
HELD, NOT_HELD = Verdict.HELD, Verdict.NOT_HELD
NOT_SEEN, UNDECLARED = Verdict.NOT_SEEN, Verdict.UNDECLARED

KEYED = Guarantees(
    honours_key=True,
    stores_failures=True,
    retention=timedelta(days=1),
    settle=timedelta(seconds=1),
    provable=True,
)
DONE = Confirmed({"id": "CH-1"})
NO = Declined("card_declined", "The card was declined.")
OTHER_NO = Declined("closed", "It is closed.")
AT_THE_DOOR = Declined("invalid", "It is not valid.", at_the_door=True)
LOST = Unknown("no answer (ReadTimeout)")
REUSED = classify(STRIPE_V1, Reply(400, {}, b'{"error": {"type": "idempotency_error"}}'))
NOTHING = Look(Event.ABSENT, NOW)


def showing(*rows: Mapping[str, Any]) -> Look:
    return Look(Event.FOUND, NOW, rows)


SHOWN = showing({"id": "CH-1"})


def tried(key: str = "k", guarantees: Guarantees = KEYED, **held: str) -> Rehearsal:
    step = Step(
        op=f"probe-check/{key}",
        gen=1,
        name="sent once",
        tool="charge",
        args={},
        binds={},
        preconditions={},
        evidence={},
        pivot=False,
        undo="refund",
        intended_at=NOW,
        state=StepState.UNKNOWN,
        counted=frozenset(held),
    )
    return Rehearsal(step, naming("id"), guarantees, held)


def found(
    what: str,
    *again: Outcome,
    other: Outcome | None = None,
    declined: tuple[Outcome, ...] = (),
    undone: Undone | None = None,
    compares: Compared = "unsaid",
    guarantees: Guarantees = KEYED,
    first: Look = SHOWN,
    late: Look = NOTHING,
    unused: Look = NOTHING,
) -> Finding:
    """Say what is found of one thing; what is not told went as it should."""
    once = tried(guarantees=guarantees)
    once.observe("once", DONE, first, 0)
    for outcome in again:
        once.observe("again", outcome, None, 0)
    once.observe("late", None, late, 0)
    seen = Rehearsed(once, [unused], undone=undone)
    if other is not None:
        seen.other = tried(**{"CH-1": "sent once"})
        seen.other.observe("once", other, None, 0)
    if declined:
        seen.declined = tried("declined", guarantees)
        for outcome in declined:
            seen.declined.observe("again", outcome, None, 0)
    declared = Declared(guarantees, naming("id"), {}, {}, "refund", compares, 1.0)
    (one,) = [one for one in findings(declared, seen) if one.what == what]
    return one


@pytest.mark.parametrize(
    ("again", "late", "verdict"),
    [
        (DONE, NOTHING, HELD),
        (Confirmed({"id": "CH-2"}), NOTHING, NOT_HELD),
        (DONE, showing({"id": "CH-1"}, {"id": "CH-2"}), NOT_HELD),
        (DONE, showing({"id": "CH-1", "at": 1}, {"id": "CH-1", "at": 2}), NOT_HELD),
        (LOST, NOTHING, NOT_SEEN),
        (LOST, showing({"id": "CH-1"}), HELD),
        (NO, showing({"id": "CH-1"}), HELD),
        (NotSent("busy"), showing({"id": "CH-1"}), NOT_SEEN),
        (AT_THE_DOOR, showing({"id": "CH-1"}), NOT_SEEN),
    ],
)
def test_a_key_is_honoured_where_one_effect_is_seen(again: Outcome, late: Look, verdict: Verdict):
    assert found("honours_key", again, late=late).verdict is verdict
    blind = Guarantees(honours_key=True, retention=timedelta(days=1))
    assert found("honours_key", LOST, first=NOTHING, guarantees=blind).verdict is NOT_SEEN


@pytest.mark.parametrize(
    ("compares", "outcome", "verdict", "says"),
    [
        ("key", DONE, HELD, ""),
        ("key_and_body", DONE, NOT_HELD, 'compares="key"'),
        ("unsaid", DONE, UNDECLARED, 'compares="key"'),
        ("key_and_body", REUSED, HELD, ""),
        ("key", REUSED, NOT_HELD, 'compares="key_and_body"'),
        ("unsaid", REUSED, UNDECLARED, 'compares="key_and_body"'),
        ("key_and_body", OTHER_NO, NOT_SEEN, "key_reused={'closed'}"),
        ("key_and_body", LOST, NOT_SEEN, "key_reused"),
        ("key", Confirmed({"id": "CH-2"}), NOT_HELD, "honours_key=False"),
    ],
)
def test_other_arguments_under_a_key(compares, outcome, verdict, says):
    one = found("other arguments", DONE, other=outcome, compares=compares)
    assert (one.verdict, says in one.mend) == (verdict, True), one


@pytest.mark.parametrize(
    ("came", "verdict"),
    [
        ((NO, NO, NO), HELD),
        ((NO, NO, REUSED), NOT_SEEN),
        ((NO, NO, Confirmed({"id": "CH-7"})), NOT_HELD),
        ((NO, Confirmed({"id": "CH-7"}), Confirmed({"id": "CH-7"})), NOT_HELD),
        ((NO, NO, LOST), NOT_SEEN),
        ((NO, OTHER_NO, NO), NOT_SEEN),
        ((NO, NO, OTHER_NO), NOT_SEEN),
        ((AT_THE_DOOR,), NOT_SEEN),
        ((Confirmed({"id": "CH-7"}),), NOT_SEEN),
        ((LOST,), NOT_SEEN),
        ((), NOT_SEEN),
    ],
)
def test_a_no_is_kept_or_not(came: tuple[Outcome, ...], verdict: Verdict):
    assert found("stores_failures", DONE, declined=came).verdict is verdict


@pytest.mark.parametrize(
    ("undone", "verdict", "says"),
    [
        (None, NOT_SEEN, ""),
        (Undone(impossible="it cannot be undone: no id"), NOT_HELD, "no id"),
        (Undone(outcomes=(NO,), settled=(False,)), NOT_HELD, "not undone: declined"),
        (Undone(outcomes=(NotSent("busy"),), settled=(False,)), NOT_SEEN, "busy"),
        (Undone(outcomes=(DONE, NO), settled=(True, False)), NOT_HELD, "a second undo: declined"),
        (Undone(outcomes=(DONE, LOST), settled=(True, False)), NOT_SEEN, "unknown"),
        (Undone(outcomes=(DONE, NO), settled=(True, True)), HELD, "settled (declined"),
        (Undone(outcomes=(DONE, DONE), settled=(True, True)), NOT_SEEN, "confirmed too"),
        (
            Undone(outcomes=(DONE, DONE), settled=(True, True), is_named=True, after=showing({})),
            HELD,
            "shows one row",
        ),
        (
            Undone(outcomes=(DONE, DONE), settled=(True, True), names=frozenset({"R-1", "R-2"})),
            NOT_HELD,
            "undone twice: R-1, R-2",
        ),
    ],
)
def test_an_undo_is_done_once(undone: Undone | None, verdict: Verdict, says: str):
    one = found("undo", DONE, undone=undone)
    assert (one.verdict, says in one.seen) == (verdict, True), one


@pytest.mark.parametrize(
    ("fault", "verdict", "says"), [("KeyError", NOT_HELD, "fails"), ("", NOT_SEEN, "nobody")]
)
def test_a_look_up_that_cannot_look(fault: str, verdict: Verdict, says: str):
    away = Look(Event.UNREACHABLE, NOW, fault=fault)
    one = found("settle", DONE, first=away, late=away)
    assert (one.verdict, says in one.seen) == (verdict, True)
    assert found("unused key", unused=away).verdict is NOT_SEEN
    assert found("late duplicates", first=away, late=away).verdict is NOT_SEEN


def test_a_row_that_says_our_key_lets_a_machine_undo_duplicates():
    keyed = showing({"id": "CH-1", "metadata": {"reference": "probe-check/k/1"}})
    assert found("key in the row", first=keyed).verdict is HELD
    one = found("key in the row")
    assert (one.verdict, "put to a person" in one.mend) == (UNDECLARED, True)


def test_a_late_duplicate_and_two_rows_where_one_was_sent_are_told():
    late = showing({"id": "CH-1"}, {"id": "CH-2"})
    assert found("late duplicates", DONE, late=late).verdict is NOT_HELD
    assert found("late duplicates", DONE).verdict is HELD
    assert found("one row", first=showing({"id": "CH-1"}, {"id": "X-9"})).verdict is NOT_HELD


def test_an_answer_that_names_another_effect_than_its_row_does_not_hold():
    one = found("reference", first=showing({"id": "ch-1"}))
    assert (one.verdict, "CH-1" in one.seen and "ch-1" in one.seen) == (NOT_HELD, True)


def test_what_to_mend_is_said_by_what_was_answered():
    mends = []
    for outcome in (AT_THE_DOOR, NO, LOST):
        once = tried()
        once.observe("once", outcome, None, 0)
        mends.append(of_the_answer(once).mend)
    assert ["credentials" in mends[0], "arguments" in mends[1], "contract" in mends[2]] == [
        True
    ] * 3
