"""The answers to requests that are refused: each error with its status."""

from __future__ import annotations

from collections.abc import Mapping

from psycopg import InternalError, OperationalError
from starlette.responses import JSONResponse

from daybook.app.server.quotas import seconds_of
from daybook.checkpoints.reach import unavailable
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

_STATUS: Mapping[type[Exception], int] = {
    InputRefused: 422,
    NotSignedIn: 401,
    TooMany: 429,
    ToolRefused: 409,
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
        return JSONResponse({"detail": "There is no such thread of yours."}, status)
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    return JSONResponse({"detail": str(error)}, status, headers)
