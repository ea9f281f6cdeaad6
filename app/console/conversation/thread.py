"""A thread's page: what was said, where the work stands, the panels; for staff, its ledger."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from daybook.app.console import house, live, runs
from daybook.app.console.conversation.outcomes import told_of
from daybook.app.console.conversation.questions import Asked, asked_in
from daybook.app.console.conversation.titles import first_words, titles_of
from daybook.app.console.guard import form_of, person_of
from daybook.app.console.ledger import ledger
from daybook.app.console.pages import page as rendered_page
from daybook.app.console.pages import refused
from daybook.graph.unfinished import Left, left_in
from daybook.state.people.called import is_called
from daybook.state.people.questions.asked import asks
from daybook.tools.domain import Domain

_MOST = 50

_LEFT = {
    Left.CUT_OFF: "A turn was cut off here. Nothing is lost: it goes on from where it stood.",
    Left.UNSETTLED: "Something of this conversation is not settled yet.",
}


async def listing(request: Request) -> Response:
    """List the conversations: one's own, or all for staff; by how they stand, and by name."""
    person = person_of(request)
    of = None if person.is_staff else person.user_id
    status = request.query_params.get("status") or None
    named = request.query_params.get("named", "").strip()
    search, names = house.search(), house.names()
    threads = await search.threads(names, of, _MOST, status=status, named=named or None)
    return rendered_page(
        request,
        "threads.html",
        threads=threads,
        titles=await titles_of(threads),
        standings=await search.standings(names, of),
        stands=status,
        named=named,
        most=_MOST,
        example=house.domains()[0].example,
        domains=names,
    )


async def page(request: Request) -> Response:
    """Show a thread, or what changes of it while one talks."""
    thread_id, person = request.path_params["thread_id"], person_of(request)
    if not await house.may_see(thread_id, person):
        return refused(request, house.NO_THREAD, 404)
    owner = await house.owner_of(thread_id, person) or person.user_id
    # Before anything is read: what happens meanwhile is told afterwards.
    seen = (await live.threads_now([thread_id]))[thread_id]
    if request.query_params.get("part") == "talk":
        after = request.query_params.get("after", "")
        return await talk(request, thread_id, owner, sentence=runs.refusal_of(after))
    about = await _talk(request, thread_id, owner)
    chosen = request.query_params.get("step")
    drawn = await ledger.drawn(thread_id, chosen) if person.is_staff else {"record": None}
    return rendered_page(request, "thread.html", **{**about, **drawn, "seen": seen})


async def talk(
    request: Request, thread_id: str, owner: str, *, sentence: str = "", run_id: str | None = None
) -> Response:
    """Show the conversation, the panels and the question: what changes while one talks."""
    about = await _talk(request, thread_id, owner, sentence=sentence, run_id=run_id)
    return rendered_page(request, "talk.html", **about)


async def _talk(
    request: Request, thread_id: str, owner: str, *, sentence: str = "", run_id: str | None = None
) -> dict[str, Any]:
    person = person_of(request)
    wished = form_of(request).get("domain") or request.query_params.get("domain")
    domain = await house.domain_of(thread_id, wished)
    snapshot = await house.state_of(thread_id, domain)
    running = run_id or await runs.under_way(thread_id)
    heads = await house.search().heads([thread_id])
    is_busy = running is not None or heads.get(thread_id, (0, False))[1]
    left = None if is_busy else await left_in(snapshot, house.postgres())
    question = None if running else asked_in(snapshot, domain, owner, person)
    # Staff have the ledger for it.
    entries = [] if person.is_staff else await house.postgres().ledger.entries(thread_id)
    is_under_way = await house.postgres().ledger.open_plan(thread_id) is not None
    found = await house.search().threads([domain.name], owner, 1, named=thread_id)
    messages = snapshot.values.get("messages", ())
    return {
        "thread_id": thread_id,
        "title": (found and found[0].about) or first_words(messages),
        "begun": found[0].created_at if found else None,
        "owner": owner,
        "is_owner": owner == person.user_id,
        # What waits is shown by its form, and calls by the ledger.
        "messages": [
            message
            for message in messages
            if not is_called(message.id)
            and (question is None or not asks(message.id, str(question.asks["approval_id"])))
        ],
        "panels": domain.panels(snapshot.values) if snapshot.values else (),
        "greeting": domain.greeting,
        "flow": snapshot.values.get("flow", domain.flow.start),
        "positions": tuple(domain.flow.offered),
        "question": question,
        "told": [*told_of(ledger.plans_of(entries))],
        "moment": _moment(question, is_busy, "" if messages else domain.example),
        "domain": domain.name,
        # What waits for its approval is rejected, or withdrawn by whatever is said next.
        "stop_id": str(uuid.uuid4())
        if is_under_way and (question is None or question.is_doubt)
        else None,
        "left": _LEFT.get(left) if left else None,
        "is_busy": is_busy,
        "run_id": running,
        "sentence": sentence,
    }


def _moment(question: Asked | None, is_busy: bool, example: str) -> str:
    """Say in the empty field what can be written into it at this moment."""
    if is_busy:
        return "Wait until this is done"
    if question is not None and question.is_doubt:
        return "Say what you know above, or ask something else"
    if question is not None:
        return "Answer above, or say what to change"
    return f"For example: {example}" if example else "Say what you want next"


def place(thread_id: str, domain: Domain) -> str:
    """Return where a conversation is that may be new: where that is told, of its domain."""
    is_first = domain is house.domains()[0]
    return f"/console/threads/{thread_id}{'' if is_first else f'?domain={quote(domain.name)}'}"
