"""The inbox: what waits for a person, and their answers."""

from __future__ import annotations

from math import ceil
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from daybook.app.console import house, live, runs
from daybook.app.console.conversation.forms import answer_of
from daybook.app.console.conversation.questions import Asked, asked_in
from daybook.app.console.conversation.thread import talk
from daybook.app.console.guard import form_of, person_of
from daybook.app.console.pages import is_part, refused
from daybook.app.console.pages import page as rendered_page
from daybook.checkpoints.ledger.steps import MOST_COUNTED
from daybook.state.errors import DaybookError, InputRefused, TooMany
from daybook.state.people.called import as_said
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
    seen = await live.inbox_now()
    approvals, doubts = await house.questions().counted(house.names(), of)
    waiting = await house.questions().waiting(
        house.names(), of, at * _MOST + 1, is_doubt=_KINDS.get(kind)
    )
    # Answered meanwhile: the last page that there still is.
    at = min(at, max(1, ceil(len(waiting) / _MOST)))
    asked: list[Asked] = []
    for one in waiting[(at - 1) * _MOST : at * _MOST]:
        domain = house.domain_named(one.domain)
        snapshot = await house.state_of(one.thread_id, domain)
        question = asked_in(snapshot, domain, one.user_id, person, one.asked_at)
        if question is not None and all(question.thread_id != a.thread_id for a in asked):
            asked.append(question)
    mine = [one for one in asked if not one.barred]
    name = "inbox_list.html" if is_part(request) else "inbox.html"
    return rendered_page(
        request,
        name,
        approvals=[one for one in mine if not one.is_doubt],
        doubts=[one for one in mine if one.is_doubt],
        others=[one for one in asked if one.barred],
        counts={"approval": approvals, "doubt": doubts},
        most_counted=MOST_COUNTED,
        kind=kind,
        page=at,
        has_more=len(waiting) > at * _MOST and at < _LAST,
        seen=seen,
    )


def _page_of(request: Request) -> int:
    """Return which page is asked for, from 1."""
    named = request.query_params.get("page", "1")
    wanted = int(named) if named.isascii() and named.isdigit() and len(named) < 9 else 1
    return min(max(wanted, 1), _LAST)


async def answer(request: Request) -> Response:
    """Answer the question that waits in a thread, if it is still the one that was shown."""
    thread_id, person = request.path_params["thread_id"], person_of(request)
    owner = await house.owner_of(thread_id, person)
    if owner is None:
        return refused(request, house.NO_THREAD, 404)
    form = form_of(request)
    try:
        domain = await house.domain_of(thread_id)
        question = asked_in(await house.state_of(thread_id, domain), domain, owner, person)
        given = answer_of(form, question.asks if question else None)
        run_id = await runs.start(thread_id, person, owner, domain.name, answer=given)
    except DaybookError as error:
        if request.headers.get("hx-target") == "talk":
            return await talk(request, thread_id, owner, sentence=str(error))
        if isinstance(error, TooMany):
            raise
        return refused(request, str(error), 409 if isinstance(error, InputRefused) else 503)
    if request.headers.get("hx-target") == "talk":
        return await talk(request, thread_id, owner, run_id=run_id)
    if is_part(request):
        return rendered_page(
            request, "answered.html", thread_id=thread_id, owner=owner, run_id=run_id
        )
    return RedirectResponse(f"/console/threads/{thread_id}", 303)


async def outcome(request: Request) -> Response:
    """Say what came of an answer, when its run is over."""
    thread_id, person = request.path_params["thread_id"], person_of(request)
    owner = await house.owner_of(thread_id, person)
    if owner is None:
        return refused(request, house.NO_THREAD, 404)
    about = await came_of(thread_id, owner, person, request.query_params.get("run", ""))
    return rendered_page(request, "outcome.html", **about)


async def came_of(thread_id: str, owner: str, person: Person, run_id: str) -> dict[str, Any]:
    """Tell what came of an answer: why it was refused, what is asked now, what was said."""
    domain = await house.domain_of(thread_id)
    snapshot = await house.state_of(thread_id, domain)
    told = as_said(snapshot.values.get("messages", ()))
    said = [message.text for message in told if message.type == "ai"]
    return {
        "refusal": runs.refusal_of(run_id),
        "question": asked_in(snapshot, domain, owner, person),
        "said": said[-1] if said else "",
    }
