"""Grade threads through `langsmith`, and attach the verdicts to the runs of their traces.

The evaluation itself is local: nothing is uploaded (`upload_results=False`). Where LangSmith is
configured, the verdicts are sent as feedback on the runs that the ledger names: scores, and the
names of checks and tools. No message, argument or result is sent.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import uuid
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langsmith import Client, evaluate
from langsmith.evaluation import EvaluationResult, EvaluationResults
from langsmith.schemas import Example
from langsmith.utils import LangSmithError, get_tracer_project

from daybook.app.grading.grading import grade
from daybook.app.grading.history import read_trajectory
from daybook.app.grading.report.summary import judged_as
from daybook.app.grading.trajectory import Step, Trajectory
from daybook.app.grading.verdict import Grade, Verdict
from daybook.checkpoints.postgres import Postgres
from daybook.nodes.planning.phases import call_name, place_name
from daybook.state.errors import ServiceUnavailable
from daybook.state.ledger.entry import Entry
from daybook.state.telemetry.spans import Trace, opaque, run_uuid
from daybook.tools.domain import Domain

STEP = "daybook step"
"""Key of the feedback on a step."""

_NAMES = uuid.UUID("a1c2a8f4-62dc-5c4e-8a52-5d4cf4f8a3a7")
"""The UUID namespace of examples and feedback: the same one gets the same id."""

_ATTEMPTS = 3

Runs = tuple[Trajectory, Mapping[str, uuid.UUID]]
"""A trajectory, and the run of each step."""


@dataclass(frozen=True)
class Graded:
    """The evaluation of one thread.

    Attributes:
        scores: one result for each step, then those for the thread.
    """

    thread_id: str
    scores: tuple[EvaluationResult, ...]


async def evaluated(postgres: Postgres, domain: Domain, threads: Sequence[str]) -> list[Graded]:
    """Evaluate threads with langsmith, without a network.

    Raises:
        DaybookError: there is no ledger of one of them.
    """
    # Read before: langsmith logs an exception of a target and goes on.
    found = {name: await _read(postgres, domain, name) for name in threads}
    by = await asyncio.to_thread(_evaluate, found)
    return [Graded(name, by[name]) for name in threads]


def _evaluate(found: Mapping[str, Runs]) -> dict[str, tuple[EvaluationResult, ...]]:
    """Evaluate trajectories. Not by `aevaluate`, which uploads its runs whatever is configured."""

    def target(inputs: dict[str, Any]) -> dict[str, Any]:
        trajectory, runs = found[inputs["thread"]]
        return {"grade": grade(trajectory), "runs": runs}

    with _local() as client, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "'upload_results' parameter is in beta")
        # It prints to standard output that it starts.
        with contextlib.redirect_stdout(io.StringIO()):
            results = evaluate(
                target,
                data=[_example(name) for name in found],
                evaluators=[per_step, per_thread],
                upload_results=False,
                client=client,
            )
        return {
            row["example"].inputs["thread"]: tuple(row["evaluation_results"]["results"])
            for row in results
            if row["example"].inputs is not None
        }


def per_step(outputs: dict[str, Any]) -> EvaluationResults:
    """Score each step; a result names the run that it is about, if there is one."""
    graded: Grade = outputs["grade"]
    runs: Mapping[str, uuid.UUID] = outputs["runs"]
    results = [
        EvaluationResult(
            key=STEP,
            score=verdict.score,
            value=_value_of(step, verdict),
            target_run_id=runs.get(step.key),
        )
        for step, verdict in graded.judged
    ]
    return EvaluationResults(results=results)


def per_thread(outputs: dict[str, Any]) -> EvaluationResults:
    """Score the thread: the share of right steps, and of wasted tokens."""
    graded: Grade = outputs["grade"]
    right = sum(verdict.score == 1 for verdict in graded.verdicts)
    shares = {
        "right": right / len(graded.verdicts) if graded.verdicts else 1.0,
        "wasted tokens": graded.wasted_tokens / graded.tokens if graded.tokens else 0.0,
    }
    results = [EvaluationResult(key=name, score=share) for name, share in shares.items()]
    return EvaluationResults(results=results)


async def attached(graded: Sequence[Graded], client: Client) -> int:
    """Attach the verdicts on steps to their runs, and return their number.

    A thread that is graded again replaces its feedback. Steps without a run, from a time without
    tracing, are left out.

    Raises:
        ServiceUnavailable: LangSmith did not accept all of it.
    """
    return await asyncio.to_thread(_attach, graded, client)


def _attach(graded: Sequence[Graded], client: Client) -> int:
    count = 0
    try:
        project = client.read_project(project_name=get_tracer_project())
        for result in (score for one in graded for score in one.scores):
            if result.target_run_id is None:
                continue
            assert isinstance(result.value, dict)
            name = f"{result.target_run_id}/{result.value['step']}"
            client.create_feedback(
                result.target_run_id,
                result.key,
                score=result.score,
                value=result.value,
                session_id=project.id,
                feedback_id=uuid.uuid5(_NAMES, name),
                stop_after_attempt=_ATTEMPTS,
            )
            count += 1
    except (LangSmithError, OSError) as error:
        raise ServiceUnavailable(
            f"LangSmith did not take the verdicts ({type(error).__name__}): {count} were attached. "
            "The threads were graded, and nothing else was done; send them again later."
        ) from error
    return count


def _value_of(step: Step, verdict: Verdict) -> dict[str, Any]:
    """Return what may be sent about a step: no argument, and no reason, which may quote one."""
    return {
        "step": _place_of(step.key),
        "tool": step.tool if step.kind != "unknown" else "no such tool",
        "judged": judged_as(verdict),
        "checks": [finding.check.value for finding in verdict.findings],
        "tainted_by": [_place_of(key) for key in verdict.tainted_by],
    }


def _place_of(key: str) -> str:
    """Return a step's key, with the name of an effect replaced by its digest, as in spans."""
    place, _, name = key.partition(":")
    return f"{place}:{opaque(name)}" if name else place


async def _read(postgres: Postgres, domain: Domain, thread_id: str) -> Runs:
    trajectory = await read_trajectory(postgres, domain, thread_id)
    entries = {entry.seq: entry for entry in await postgres.ledger.entries(thread_id)}
    turns = {
        turn.number: Trace(postgres.tenant_id, thread_id, turn.turn_id) for turn in trajectory.turns
    }
    return trajectory, dict(_runs(trajectory.judged, turns, entries))


def _runs(
    steps: Iterable[Step], turns: Mapping[int, Trace], entries: Mapping[int, Entry]
) -> Iterable[tuple[str, uuid.UUID]]:
    """Yield the run of each step: that of its attempt, its read, or else of the model's call.

    The ledger names the runs of model calls and attempts; that of a read follows from its call.
    """
    for step in steps:
        trace, decided = turns[step.turn], entries[step.decided]
        if "span" not in decided.detail:
            continue
        claimed = entries.get(step.attempted)
        span = (claimed or decided).detail.get("span", decided.detail["span"])
        if step.kind == "read" and step.cache:
            place = place_name(step.ordinal, decided.detail.get("fork", 1))
            span = trace.span_id("read", call_name(place, step.position))
        yield step.key, run_uuid(trace.trace_id, span)


def _example(thread_id: str) -> Example:
    return Example(id=uuid.uuid5(_NAMES, thread_id), inputs={"thread": thread_id})


@contextlib.contextmanager
def _local() -> Iterator[Client]:
    """Open a client that makes no request."""
    client = Client(api_url="http://127.0.0.1", api_key="none", auto_batch_tracing=False, info={})
    try:
        yield client
    finally:
        client.close()
