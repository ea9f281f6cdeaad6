"""Who sees to it that nothing is sent after a deadline, by what the other side guarantees."""

from dataclasses import replace
from datetime import timedelta

import pytest

from daybook.state.effects.guarantees import NO_GUARANTEES, Guarantees
from evals.protocol.parts import CLASSES, KEY_AND_PROBE, RETENTION, START, D

UNTIL = START + timedelta(seconds=5) + D


@pytest.mark.parametrize(("name", "guarantees"), CLASSES.items())
def test_the_kernel_keeps_the_deadline_of_what_no_key_covers(name: str, guarantees: Guarantees):
    kept_by = guarantees.deadline_kept_by(START, UNTIL)
    assert kept_by == ("sender" if "key" in name else "kernel")


@pytest.mark.parametrize("late_sender", ["accepted", "harmless"])
def test_a_declaration_may_leave_it_to_the_sender(late_sender):
    declared = replace(NO_GUARANTEES, late_sender=late_sender)
    assert declared.deadline_kept_by(START, UNTIL) == "sender"


def test_a_word_that_is_none_leaves_nothing_to_the_sender():
    declared = replace(NO_GUARANTEES, late_sender="whatever")  # type: ignore[arg-type]
    assert declared.deadline_kept_by(START, UNTIL) == "kernel"


@pytest.mark.parametrize(
    ("until", "kept_by"),
    [(START + RETENTION - timedelta(microseconds=1), "sender"), (START + RETENTION, "kernel")],
)
def test_a_key_covers_what_happens_while_it_is_remembered(until, kept_by):
    assert KEY_AND_PROBE.deadline_kept_by(START, until) == kept_by
