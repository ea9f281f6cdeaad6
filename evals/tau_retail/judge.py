"""Judge a run that is over: what it left behind, against what the record expects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile, zip_longest
from typing import Any

from evals.tau_retail.recordings import Script

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
    """

    sha256: str
    executions: Sequence[Mapping[str, Any]]
    repeats: int
    kept: Sequence[str]
    wired: Sequence[str]
    errors: Sequence[str] = ()


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
