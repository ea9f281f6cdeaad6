"""Attach the verdicts on a thread's steps to the runs of its traces in LangSmith.

Only scores and the names of checks and tools are sent: no message, argument or result.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langsmith import Client
from langsmith.utils import LangSmithError, get_tracer_project

from daybook.app.grading.grading import grade
from daybook.app.grading.history import read_trajectory
from daybook.app.grading.trajectory import Step
from daybook.app.grading.verdict import Verdict, verdict_name
from daybook.checkpoints.postgres import Postgres
from daybook.nodes.planning.phases import call_name, place_name
from daybook.state.errors import ServiceUnavailable
from daybook.state.ledger.entry import Entry
from daybook.state.trace_ids import Trace, attempt_name, decision_name, opaque, run_id
from daybook.tools.domain import Domain

_KEY = "daybook step"

_NAMESPACE = uuid.UUID("a1c2a8f4-62dc-5c4e-8a52-5d4cf4f8a3a7")
"""Of the ids of feedback: a thread that is graded again replaces its feedback."""


@dataclass(frozen=True)
class Feedback:
    """The feedback on one step.

    Attributes:
        run: of its attempt, its read, or else of the model's call.
        value: key, tool, verdict and checks.
    """

    run: uuid.UUID
    score: int
    value: Mapping[str, Any]


async def feedback_of(postgres: Postgres, domain: Domain, thread_id: str) -> list[Feedback]:
    """Grade a thread and return the feedback on each step.

    Raises:
        DaybookError: there is no ledger of it.
    """
    trajectory = await read_trajectory(postgres, domain, thread_id)
    entries = {entry.seq: entry for entry in await postgres.ledger.entries(thread_id)}
    traces = {
        turn.number: Trace(postgres.tenant_id, thread_id, turn.turn_id) for turn in trajectory.turns
    }
    graded = await asyncio.to_thread(grade, trajectory)
    return [
        Feedback(_run_of(step, traces[step.turn], entries), verdict.score, _value(step, verdict))
        for step, verdict in graded.judged
    ]


async def attach(feedback: Sequence[Feedback], client: Client) -> int:
    """Send the feedback on steps, and return their number.

    Raises:
        ServiceUnavailable: LangSmith did not accept all of it.
    """
    return await asyncio.to_thread(_send, feedback, client)


def _send(feedback: Sequence[Feedback], client: Client) -> int:
    count = 0
    try:
        project = client.read_project(project_name=get_tracer_project())
        for one in feedback:
            client.create_feedback(
                one.run,
                _KEY,
                score=one.score,
                value=dict(one.value),
                session_id=project.id,
                feedback_id=uuid.uuid5(_NAMESPACE, f"{one.run}/{one.value['step']}"),
                stop_after_attempt=3,
            )
            count += 1
    except (LangSmithError, OSError) as error:
        raise ServiceUnavailable(
            f"LangSmith did not take the verdicts ({type(error).__name__}): {count} were attached. "
            "The thread was graded, and nothing else was done; send them again later."
        ) from error
    return count


def _value(step: Step, verdict: Verdict) -> dict[str, Any]:
    """Return what may be sent about a step: no reason, which may quote an argument."""
    return {
        "step": _opaque_key(step.key),
        "tool": step.tool if step.kind != "unknown" else "no such tool",
        "judged": verdict_name(verdict),
        "checks": [finding.check.value for finding in verdict.findings],
        "tainted_by": [_opaque_key(key) for key in verdict.tainted_by],
    }


def _opaque_key(key: str) -> str:
    """Return a step's key, with the name of an effect replaced by its digest, as in spans."""
    place, _, name = key.partition(":")
    return f"{place}:{opaque(name)}" if name else place


def _run_of(step: Step, trace: Trace, entries: Mapping[int, Entry]) -> uuid.UUID:
    """Return the run of a step: the span's id follows from what it is about."""
    decided = entries[step.decided]
    if step.kind == "read" and step.cache:
        place = place_name(step.ordinal, decided.detail.get("fork", 1))
        name: tuple[str | int, ...] = ("read", call_name(place, step.position))
    elif claim := entries.get(step.attempted):
        name = attempt_name(claim.step_id or "", claim.attempt or 1, is_undo=False)
    else:
        name = decision_name(step.ordinal, decided.detail["prompt"])
    return run_id(trace.span_id(*name))
