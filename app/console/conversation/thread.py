"""A thread's page: what was said, where the work stands, the domain's panels, and the ledger."""

from __future__ import annotations

import uuid
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from daybook.app.console import added, house, live, runs
from daybook.app.console.conversation.asking import asked_in
from daybook.app.console.guard import person_of
from daybook.app.console.ledger import ledger
from daybook.app.console.pages import page as rendered_page
from daybook.app.console.pages import refused
from daybook.graph.unfinished import Left, left_in

_MOST = 100

_LEFT = {
    Left.CUT_OFF: "A turn was cut off here. Nothing is lost: it goes on from where it stood.",
    Left.UNSETTLED: "Something of this conversation is not settled yet.",
}


async def listing(request: Request) -> Response:
    """List the conversations: one's own, or all for staff."""
    person = person_of(request)
    of = None if person.is_staff else person.user_id
    threads = await house.search().threads(house.domain(), of, _MOST)
    return rendered_page(
        request, "threads.html", threads=threads, most=_MOST, example=house.served_domain().example
    )


async def page(request: Request) -> Response:
    """Show a thread, or the part of it that is asked for."""
    thread_id, person = request.path_params["thread_id"], person_of(request)
    if not await house.may_see(thread_id, person):
        return refused(request, house.NO_THREAD, 404)
    owner = await house.owner_of(thread_id, person) or person.user_id
    # Before anything is read: what happens meanwhile is told afterwards.
    seen = (await live.threads_now([thread_id]))[thread_id]
    match request.query_params.get("part"):
        case "talk":
            after = request.query_params.get("after", "")
            return await talk(request, thread_id, owner, sentence=runs.refusal_of(after))
        case "ledger":
            return rendered_page(request, "ledger.html", **await _ledger(request, thread_id))
        case _:
            about = await _talk(request, thread_id, owner)
            drawn = await _ledger(request, thread_id)
            more = {"seen": seen, "added": added.found() if person.is_staff else {}}
            return rendered_page(request, "thread.html", **{**about, **drawn, **more})


async def talk(
    request: Request, thread_id: str, owner: str, *, sentence: str = "", run_id: str | None = None
) -> Response:
    """Show the conversation, the panels and the question: what changes while one talks."""
    about = await _talk(request, thread_id, owner, sentence=sentence, run_id=run_id)
    return rendered_page(request, "talk.html", **about)


async def _talk(
    request: Request, thread_id: str, owner: str, *, sentence: str = "", run_id: str | None = None
) -> dict[str, Any]:
    person, domain = person_of(request), house.served_domain()
    snapshot = await house.state_of(thread_id)
    running = run_id or await runs.under_way(thread_id)
    heads = await house.search().heads([thread_id])
    is_busy = running is not None or heads.get(thread_id, (0, False))[1]
    left = None if is_busy else await left_in(snapshot, house.postgres())
    question = None if running else asked_in(snapshot, owner, person)
    is_under_way = await house.postgres().ledger.open_plan(thread_id) is not None
    return {
        "thread_id": thread_id,
        "owner": owner,
        "is_owner": owner == person.user_id,
        "messages": snapshot.values.get("messages", ()),
        "panels": domain.panels(snapshot.values) if snapshot.values else (),
        "greeting": domain.greeting,
        "example": domain.example,
        "flow": snapshot.values.get("flow", domain.flow.start),
        "positions": tuple(domain.flow.offered),
        "question": question,
        # What waits for its approval is rejected, or withdrawn by whatever is said next.
        "stop_id": str(uuid.uuid4())
        if is_under_way and (question is None or question.is_doubt)
        else None,
        "left": _LEFT.get(left) if left else None,
        "is_busy": is_busy,
        "run_id": running,
        "sentence": sentence,
    }


async def _ledger(request: Request, thread_id: str) -> dict[str, Any]:
    chosen = request.query_params.get("step")
    return {"thread_id": thread_id, **await ledger.drawn(thread_id, chosen)}
