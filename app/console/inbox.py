"""The inbox: what waits for a person, and answers, one or several at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from daybook.app.console import house, runs
from daybook.app.console.guard import form_of, owned_thread, person_of
from daybook.app.console.pages import Refused, is_part
from daybook.app.console.pages import page as rendered_page
from daybook.app.console.questions import OVER, Asked, answer_of, asked_in, asked_of
from daybook.app.console.thread import inbox_now, talk
from daybook.checkpoints.ledger.steps import MOST_COUNTED, Waiting
from daybook.state.effects.keys import digest
from daybook.state.errors import DaybookError, InputRefused, TooMany
from daybook.state.money import Money
from daybook.state.people.called import as_said
from daybook.state.people.questions.question import is_asked_by
from daybook.state.session import Person

_MOST = 20
"""Each is read from its thread, and written out: ten milliseconds."""

_LAST = MOST_COUNTED // _MOST
"""Pages: what is not counted is not turned to either."""

_KINDS = {"approval": False, "doubt": True}


async def page(request: Request) -> Response:
    """Show what waits and whom it waits for, the longest waiting first: all of it, or one kind."""
    person = person_of(request)
    of = None if person.is_staff else person.user_id
    kind, at = request.query_params.get("kind", ""), _page_of(request)
    seen = await inbox_now()
    # Other programs on the database put their questions themselves: staff see that they wait.
    programs = None if person.is_staff else house.names()
    approvals, doubts = await house.questions().counted(programs, of)
    waiting = await house.questions().waiting(
        programs, of, at * _MOST + 1, is_doubt=_KINDS.get(kind)
    )
    # Answered meanwhile: the last page that there still is.
    at = min(at, max(1, ceil(len(waiting) / _MOST)))
    asked, unasked = list[Asked](), list[Unasked]()
    for one in waiting[(at - 1) * _MOST : at * _MOST]:
        if not house.is_served(one.domain):
            unasked.append(await _unasked(one))
            continue
        domain = house.domain_named(one.domain)
        snapshot = await house.state_of(one.thread_id, domain)
        question = asked_in(snapshot, domain, one.user_id, person, one.asked_at)
        if question is None and one.is_doubt:
            unasked.append(await _unasked(one))
        elif question is not None and all(question.thread_id != a.thread_id for a in asked):
            asked.append(question)
    mine = [one for one in asked if not one.barred]
    name = "inbox_list.html" if is_part(request) else "inbox.html"
    return rendered_page(
        request,
        name,
        approvals=[one for one in mine if not one.is_doubt],
        doubts=[one for one in mine if one.is_doubt],
        others=[one for one in asked if one.barred],
        unasked=unasked,
        counts={"approval": approvals, "doubt": doubts},
        most_counted=MOST_COUNTED,
        kind=kind,
        page=at,
        has_more=len(waiting) > at * _MOST and at < _LAST,
        dead=await house.postgres().notifications.dead() if person.is_staff else 0,
        seen=seen,
    )


@dataclass(frozen=True)
class Unasked:
    """What waits for a person and is not asked here.

    Attributes:
        title: what it is about, in a line.
        program: the one that asks it; "" where the next run of its conversation does.
    """

    waiting: Waiting
    title: str
    program: str


async def _unasked(one: Waiting) -> Unasked:
    plan, _ = await house.postgres().ledger.plan(one.thread_id, one.plan_id)
    title = "; ".join(action.title for action in plan.actions) if plan is not None else ""
    return Unasked(one, title, "" if house.is_served(one.domain) else str(one.domain))


def _page_of(request: Request) -> int:
    """Return which page is asked for, from 1."""
    named = request.query_params.get("page", "1")
    wanted = int(named) if named.isascii() and named.isdigit() and len(named) < 9 else 1
    return min(max(wanted, 1), _LAST)


async def answer(request: Request) -> Response:
    """Answer the question that waits in a thread, if it is still the one that was shown."""
    thread_id, person, owner = await owned_thread(request)
    try:
        question = await asked_of(thread_id, owner, person)
        domain = await house.domain_of(thread_id)
        given = answer_of(form_of(request), question.asks if question else None)
        run_id = await runs.start(thread_id, person, owner, domain.name, answer=given)
    except DaybookError as error:
        if request.headers.get("hx-target") == "talk":
            return await talk(request, thread_id, owner, sentence=str(error))
        if isinstance(error, TooMany):
            raise
        raise Refused(str(error), 409 if isinstance(error, InputRefused) else 503) from error
    if request.headers.get("hx-target") == "talk":
        return await talk(request, thread_id, owner, run_id=run_id)
    if is_part(request):
        return rendered_page(
            request, "answered.html", thread_id=thread_id, owner=owner, run_id=run_id
        )
    return RedirectResponse(f"/console/threads/{thread_id}", 303)


async def outcome(request: Request) -> Response:
    """Say what came of an answer, when its run is over."""
    thread_id, person, owner = await owned_thread(request)
    domain = await house.domain_of(thread_id)
    snapshot = await house.state_of(thread_id, domain)
    told = as_said(snapshot.values.get("messages", ()))
    said = [message.text for message in told if message.type == "ai"]
    return rendered_page(
        request,
        "outcome.html",
        refusal=runs.refusal_of(request.query_params.get("run", "")),
        question=asked_in(snapshot, domain, owner, person),
        said=said[-1] if said else "",
    )


# -- several at once -------------------------------------------------------------------------------

_MOST_AT_ONCE = 50
_CHOSEN = "chosen-"
_DECIDED = ("approve", "reject")
_WORDS = ("happened", "not_happened")


@dataclass(frozen=True)
class Given:
    """What became of one of the answers.

    Attributes:
        run_id: the run that takes it to its conversation; "" where none was begun.
        sentence: why none was; else "".
    """

    thread_id: str
    owner: str
    title: str
    run_id: str
    sentence: str


async def answer_together(request: Request) -> Response:
    """Show what staff chose, with count and sum; answer it once that has been confirmed.

    Each is answered by itself and by its own approval id, and what was answered meanwhile is told.
    """
    form, person = form_of(request), person_of(request)
    word = form.get("word", "")
    chosen = {
        name.removeprefix(_CHOSEN): id_ for name, id_ in form.items() if name.startswith(_CHOSEN)
    }
    if not chosen or word not in (*_DECIDED, *_WORDS):
        raise Refused("Nothing was chosen. Nothing was done.", 400)
    if len(chosen) > _MOST_AT_ONCE:
        raise Refused(f"At most {_MOST_AT_ONCE} are answered at once. Nothing was done.", 400)
    if form.get("confirmed") == digest([word, sorted(chosen.items())]):
        given = [await give(thread_id, id_, word, person) for thread_id, id_ in chosen.items()]
        return rendered_page(request, "together_done.html", given=given, word=word)
    found = [await _found(thread_id, id_, person) for thread_id, id_ in chosen.items()]
    # Those alone are confirmed that are shown.
    asked = [one for one in found if one is not None and _fits(one, word)]
    left = {one.thread_id: one.approval_id for one in asked}
    return rendered_page(
        request,
        "together.html",
        asked=asked,
        over=len(chosen) - len(asked),
        chosen=left,
        sums=await _sums(asked) if word == "approve" else [],
        word=word,
        confirmed=digest([word, sorted(left.items())]),
    )


async def _found(thread_id: str, approval_id: str, person: Person) -> Asked | None:
    """Return the question that waits in a thread, if it is the one that was chosen."""
    owner = await house.owner_of(thread_id, person)
    asked = await asked_of(thread_id, owner, person) if owner is not None else None
    return asked if asked is not None and is_asked_by(asked.asks, approval_id) else None


def _fits(asked: Asked, word: str) -> bool:
    return not asked.barred and asked.is_doubt == (word in _WORDS)


async def give(thread_id: str, approval_id: str, word: str, person: Person) -> Given:
    """Give one answer to a question by its approval id, or say why not."""
    owner, title, run_id, sentence = person.user_id, "", "", ""
    try:
        asked = await _found(thread_id, approval_id, person)
        if asked is None:
            raise InputRefused(OVER)
        owner, title = asked.owner, asked.title
        form = {"approval_id": asked.approval_id, "decision": word, "word": word}
        if not _fits(asked, word):
            raise InputRefused(asked.barred or "This question is of another kind.")
        given, domain = answer_of(form, asked.asks), await house.domain_of(thread_id)
        run_id = await runs.start(thread_id, person, owner, domain.name, answer=given)
    except DaybookError as error:
        sentence = str(error)
    return Given(thread_id, owner, title, run_id, sentence)


async def _sums(asked: Sequence[Asked]) -> list[Money]:
    """Add up the money that plans move, currency by currency; none is taken for another."""
    sums: Counter[str] = Counter()
    for one in asked:
        plan, _ = await house.postgres().ledger.plan(one.thread_id, one.plan_id)
        for total in (action.total for action in (plan.actions if plan else ())):
            if total is not None:
                sums[total.currency] += total.amount
    return [Money(amount=cents, currency=currency) for currency, cents in sorted(sums.items())]
