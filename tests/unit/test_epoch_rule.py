"""When an epoch of the prompt is over: rent against rewrite, a cold cache, the budget."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybook.state.prompt.epoch import BUDGET, COLD, PAID, READ, WRITE, rent_of, why_over

CALM: dict[str, Any] = {
    "tokens": 3_000,
    "budget": 8_000,
    "digest": 200,
    "kept": 100,
    "droppable": 1_000,
    "rent": 0.0,
    "is_new_turn": True,
    "is_cold": False,
}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, None),
        ({"tokens": 8_000}, None),
        ({"tokens": 8_001}, BUDGET),
        ({"tokens": 8_001, "is_new_turn": False}, BUDGET),
        ({"is_cold": True}, COLD),
        ({"is_cold": True, "is_new_turn": False}, None),
        ({"is_cold": True, "droppable": 99}, None),
        ({"rent": 344.9}, None),
        ({"rent": 345.0}, PAID),
        ({"rent": 345.0, "is_new_turn": False}, None),
        ({"rent": 10_000.0, "droppable": 0}, None),
        ({"digest": 0, "rent": 287.5}, PAID),
    ],
)
def test_when_it_is_over(changes: dict[str, Any], why: str | None):
    assert why_over(**{**CALM, **changes}) == why


@given(growth=st.integers(20, 600), stays=st.integers(150, 1_500), ends=st.integers(1, 300))
def test_it_costs_less_than_three_times_what_foresight_would_have(growth, stays, ends):
    """Rent or buy, against the best that one rewrite at a time that is known ahead could do."""
    paid, rent, droppable = 0.0, 0.0, 0
    for _ in range(ends):
        rent += rent_of(droppable)
        over = why_over(
            tokens=0,
            budget=1,
            digest=stays,
            kept=0,
            droppable=droppable,
            rent=rent,
            is_new_turn=True,
            is_cold=False,
        )
        if over:
            paid += (WRITE - READ) * stays
            rent, droppable = 0.0, 0
        paid += rent_of(droppable)
        droppable += growth
    every = [
        sum(rent_of(growth * (call % n)) for call in range(ends))
        + (ends - 1) // n * (WRITE - READ) * stays
        for n in range(1, ends + 1)
    ]
    assert paid <= 3 * min(every) + (WRITE - READ) * stays
