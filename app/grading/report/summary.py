"""The report on a graded thread: its first wrong step, the reason, the prompt, and the cost."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from langchain_core.messages import AIMessage

from daybook.app.grading.grading import grade
from daybook.app.grading.history import read_trajectory
from daybook.app.grading.trajectory import Step, Trajectory
from daybook.app.grading.verdict import COLUMNS, Grade, Verdict, verdict_name
from daybook.checkpoints.postgres import Postgres
from daybook.nodes.prompt.compiler import Prompt
from daybook.nodes.prompt.proof import Shown, past_prompts
from daybook.tools.domain import Domain

Judged = tuple[Step, Verdict]

_ROLES = {"human": "person", "ai": "model", "tool": "result", "system": "machine"}


@dataclass(frozen=True)
class Part:
    """One message of a prompt.

    Attributes:
        zone: its zone, from 0.
        role: the speaker.
        calls: name and arguments of the model's calls in it.
    """

    zone: int
    role: str
    text: str
    calls: Sequence[tuple[str, Any]] = ()


@dataclass(frozen=True)
class Wrong:
    """The first wrong step and the prompt that it was decided on."""

    step: Step
    verdict: Verdict
    shown: Shown
    parts: tuple[Part, ...]

    @property
    def place(self) -> str:
        """Name its decision, as `daybook variants` takes it."""
        return f"{self.step.turn}/{self.step.ordinal}"


@dataclass(frozen=True)
class Report:
    """The report on a graded thread.

    Attributes:
        wrong: the first wrong step, or None.
    """

    trajectory: Trajectory
    grade: Grade
    wrong: Wrong | None

    @property
    def tainted(self) -> list[Judged]:
        """Return the steps that are built on wrong ones, in order."""
        return [one for one in self.grade.judged if one[1].is_tainted]

    @cached_property
    def matrix(self) -> dict[str, tuple[int, ...]]:
        """Return the number of each tool's steps by verdict, in the order of `COLUMNS`."""
        by: dict[str, Counter[str]] = {}
        for step, verdict in self.grade.judged:
            by.setdefault(step.tool, Counter())[verdict_name(verdict)] += 1
        return {tool: tuple(found[name] for name in COLUMNS) for tool, found in sorted(by.items())}

    @property
    def totals(self) -> tuple[int, ...]:
        """Return the number of steps by verdict, in the order of `COLUMNS`."""
        return tuple(map(sum, zip(*self.matrix.values(), strict=True))) or (0,) * len(COLUMNS)

    @property
    def sentence(self) -> str:
        """Return the numbers of steps by verdict, as a sentence."""
        counts = ", ".join(f"{n} {name}" for n, name in zip(self.totals, COLUMNS, strict=True))
        steps = len(self.grade.steps)
        return f"{steps} {'step' if steps == 1 else 'steps'}: {counts}."

    @property
    def turns(self) -> list[tuple[int, str, list[Judged]]]:
        """Return the steps by turn: its number, the user's message, and the verdicts."""
        said = {turn.number: turn.said for turn in self.trajectory.turns}
        by: dict[int, list[Judged]] = {number: [] for number in said}
        for step, verdict in self.grade.judged:
            by.setdefault(step.turn, []).append((step, verdict))
        return [(number, said.get(number, ""), judged) for number, judged in sorted(by.items())]


async def report_of(postgres: Postgres, domain: Domain, thread_id: str) -> Report:
    """Grade a thread and return its report.

    Raises:
        DaybookError: there is no such thread.
    """
    trajectory = await read_trajectory(postgres, domain, thread_id)
    graded = await asyncio.to_thread(grade, trajectory)
    wrong = None
    if graded.root_cause is not None:
        step = trajectory.step(graded.root_cause)
        past = await past_prompts(thread_id, domain, postgres)
        decided = next(entry for entry in past.entries if entry.seq == step.decided)
        shown = await past.of(decided)
        parts = parts_of(shown.prompt) if shown.prompt else ()
        wrong = Wrong(step, graded.of(step.key), shown, parts)
    return Report(trajectory, graded, wrong)


def parts_of(prompt: Prompt) -> tuple[Part, ...]:
    """Return the messages of a prompt with their zones."""
    has_digest = prompt.zones[1] > 0
    last = len(prompt.messages) - 1
    parts = []
    for at, message in enumerate(prompt.messages):
        zone = 3 if at == last else 0 if at == 0 else 1 if at == 1 and has_digest else 2
        made = message.tool_calls if isinstance(message, AIMessage) else []
        calls = [(call["name"], call["args"]) for call in made]
        parts.append(Part(zone, _ROLES.get(message.type, message.type), message.text, calls))
    return tuple(parts)


def as_json(report: Report) -> dict[str, Any]:
    """Return a report as a JSON object."""
    wrong = report.wrong
    return {
        "thread": report.grade.thread_id,
        "verdicts": [
            {
                "step": step.key,
                "entry": step.seq,
                "tool": step.tool,
                "score": verdict.score,
                "judged": verdict_name(verdict),
                "why": verdict.why,
                "findings": [asdict(finding) for finding in verdict.findings],
                "tainted_by": list(verdict.tainted_by),
            }
            for step, verdict in report.grade.judged
        ],
        "root_cause": report.grade.root_cause,
        "prompt": None if wrong is None else _prompt_as_json(wrong),
        "matrix": {
            tool: dict(zip(COLUMNS, row, strict=True)) for tool, row in report.matrix.items()
        },
        "wasted_tokens": report.grade.wasted_tokens,
        "tokens": report.grade.tokens,
        "notes": list(report.grade.notes),
    }


def _prompt_as_json(wrong: Wrong) -> dict[str, Any]:
    prompt = wrong.shown.prompt
    return {
        "proved": wrong.shown.is_exact,
        "doubt": wrong.shown.doubt,
        "messages": [asdict(part) for part in wrong.parts],
        "tools": [tool["function"]["name"] for tool in prompt.tools] if prompt else [],
    }
