"""Pages of the ledger: one thread, the search over all threads, and the verification."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from daybook.app.console import house
from daybook.app.console.filters import cents_of
from daybook.app.console.guard import form_of, owned_thread, person_of
from daybook.app.console.pages import Refused, is_part, page
from daybook.app.console.thread import thread_now, title_of
from daybook.app.console.timeline import outcomes_of, timeline_of
from daybook.app.grading.grade import SCORES, grade
from daybook.app.grading.history import read_trajectory
from daybook.app.ledger.listing import WAITS_FOR, missing_line
from daybook.checkpoints.ledger.search import Hits, Place, Wanted
from daybook.state.errors import InputRefused, LedgerError
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Action, Plan, plans_of
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.state.money import Money
from daybook.state.people.budget import standing_of, usage_line
from daybook.state.people.questions.markdown import known_args
from daybook.state.session import user_named
from daybook.state.trace_ids import opaque
from daybook.tools.kinds import EffectTool

_MOST = 50
_ATTEMPTS = (Event.ATTEMPTED, Event.UNDO_ATTEMPTED)


@dataclass(frozen=True)
class Record:
    """What was written ahead of one step, and what happened to it.

    Attributes:
        bound: arguments that are taken from results of earlier steps, in words.
        intended: the entry that holds it.
        asked: the entry that put its plan to someone, or to policy.
        approvals: those that were given before it was decided.
        decided: the one by which it was decided; None if policy did, or nobody has.
        came: what became of its action, in words.
        settled: the last entry about it; None if nothing came after the intent.
        happening: that it happened, in the words of its tool.
        money: what it moves; None if that is not declared.
        direction: where that money goes, as its tool declares; "" if it does not.
    """

    owner: str
    action: Action
    step: Step
    bound: Mapping[str, str]
    intended: Entry
    entries: Sequence[Entry]
    asked: Entry | None
    approvals: Sequence[Entry]
    decided: Entry | None
    came: str
    settled: Entry | None
    happening: str
    money: Money | None
    direction: str


async def drawn(thread_id: str, owner: str, chosen: str | None = None) -> dict[str, Any]:
    """Read a thread's ledger and draw its plans, the newest first.

    Args:
        chosen: a step whose record is shown as well.
    """
    entries = await house.postgres().ledger.entries(thread_id)
    plans = plans_of(entries)
    # This machine's clock may be behind the database's.
    now = max([house.resources().clock.now(), *(entry.at for entry in entries if entry.at)])
    return {
        "thread_id": thread_id,
        "runner": await house.search().runner(thread_id),
        "pending": (await house.postgres().steps.unsettled(thread_id, _MOST)).steps,
        "attempts": Counter(entry.step_id for entry in entries if entry.event in _ATTEMPTS),
        "waits_for": WAITS_FOR,
        "timelines": [timeline_of(plan, entries, now) for plan in reversed(plans)],
        "entries": entries,
        "record": _record(plans, entries, chosen, owner) if chosen else None,
    }


async def show_ledger(request: Request) -> Response:
    """Show the ledger of a thread, or for an open page only the part that changes."""
    thread_id, _, owner = await owned_thread(request)
    seen = await thread_now(thread_id)
    about = await drawn(thread_id, owner, request.query_params.get("step"))
    if is_part(request):
        return page(request, "ledger.html", **about)
    whose = await house.postgres().threads.whose(thread_id)
    return page(
        request,
        "ledger_page.html",
        title=await title_of(thread_id, owner),
        usage=await _usage(thread_id, owner, whose.domain if whose else None),
        seen=seen,
        **about,
    )


async def _usage(thread_id: str, owner: str, program: str | None) -> str:
    """Tell what models took for a conversation, and of budgets that warn or are used up."""
    domain = house.domain_named(program)
    policy = house.resources(domain).policy.before(domain.policy)
    wanted = [("thread", None), *((one.per, one.days) for one in policy.budgets)]
    mine, *found = await house.postgres().usage.used(wanted, thread_id, owner)
    stand = [
        standing_of(one, policy.prices, used)
        for one, used in zip(policy.budgets, found, strict=True)
    ]
    took = f"Model usage: {usage_line(policy.prices, mine)}"
    return " ".join(f"{one}." for one in (took, *(one for one in stand if one.warns)))


async def record(request: Request) -> Response:
    """Show the record of a step: arguments, preconditions, approvals and entries."""
    thread_id, _, owner = await owned_thread(request)
    entries = await house.postgres().ledger.entries(thread_id)
    found = _record(plans_of(entries), entries, request.query_params.get("step", ""), owner)
    if found is None:
        raise Refused("This thread has no such step.", 404)
    return page(request, "record.html", record=found)


async def graded(request: Request) -> Response:
    """Show the grade of a thread, as `daybook grade` prints it."""
    thread_id, _, owner = await owned_thread(request)
    domain, title = await house.domain_of(thread_id), await title_of(thread_id, owner)
    found = grade(await read_trajectory(house.postgres(), domain, thread_id))
    return page(request, "grade.html", thread_id=thread_id, title=title, found=found, scores=SCORES)


def _record(
    plans: Sequence[Plan], entries: Sequence[Entry], step_id: str, owner: str
) -> Record | None:
    """Find a step, by its name or by the digest that stands for it in spans."""
    for plan in plans:
        for action, step in plan.located:
            if step_id not in (step.step_id, opaque(step.step_id), opaque(f"{step.step_id}/undo")):
                continue
            about = [e for e in entries if e.step_id == step.step_id and e.plan_id == plan.plan_id]
            intended = next(e for e in about if e.event is Event.INTENDED)
            of_plan = {e.event: e for e in entries if e.plan_id == plan.plan_id and not e.step_id}
            tool = _tool(step.tool)
            args = known_args(action, step)
            return Record(
                owner=owner,
                action=action,
                step=step,
                bound={name: str(bind) for name, bind in step.binds.items()},
                intended=intended,
                entries=about,
                asked=of_plan.get(Event.OPENED),
                approvals=[
                    e for e in entries if e.event is Event.APPROVAL and e.plan_id == plan.plan_id
                ],
                decided=of_plan.get(Event.DECISION),
                came=[*outcomes_of(plan)][action.position].words,
                settled=about[-1] if about[-1] is not intended else None,
                happening=tool.happening(args) if tool else "",
                money=tool.moves(args) if tool else None,
                direction=(tool.direction or "") if tool else "",
            )
    return None


def _tool(name: str) -> EffectTool | None:
    """Return a tool by its name, of whichever domain is served here."""
    registries = (one.registry.effects for one in house.domains())
    return next((effects[name] for effects in registries if name in effects), None)


# -- search ----------------------------------------------------------------------------------------

_MOST_FOUND = 25
_FIELDS = (
    *("order", "product", "user", "from_amount", "to_amount", "from_time", "to_time"),
    *("tool", "state"),
)


async def search(request: Request) -> Response:
    """Show the search form and its results."""
    given = {name: request.query_params.get(name, "").strip() for name in _FIELDS}
    sentence, found, older = "", Hits([], None), ""
    kept = {name: value for name, value in given.items() if value}
    try:
        wanted = wanted_of(given)
        found = await house.search().steps(wanted, _before(request.query_params), _MOST_FOUND)
        if found.older:
            place = found.older
            after = {"at": place.at.isoformat(), "thread": place.thread_id, "seq": place.seq}
            older = urlencode({**kept, **after})
    except InputRefused as error:
        sentence = str(error)
    return page(
        request,
        "search.html",
        given=given,
        found=found,
        is_encrypted=house.postgres().is_encrypted,
        older=older,
        newest=urlencode(kept),
        is_first="at" not in request.query_params,
        sentence=sentence,
        tools=sorted({name for one in house.domains() for name in one.registry.effects}),
        states=[state.value for state in StepState],
    )


def wanted_of(given: Mapping[str, str]) -> Wanted:
    """Read what is looked for.

    Args:
        given: the fields of the form, each "" if it does not narrow.

    Raises:
        InputRefused: a field cannot be read.
    """
    state = given.get("state", "")
    if state and state not in [known.value for known in StepState]:
        raise InputRefused(f"There is no state {state}. Choose one from the list.")
    return Wanted(
        tool=given.get("tool") or None,
        state=StepState(state) if state else None,
        user_id=user_named(given.get("user", "")) or None,
        at_least=cents_of(given.get("from_amount", "")),
        at_most=cents_of(given.get("to_amount", "")),
        since=_instant(given.get("from_time", "")),
        until=_until(given.get("to_time", "")),
        reference=given.get("order") or None,
        words=given.get("product") or None,
    )


def _until(text: str) -> datetime | None:
    """Return the end of what is named: a day or a minute is named with all of it."""
    at = _instant(text)
    if at is None:
        return None
    try:
        return at + (timedelta(minutes=1) if "T" in text else timedelta(days=1))
    except OverflowError:
        return at


def _instant(text: str) -> datetime | None:
    if not text:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputRefused(
            f"{text[:40]} is not a time. Write it in UTC, as 2026-01-31T14:30."
        ) from error
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at


def _before(query: Mapping[str, str]) -> Place | None:
    if "at" not in query:
        return None
    at, seq = _instant(query["at"]), query.get("seq", "")
    if at is None or not seq.isdecimal() or len(seq) > 18:
        raise InputRefused("This page no longer exists. Search again.")
    return Place(at, query.get("thread", ""), int(seq))


# -- verification ----------------------------------------------------------------------------------


@dataclass
class Verified:
    """What a check found.

    Attributes:
        broken: thread to what does not hold.
        missing: what is said of threads that are gone from all tables.
    """

    threads: int = 0
    entries: int = 0
    missing: str = ""
    broken: dict[str, str] = field(default_factory=dict)


async def verification(request: Request) -> Response:
    """Show the form of the verification."""
    named = request.query_params.get("thread", "")
    return page(request, "verify.html", verified=None, named=named)


async def verify(request: Request) -> Response:
    """Verify the ledger of one thread or of all threads."""
    named = form_of(request).get("thread", "").strip()
    if named and await house.owner_of(named, person_of(request)) is None:
        raise Refused(house.NO_THREAD, 404)
    verified = Verified()
    async for thread_id in _threads(named):
        verified.threads += 1
        try:
            verified.entries += await house.postgres().ledger.verify(thread_id)
        except LedgerError as error:
            verified.broken[thread_id] = str(error)
    if not named:
        verified.missing = missing_line(await house.postgres().ledger.missing_threads())
    return page(request, "verify.html", verified=verified, named=named)


async def _threads(named: str) -> AsyncIterator[str]:
    if named:
        yield named
        return
    async for thread_id in house.postgres().ledger.thread_ids():
        yield thread_id
