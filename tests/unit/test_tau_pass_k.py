"""pass^k, the sample of runs, and the instants of their kills."""

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.tau_retail.judge import pass_k, shares_of


@given(st.lists(st.lists(st.booleans(), min_size=5, max_size=5), min_size=1, max_size=4))
def test_pass_k_is_the_share_of_the_choices_of_k_trials_that_all_succeed(trials: list[list[bool]]):
    for k in range(1, 6):
        chosen = [all(some) for of_run in trials for some in combinations(of_run, k)]
        assert math.isclose(pass_k(trials, k), sum(chosen) / len(chosen))


def test_pass_k_falls_where_one_trial_of_a_run_fails_and_takes_enough_trials():
    assert [pass_k([[True, True, True, False]], k) for k in (1, 2, 4)] == [0.75, 0.5, 0.0]
    for trials, k in (([], 1), ([[True]], 2)):
        with pytest.raises(ValueError, match="needs at least one run"):
            pass_k(trials, k)


def test_a_trial_is_killed_one_to_three_times_at_ascending_shares_of_its_run():
    trials = [shares_of("retail/a/t0.0", trial, 7) for trial in range(60)]
    assert {len(shares) for shares in trials} == {1, 2, 3}
    assert all(shares == sorted(shares) and 0 <= shares[0] < 1 for shares in trials)
    assert trials[0] == shares_of("retail/a/t0.0", 0, 7) != shares_of("retail/a/t0.0", 0, 8)
