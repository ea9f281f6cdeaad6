"""What a probe-check finds, where no service of the tests answers so."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from daybook.app.probe_check.findings import Trial, Trials, Verdict, findings
from daybook.state.effects.evidence import Look
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.effects.reference import naming
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step

NOW = datetime(2031, 5, 6, 12, tzinfo=UTC)
HELD, NOT_HELD, NOT_SEEN, UNDECLARED = Verdict

KEYED = Guarantees(True, True, timedelta(days=1), settle=timedelta(seconds=1), provable=True)
DONE, TWICE = Confirmed({"id": "CH-1"}), Confirmed({"id": "CH-2"})
NO = Declined("card_declined", "The card was declined.")
AT_THE_DOOR = Declined("invalid", "It is not valid.", at_the_door=True)
LOST = Unknown("no answer (ReadTimeout)")
NOTHING = Look(Event.ABSENT, NOW)


def showing(*rows: Mapping[str, Any]) -> Look:
    return Look(Event.FOUND, NOW, rows)


SHOWN, BOTH = showing({"id": "CH-1"}), showing({"id": "CH-1"}, {"id": "CH-2"})


def found(
    what: str,
    *again: Outcome,
    undos: tuple[tuple[Outcome, bool], ...] = (),
    guarantees: Guarantees = KEYED,
    first: Look = SHOWN,
    late: Look = NOTHING,
    unused: Look = NOTHING,
) -> Verdict:
    """Return the verdict on one guarantee; whatever is not given went as it should."""
    owners: dict[str, str] = {}

    def trial(op: str) -> Trial:
        step = Step(op, 1, op, "charge", {}, {}, {}, {}, False, "refund", NOW)
        step.state = StepState.UNKNOWN
        return Trial(step, naming("id"), guarantees, owners)

    keys = ("first", "second", "unused")
    trials = Trials(*map(trial, keys), undos=[*undos])
    trials.unused.observe("first", None, unused)
    trials.first.observe("first", DONE, first)
    for outcome in again:
        trials.first.observe("again", outcome, None)
    trials.first.observe("late", None, late)
    (one,) = [one for one in findings(trials) if one.what == what]
    return one.verdict


@pytest.mark.parametrize(
    ("again", "late", "verdict"),
    [
        (DONE, NOTHING, HELD),
        (TWICE, NOTHING, NOT_HELD),
        (DONE, BOTH, NOT_HELD),
        (DONE, showing({"id": "CH-1", "at": 1}, {"id": "CH-1", "at": 2}), NOT_SEEN),
        (LOST, NOTHING, NOT_SEEN),
        (LOST, SHOWN, HELD),
        (NO, SHOWN, HELD),
        (NotSent("busy"), SHOWN, NOT_SEEN),
        (AT_THE_DOOR, SHOWN, NOT_SEEN),
    ],
)
def test_a_key_is_honoured_where_one_effect_is_seen(again: Outcome, late: Look, verdict: Verdict):
    assert found("honours_key", again, late=late) is verdict


def test_every_undo_must_be_done():
    assert found("undo", DONE) is NOT_SEEN
    assert found("undo", DONE, undos=((NO, True), (DONE, True))) is HELD
    assert found("undo", DONE, undos=((DONE, True), (NO, False))) is NOT_HELD
    assert found("undo", DONE, undos=((NotSent("busy"), False),)) is NOT_SEEN


def test_a_lookup_that_cannot_look():
    for fault, verdict in {"KeyError": NOT_HELD, "": NOT_SEEN}.items():
        away = Look(Event.UNREACHABLE, NOW, fault=fault)
        assert found("probe", DONE, first=away, late=away, unused=away) is verdict
        assert found("settle", DONE, first=away, late=away) is NOT_SEEN


def test_a_late_duplicate_and_two_rows_where_one_was_sent_do_not_hold():
    assert found("settle", DONE, late=BOTH) is NOT_HELD
    assert found("settle", DONE) is HELD
    assert found("settle", first=NOTHING, late=SHOWN) is NOT_HELD, "it was shown, but too late"
    assert found("probe", first=showing({"id": "CH-1"}, {"id": "X-9"})) is NOT_HELD
    assert found("reference", first=showing({"id": "ch-1"})) is NOT_HELD, "the answer named CH-1"


def test_what_is_done_once_however_often_it_is_sent_is_harmless():
    harmless = Guarantees(late_sender="harmless", provable=True)
    assert found("late_sender", DONE, guarantees=harmless) is HELD
    assert found("honours_key", DONE, guarantees=harmless) is UNDECLARED
    assert found("late_sender", TWICE, guarantees=harmless) is NOT_HELD
