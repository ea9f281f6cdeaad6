"""Refused requests: the response to each error, and the log of denials."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping
from typing import Any

from psycopg import InternalError, OperationalError
from starlette.requests import Request
from starlette.responses import JSONResponse

from daybook.checkpoints.reach import unavailable
from daybook.state.errors import (
    ConfigurationError,
    DatabaseUnavailable,
    ForeignDomain,
    ForeignThread,
    ForeignWorld,
    InputRefused,
    NotSignedIn,
    ThreadBusy,
    ThreadClosed,
    ToolRefused,
    TooMany,
    UnknownCheckpoint,
)
from daybook.state.session import Person

_LOG = logging.getLogger(__name__)

_STATUS: Mapping[type[Exception], int] = {
    InputRefused: 422,
    UnknownCheckpoint: 422,
    NotSignedIn: 401,
    TooMany: 429,
    ToolRefused: 409,
    ThreadBusy: 409,
    ConfigurationError: 503,
    DatabaseUnavailable: 503,
    OperationalError: 503,
    InternalError: 503,
    **dict.fromkeys((ForeignThread, ForeignDomain, ForeignWorld, ThreadClosed), 404),
}

REFUSALS = tuple(_STATUS)


def refusal(error: Exception) -> JSONResponse:
    """Return the answer to a request that ended with one of `REFUSALS`."""
    status = next(_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS)
    if isinstance(error, TooMany):
        return JSONResponse({"detail": str(error)}, status, seconds_of(error))
    if isinstance(error, OperationalError | InternalError):
        return JSONResponse({"detail": str(unavailable(error))}, status)
    if status == 404:
        # Whether there is one is nobody else's to know.
        return JSONResponse({"detail": "You have no such thread."}, status)
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    return JSONResponse({"detail": str(error)}, status, headers)


async def refused(request: Request, error: Exception) -> JSONResponse:
    """Answer so on the server's own routes: what a graph refuses is no fault of the server."""
    return refusal(error)


def seconds_of(refusal: TooMany) -> dict[str, str]:
    """Return the header that says when to come back."""
    return {"Retry-After": str(refusal.seconds)}


def denied(what: str, person: Person | None = None, thread_id: Any = None) -> None:
    """Note a denial.

    Args:
        what: was asked for, in words of ours: a client's would let it write lines of its own.
        person: who asked; None is nobody who is known.
        thread_id: of this thread; left out where it is no UUID.
    """
    who = f"{person.user_id!a} ({person.role})" if person else "a caller who is not signed in"
    try:
        where = f" of the thread {uuid.UUID(str(thread_id))}"
    except ValueError:
        where = ""
    _LOG.warning("denied to %s: %s%s", who, what, where)
