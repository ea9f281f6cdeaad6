"""Judge a run that is over: what it left behind, against what the record expects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from evals.tau_retail.script import Script

_SHOWN = 200
"""Characters of a text that is shown."""


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
    """Hold what a run left behind.

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
    """Hold one check that failed.

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
    if list(found) == expected:
        return
    for number in range(1, max(len(expected), len(found)) + 1):
        wanted = _at(expected, number, "nothing: the record ends before")
        got = _at(found, number, "nothing: it is missing")
        if wanted != got:
            about = f" ({len(found)} of {len(expected)} results {where})"
            yield Failure(Check.RESULTS, script.run_id, number, wanted, got + about)
            return


def _log(script: Script, evidence: Evidence) -> Iterator[Failure]:
    expected = [_named(call.name, call.args) for call in script.writes]
    found = [_named(one["tool"], one["args"]) for one in evidence.executions]
    if found == expected:
        return
    for number in range(1, max(len(expected), len(found)) + 1):
        wanted = _at(expected, number, "nothing: the record ends before")
        got = _at(found, number, "nothing: it is missing")
        if wanted != got:
            about = f" ({len(found)} executions for {len(expected)} writes)"
            yield Failure(Check.LOG, script.run_id, number, wanted, got + about)
            return


def _at(texts: Sequence[str], number: int, otherwise: str) -> str:
    return repr(texts[number - 1])[:_SHOWN] if number <= len(texts) else otherwise


def _named(tool: str, args: Mapping[str, Any]) -> str:
    """Write a call so that the same one reads the same, whatever the order of its arguments."""
    written = ", ".join(f"{name}={args[name]!r}" for name in sorted(args))
    return f"{tool}({written})"
