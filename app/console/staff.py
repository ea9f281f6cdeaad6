"""Pages that are staff's alone: ledgers, chains, and what is answered in bulk."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps

from starlette.requests import Request
from starlette.responses import Response

from daybook.app.console.guard import person_of
from daybook.app.console.pages import refused

FOR_STAFF = "This page is for staff. Nothing was done."

Shows = Callable[[Request], Awaitable[Response]]


def for_staff(shows: Shows) -> Shows:
    """Refuse customers a page, of whosever thread it is and whether there is one or not."""

    @wraps(shows)
    async def shown(request: Request) -> Response:
        if not person_of(request).is_staff:
            return refused(request, FOR_STAFF, 403)
        return await shows(request)

    return shown
