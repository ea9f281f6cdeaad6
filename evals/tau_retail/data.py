"""The recorded runs of tau-bench retail: as typed values, and what is replayed of them.

Nothing of it is part of this repository; the folder is found by `TAU_RETAIL`. Its README.md and
TOOLS.md are the specification of what is read here.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import takewhile
from pathlib import Path
from typing import Any, Literal, TypeAlias

from daybook.state.errors import ConfigurationError

FOLDER = "TAU_RETAIL"
"""The environment variable that names the folder."""

_BESIDE = Path(__file__).resolve().parents[3] / "shared" / "tau_retail"

Recording: TypeAlias = Literal["recorded", "recorded_inexact", "recorded_parallel"]
"""A file of runs: every result as in TOOLS.md, some not, several calls in a message."""


@dataclass(frozen=True)
class ToolSpec:
    """One tool as it is described to the model, and what it was measured to do.

    Attributes:
        schema: in OpenAI's function format.
        is_write: it can change the database.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    schema: Mapping[str, Any]
    is_write: bool


@dataclass(frozen=True)
class Call:
    """One call of a model and its result.

    Attributes:
        result: what the tool of TOOLS.md answers.
        changed: it changed the database.
        fault: the harness answered without executing it.
        rejected: a supervisor refused it, and nothing executed it.
    """

    name: str
    args: dict[str, Any]
    result: str
    changed: bool = False
    fault: bool = False
    rejected: bool = False


@dataclass(frozen=True)
class Turn:
    """What the customer said, or what the agent decided: words for the customer, or calls.

    Attributes:
        user: words of the customer; None where it is the agent's turn.
        text: the agent's words, beside its calls where it has any.
        calls: of one message, in order.
    """

    user: str | None = None
    text: str = ""
    calls: tuple[Call, ...] = ()

    @property
    def is_fault(self) -> bool:
        """Tell whether a read of it was answered with a fault, without being executed."""
        return any(call.fault for call in self.calls)


@dataclass(frozen=True)
class Run:
    """One recorded conversation.

    Attributes:
        final_db_sha256: of the database that its replay must end with.
        gold_db_sha256: of the database that the task asks for; None where it is not told.
        reward: 1.0 where the task was solved: as recomputed, where that is told. None where what
            is recorded cannot be relied on.
    """

    run_id: str
    source: str
    model: str
    turns: tuple[Turn, ...]
    final_db_sha256: str
    gold_db_sha256: str | None
    reward: float | None

    @property
    def calls(self) -> list[Call]:
        """Return its calls in order."""
        return [call for turn in self.turns for call in turn.calls]


@dataclass(frozen=True)
class TauRetail:
    """Read the files of the folder."""

    folder: Path

    @cached_property
    def tools(self) -> tuple[ToolSpec, ...]:
        """Return the tools in the order of the file."""
        return tuple(map(_tool, json.loads(self._text("tools.json"))))

    @cached_property
    def policy(self) -> str:
        """Return the agent's instructions."""
        return self._text("policy.md")

    @property
    def smoke(self) -> list[str]:
        """Name the runs that were picked to be few."""
        return [one["run_id"] for one in json.loads(self._text("smoke.json"))]

    def runs(self, recording: Recording) -> Iterator[Run]:
        """Read the runs of a file one by one, in its order."""
        with gzip.open(self.folder / f"{recording}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                yield _run(json.loads(line))

    def tasks(self) -> list[dict[str, Any]]:
        """Read the tasks of all splits, with their solutions."""
        return [json.loads(line) for line in self._text("tasks.jsonl").splitlines()]

    def _text(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")


def find() -> TauRetail:
    """Find the folder.

    Raises:
        ConfigurationError: it is not there.
    """
    named = os.environ.get(FOLDER)
    folder = Path(named) if named else _BESIDE
    if not (folder / "tools.json").is_file():
        where = f"{FOLDER} names {folder}, where they are not" if named else f"{FOLDER} is not set"
        raise ConfigurationError(
            f"The recorded runs of tau-bench retail are not here: {where}. Nothing was started; "
            f"set {FOLDER} to the folder that holds tools.json, db.json and recorded.jsonl.gz."
        )
    return TauRetail(folder)


def _tool(one: Mapping[str, Any]) -> ToolSpec:
    function = one["schema"]["function"]
    return ToolSpec(
        name=function["name"],
        description=function["description"],
        parameters=function["parameters"],
        schema=one["schema"],
        is_write=one["effect"] == "write",
    )


def _run(one: Mapping[str, Any]) -> Run:
    return Run(
        run_id=one["run_id"],
        source=one["source"],
        model=one["model"],
        turns=tuple(map(_turn, one["turns"])),
        final_db_sha256=one["final_db_sha256"],
        gold_db_sha256=one.get("gold_db_sha256"),
        reward=_reward(one),
    )


def _reward(one: Mapping[str, Any]) -> float | None:
    if "reward_recomputed" in one:
        return float(one["reward_recomputed"])
    return None if one.get("reward_unreliable") or "reward" not in one else float(one["reward"])


def _turn(one: Mapping[str, Any]) -> Turn:
    if "user" in one:
        return Turn(user=one["user"])
    calls = () if "assistant" in one else one.get("calls", [one])
    return Turn(text=one.get("assistant", one.get("text", "")), calls=tuple(map(_call, calls)))


def _call(one: Mapping[str, Any]) -> Call:
    given = one.keys() & {"args", "result", "changed", "fault", "rejected"}
    return Call(one["call"], **{name: one[name] for name in given})


MODEL = "replay:"
"""Begins the name of a model that replays; the name of a session follows."""

STOP = "###STOP###"
"""Ends the customer's last message; nobody is sent it."""


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
    decides: tuple[Turn, ...]
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
    if turns and turns[0].user is None and not turns[0].calls:
        del turns[0]
    while turns and turns[-1].user is not None:
        del turns[-1]
    decides = tuple(turn for turn in turns if turn.user is None)
    return Script(
        run_id=run.run_id,
        source=run.source,
        model=run.model,
        says=tuple(turn.user for turn in turns if turn.user is not None),
        decides=decides,
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
