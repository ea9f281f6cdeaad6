"""The ledger of a thread: its plans as drawings, its entries, and what was written ahead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from daybook.app.console import house
from daybook.app.console.guard import person_of
from daybook.app.console.pages import page, refused
from daybook.app.console.timeline import Timeline, timeline_of
from daybook.app.ledger.listing import WAITS_FOR
from daybook.state.errors import IllegalTransition
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Action, Plan, fold
from daybook.state.ledger.recovery import Event
from daybook.state.ledger.step import Step
from daybook.state.trace_ids import opaque

_MOST = 50
_ATTEMPTS = (Event.ATTEMPTED, Event.UNDO_ATTEMPTED)


@dataclass(frozen=True)
class Record:
    """What was written ahead of one step, and what happened to it.

    Attributes:
        bound: arguments that are taken from results of earlier steps, in words.
        intended: the entry that holds it.
    """

    action: Action
    step: Step
    bound: Mapping[str, str]
    intended: Entry
    entries: Sequence[Entry]


async def drawn(thread_id: str, chosen: str | None = None) -> dict[str, Any]:
    """Read a thread's ledger and draw its plans, the newest first.

    Args:
        chosen: a step whose record is shown as well.
    """
    entries = await house.postgres().ledger.entries(thread_id)
    plans = plans_of(entries)
    # This machine's clock may be behind the database's.
    now = max([house.resources().clock.now(), *(entry.at for entry in entries if entry.at)])
    drawings: list[Timeline] = [timeline_of(plan, entries, now) for plan in reversed(plans)]
    return {
        "thread_id": thread_id,
        "runner": await house.search().runner(thread_id),
        "pending": (await house.postgres().steps.unsettled(thread_id, _MOST)).steps,
        "attempts": Counter(entry.step_id for entry in entries if entry.event in _ATTEMPTS),
        "waits_for": WAITS_FOR,
        "timelines": drawings,
        "entries": entries,
        "record": _record(plans, entries, chosen) if chosen else None,
    }


async def part(request: Request) -> Response:
    """Show the ledger of a thread as it is now, for the page that is open."""
    thread_id = request.path_params["thread_id"]
    if await house.owner_of(thread_id, person_of(request)) is None:
        return refused(request, house.NO_THREAD, 404)
    about = await drawn(thread_id, request.query_params.get("step"))
    return page(request, "ledger.html", **about)


async def record(request: Request) -> Response:
    """Show what was written ahead of a step, and its entries."""
    thread_id = request.path_params["thread_id"]
    if await house.owner_of(thread_id, person_of(request)) is None:
        return refused(request, house.NO_THREAD, 404)
    entries = await house.postgres().ledger.entries(thread_id)
    found = _record(plans_of(entries), entries, request.query_params.get("step", ""))
    if found is None:
        return refused(request, "There is no such step in this thread.", 404)
    return page(request, "record.html", record=found)


def plans_of(entries: Sequence[Entry]) -> list[Plan]:
    """Fold the plans of a thread, in the order in which they were opened.

    One that this release cannot fold is left out: its entries are listed all the same.
    """
    of: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.plan_id is not None:
            of.setdefault(entry.plan_id, []).append(entry)
    plans = []
    for told in of.values():
        try:
            plan = fold(told)
        except (IllegalTransition, KeyError):
            continue
        if plan is not None and plan.steps:
            plans.append(plan)
    return plans


def _record(plans: Sequence[Plan], entries: Sequence[Entry], step_id: str) -> Record | None:
    """Find a step, by its name or by the digest that stands for it in spans."""
    for plan in plans:
        for action, step in plan.located:
            if step_id not in (step.step_id, opaque(step.step_id), opaque(f"{step.step_id}/undo")):
                continue
            about = [e for e in entries if e.step_id == step.step_id and e.plan_id == plan.plan_id]
            intended = next(e for e in about if e.event is Event.INTENDED)
            bound = {name: str(bind) for name, bind in step.binds.items()}
            return Record(action, step, bound, intended, about)
    return None
