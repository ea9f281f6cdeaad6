"""Every order of everything, by class of tool: what is promised holds in every state."""

from collections.abc import Iterable
from typing import Any

import pytest

from daybook.state.ledger.recovery import Event, StepState
from evals.protocol.cases import CASES, LYING
from evals.protocol.promise import Promise, Remedied
from evals.protocol.questions import Questions
from evals.protocol.search import search
from evals.protocol.world import Case

LONG = (
    *("stored key", "key", "key without D", "stored key and probe", "stored key, turned away"),
    *("probe", "probe, two generations", "probe, two steps", "key, two generations"),
    *(
        "key, strangers",
        "probe, strangers",
        "key and probe, strangers",
        "probe without D, strangers",
    ),
    *("key, two generations, strangers", "probe, two steps, strangers"),
    "probe that fails for long",
)
"""Seconds each, and more of what the others go through; `make long` takes them."""

# What can be looked up within a bound, and sent again under its key.
NEVER_ASKED = ("stored key and probe", "key and probe")


def short(cases: Iterable[Case]) -> list[Any]:
    """Take each case; those that take seconds are left to `make long`."""
    return [
        pytest.param(
            case,
            id=f"{case.name} {case.attempts}",
            marks=pytest.mark.long if case.name in LONG else [],
        )
        for case in cases
    ]


@pytest.mark.parametrize("case", short(CASES))
def test_nothing_is_done_twice_and_every_path_comes_to_rest(case: Case):
    found = search(Promise(case))
    assert not found.wrong, str(found)
    assert found.at_rest > 0
    assert bool(found.asking) == (case.name not in NEVER_ASKED)


@pytest.mark.parametrize("case", short(LYING))
def test_what_comes_to_be_known_after_all_is_undone(case: Case):
    model = Remedied(case)
    found = search(model)
    assert not found.wrong, str(found)
    assert (StepState.NEGATIVE, Event.FOUND) in model.taken


def test_what_is_begun_was_decided_on_in_time_by_who_saw_it():
    found = search(Questions())
    assert not found.wrong, str(found)
    assert found.at_rest > 0
