"""Stop what is under way in a thread, for clients of the server: runs of it may be at work."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from daybook.app.server.refusals import REFUSALS, denied, refusal
from daybook.app.server.sign_in import signed_in
from daybook.graph.serve import at_work, at_work_on
from daybook.graph.stop import stop_thread
from daybook.state.errors import InputRefused
from daybook.state.session import ROLES, Person


async def stop_over_http(request: Request) -> Response:
    """Stop what is under way in a thread, for a client that names the wish by an id.

    The body is a JSON object with that id, and the answer one with what was told, or with the
    reason why not as its detail. It is no run. The server would keep one waiting for the run that
    is at work. What was stopped is undone by that one, by the next one, or by a worker.
    """
    thread_id, person = request.path_params["thread_id"], None
    served = at_work()
    resources = served()
    try:
        person = await signed_in(request.scope)
        given = await _given(request)
        if person is None:
            # No token was ever made: whoever is at this machine says who they are.
            named = given.get("user_id"), given.get("role")
            person = Person(named[0] or resources.user, named[1] or ROLES[0])
        whose = await resources.postgres.threads.whose(thread_id)
        # One of a domain that is not served here is refused as such, whoever is asked.
        served = (whose and at_work_on(whose.domain)) or served
        told = await stop_thread(
            served(), served.domain.name, thread_id, person, given.get("id") or ""
        )
    except REFUSALS as error:
        answer = refusal(error)
        if answer.status_code in (401, 404):
            denied("stop", person, thread_id)
        return answer
    return JSONResponse({"told": told})


async def _given(request: Request) -> dict[str, Any]:
    """Read the body.

    Raises:
        InputRefused: it is no JSON object.
    """
    try:
        given = json.loads(await request.body())
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise InputRefused(
            'The body must be a JSON object with an "id", so that a repeated request is '
            "recognised. Nothing was stopped."
        )
    return given
