"""Conversations: their list, a thread's page with panels and question, and its progress.

An open page is told that what it shows has changed: it looks at the ledger every two seconds.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from typing import Any
from urllib.parse import quote

from langchain_core.runnables import RunnableConfig
from psycopg import Error
from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.responses import Response

from daybook.app.console import house, runs
from daybook.app.console.guard import form_of, open_thread, owned_thread, person_of
from daybook.app.console.pages import Refused
from daybook.app.console.pages import page as rendered_page
from daybook.app.console.questions import Asked, asked_in
from daybook.app.console.timeline import newest_outcomes, outcomes_of
from daybook.app.server.inside import available
from daybook.checkpoints.ledger.search import ThreadSeen
from daybook.checkpoints.people.threads import standing
from daybook.graph.resume import Left
from daybook.graph.settings.environment import settings_from
from daybook.nodes.past.fresh import document_of, stored_state
from daybook.nodes.running.identity import session_of
from daybook.nodes.running.work import Work
from daybook.state.effects.keys import digest
from daybook.state.errors import DaybookError
from daybook.state.ledger.plan import plans_of
from daybook.state.people.lifecycle import lifecycle
from daybook.state.people.questions.message import asks
from daybook.state.people.tool_messages import is_called
from daybook.state.prompt.progress import parse, render
from daybook.tools.domain import Domain

_MOST = 50

_LEFT = {
    Left.CUT_OFF: "A turn was interrupted here. Nothing is lost: it continues where it stopped.",
    Left.UNSETTLED: "Some actions in this conversation are not finished.",
}


async def listing(request: Request) -> Response:
    """List your conversations, or all of them for staff, by status and by customer."""
    person = person_of(request)
    of = None if person.is_staff else person.user_id
    status = request.query_params.get("status") or None
    named = request.query_params.get("named", "").strip()
    search, names = house.search(), None if person.is_staff else house.names()
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
        domains=house.names(),
    )


async def page(request: Request) -> Response:
    """Show a conversation, or only the part that changes."""
    thread_id, _, owner = await open_thread(request)
    # Before anything is read: what happens meanwhile is told afterwards.
    seen = await thread_now(thread_id)
    if request.query_params.get("part") == "talk":
        after = request.query_params.get("after", "")
        return await talk(request, thread_id, owner, sentence=runs.refusal_of(after))
    whose = await house.postgres().threads.whose(thread_id)
    if whose is not None and whose.domain is not None and not house.is_served(whose.domain):
        about = await _told_elsewhere(thread_id, owner, whose.domain)
    else:
        about = await _talk(request, thread_id, owner)
    return rendered_page(request, "thread.html", **about, seen=seen)


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
    served = house.serving(domain)
    left = None if is_busy else await served.left_in(snapshot)
    question = None if running else asked_in(snapshot, domain, owner, person)
    entries = await house.postgres().ledger.entries(thread_id)
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
            if message.text
            and message.type != "tool"
            and not is_called(message.id)
            and (question is None or not asks(message.id, question.approval_id))
        ],
        "panels": domain.panels(snapshot.values) if snapshot.values else (),
        "greeting": domain.greeting,
        "flow": snapshot.values.get("flow", domain.flow.start),
        "positions": tuple(domain.flow.offered) if served.has_flow else (),
        "has_flow": served.has_flow,
        "question": question,
        "told": newest_outcomes(plans_of(entries)),
        "moment": _moment(question, is_busy, "" if messages else domain.example),
        "domain": domain.name,
        # What waits for its approval is rejected, or withdrawn by whatever is said next.
        "stop_id": str(uuid.uuid4())
        if is_under_way and served.has_flow and (question is None or question.is_doubt)
        else None,
        "left": _LEFT.get(left) if left else None,
        "is_busy": is_busy,
        "run_id": running,
        "sentence": sentence,
    }


async def _told_elsewhere(thread_id: str, owner: str, program: str) -> dict[str, Any]:
    """Tell of a thread of a program that is not served here what the ledger tells."""
    [found] = await house.search().threads([program], owner, 1, named=thread_id)
    return {
        "thread_id": thread_id,
        "title": found.about or thread_id,
        "begun": found.created_at,
        "owner": owner,
        "is_owner": False,
        "is_busy": False,
        "domain": None,
        "has_flow": False,
        "program": program,
    }


def _moment(question: Asked | None, is_busy: bool, example: str) -> str:
    """Say in the empty field what can be written into it at this moment."""
    if is_busy:
        return "Please wait"
    if question is not None and question.is_doubt:
        return "Answer above, or write a message"
    if question is not None:
        return "Answer above, or write what to change"
    return f"For example: {example}" if example else "Write a message"


def conversation_url(thread_id: str, domain: Domain) -> str:
    """Return where a conversation is that may be new: where that is told, of its domain."""
    is_first = domain is house.domains()[0]
    return f"/console/threads/{thread_id}{'' if is_first else f'?domain={quote(domain.name)}'}"


# -- titles ----------------------------------------------------------------------------------------

NOTHING_YET = "New conversation"
_LONGEST = 70


async def titles_of(threads: Iterable[ThreadSeen]) -> Mapping[str, str]:
    """Name conversations by what they are about; those without a plan by their first words."""
    titles = {}
    for one in threads:
        title = one.about
        if not title and one.status != "closed" and house.is_served(one.domain):
            state = await house.state_of(one.thread_id, house.domain_named(one.domain))
            title = first_words(state.values.get("messages", ()))
        titles[one.thread_id] = title or NOTHING_YET
    return titles


async def title_of(thread_id: str, owner: str) -> str:
    """Name one conversation, of which something else is shown."""
    found = await house.search().threads(None, owner, 1, named=thread_id)
    return (await titles_of(found)).get(thread_id, NOTHING_YET)


def first_words(messages: Iterable[Any]) -> str:
    """Return what a person said first, cut to a line."""
    text = next((m.text for m in messages if m.type == "human"), "")
    line = " ".join(text.split())
    cut = f"{line[:_LONGEST].rsplit(' ', 1)[0]}\N{HORIZONTAL ELLIPSIS}"
    return (line if len(line) <= _LONGEST else cut) or NOTHING_YET


# -- progress --------------------------------------------------------------------------------------


async def progress(request: Request) -> Response:
    """Show the progress document; with `download`, as a file."""
    thread_id, _, owner = await owned_thread(request)
    domain = await house.domain_of(thread_id)
    versions = await house.postgres().documents.versions(thread_id)
    wanted = request.query_params.get("version", "")
    kept = {str(one.version): one.document for one in versions}
    if wanted and wanted not in kept:
        raise Refused(f"This document has no version {wanted[:20]}.", 404)
    document = kept[wanted] if wanted else await _now(thread_id, domain, owner)
    if document is None:
        raise Refused("This conversation has no progress yet.", 404)
    if "download" in request.query_params:
        about = {"content-disposition": 'attachment; filename="progress.md"'}
        return Response(document, media_type="text/markdown; charset=utf-8", headers=about)
    _, *blocks = render(parse(document)).split("\n## ")
    parts = (block.split("\n") for block in blocks)
    (stands,) = await standing(house.postgres().pool, thread_id=thread_id)
    keep = {part.value: period for part, period in settings_from().keep.items()}
    return rendered_page(
        request,
        "progress.html",
        thread_id=thread_id,
        title=await title_of(thread_id, owner),
        sections=[(title, [line[2:] for line in lines if line]) for title, *lines in parts],
        versions=versions,
        shown=wanted,
        under_way=await _under_way(thread_id),
        cycle=lifecycle(stands, keep, house.resources().clock.now()),
    )


async def _under_way(thread_id: str) -> list[str]:
    """Say of what is in progress what it is, and at which step it stands."""
    postgres = house.postgres()
    plan_id = await postgres.ledger.open_plan(thread_id)
    plan = (await postgres.ledger.plan(thread_id, plan_id))[0] if plan_id is not None else None
    told = outcomes_of(plan) if plan is not None and plan.decided else ()
    return [f"{one.about}: {one.words}" for one in told if one.state == "open"]


async def _now(thread_id: str, domain: Domain, owner: str) -> str | None:
    config: RunnableConfig = {"configurable": {"thread_id": thread_id, "user_id": owner}}
    resources = house.resources(domain)
    work = Work(domain, resources, session_of(config, resources.postgres.tenant_id))
    state = await stored_state(thread_id, work)
    return None if state is None else render(await document_of(state, work))


# -- live pages ------------------------------------------------------------------------------------


_SECONDS = 2.0
_MOST_WAITING = 200
_PING_SECONDS = 15

_LOG = logging.getLogger(__name__)


async def thread_now(thread_id: str) -> str:
    """Name the state that a thread is in: it is another one as soon as something happens."""
    heads = await house.search().heads([thread_id])
    seq, is_running = heads.get(thread_id, (0, False))
    return f"{seq}{'r' if is_running else ''}"


async def inbox_now() -> str:
    """Name what waits for people, over all threads."""
    waiting = await house.questions().waiting(None, None, _MOST_WAITING)
    return digest([[one.thread_id, one.plan_id, str(one.asked_at)] for one in waiting])[:16]


async def live_inbox(request: Request) -> Response:
    """Stream an event whenever the list of open questions changes."""
    return _stream(request, inbox_now)


async def at_inbox(request: Request) -> Response:
    """Record that a staff member is viewing the inbox, who then gets fewer notifications."""
    if (person := person_of(request)).is_staff:
        await available(house.postgres().notifications.note_presence(person))
    return Response(status_code=204)


async def live_thread(request: Request) -> Response:
    """Stream an event whenever a thread changes."""
    thread_id, _, _ = await open_thread(request)
    return _stream(request, lambda: thread_now(thread_id))


def _stream(request: Request, now: Callable[[], Awaitable[str]]) -> Response:
    async def changes() -> AsyncIterator[dict[str, str]]:
        seen = request.query_params.get("seen", "")
        while True:
            try:
                before, seen = seen, await now()
            except (Error, DaybookError) as error:
                # The page stays as it is until the database is back.
                _LOG.warning("the ledger cannot be read: %s", error)
            else:
                if seen != before:
                    yield {"event": "changed", "data": "changed"}
            await house.resources().clock.sleep(_SECONDS)

    return EventSourceResponse(changes(), ping=_PING_SECONDS)
