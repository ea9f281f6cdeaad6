"""Who moves a step next."""

from datetime import timedelta

import pytest

from daybook.state.ledger.recovery import TERMINAL, StepState
from daybook.state.ledger.work_list import Awaited, awaited
from evals.protocol.parts import START

NOW, SOON, LATE = START, START + timedelta(seconds=1), START - timedelta(seconds=1)
S = StepState


@pytest.mark.parametrize(
    ("state", "is_decided", "due_at", "expected"),
    [
        (S.INTENDED, False, SOON, Awaited.APPROVAL),
        (S.INTENDED, False, None, Awaited.APPROVAL),
        (S.INTENDED, False, LATE, Awaited.RUN),
        (S.INTENDED, True, LATE, Awaited.RUN),
        (S.INTENDED, True, None, Awaited.PLAN),
        (S.UNKNOWN, True, SOON, Awaited.SERVICE),
        (S.UNKNOWN, True, NOW, Awaited.RUN),
        (S.UNDOING, True, SOON, Awaited.SERVICE),
        (S.UNDOING, True, LATE, Awaited.RUN),
        (S.IN_DOUBT, True, None, Awaited.WORD),
        (S.STUCK, True, None, Awaited.WORD),
        (S.DONE, True, None, Awaited.PLAN),
        (S.DONE, True, LATE, Awaited.RUN),
    ],
)
def test_a_step_waits_for(state, is_decided, due_at, expected):
    assert awaited(state, is_decided=is_decided, due_at=due_at, now=NOW) is expected


@pytest.mark.parametrize("state", [state for state in StepState if state not in TERMINAL])
def test_nothing_that_is_due_waits_for_the_other_side(state):
    assert awaited(state, is_decided=True, due_at=LATE, now=NOW) is not Awaited.SERVICE
