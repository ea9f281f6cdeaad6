"""Choose runs by strata: by who recorded them and by how many writes they have."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Sequence

from evals.tau_retail.recordings import Script

_MOST_WRITES = 3
"""Runs with so many writes or more are one stratum."""


def stratified(scripts: Sequence[Script], wanted: int, seed: int) -> list[Script]:
    """Choose so many runs, each stratum in proportion to its size, at random by the seed.

    What is left after whole shares goes to the largest remainders. They come in an order at random
    too: those that are played first are a sample of their own.
    """
    wanted = min(wanted, len(scripts))
    strata: dict[tuple[str, int], list[Script]] = defaultdict(list)
    for one in scripts:
        strata[one.source, min(len(one.writes), _MOST_WRITES)].append(one)
    shares = {name: wanted * len(some) / len(scripts) for name, some in strata.items()}
    counts = {name: int(share) for name, share in shares.items()}
    by_remainder = sorted(shares, key=lambda name: (counts[name] - shares[name], name))
    for name in by_remainder[: wanted - sum(counts.values())]:
        counts[name] += 1
    chance = random.Random(seed)
    chosen = [one for name in sorted(strata) for one in chance.sample(strata[name], counts[name])]
    chance.shuffle(chosen)
    return chosen


def shares_of(run_id: str, trial: int, seed: int) -> list[float]:
    """Choose the instants of a trial's kills: 1 to 3 shares of an undisturbed run, ascending.

    The same for whoever plays the run.
    """
    chance = random.Random(f"{seed}/{run_id}/{trial}")
    return sorted(chance.random() for _ in range(chance.randint(1, 3)))


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
