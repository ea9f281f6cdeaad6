"""How often k trials of a run all succeed (tau-bench's pass^k), estimated without bias."""

from __future__ import annotations

import math
from collections.abc import Sequence


def pass_k(trials: Sequence[Sequence[bool]], k: int) -> float:
    """Estimate the chance that k trials of a run, picked at random, all succeed.

    The mean over the runs of C(c, k) / C(n, k), for c successes in n trials.

    Args:
        trials: of each run, whether each of its trials succeeded; k at least.

    Raises:
        ValueError: there is no run, or one has fewer than k trials.
    """
    if not trials or any(len(of_run) < k for of_run in trials):
        raise ValueError(f"pass^{k} needs at least one run, and {k} trials of each")
    chances = [math.comb(sum(of_run), k) / math.comb(len(of_run), k) for of_run in trials]
    return sum(chances) / len(chances)
