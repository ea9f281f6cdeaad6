"""Sign people in before Aegra does, which tells its handlers nothing but headers.

Aegra answers 401 whatever is wrong, and keeps each thread for the one who made it. Here who asks is
found by the whole request: too many are told so (429), a database that is away is (503), and staff
are let into other people's threads as the rules of `daybook.app.server.auth` have it.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from langgraph_sdk import Auth
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from daybook.app.server.auth import authenticate
from daybook.app.server.inside import OWNER_HEADER, header_of, is_inside
from daybook.app.server.production.open_questions import note_open_question
from daybook.app.server.sign_in import owner_of
from daybook.state.errors import DaybookError
from daybook.state.session import ROLES

SPEAKS = "speaks"
"""Where a user of Aegra's says who really asks: its identity is whose the thread is."""

_SERVED_BY_AEGRA = frozenset({"assistants", "threads", "runs", "store", "crons"})

_MAY_ANSWER = frozenset({"runs", "commands"})
"""What is posted to a thread that may hold an answer to a question."""

_let_in: ContextVar[Mapping[str, Any] | None] = ContextVar("let_in", default=None)


def let_in() -> Mapping[str, Any]:
    """Return who was let in with the request that is being answered.

    Raises:
        Auth.exceptions.HTTPException: nobody was.
    """
    found = _let_in.get()
    if found is None:
        raise Auth.exceptions.HTTPException(status_code=401, detail="You are not signed in.")
    return found


class Door:
    """Let people in to what Aegra serves."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        parts = [part for part in scope.get("path", "").split("/") if part]
        if scope["type"] != "http" or not parts or parts[0] not in _SERVED_BY_AEGRA:
            return await self._app(scope, receive, send)
        thread_id = parts[1] if parts[0] == "threads" and len(parts) > 1 else None
        try:
            user = _from_inside(scope) or await authenticate(dict(scope))
            whose = await _whose(scope, user, thread_id)
            if thread_id is not None and scope["method"] == "POST" and _MAY_ANSWER & {*parts[2:3]}:
                await note_open_question(thread_id, whose)
        except Auth.exceptions.HTTPException as refusal:
            return await _told(refusal.status_code, refusal.detail)(scope, receive, send)
        except HTTPException as refusal:
            answer = _told(refusal.status_code, refusal.detail, refusal.headers)
            return await answer(scope, receive, send)
        except DaybookError as error:
            return await _told(503, str(error))(scope, receive, send)
        token = _let_in.set({**user, "identity": whose, SPEAKS: user["identity"]})
        try:
            await self._app(scope, receive, send)
        finally:
            _let_in.reset(token)


async def _whose(scope: Scope, user: Mapping[str, Any], thread_id: str | None) -> str:
    """Return by whose name Aegra is to look for a thread: staff see those of others."""
    asks = str(user["identity"])
    named = header_of(scope, OWNER_HEADER) if user.get("inside") else ""
    is_staff = user.get("inside") or user["role"] != ROLES[0]
    if named or thread_id is None or not is_staff:
        return named or asks
    return await owner_of(thread_id) or asks


def _from_inside(scope: Scope) -> dict[str, Any] | None:
    """Know a page of this server's own by the secret that its processes share."""
    if not is_inside(scope):
        return None
    # Who acts is told to the graph by the page, as on a server of one process.
    who = {"identity": "", "role": ROLES[0], "signed_in": False, "permissions": []}
    return {**who, "inside": True}


def _told(status: int, why: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"detail": why}, status, headers=dict(headers or {}))
