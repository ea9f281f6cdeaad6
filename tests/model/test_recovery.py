"""The recovery table against the outside world: each row, in every truth that the ledger allows.

What a state says of the outside is held in every state that is searched (`promise`); here, that
the search reaches every row, and that a person is asked where the ledger cannot tell, and only there.
"""

from collections.abc import Iterator

import pytest

from daybook.state.ledger.recovery import RECOVERY, TABLE, Event, StepState
from daybook.state.ledger.step import Step
from evals.protocol.cases import MAIL_AFTER_PIVOT, one, strange
from evals.protocol.promise import TOO_LATE, VERIFIED_INSTEAD, Promise
from evals.protocol.search import search

SEARCHED = (
    one("key and probe without D", attempts=(1,), stalls=0),
    MAIL_AFTER_PIVOT,
    # What these show is not always ours.
    strange("neither"),
    strange("probe"),
)

S, E = StepState, Event
BEYOND = {
    "withdrawn, rejected, edited or expired before anything is done: see questions": {
        (S.INTENDED, E.EXPIRED),
        (S.INTENDED, E.REJECTED),
        (S.INTENDED, E.WITHDRAWN),
        (S.INTENDED, E.SUPERSEDED),
        (S.VOID, E.SUPERSEDED),
    },
    "that there was no answer is the same as no entry about it": {
        (state, E.UNANSWERED) for state in StepState
    },
    "what a look finds beside a known effect is written as verified": VERIFIED_INSTEAD,
    "a step that ended and yet was done": TOO_LATE,
    "two effects under one key, of which one was proved": {(S.DONE, E.HAPPENED)},
}
"""Moves of the table that nothing leads to while what docs/protocol.md assumes holds."""


@pytest.fixture(scope="module")
def searched() -> list[Promise]:
    models = [Promise(case) for case in SEARCHED]
    for model in models:
        found = search(model)
        assert not found.wrong, str(found)
    return models


def test_every_move_of_the_table_is_made_but_those_that_nothing_leads_to(searched):
    taken = set().union(*(model.taken for model in searched))
    beyond = set().union(*BEYOND.values())
    table = {(row.state, row.event) for row in TABLE if row.state is not None}
    assert table - taken == beyond & table


@pytest.mark.parametrize("state", RECOVERY)
def test_every_row_of_the_recovery_table_is_reached(state: StepState, searched):
    assert any(step.state is state for model in searched for step, _ in _known(model))


@pytest.mark.parametrize("state", [StepState.UNKNOWN, StepState.IN_DOUBT])
def test_what_is_unknown_or_in_doubt_may_have_happened_or_not(state: StepState, searched):
    truths = [true for model in searched for step, true in _known(model) if step.state is state]
    assert {True, False} in truths


def test_a_person_is_asked_only_what_the_ledger_cannot_tell(searched):
    """But a late refusal or decline does not withdraw a question: it stands among the evidence.

    Where strangers' effects are shown, the person sees more than the ledger may believe.
    """
    asked = [
        true
        for model in searched
        if not model.case.odd
        for step, true in _known(model)
        if step.state is StepState.IN_DOUBT and all(a.is_open for a in step.attempts)
    ]
    assert asked
    assert all(true == {True, False} for true in asked)


def _known(model: Promise) -> Iterator[tuple[Step, set[bool]]]:
    """Yield each step as a ledger held it, with all that was true meanwhile."""
    for (book, place), truths in model.truths.items():
        yield model.books.plans[book].steps[place], truths
