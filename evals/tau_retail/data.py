"""The recorded runs of tau-bench retail: where they stand, and what they hold as typed values.

Nothing of it is part of this repository; the folder is found by `TAU_RETAIL`. Its README.md and
TOOLS.md are the specification of what is read here.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
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
        terminates: the conversation is over after it.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    schema: Mapping[str, Any]
    is_write: bool
    terminates: bool


@dataclass(frozen=True)
class Call:
    """One call of a model and its result.

    Attributes:
        result: what the tool of TOOLS.md answers.
        changed: it changed the database.
        fault: the harness answered without executing it.
        rejected: a supervisor refused it, and nothing executed it.
        recorded: the text that was recorded, where it is not `result`; None where it is.
    """

    name: str
    args: dict[str, Any]
    result: str
    changed: bool = False
    fault: bool = False
    rejected: bool = False
    recorded: str | None = None


@dataclass(frozen=True)
class Turn:
    """What the customer said, what the agent said, or what the agent called.

    Attributes:
        user: words of the customer; None where it is the agent's turn.
        assistant: the agent's words to the customer; None where it called something.
        calls: of one message, in order.
        text: the agent's words beside its calls.
    """

    user: str | None = None
    assistant: str | None = None
    calls: tuple[Call, ...] = ()
    text: str = ""


@dataclass(frozen=True)
class Run:
    """One recorded conversation.

    Attributes:
        end: "user_stop", "transfer" or "cut_off"; "" where it is not told.
        final_db_sha256: of the database that its replay must end with.
        gold_db_sha256: of the database that the task asks for; None where it is not told.
        reward: 1.0 where the task was solved: as recomputed, where that is told. None where what
            is recorded cannot be relied on.
        changed: table and key of the records that it changed.
    """

    run_id: str
    source: str
    model: str
    task_id: str
    trial: int
    end: str
    turns: tuple[Turn, ...]
    final_db_sha256: str
    gold_db_sha256: str | None
    reward: float | None
    changed: tuple[tuple[str, str], ...]

    @property
    def calls(self) -> list[Call]:
        """Return its calls in order."""
        return [call for turn in self.turns for call in turn.calls]


@dataclass(frozen=True)
class GoldAction:
    """One call of a task's solution.

    Attributes:
        ok: its result is no error.
        result_sha16: first 16 hexadecimal digits of the SHA-256 of its result.
    """

    name: str
    args: dict[str, Any]
    changed: bool
    ok: bool
    result_sha16: str


@dataclass(frozen=True)
class Task:
    """One task of the benchmark.

    Attributes:
        instruction: for whoever plays the customer.
        actions: its solution, without what would follow the end of the conversation.
        outputs: what some reply must contain, compared in lower case without commas.
        gold_db_sha256: of the database after `actions`.
    """

    split: str
    task_id: str
    user_id: str
    instruction: str
    actions: tuple[GoldAction, ...]
    outputs: tuple[str, ...]
    gold_db_sha256: str


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

    @cached_property
    def smoke(self) -> dict[str, str]:
        """Return the runs that were picked to be few, with why each of them was."""
        return {one["run_id"]: one["why"] for one in json.loads(self._text("smoke.json"))}

    def runs(self, recording: Recording) -> Iterator[Run]:
        """Read the runs of a file one by one, in its order."""
        with gzip.open(self.folder / f"{recording}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                yield _run(json.loads(line))

    def tasks(self) -> Iterator[Task]:
        """Read the tasks of all splits one by one."""
        for line in self._text("tasks.jsonl").splitlines():
            yield _task(json.loads(line))

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
        terminates=one["terminates"],
    )


def _run(one: Mapping[str, Any]) -> Run:
    return Run(
        run_id=one["run_id"],
        source=one["source"],
        model=one["model"],
        task_id=str(one.get("task_id", one.get("tau2_task_id"))),
        trial=one["trial"],
        end=one.get("end", ""),
        turns=tuple(map(_turn, one["turns"])),
        final_db_sha256=one["final_db_sha256"],
        gold_db_sha256=one.get("gold_db_sha256"),
        reward=_reward(one),
        changed=tuple((table, key) for table, key in one["changed"]),
    )


def _reward(one: Mapping[str, Any]) -> float | None:
    if "reward_recomputed" in one:
        return float(one["reward_recomputed"])
    return None if one.get("reward_unreliable") or "reward" not in one else float(one["reward"])


def _turn(one: Mapping[str, Any]) -> Turn:
    if "user" in one:
        return Turn(user=one["user"])
    if "assistant" in one:
        return Turn(assistant=one["assistant"])
    calls = one.get("calls", [one])
    return Turn(calls=tuple(map(_call, calls)), text=one.get("text", ""))


def _call(one: Mapping[str, Any]) -> Call:
    return Call(
        name=one["call"],
        args=one["args"],
        result=one["result"],
        changed=one.get("changed", False),
        fault=one.get("fault", False),
        rejected=one.get("rejected", False),
        recorded=one.get("recorded"),
    )


def _task(one: Mapping[str, Any]) -> Task:
    actions = tuple(
        GoldAction(a["name"], a["kwargs"], a["changed"], a["ok"], a["result_sha16"])
        for a in one["actions"]
        if "result_sha16" in a
    )
    return Task(
        split=one["split"],
        task_id=str(one["task_id"]),
        user_id=one["user_id"],
        instruction=one["instruction"],
        actions=actions,
        outputs=tuple(one["outputs"]),
        gold_db_sha256=one["gold_db_sha256"],
    )
