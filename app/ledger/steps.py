"""Print steps of all threads: those that are not settled yet, and those that failed."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, TypeVar

from daybook.app.ledger.listing import folded, no_ledger
from daybook.app.output import tell, tell_aside, tell_json
from daybook.checkpoints.ledger.steps import Failed, Listed, Unsettled
from daybook.checkpoints.postgres import Postgres
from daybook.graph.database import open_database
from daybook.graph.settings.environment import Settings
from daybook.state.ledger.awaited import Awaited

T = TypeVar("T")

WAITS_FOR = {
    Awaited.APPROVAL: "waits for a person to approve",
    Awaited.WORD: "waits for a person to say whether it happened",
    Awaited.SERVICE: "may still be on its way",
    Awaited.PLAN: "waits for other steps of its plan",
    Awaited.RUN: "waits for a run of its thread",
}
"""What a step that is not settled waits for, in words."""

_EVENTS = {
    "failed": "failed",
    "in_doubt": "in doubt",
    "undo_stuck": "undo stuck",
}

_MEANINGS = {
    "expired": "nobody decided in time",
    "rejected": "not approved",
    "withdrawn": "new input overtook the question",
    "superseded": "the plan was edited, or asked about again",
}
"""What is told where the ledger holds no words about it."""


async def unsettled(
    settings: Settings,
    thread_id: str | None,
    most: int,
    show: Callable[[Sequence[Unsettled]], None],
) -> None:
    """Show the steps that somebody still has to look after, the oldest first.

    Args:
        thread_id: of this thread alone.
        most: how many at most.

    Raises:
        DaybookError: there is no such thread.
    """
    async with open_database(settings) as postgres:
        await _listed(postgres, thread_id, most, postgres.steps.unsettled, show)


async def failed(
    settings: Settings, thread_id: str | None, most: int, show: Callable[[Sequence[Failed]], None]
) -> None:
    """Show what went otherwise than it was meant, the newest first.

    Args:
        thread_id: in this thread alone.
        most: how many at most.

    Raises:
        DaybookError: there is no such thread.
    """
    async with open_database(settings) as postgres:
        await _listed(postgres, thread_id, most, postgres.steps.failed, show)


async def _listed(
    postgres: Postgres,
    thread_id: str | None,
    most: int,
    find: Callable[[str | None, int], Awaitable[Listed[T]]],
    show: Callable[[Sequence[T]], None],
) -> None:
    if thread_id is not None and not await postgres.steps.has_ledger(thread_id):
        raise no_ledger(thread_id)
    found = await find(thread_id, most)
    show(found.steps)
    if found.has_more:
        # Not among what a program reads.
        sys.stdout.flush()
        tell_aside(f"There is more than these {most}: see --limit.")


def print_json(steps: Sequence[Unsettled] | Sequence[Failed]) -> None:
    """Print one JSON array, a step a line."""
    lines = ",\n".join(json.dumps(_plain(asdict(step)), ensure_ascii=False) for step in steps)
    tell_json(f"[\n{lines}\n]" if lines else "[]")


def print_unsettled(steps: Sequence[Unsettled]) -> None:
    """Print steps for people: since when (UTC), where it stands, the tool, the thread, and why."""
    for step in steps:
        due = f", until {_time(step.due_at)}" if step.due_at is not None else ""
        about = [f"{WAITS_FOR[step.waits_for]}{due}", _reason(step.reason, step.is_erased)]
        _print(step.since, step.state.replace("_", " "), step, about)
    if not steps:
        tell("Nothing is open.")


def print_failed(steps: Sequence[Failed]) -> None:
    """Print failures for people: when (UTC), what, the tool, the thread, why, and what then."""
    for step in steps:
        what = step.cause or _EVENTS.get(step.event, step.event)
        by = f"by {step.author}" if step.author else ""
        why = _reason(step.reason, step.is_erased) or _MEANINGS.get(step.event, "")
        then = ""
        if step.then is not None:
            whose = f" (by {step.then.author})" if step.then.author else ""
            then = f"then {step.then.event.replace('_', ' ')}{whose} {_time(step.then.at)}"
        _print(step.at, what.replace("_", " "), step, [by, why, then])
    if not steps:
        tell("Nothing failed.")


def _print(at: datetime | None, what: str, step: Unsettled | Failed, about: Iterable[str]) -> None:
    when = _time(at) if at is not None else "?"
    said = "; ".join(part for part in about if part)
    tell(_line(f"{when:<20} {what:<16} {step.tool:<18} thread {step.thread_id}"))
    tell(_line(f"      {step.step_id} (user {step.user_id}): {said}".rstrip(" :")))


def _line(text: str) -> str:
    return folded(text, 6)


def _reason(reason: str | None, is_erased: bool) -> str:
    return "the reason was erased" if is_erased else reason or ""


def _time(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="milliseconds")
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return value
