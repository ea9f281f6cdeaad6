"""Tell an open page that what it shows has changed: it looks at the ledger every two seconds."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable

from psycopg import Error
from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.responses import Response

from daybook.app.console import house
from daybook.app.console.guard import open_thread
from daybook.state.effects.keys import digest
from daybook.state.errors import DaybookError

_SECONDS = 2.0
_MOST = 200
_PING_SECONDS = 15

_LOG = logging.getLogger(__name__)


async def thread_now(thread_id: str) -> str:
    """Name the state that a thread is in: it is another one as soon as something happens."""
    heads = await house.search().heads([thread_id])
    seq, is_running = heads.get(thread_id, (0, False))
    return f"{seq}{'r' if is_running else ''}"


async def inbox_now() -> str:
    """Name what waits for people, over all threads."""
    waiting = await house.questions().waiting(house.names(), None, _MOST)
    return digest([[one.thread_id, one.plan_id, str(one.asked_at)] for one in waiting])[:16]


async def inbox(request: Request) -> Response:
    """Stream that what waits has changed."""
    return _stream(request, inbox_now)


async def thread(request: Request) -> Response:
    """Stream that a thread has moved."""
    thread_id, _, _ = await open_thread(request)
    return _stream(request, lambda: thread_now(thread_id))


def _stream(request: Request, now: Callable[[], Awaitable[str]]) -> Response:
    async def told() -> AsyncIterator[dict[str, str]]:
        seen = request.query_params.get("seen", "")
        while True:
            try:
                before, seen = seen, await now()
            except (Error, DaybookError) as error:
                # The page stays as it is until the database is back.
                _LOG.warning("nothing can be seen of the ledger: %s", error)
            else:
                if seen != before:
                    yield {"event": "changed", "data": "changed"}
            await house.resources().clock.sleep(_SECONDS)

    return EventSourceResponse(told(), ping=_PING_SECONDS)
