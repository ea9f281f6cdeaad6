"""What a recorded run comes to for its replay: what is said, what is decided, what must come."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile

from evals.tau_retail.data import Call, Recording, Run, TauRetail

STOP = "###STOP###"
"""Ends the customer's last message; nobody is sent it."""


@dataclass(frozen=True)
class Decided:
    """One message of the model: words for the customer, or calls with words beside them.

    Attributes:
        is_fault: the read that is called here was answered with a fault, without executing it.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    is_fault: bool = False


@dataclass(frozen=True)
class Script:
    """What is played, and what must come of it.

    Attributes:
        says: what the customer says, one thing after the other.
        decides: what the model decides, one thing after the other, over the whole run.
        calls: all calls of the model, in order.
        writes: those of them that the retailer logs.
        final: hash of the database at the end.
        gold: hash of the database that the task wants, where the run has reached it; else None.
    """

    run_id: str
    source: str
    model: str
    says: tuple[str, ...]
    decides: tuple[Decided, ...]
    writes: tuple[Call, ...]
    final: str
    gold: str | None = None

    @property
    def calls(self) -> list[Call]:
        """Return all calls of the model, in order."""
        return [call for decided in self.decides for call in decided.calls]


def script_of(run: Run, writes: Collection[str]) -> Script:
    """Make the script of a run.

    A greeting of the agent before the customer's first word is left out: it was no decision. The
    run ends where the customer says the word for it, though some harnesses went on for a while, or
    with the last thing that the model decided.

    Args:
        writes: names of the tools that can change the database.
    """
    turns = list(takewhile(lambda turn: STOP not in (turn.user or ""), run.turns))
    if turns and turns[0].assistant is not None:
        del turns[0]
    while turns and turns[-1].user is not None:
        del turns[-1]
    decides = [
        Decided(
            text=turn.text if turn.calls else turn.assistant or "",
            calls=turn.calls,
            is_fault=any(call.fault for call in turn.calls),
        )
        for turn in turns
        if turn.user is None
    ]
    return Script(
        run_id=run.run_id,
        source=run.source,
        model=run.model,
        says=tuple(turn.user for turn in turns if turn.user is not None),
        decides=tuple(decides),
        writes=tuple(c for one in decides for c in one.calls if c.name in writes),
        final=run.final_db_sha256,
        gold=run.gold_db_sha256 if run.reward == 1.0 else None,
    )


EXACT: Recording = "recorded"
PARALLEL: Recording = "recorded_parallel"


@cache
def scripts_of(data: TauRetail, recording: Recording) -> Sequence[Script]:
    """Return the scripts of a recording, in its order."""
    writes = frozenset(spec.name for spec in data.tools if spec.is_write)
    return [script_of(run, writes) for run in data.runs(recording)]


def replayable(data: TauRetail) -> dict[str, Script]:
    """Return the scripts of all runs whose every result can be had again, by id."""
    both = (*scripts_of(data, EXACT), *scripts_of(data, PARALLEL))
    return {script.run_id: script for script in both}


def smoke(data: TauRetail) -> list[Script]:
    """Return the scripts of the runs that were picked to be few."""
    known = replayable(data)
    return [known[run_id] for run_id in data.smoke]
