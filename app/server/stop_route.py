"""The route that stops the current plan of a thread, also while a run of it is in progress."""

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
    """Stop the current plan of a thread.

    The body is a JSON object with an `id`, by which a repeated request is recognised. The response
    has a `message` for the user, or the reason for a refusal as `detail`. The request is not a
    run, so it does not wait for one. Whoever runs the thread next undoes the completed steps.
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
        message = await stop_thread(
            served(), served.domain.name, thread_id, person, given.get("id") or ""
        )
    except REFUSALS as error:
        answer = refusal(error)
        if answer.status_code in (401, 404):
            denied("stop", person, thread_id)
        return answer
    return JSONResponse({"message": message})


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
