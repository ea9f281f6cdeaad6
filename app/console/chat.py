"""A user's actions in a conversation: send a message, press a button, stop, continue."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import Any

from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from daybook.app.console import house, runs
from daybook.app.console.guard import form_of, open_thread, owned_thread, person_of
from daybook.app.console.pages import Refused, is_part, rendered
from daybook.app.console.thread import conversation_url, talk
from daybook.graph.resume import Left
from daybook.graph.stop import stop_thread
from daybook.state.effects.exact import Inexact, read_exactly
from daybook.state.errors import DaybookError, StaffMayNot, ThreadBusy, TooMany


async def begin(request: Request) -> Response:
    """Open a new conversation; it is stored with its first message."""
    domain = house.domain_named(form_of(request).get("domain"))
    return RedirectResponse(conversation_url(str(uuid.uuid4()), domain), 303)


async def say(request: Request) -> Response:
    """Send a message."""
    form = form_of(request)
    message = {"role": "user", "content": form.get("text", ""), "id": _id(form)}
    return await _run(request, {"messages": [message]})


async def press(request: Request) -> Response:
    """Send the event of a button beside the conversation; no model is called."""
    form = form_of(request)
    try:
        event = read_exactly(form.get("event", "").encode())
    except Inexact:
        event = None
    if not isinstance(event, dict):
        raise Refused("This page has no such button. Nothing was done.", 400)
    return await _run(request, {"events": [{**event, "id": _id(form)}]})


async def stop(request: Request) -> Response:
    """Stop the current plan; a run that is in progress carries this out."""
    thread_id, person, owner = await owned_thread(request)
    is_stopped, run_id = False, None
    try:
        domain = await house.domain_of(thread_id)
        sentence = await stop_thread(
            house.resources(domain), domain.name, thread_id, person, _id(form_of(request))
        )
        is_stopped = True
        with suppress(ThreadBusy):
            given = house.serving(domain).taking_up(Left.UNSETTLED)
            run_id = await runs.start(thread_id, person, owner, domain.name, given=given)
    except DaybookError as error:
        sentence = str(error)
    if is_part(request):
        return await talk(request, thread_id, owner, sentence=sentence, run_id=run_id)
    if not is_stopped:
        raise Refused(sentence, 409)
    return RedirectResponse(f"/console/threads/{thread_id}", 303)


async def go_on(request: Request) -> Response:
    """Continue an interrupted turn, or check unfinished actions again."""
    thread_id, _, _ = await open_thread(request)
    domain = await house.domain_of(thread_id)
    served, snapshot = house.serving(domain), await house.state_of(thread_id, domain)
    return await _run(request, served.taking_up(await served.left_in(snapshot)))


async def follow(request: Request) -> Response:
    """Stream the progress and the answer of a run, and its end."""
    thread_id, person = request.path_params["thread_id"], person_of(request)
    # A new thread is nobody's until its first run has begun.
    if not runs.is_begun_by(thread_id, person):
        await owned_thread(request)

    async def events() -> AsyncIterator[dict[str, str]]:
        try:
            async for told in runs.follow(thread_id, request.path_params["run_id"]):
                yield {
                    "event": told.kind,
                    "data": rendered(request, "told.html", told=told).strip(),
                }
        finally:
            yield {"event": "over", "data": "over"}

    return EventSourceResponse(events())


async def _run(request: Request, given: Mapping[str, Any] | None) -> Response:
    thread_id, person, owner = await open_thread(request)
    domain = await house.domain_of(thread_id, form_of(request).get("domain"))
    try:
        if given and owner != person.user_id and any(given.values()):
            raise StaffMayNot(thread_id, owner)
        run_id = await runs.start(thread_id, person, owner, domain.name, given=given)
    except TooMany:
        raise
    except DaybookError as error:
        raise Refused(str(error), 409) from error
    if is_part(request):
        return await talk(request, thread_id, owner, run_id=run_id)
    return RedirectResponse(conversation_url(thread_id, domain), 303)


def _id(form: Mapping[str, str]) -> str:
    """Return the id that the page gave what it sends: a second click is the same one."""
    return form.get("id") or str(uuid.uuid4())
