"""Judge a run that is over against what the record expects; choose runs."""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile, zip_longest
from typing import Any

from evals.tau_retail.data import Script

_SHOWN = 200
"""Characters of a text that is shown."""

_BEFORE = 40
"""Characters that are shown before the first that differs."""


class Check(StrEnum):
    """What is checked of each run."""

    DATABASE = "database"
    RESULTS = "results"
    LOG = "log"
    HARNESS = "harness"


CHECKS = (Check.DATABASE, Check.RESULTS, Check.LOG)
"""The three checks; a fault of the harness is none of them, and no run passes with one."""


@dataclass(frozen=True)
class Evidence:
    """What a run left behind.

    Attributes:
        sha256: hash of the retailer's database.
        executions: the retailer's log: tool, arguments, key, text, changed; in order.
        repeats: requests that the retailer answered by their key, without doing anything.
        kept: results of the calls as they are stored with the thread, in order.
        wired: tool messages of the last prompt that went over the wire, in order.
        errors: what went wrong beside that: of the harness, the endpoint, or raised by the agent.
        asked_again: how often the model was asked what it had been asked before.
    """

    sha256: str
    executions: Sequence[Mapping[str, Any]]
    repeats: int
    kept: Sequence[str]
    wired: Sequence[str]
    errors: Sequence[str] = ()
    asked_again: int = 0


@dataclass(frozen=True)
class Failure:
    """One check that failed.

    Attributes:
        call: which of the run's calls (of its writes, in the log), from 1; 0 where it is about
            none.
    """

    check: Check
    run_id: str
    call: int
    expected: str
    found: str

    def __str__(self) -> str:
        place = f" call {self.call}" if self.call else ""
        return f"{self.run_id}{place}, {self.check}: expected {self.expected}, found {self.found}"


def judge(script: Script, evidence: Evidence) -> list[Failure]:
    """Judge one run; empty where everything is as recorded, each call once and in order."""
    return [
        *(
            Failure(Check.HARNESS, script.run_id, 0, "no error", error[:_SHOWN])
            for error in evidence.errors
        ),
        *_database(script, evidence),
        *_results(script, evidence.kept, "stored"),
        *_results(script, evidence.wired, "sent"),
        *_log(script, evidence),
    ]


def duplicates(script: Script, evidence: Evidence) -> int:
    """Count the executions of writes beyond those that the record knows."""
    done = Counter(_named(one["tool"], one["args"]) for one in evidence.executions)
    wanted = Counter(_named(call.name, call.args) for call in script.writes)
    return (done - wanted).total()


def _database(script: Script, evidence: Evidence) -> Iterator[Failure]:
    for expected in dict.fromkeys((script.final, script.gold)):
        if expected is not None and evidence.sha256 != expected:
            yield Failure(Check.DATABASE, script.run_id, 0, expected, evidence.sha256)


def _results(script: Script, found: Sequence[str], where: str) -> Iterator[Failure]:
    """Compare the results one by one; one that is missing or doubled shifts all after it."""
    expected = [call.result for call in script.calls]
    about = f" ({len(found)} of {len(expected)} results {where})"
    yield from _compared(Check.RESULTS, script.run_id, expected, list(found), about)


def _log(script: Script, evidence: Evidence) -> Iterator[Failure]:
    expected = [_named(call.name, call.args) for call in script.writes]
    found = [_named(one["tool"], one["args"]) for one in evidence.executions]
    about = f" ({len(found)} executions for {len(expected)} writes)"
    yield from _compared(Check.LOG, script.run_id, expected, found, about)


def _compared(
    check: Check, run_id: str, expected: list[str], found: list[str], about: str
) -> Iterator[Failure]:
    """Yield the first difference of two lists, if there is one."""
    if found == expected:
        return
    pairs = enumerate(zip_longest(expected, found), 1)
    number, (wanted, got) = next(one for one in pairs if one[1][0] != one[1][1])
    same = takewhile(lambda two: two[0] == two[1], zip(wanted or "", got or "", strict=False))
    begins = sum(1 for _ in same) - _BEFORE
    yield Failure(
        check,
        run_id,
        number,
        _shown(wanted, begins, "nothing: the record ends before"),
        _shown(got, begins, "nothing: it is missing") + about,
    )


def _shown(text: str | None, begins: int, otherwise: str) -> str:
    """Show a text from where it begins to be of interest."""
    if text is None:
        return otherwise
    return f"{'...' if begins > 0 else ''}{text[max(begins, 0) :]!r}"[:_SHOWN]


def _named(tool: str, args: Mapping[str, Any]) -> str:
    """Write a call so that the same one reads the same, whatever the order of its arguments."""
    written = ", ".join(f"{name}={args[name]!r}" for name in sorted(args))
    return f"{tool}({written})"


@dataclass(frozen=True)
class Outcome:
    """What came of one trial.

    Attributes:
        failures: what of it is not as recorded.
        trial: 0 for one that was left undisturbed.
        kills: processes of it that died.
        seconds: how long the undisturbed run took; 0 where it was disturbed.
    """

    script: Script
    evidence: Evidence
    failures: Sequence[Failure]
    trial: int = 0
    kills: int = 0
    seconds: float = 0.0

    @property
    def is_passed(self) -> bool:
        """Tell whether everything is as recorded."""
        return not self.failures

    @property
    def failed(self) -> frozenset[Check]:
        """Name the checks that failed."""
        return frozenset(one.check for one in self.failures)

    @property
    def duplicates(self) -> int:
        """Count the executions of writes beyond those that the record knows."""
        return duplicates(self.script, self.evidence)


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
