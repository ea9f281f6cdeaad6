"""Every order of everything, by class of tool: what is promised holds in every state."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from daybook.state.ledger.recovery import Event, StepState
from evals.protocol.cases import CASES, Case
from evals.protocol.promise import Promise
from evals.protocol.questions import Questions
from evals.protocol.search import search
from tests.model.lying import LYING, Remedied

# What can be looked up within a bound, and sent again under its key.
NEVER_ASKED = ("stored key and probe", "key and probe")

# Ten times the states: that anything may befall a second attempt too is left to `make long`.
LONG = ("probe", "stored key and probe")


def named(case: Case) -> str:
    return f"{case.name} {case.attempts}"


def few(cases: tuple[Case, ...]) -> Iterator[Any]:
    for case in cases:
        is_long = case.name in LONG and case.attempts == (2,)
        if is_long:
            yield replace(case, attempts=(1,))
        yield pytest.param(case, marks=pytest.mark.long) if is_long else case


@pytest.mark.parametrize("case", [*few(CASES)], ids=named)
def test_nothing_is_done_twice_and_every_path_comes_to_rest(case: Case):
    found = search(Promise(case))
    assert not found.wrong, str(found)
    assert found.at_rest > 0
    assert bool(found.asking) == (case.name not in NEVER_ASKED)


@pytest.mark.parametrize("case", [*few(LYING)], ids=named)
def test_what_comes_to_be_known_after_all_is_undone(case: Case):
    model = Remedied(case)
    found = search(model)
    assert not found.wrong, str(found)
    assert (StepState.NEGATIVE, Event.FOUND) in model.taken


def test_what_is_begun_was_decided_on_in_time_by_who_saw_it():
    found = search(Questions())
    assert not found.wrong, str(found)
    assert found.at_rest > 0
