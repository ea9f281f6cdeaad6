"""The HTTP door of the MCP server: who calls is signed in as at the API, what comes is bounded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.responses import JSONResponse
from starlette.types import Message, Receive, Scope, Send

from daybook.app.server.denials import denied
from daybook.app.server.quotas import LEAVING, quotas, seconds_of
from daybook.app.server.sign_in import signed_in
from daybook.state.errors import DatabaseUnavailable, NotSignedIn, TooMany
from daybook.state.session import Person

PATH: Final = "/mcp"

PERSON: Final = "daybook.person"
"""Under it a request's scope holds who has signed in."""

_MOST_BYTES: Final = 256 * 1024


class Door:
    """Let in who is signed in, with one message at a time; no session is kept, so none is stolen.

    Args:
        person: who it is at this machine while no token was ever made.
    """

    def __init__(self, manager: StreamableHTTPSessionManager, person: Person) -> None:
        self._manager, self._person = manager, person

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            return
        # What is counted for as long as a request is open, as at the API.
        leaving: list[Callable[[], None]] = []
        scope[LEAVING] = leaving
        try:
            await self._heard(scope, receive, send)
        finally:
            for leave in leaving:
                leave()

    async def _heard(self, scope: Scope, receive: Receive, send: Send) -> None:
        if (refusal := await self._refusal(scope)) is not None:
            await refusal(scope, receive, send)
            return
        body = await _read(receive)
        if body is None:
            await _says(413, "A message is too long. Nothing was done.")(scope, receive, send)
            return
        if not _is_text(body):
            # The package would answer 500.
            await _says(400, "A message is JSON in UTF-8. Nothing was done.")(scope, receive, send)
            return
        await self._manager.handle_request(scope, _again(body, receive), send)

    async def _refusal(self, scope: Scope) -> JSONResponse | None:
        """Say why a request is not let in; note in its scope who sent it."""
        if scope["path"].rstrip("/") != PATH:
            return _says(404, f"There is nothing here but {PATH}.")
        if scope["method"] != "POST":
            # Nothing is told by itself, and no session is kept: there is no stream to open.
            return _says(405, "Send messages by POST.", {"Allow": "POST"})
        try:
            person = await signed_in(scope) or self._person
        except NotSignedIn as refusal:
            denied("a request to the MCP server")
            return _says(401, str(refusal), {"WWW-Authenticate": "Bearer"})
        except TooMany as refusal:
            return _says(429, str(refusal), seconds_of(refusal))
        except DatabaseUnavailable as error:
            return _says(503, str(error))
        scope[PERSON] = person
        return None


def caller_of(request: Any) -> Person:
    """Return who makes a call, and count it as a run of theirs.

    Raises:
        TooMany: there were too many within a minute.
    """
    person = request.scope[PERSON]
    assert isinstance(person, Person)
    quotas().asked(person.user_id)
    return person


async def serve_http(server: Server[Any, Any], person: Person, host: str, port: int) -> None:
    """Serve over HTTP until somebody ends it."""
    manager = StreamableHTTPSessionManager(app=server, json_response=True, stateless=True)
    config = uvicorn.Config(
        Door(manager, person), host=host, port=port, log_level="warning", lifespan="off"
    )
    async with manager.run():
        await uvicorn.Server(config).serve()


async def _read(receive: Receive) -> bytes | None:
    """Read a message; None where it is longer than is taken."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return bytes(body)
        body += message.get("body", b"")
        if len(body) > _MOST_BYTES:
            return None
        if not message.get("more_body"):
            return bytes(body)


def _is_text(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def _again(body: bytes, receive: Receive) -> Receive:
    """Give a message that was read once more, then whatever comes."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def give() -> Message:
        return waiting.pop() if waiting else await receive()

    return give


def _says(status: int, detail: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"detail": detail}, status, headers)
