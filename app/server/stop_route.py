"""Stop what is under way in a thread, for clients of the server: runs of it may be at work."""

from __future__ import annotations

import json
from typing import Any

from psycopg import InternalError, OperationalError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from daybook.app.server.denials import denied
from daybook.app.server.quotas import seconds_of
from daybook.app.server.sign_in import signed_in
from daybook.checkpoints.reach import unavailable
from daybook.graph.serve import at_work, at_work_on
from daybook.graph.stop import stop_thread
from daybook.state.errors import (
    DatabaseUnavailable,
    ForeignDomain,
    ForeignThread,
    ForeignWorld,
    InputRefused,
    NotSignedIn,
    ThreadClosed,
    ToolRefused,
    TooMany,
)
from daybook.state.session import ROLES, Person

_NOT_THEIRS = (ForeignThread, ForeignDomain, ForeignWorld, ThreadClosed)


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
    except NotSignedIn as error:
        denied("stop", None, thread_id)
        headers = {"WWW-Authenticate": "Bearer"}
        return JSONResponse({"detail": str(error)}, 401, headers)
    except TooMany as error:
        return JSONResponse({"detail": str(error)}, 429, seconds_of(error))
    except _NOT_THEIRS:
        denied("stop", person, thread_id)
        return JSONResponse({"detail": "There is no such thread of yours."}, 404)
    except InputRefused as error:
        return JSONResponse({"detail": str(error)}, 422)
    except ToolRefused as error:
        return JSONResponse({"detail": str(error)}, 409)
    except DatabaseUnavailable as error:
        return JSONResponse({"detail": str(error)}, 503)
    except (OperationalError, InternalError) as error:
        return JSONResponse({"detail": str(unavailable(error))}, 503)
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
            'The body is a JSON object with an "id", by which a repeated request is recognised. '
            "Nothing was stopped."
        )
    return given
