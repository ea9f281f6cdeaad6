"""The judge of the rivals can fail: each thing that is counted is seen, in records made by hand."""

from dataclasses import replace

import pytest

from evals.rivals.cells import EFFECTS, INSTANTS, MODEL_CALLS, Counts, Record, judge

BOUGHT = Record(
    performed=EFFECTS,
    held=["reserve-1"],
    ordered=["reserve-1"],
    approvals=EFFECTS,
    doubts=0,
    model_calls=MODEL_CALLS,
    is_finished=True,
    is_named=False,
)
CLEAN = Counts(runs=1, by_itself=1)


def test_what_happened_once_counts_as_nothing_and_counts_add_up():
    assert judge(BOUGHT) == CLEAN
    assert not CLEAN.is_broken
    assert all(replace(CLEAN, **{one: 1}).is_broken for one in ("duplicates", "lost", "holds_left"))
    assert len(set(INSTANTS)) == 13, "a contender is killed at each"
    assert CLEAN + replace(CLEAN, lost=2) == Counts(runs=2, lost=2, by_itself=2)


@pytest.mark.parametrize(
    ("changed", "counted"),
    [
        ({"performed": [*EFFECTS, "charge", "charge"]}, {"duplicates": 2}),
        ({"performed": EFFECTS[:2]}, {"lost": 2}),
        ({"held": ["reserve-1", "reserve-2"]}, {"holds_left": 1}),
        ({"ordered": []}, {"holds_left": 1}),
        ({"approvals": [*EFFECTS, "mail"]}, {"approvals_again": 1}),
        ({"model_calls": MODEL_CALLS + 3}, {"model_again": 3}),
        ({"doubts": 2}, {"doubts": 2, "by_itself": 0}),
        ({"is_named": True}, {"by_itself": 0}),
        ({"is_finished": False}, {"by_itself": 0}),
    ],
)
def test_what_is_otherwise_is_counted(changed: dict[str, object], counted: dict[str, int]):
    assert judge(replace(BOUGHT, **changed)) == replace(CLEAN, **counted)
