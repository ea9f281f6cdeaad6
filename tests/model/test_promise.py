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

AS_OTHERS = (
    *("key", "key without D", "key, two generations", "key and probe, strangers"),
    *("stored key and probe", "probe, two generations", "probe without D, strangers"),
    *("probe", "probe, two steps"),
)
"""What the weaker and the stronger classes beside them go through as well; `make model` takes all."""

# What can be looked up within a bound, and sent again under its key.
NEVER_ASKED = ("stored key and probe", "key and probe")


def short(cases: Iterable[Case]) -> list[Any]:
    """Take each case; only `make long` those that others go through as well."""
    return [
        pytest.param(
            case,
            id=f"{case.name} {case.attempts}",
            marks=pytest.mark.long if case.name in AS_OTHERS else [],
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
